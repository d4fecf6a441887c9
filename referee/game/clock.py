"""The turn clock as an immutable value: it does not run by itself, callers pass in the time."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

WARNINGS = (30, 10, 6, 5, 4, 3, 2, 1)
"""Seconds before the end at which the players are warned. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The time of one turn, in seconds.

    `used` seconds were used before the last start; the clock has been running since the moment `since`, or is stopped
    if that is None. The turn has `seconds` in all (None: no limit). The first `free` seconds of `used` do not count.
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
        """Return the clock running from `t` on; unchanged if it runs already."""
        return self if self.is_running else replace(self, since=t)

    def stop(self, t: float) -> TurnClock:
        """Return the clock stopped at `t`, as for a press, a look or a pause."""
        used = self._seconds_used(t)
        if self.seconds is not None and self.is_expired(t):
            used = max(used, self.seconds + self.free)
        return replace(self, used=used, since=None)

    def with_limit(self, seconds: float, t: float) -> TurnClock:
        """Return the clock of the same turn with this many seconds left from `t` on."""
        return replace(self, seconds=seconds, free=self._seconds_used(t))

    def seconds_left(self, t: float) -> float:
        """Return the seconds left at `t`, never below zero."""
        if self.seconds is None:
            return math.inf
        # Computed from the deadline, so that a timer that fires exactly then finds no time left despite rounding.
        end = self.deadline
        left = max(0.0, self.seconds + self.free - self.used)
        return left if end is None else max(0.0, min(left, end - t))

    def elapsed_s(self, t: float) -> float:
        """Return the seconds used up to `t`."""
        return self._seconds_used(t)

    def is_expired(self, t: float) -> bool:
        """Return whether no time is left at `t`."""
        return self.seconds_left(t) == 0.0

    @property
    def deadline(self) -> float | None:
        """The moment at which time will be up; None if the clock is stopped or has no limit."""
        if self.since is None or self.seconds is None:
            return None
        return self.since + max(0.0, self.seconds + self.free - self.used)

    def warnings(self, after: float, until: float) -> tuple[int, ...]:
        """Return the warnings (seconds left) that are due after `after` and not after `until`."""
        end = self.deadline
        return () if end is None else tuple(mark for mark in WARNINGS if after < end - mark <= until)

    def next_due(self, t: float) -> float | None:
        """Return the next moment after `t` at which a warning is due or time is up; None if there is none."""
        end = self.deadline
        if end is None:
            return None
        return min((moment for mark in (*WARNINGS, 0) if (moment := end - mark) > t), default=None)

    def _seconds_used(self, t: float) -> float:
        # If the system clock is set back, no time is given back.
        return self.used + (0.0 if self.since is None else max(0.0, t - self.since))
