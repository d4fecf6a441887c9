"""How far work on a backup is: bytes of several steps, counted towards one total."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

Report = Callable[[int, int], None]
"""Takes how many bytes of how many are done."""
EVERY_S = 0.2
"""Seconds between two reports: often enough for a bar, and for whoever gives work up that does not get on."""


def ignore_report(_: int, __: int) -> None:
    """Take a report that nobody reads."""


class Meter:
    """Counts bytes and reports them, at most once every `EVERY_S` and at each end of a step."""

    def __init__(self, report: Report, total: int, now: Callable[[], float] = time.monotonic) -> None:
        """`total` is the number of bytes of all steps; the first report is made at once."""
        self._report, self._total, self._now = report, max(total, 1), now
        self._done = self._end = 0
        self._next = now() + EVERY_S
        report(0, self._total)

    def count(self, chunk: bytes) -> None:
        """Count a chunk of the present step; a step never counts for more than it was announced to have."""
        self._done = min(self._done + len(chunk), self._end)
        if (now := self._now()) >= self._next:
            self._next = now + EVERY_S
            self._report(self._done, self._total)

    def counted(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the chunks, and count them."""
        for chunk in chunks:
            yield chunk
            self.count(chunk)

    def begin(self, size: int) -> None:
        """Begin a step of so many bytes; the one before it is complete, whatever was counted."""
        self._done = self._end
        self._end = min(self._end + size, self._total)
        self._report(self._done, self._total)

    def finish(self) -> None:
        """Report that everything is done."""
        self._done = self._end = self._total
        self._report(self._total, self._total)
