"""A backup and a restore exclude each other, so that no backup has some files from before a restore and others after.

Several backups may be made at the same time, and beside a running match: the lock of the journal's writer does not
keep them out. Whoever exchanges what is in the folder (a restore, a reset, or whoever completes one) is alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.backup.manifest import BACKUP_LOCK
from referee.errors import BadInput
from referee.journal.owner import give


@contextmanager
def no_switch_in(folder: Path) -> Iterator[None]:
    """Keep restores and resets of the folder out while a backup is made; raises BadInput if one is under way."""
    with _locked(folder, fcntl.LOCK_SH, "no restore or reset"):
        yield


@contextmanager
def no_backup_of(folder: Path) -> Iterator[None]:
    """Keep backups of the folder out while its content is exchanged; raises BadInput if one is being made."""
    with _locked(folder, fcntl.LOCK_EX, "no backup"):
        yield


@contextmanager
def _locked(folder: Path, lock: int, expected: str) -> Iterator[None]:
    path = folder / BACKUP_LOCK
    handle = _lock(path, lock, expected)
    try:
        yield
    finally:
        if handle is not None:
            _release(handle, path)


def _lock(path: Path, lock: int, expected: str) -> int | None:
    """Return a handle that has the lock; None if there is none to be had: a backup must be possible even then."""
    while (handle := _open(path)) is not None:
        try:
            fcntl.flock(handle, lock | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            found = f"{path.parent}: expected {expected} under way there, found one: wait until it is complete"
            raise BadInput(found) from None
        except OSError:  # some network disks lock nothing
            return handle
        if _is_same(handle, path):
            return handle
        os.close(handle)  # whoever had it before has removed it meanwhile
    return None


def _release(handle: int, path: Path) -> None:
    """Release the lock; the last one to do so removes the file."""
    with contextlib.suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_same(handle, path):
            path.unlink()
    os.close(handle)


def _is_same(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def _open(path: Path) -> int | None:
    """Open the file of the lock; None if that is impossible, as on a full disk, or for whoever may only read."""
    for flags in (os.O_RDWR | os.O_CREAT, os.O_RDONLY):
        with contextlib.suppress(OSError):
            handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
            with contextlib.suppress(OSError):
                give(handle, path.parent)
            return handle
    return None
