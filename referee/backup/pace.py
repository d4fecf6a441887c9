"""Rests between pieces of work, so that whoever needs the processor meanwhile finds most of it free."""

from __future__ import annotations

import time
from collections.abc import Callable

SHARE = 0.25
"""The part of the time in which a backup works that nobody waits for.

The lowest priority alone is not enough: it keeps nobody waiting in the queue for the processor, but its work still
takes caches and memory from the others, and the second half of a core that has two.
"""

LONGEST_S = 1.0
"""The longest rest, in seconds: whoever ends the work waits for it."""


class Pace:
    """Keeps work to a share of the time, by the processor time that this process has used."""

    def __init__(
        self,
        share: float = SHARE,
        used: Callable[[], float] = time.process_time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`used` returns the seconds of processor time so far."""
        self._rest, self._used, self._sleep = 1 / share - 1, used, sleep
        self._last = used()

    def rest(self) -> None:
        """Rest for as long as the work since the last rest requires."""
        self._sleep(min(LONGEST_S, self._rest * max(0.0, self._used() - self._last)))
        self._last = self._used()
