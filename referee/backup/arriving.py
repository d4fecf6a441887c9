"""A backup that is to be restored from the page: it arrives in pieces, and is checked before anybody may decide.

1. A file arrives in `restore-arriving.part` beside the journal, one at a time, and gets the name `restore-chosen.zip`
   only once it is complete, on the disk, and a backup that can be restored here.
2. Both are removed at the next start of the program, whatever became of them; no backup contains them.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from referee.backup.checking import check_backup, check_version, open_backup
from referee.backup.contents import Places
from referee.backup.manifest import CHOSEN, BadBackup, Manifest, NewerBackup
from referee.backup.restoring import SPARE
from referee.backup.writing import check_room, size_of
from referee.devices.whole_file import sync_folder
from referee.errors import BadInput

PART = "restore-arriving.part"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
SYNC_BYTES = 4_000_000
"""So many bytes are written to the card at a time: a journal that is written meanwhile never waits for all of them."""


class NotRestorable(BadInput):
    """A file that cannot be restored. `reason` is the word by which people are told why."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def free_bytes(folder: Path) -> int:
    """Return how many bytes can still be written below a folder."""
    return shutil.disk_usage(folder).free


def remove_chosen(folder: Path) -> None:
    """Remove what has arrived in the folder of a journal, complete or not."""
    for name in (PART, CHOSEN):
        (folder / name).unlink(missing_ok=True)


def examine(path: Path, places: Places) -> Manifest:
    """Read a whole backup and return its manifest; raises NotRestorable if it cannot be restored into `places`."""
    try:
        with open_backup(path) as backup:
            manifest = backup.manifest
            check_version(manifest, path)
            needed = manifest.size + size_of(Places(places.state, folder=places.folder)) + SPARE
        check_backup(path)
    except NewerBackup as error:
        raise NotRestorable("newer", str(error)) from error
    except BadInput as error:
        # A file that is damaged is a bad backup; one that cannot be opened says nothing about its content.
        is_bad = isinstance(error, BadBackup) or not isinstance(error.__cause__, OSError)
        raise NotRestorable("not_one" if is_bad else "disk", str(error)) from error
    except OSError as error:
        raise NotRestorable("disk", str(error)) from error
    _check_room(places.state, needed)
    return manifest


class ArrivingBackup:
    """A backup that arrives piece by piece; as a context it leaves nothing behind unless it was taken."""

    def __init__(self, places: Places, size: int | None = None, free: Callable[[Path], int] = free_bytes) -> None:
        """Begin; raises NotRestorable. `size` is the number of bytes if it is known."""
        self._places, self._free = places, free
        self._path = places.state / PART
        self._unsynced = 0
        self._file: int | None = None
        self._check_room(size or 0)
        try:
            remove_chosen(places.state)
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise _of_disk(error) from error

    def __enter__(self) -> ArrivingBackup:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, piece: bytes) -> None:
        """Add a piece; raises NotRestorable."""
        if self._file is None:
            raise ValueError("expected a backup that is still arriving, found one that has ended")
        try:
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(self._file, rest) :]
            self._unsynced += len(piece)
            if self._unsynced >= SYNC_BYTES:
                os.fdatasync(self._file)
                self._unsynced = 0
                self._check_room(0)
        except OSError as error:
            raise _of_disk(error) from error

    def take(self) -> tuple[Path, Manifest]:
        """Check what has arrived, and return its path and its manifest; raises NotRestorable."""
        if self._file is None:
            raise ValueError("expected a backup that is still arriving, found one that has ended")
        try:
            os.fsync(self._file)
        except OSError as error:
            raise _of_disk(error) from error
        manifest, chosen = examine(self._path, self._places), self._places.state / CHOSEN
        try:
            self._path.rename(chosen)
            sync_folder(chosen.parent)
        except OSError as error:
            raise _of_disk(error) from error
        return chosen, manifest

    def close(self) -> None:
        """End; what was not taken is removed."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            self._path.unlink(missing_ok=True)

    def _check_room(self, size: int) -> None:
        if self._free(self._places.state) < size + SPARE:
            raise NotRestorable("no_room", f"{self._places.state}: expected room for the backup, found too little")


def _check_room(folder: Path, needed: int) -> None:
    try:
        check_room(folder, needed, 0)
    except BadInput as error:
        raise NotRestorable("no_room", str(error)) from error


def _of_disk(error: OSError) -> NotRestorable:
    return NotRestorable("no_room" if error.errno in NO_ROOM else "disk", str(error))
