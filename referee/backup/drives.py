"""Finds USB sticks and other removable drives that are mounted.

The kernel lists mounts in `/proc/mounts`, and drives in `/sys/block`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SYSTEM = ("/", "/boot", "/boot/firmware", "/usr", "/var", "/home")
"""Where a drive is mounted that the system runs from. A Pi may have been started from a USB drive."""
_OCTAL = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class _Mount:
    device: str
    folder: str
    options: frozenset[str]


def removable_folders(root: Path = Path("/"), *, writable: bool = True) -> list[Path]:
    """Return where removable drives are mounted that can be written to, in the order in which they were mounted.

    `root` is where `/proc`, `/sys` and the mounted folders are looked for. If `writable` is false, those that can only
    be read count, too.
    """
    mounts = list(_mounts(root))
    system = {_drive_of(root, mount.device) for mount in mounts if mount.folder in SYSTEM}
    found = []
    for mount in mounts:
        drive = _drive_of(root, mount.device)
        if drive is None or drive in system or (writable and "ro" in mount.options) or not _is_removable(root, drive):
            continue
        folder = root / mount.folder.lstrip("/")
        if folder not in found and folder.is_dir() and os.access(folder, os.W_OK if writable else os.R_OK | os.X_OK):
            found.append(folder)
    return found


def _mounts(root: Path) -> Iterator[_Mount]:
    try:
        lines = (root / "proc/mounts").read_text("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        parts = [_OCTAL.sub(lambda found: chr(int(found[1], 8)), part) for part in line.split(" ")]
        if len(parts) >= 4:
            yield _Mount(parts[0], parts[1], frozenset(parts[3].split(",")))


def _drive_of(root: Path, device: str) -> str | None:
    """Return the drive of a device such as `/dev/sda1`, here `sda`; None if it is no part of a drive."""
    folder, _, name = device.rpartition("/")
    if folder != "/dev" or not name:
        return None
    blocks = root / "sys/block"
    if (blocks / name).exists():
        return name
    return next((path.parent.name for path in blocks.glob(f"*/{name}")), None)


def _is_removable(root: Path, drive: str) -> bool:
    """Return whether a drive can be taken out. Fixed disks in a USB case say they cannot, but their path has `usb`."""
    place = root / "sys/block" / drive
    try:
        if (place / "removable").read_text("ascii").strip() == "1":
            return True
    except (OSError, ValueError):
        return False
    return any(re.fullmatch(r"usb\d+", part) for part in Path(os.path.realpath(place)).parts)
