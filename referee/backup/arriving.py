"""A backup that is to be restored from the page: it arrives in pieces, and is checked before anybody may decide.

1. A file arrives in `restore-arriving.part` beside the journal, one at a time, and gets the name `restore-chosen.zip`
   only once it is complete, on the disk, and a backup that can be restored here.
2. Both are removed at the next start of the program, whatever became of them; no backup contains them.
3. It may be closed while another thread still writes, as when the page is closed: that piece is written to its end
   first, because the number of a file that is closed may belong to another file a moment later.
"""

from __future__ import annotations

import errno
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.backup.contents import Places
from referee.backup.counting import Report, ignore_report
from referee.backup.examining import Examine, Inside, NotRestorable
from referee.backup.manifest import CHOSEN
from referee.backup.restoring import SPARE
from referee.backup.writing import SYNC_BYTES, Continues
from referee.devices.whole_file import sync_folder

PART = "restore-arriving.part"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_BEGINNING = b"PK\x03\x04"
"""The first bytes of every ZIP file with something in it, as each backup is."""


def free_bytes(folder: Path) -> int:
    """Return how many bytes can still be written below a folder."""
    return shutil.disk_usage(folder).free


def remove_chosen(folder: Path) -> None:
    """Remove what has arrived in the folder of a journal, complete or not."""
    for name in (PART, CHOSEN):
        (folder / name).unlink(missing_ok=True)


class ArrivingBackup:
    """A backup that arrives piece by piece; as a context it leaves nothing behind unless it was taken."""

    def __init__(self, places: Places, size: int | None = None, free: Callable[[Path], int] = free_bytes) -> None:
        """Begin; raises NotRestorable. `size` is the number of bytes if it is known."""
        self._places, self._free = places, free
        self._path = places.state / PART
        self._unsynced = 0
        self._head = b""
        self._in_use = threading.Lock()
        self._file: int | None = None
        try:
            remove_chosen(places.state)  # it takes room, and nobody can restore it any more
            self._check_room(size or 0)
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise _of_disk(error) from error

    def __enter__(self) -> ArrivingBackup:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, piece: bytes) -> None:
        """Add a piece; raises NotRestorable, at once for a file that cannot be a backup: it may be a long video."""
        with self._open_file() as file:
            self._head += piece[: len(_BEGINNING) - len(self._head)]
            if not _BEGINNING.startswith(self._head):
                raise NotRestorable("not_one", f"{self._path}: expected a backup, found another file")
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(file, rest) :]
            self._unsynced += len(piece)
            if self._unsynced >= SYNC_BYTES:
                os.fdatasync(file)
                self._unsynced = 0
                self._check_room(0)

    def take(
        self, examine: Examine, goes_on: Continues = lambda: True, report: Report = ignore_report
    ) -> tuple[Path, Inside]:
        """Check what has arrived, and return its path and what is in it.

        Raises NotRestorable, and whatever else `examine` raises, such as Stopped once `goes_on` returns False.
        """
        with self._open_file() as file:
            os.fsync(file)
        inside, chosen = examine(self._path, self._places, goes_on, report), self._places.state / CHOSEN
        with self._open_file():
            self._path.rename(chosen)
            try:
                sync_folder(chosen.parent)
            except OSError:
                chosen.unlink()
                raise
        return chosen, inside

    def close(self) -> None:
        """End; what was not taken is removed."""
        with self._in_use:
            if self._file is not None:
                os.close(self._file)
                self._file = None
                self._path.unlink(missing_ok=True)

    @contextmanager
    def _open_file(self) -> Iterator[int]:
        """Provide the file, which nobody closes meanwhile; errors of the disk become NotRestorable."""
        with self._in_use:
            if self._file is None:
                raise ValueError("expected a backup that is still arriving, found one that has ended")
            try:
                yield self._file
            except OSError as error:
                raise _of_disk(error) from error

    def _check_room(self, size: int) -> None:
        if self._free(self._places.state) < size + SPARE:
            raise NotRestorable("no_room", f"{self._places.state}: expected room for the backup, found too little")


def _of_disk(error: OSError) -> NotRestorable:
    return NotRestorable("no_room" if error.errno in NO_ROOM else "disk", str(error))
