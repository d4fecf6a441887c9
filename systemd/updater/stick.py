"""Mounts a partition of a USB stick for the referee, and unmounts it: Raspberry Pi OS Lite does not do that by itself.

    python3 -m updater.stick mount sda1        # at /media/referee-sda1
    python3 -m updater.stick unmount sda1

1. Nothing on a stick can be run, and no device or right on it counts.
2. A drive of which anything is mounted elsewhere is left alone: the system runs from it, or somebody else uses it.
   On a system with a desktop, the desktop mounts sticks for the person who is logged in.
3. What is written is on the stick soon, because people pull it out without asking.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

MEDIA, PREFIX = "media", "referee-"
OWNER = "referee"
SAFE = "nosuid,nodev,noexec,noatime,errors=remount-ro"
SOON = {"vfat": "flush", "exfat": "dirsync", "ext4": "commit=1"}
"""The file systems that are mounted, each with the option that brings to the stick soon what is written."""
OWNED = ("vfat", "exfat")
"""Those whose files have no owners: they belong to the referee, and others may read them."""
DESKTOP = "display-manager.service"
_NAME = re.compile(r"[a-z0-9]{1,32}", re.ASCII)
_OCTAL = re.compile(r"\\([0-7]{3})")
COMMAND_S = 60.0

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


class NotMounted(Exception):
    """A partition that is left alone; the text says why."""


def options_for(kind: str, uid: int, gid: int) -> str:
    """Return the options with which a file system is mounted; raises NotMounted for one of another kind."""
    if kind not in SOON:
        raise NotMounted(f"expected one of {', '.join(SOON)}, found {kind or 'no file system'}")
    owner = f",uid={uid},gid={gid},umask=0022" if kind in OWNED else ""
    return f"{SAFE},{SOON[kind]}{owner}"


def mounted_at(mounts: str) -> list[tuple[str, str]]:
    """Return device and folder of each line of `/proc/mounts`."""
    lines = [line.split(" ") for line in mounts.splitlines()]
    return [(one[0], _OCTAL.sub(lambda found: chr(int(found[1], 8)), one[1])) for one in lines if len(one) > 2]


class Stick:
    """One partition, by its name in the kernel such as `sda1`, on the system below `root`."""

    def __init__(self, root: Path, name: str, run: Run) -> None:
        if not _NAME.fullmatch(name):
            raise NotMounted(f"expected the name of a partition such as sda1, found {name!r}")
        self._root, self._name, self._run = root, name, run
        self.folder = root / MEDIA / f"{PREFIX}{name}"

    def mount(self, owner: tuple[int, int]) -> None:
        """Mount it; raises NotMounted if it is left alone or cannot be mounted. `owner`: user and group."""
        if self._run(["systemctl", "--quiet", "is-active", DESKTOP]).returncode == 0:
            raise NotMounted("expected a system without a desktop, found one: it mounts sticks itself")
        self._check_unused()
        device = f"/dev/{self._name}"
        kind = self._run(["blkid", "-p", "-s", "TYPE", "-o", "value", device]).stdout.strip()
        options = options_for(kind, *owner)
        self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        done = self._run(["mount", "-t", kind, "-o", options, device, str(self.folder)])
        if done.returncode:
            self._remove_folder()
            raise NotMounted(f"{device}: expected a stick that can be mounted, found: {done.stderr.strip()}")

    def unmount(self) -> None:
        """Unmount it, also after it was pulled out; whatever still reads it gets an error."""
        where = str(self.folder)
        if any(folder == where for _, folder in self._mounted()) and self._run(["umount", where]).returncode:
            self._run(["umount", "--lazy", where])
        self._remove_folder()

    def _check_unused(self) -> None:
        drive, ours = self._drive(self._name), str(self._root / MEDIA / PREFIX)
        for device, folder in self._mounted():
            name = device.removeprefix("/dev/")
            if name != device and "/" not in name and self._drive(name) == drive and not folder.startswith(ours):
                raise NotMounted(f"expected a drive that nobody uses, found {device} at {folder}")

    def _mounted(self) -> list[tuple[str, str]]:
        return mounted_at((self._root / "proc/mounts").read_text(encoding="utf-8", errors="replace"))

    def _drive(self, name: str) -> str:
        """Return the drive that a partition is on, or the name itself."""
        real = Path(os.path.realpath(self._root / "sys/class/block" / name))
        return real.parent.name if (real / "partition").exists() else name

    def _remove_folder(self) -> None:
        with contextlib.suppress(OSError):  # something else is mounted there, or lies in it
            self.folder.rmdir()


def run_command(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a program of the system; a program that is missing or hangs has failed."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=COMMAND_S)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 1, "", str(error))


def main(words: list[str], root: Path = Path("/"), run: Run = run_command) -> int:
    """Run one verb; 1 if the partition is left alone, 2 for anything that is no verb."""
    try:
        match words:
            case ["mount", name]:
                user = pwd.getpwnam(OWNER)
                Stick(root, name, run).mount((user.pw_uid, user.pw_gid))
            case ["unmount", name]:
                Stick(root, name, run).unmount()
            case _:
                sys.stderr.write(__doc__ or "")
                return 2
    except KeyError:
        sys.stderr.write(f"stick: expected the user {OWNER}, found none\n")
        return 1
    except NotMounted as error:
        sys.stderr.write(f"stick: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
