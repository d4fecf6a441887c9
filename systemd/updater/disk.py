"""Changes on the disk that are there completely or not at all, wherever the power fails."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_whole(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file; a reader, and the next start after a power cut, finds the old one or the complete new one.

    The folder may belong to another user: nothing that lies there already is followed or written to.
    """
    unfinished = path.with_name(f".{path.name}.new")
    with contextlib.suppress(FileNotFoundError):
        unfinished.unlink()
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        rest = memoryview(text.encode())
        while rest:  # on a disk that is nearly full, the beginning alone may be written, without an error
            rest = rest[os.write(handle, rest) :]
        os.fchmod(handle, mode)
        os.fsync(handle)
    finally:
        os.close(handle)
    os.replace(unfinished, path)  # noqa: PTH105 - the same call as for the link below
    sync_folder(path.parent)


def replace_link(path: Path, target: str) -> None:
    """Let a link lead to `target`; at every moment it leads to the old target or to the new one."""
    unfinished = path.with_name(f".{path.name}.new")
    with contextlib.suppress(FileNotFoundError):
        unfinished.unlink()
    unfinished.symlink_to(target)
    os.replace(unfinished, path)  # noqa: PTH105 - Path.replace() is not documented for links
    sync_folder(path.parent)


def remove_file(path: Path) -> None:
    """Remove a file, if it is there."""
    try:
        path.unlink()
    except FileNotFoundError:
        return
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make sure that the names in a folder survive a power cut."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_in_memory(root: Path) -> bool:
    """Return whether what is written to the system below `root` is kept in memory only, as with overlayroot.

    The journal may all the same be on a partition that is kept: a version would be gone after the next start of the
    machine, and the one before could not read the journal's new tables.
    """
    try:
        mounts = (root / "proc/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(line.startswith("overlayroot / ") for line in mounts.splitlines())
