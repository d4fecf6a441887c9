"""A folder is in use although its journal is not open: a page serves it that waits for a camera, or for a decision.

The lock of the journal's writer comes and goes with each table; this one is held for as long as the program runs.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.game.notice import Notice
from referee.journal.errors import JournalInUse
from referee.journal.owner import give, no_follow_flag, refuse_planted

FILE = "page.lock"


@contextmanager
def in_use(folder: Path) -> Iterator[None]:
    """Within this context no other program may exchange what is in the folder, or serve it.

    Raises JournalInUse if another program is in such a context. Without the folder, and on a disk that takes no lock,
    nothing is locked: the journal has a lock of its own. A file that is made for the lock is removed at the end.
    """
    handle, was_there = None, (folder / FILE).exists()
    try:
        handle = _open(folder / FILE)
        if handle is not None:
            _lock(handle, folder / FILE)
        yield
    finally:
        if handle is not None:
            if not was_there:
                with contextlib.suppress(OSError):
                    (folder / FILE).unlink()
            os.close(handle)


def _open(path: Path) -> int | None:
    with contextlib.suppress(OSError):
        refuse_planted(path)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | no_follow_flag(), 0o600)
        with contextlib.suppress(OSError):
            give(handle, path.parent)
        return handle
    return None


def _lock(handle: int, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise JournalInUse(Notice("journal.in_use_unknown", path=str(path))) from None
    except OSError:  # some network disks lock nothing
        return
