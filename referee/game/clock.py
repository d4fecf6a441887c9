"""The turn clock as a value: every moment is passed in, nothing ticks by itself."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

WARNINGS = (30, 10, 6, 5, 4, 3, 2, 1)
"""Seconds before the end at which the players are warned."""


@dataclass(frozen=True, slots=True)
class TurnClock:
    """Time for one turn: `used` seconds are gone, and it runs on since `since` unless that is None.

    Without `seconds` the time never ends. `free` seconds at the beginning did not count.
    """

    seconds: float | None
    used: float = 0.0
    since: float | None = None
    free: float = 0.0

    @property
    def is_running(self) -> bool:
        """True between start and stop."""
        return self.since is not None

    def start(self, t: float) -> TurnClock:
        """Let it run on from `t`; a running clock is not touched."""
        return self if self.is_running else replace(self, since=t)

    def stop(self, t: float) -> TurnClock:
        """Stop it at `t`, as for a press, a look or a pause."""
        used = self._seconds_used(t)
        if self.seconds is not None and self.is_expired(t):
            used = max(used, self.seconds + self.free)
        return replace(self, used=used, since=None)

    def with_limit(self, seconds: float, t: float) -> TurnClock:
        """The clock of the same turn with only this many seconds left from `t` on; nothing before it counts."""
        return replace(self, seconds=seconds, free=self._seconds_used(t))

    def seconds_left(self, t: float) -> float:
        """Seconds left at `t`, never below zero."""
        if self.seconds is None:
            return math.inf
        # Told by the deadline itself: whoever wakes up at that very moment must find no time left.
        end = self.deadline
        left = max(0.0, self.seconds + self.free - self.used)
        return left if end is None else max(0.0, min(left, end - t))

    def elapsed_s(self, t: float) -> float:
        """Seconds used up to `t`."""
        return self._seconds_used(t)

    def is_expired(self, t: float) -> bool:
        """True where no time is left at `t`."""
        return self.seconds_left(t) == 0.0

    @property
    def deadline(self) -> float | None:
        """The moment at which the time will be up; None while the clock stands, and where the time never ends."""
        if self.since is None or self.seconds is None:
            return None
        return self.since + max(0.0, self.seconds + self.free - self.used)

    def warnings(self, after: float, until: float) -> tuple[int, ...]:
        """The warnings that fall due later than `after` and not later than `until`."""
        end = self.deadline
        return () if end is None else tuple(mark for mark in WARNINGS if after < end - mark <= until)

    def next_due(self, t: float) -> float | None:
        """The next moment after `t` at which a warning falls due or the time is up; None where nothing will."""
        end = self.deadline
        if end is None:
            return None
        return min((moment for mark in (*WARNINGS, 0) if (moment := end - mark) > t), default=None)

    def _seconds_used(self, t: float) -> float:
        # A clock that was set back must not give time back.
        return self.used + (0.0 if self.since is None else max(0.0, t - self.since))
