"""One writer at a time: a lock that goes with the process, however that ends."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

from referee.game.notice import Notice
from referee.journal.errors import JournalInUse
from referee.journal.owner import give, no_follow_flag, refuse_planted


class WriterLock:
    """Held from creation to `release`; raises JournalInUse where somebody else holds it.

    The folder is locked together with the file in it: a file can be removed, and another one made in its place.
    """

    def __init__(self, path: Path) -> None:
        refuse_planted(path)
        self._handles = [os.open(path, os.O_RDWR | os.O_CREAT | no_follow_flag(), 0o600)]
        try:
            give(self._handles[0], path.parent)
            self._handles.append(os.open(path.parent, os.O_RDONLY))
            for handle in self._handles:
                _lock(handle)
        except BlockingIOError:
            holder = os.pread(self._handles[0], 32, 0).decode("ascii", "replace").strip()
            self.release()
            known = Notice("journal.in_use", process=holder, path=str(path))
            raise JournalInUse(known if holder else Notice("journal.in_use_unknown", path=str(path))) from None
        except BaseException:
            self.release()
            raise
        self._sign()

    def release(self) -> None:
        """Let others write; once is enough, twice does no harm."""
        while self._handles:
            os.close(self._handles.pop())

    def _sign(self) -> None:
        """Say who holds it; on a full disk it holds without a name."""
        try:
            os.ftruncate(self._handles[0], 0)
            os.pwrite(self._handles[0], f"{os.getpid()}\n".encode("ascii"), 0)
        except OSError:
            return


def _lock(handle: int) -> None:
    """Lock a file or folder; raises BlockingIOError where it is locked."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError as error:
        # Some network disks lock no folder that was opened to be read; the file must do there.
        if error.errno not in (errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOTSUP):
            raise
