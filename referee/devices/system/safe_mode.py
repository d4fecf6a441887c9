"""Safe mode: after several starts in a row that failed, or on request, the referee runs with its usual settings.

`safe-mode.json` beside the journal has the recent starts of the service and whether somebody has asked for safe mode.
A start that ends as it should is removed again. If the third in ten minutes has not, the next one is in safe mode;
systemd gives up only after the fifth (`StartLimitBurst=`). The settings themselves are never touched.
Only starts of the same version count: after an update that crashed, the version before is not to blame.
"""

from __future__ import annotations

import errno
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from referee.devices.whole_file import write_whole
from referee.errors import BadInput
from referee.game.notice import Notice

FILE = "safe-mode.json"
CRASHES, WITHIN_S = 3, 600.0
"""So many starts without an end within this time, in seconds."""
CRASHED, ASKED = Notice("system.safe_crashed"), Notice("system.safe_asked")
FULL, UNWRITABLE = Notice("system.make_room"), Notice("system.disk_fails")
A_PLACE = "a place to note it"


def why_unwritten(error: BaseException) -> Notice:
    """Return what a family is told if a file cannot be written: that the card is full, or that it takes nothing."""
    cause = error if isinstance(error, OSError) else error.__cause__
    is_full = isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT)
    return FULL if is_full else UNWRITABLE


class SafeMode:
    """Whether the referee runs in safe mode, and why."""

    def __init__(
        self,
        folder: Path,
        environ: Mapping[str, str],
        root: Path = Path("/"),
        now: Callable[[], float] = time.monotonic,
        prefix: str = sys.prefix,
    ) -> None:
        """`folder` is that of the journal. Starts count only if systemd restarts the program after they fail.

        `prefix` is the folder of the program's virtual environment, which tells one version from another.
        """
        self._path, self._now = folder / FILE, now
        self._counts = "NOTIFY_SOCKET" in environ
        boot, version = "", prefix
        with suppress(OSError):
            boot = (root / "proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        with suppress(OSError, RuntimeError):
            version = str(Path(prefix).resolve())  # both versions are started by the same link
        self._boot = f"{boot} {version}"
        """Identifies the start of the machine and the version.

        By the monotonic clock, the times of another start mean nothing.
        """
        self.why: Notice | None = None
        """Why the referee runs in safe mode; None: it does not."""

    def begin(self) -> None:
        """Note that the program starts, and find out whether it runs in safe mode."""
        starts, asked = self._read()
        if asked:
            self.why = ASKED
        elif self._counts and len(starts) >= CRASHES:
            self.why = CRASHED
        self._count(starts, asked)

    def _count(self, starts: list[float], asked: bool) -> None:
        if self._counts:
            self._try_to_write([*starts, self._now()], asked=asked)

    def _try_to_write(self, starts: list[float], *, asked: bool) -> None:
        with suppress(BadInput):  # a full disk is no reason not to start
            self._write(starts, asked=asked)

    def end(self) -> None:
        """Note that the program has ended as it should."""
        starts, asked = self._read()
        if starts:
            self._try_to_write([], asked=asked)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count this start as none while the program waits for somebody: it may be stopped or unplugged then."""
        starts, asked = self._read()
        if starts:
            self._try_to_write(starts[:-1], asked=asked)
        try:
            yield
        except Exception:
            self._count(*self._read())
            raise
        self._count(*self._read())

    def change(self, *, on: bool) -> Notice | None:
        """Switch safe mode on or off; return why that could not be written down, None if it was."""
        try:
            self._write([], asked=on)
        except BadInput as error:
            return why_unwritten(error)
        self.why = ASKED if on else None
        return None

    def _read(self) -> tuple[list[float], bool]:
        """Return the moments of recent starts that have not ended, and whether somebody has asked for safe mode."""
        try:
            found: Any = json.loads(self._path.read_bytes()[:10_000])
            starts = [float(moment) for moment in found["starts"]] if found["boot"] == self._boot else []
            asked = found["asked"] is True
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return [], False
        now = self._now()
        return [moment for moment in starts if 0 <= now - moment <= WITHIN_S], asked

    def _write(self, starts: list[float], *, asked: bool) -> None:
        text = json.dumps({"boot": self._boot, "starts": starts, "asked": asked})
        write_whole(self._path, text.encode(), A_PLACE, 0o600)
