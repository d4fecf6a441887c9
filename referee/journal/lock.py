"""One writer at a time: a lock that goes with the process, however that ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from referee.journal.errors import JournalInUse


class WriterLock:
    """Held from creation to `release`; raises JournalInUse where somebody else holds it."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._handle, 32, 0).decode("ascii", "replace").strip()
            os.close(self._handle)
            raise JournalInUse(
                f"expected to be the only referee here, found another one (process {holder or 'unknown'}, {path}): "
                "stop it first, a service with `sudo systemctl stop referee`"
            ) from None
        self._sign()

    def release(self) -> None:
        """Let others write; once is enough, twice does no harm."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)

    def _sign(self) -> None:
        """Say who holds it; on a full disk it holds without a name."""
        try:
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, f"{os.getpid()}\n".encode("ascii"), 0)
        except OSError:
            return
