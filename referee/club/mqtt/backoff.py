"""When to try again: later each time, and never all at once with others that lost the same broker."""

from __future__ import annotations

from collections.abc import Callable

from referee.club.mqtt.line import Patience


class Backoff:
    """The waits between tries; `chance` gives numbers from 0 to 1."""

    def __init__(self, patience: Patience, chance: Callable[[], float]) -> None:
        self._patience, self._chance = patience, chance
        self._tries = 0

    def next(self, held_s: float) -> float:
        """Seconds to wait after a line that held for this long; 0 for one that could not be had."""
        if held_s >= self._patience.stable_s:
            self._tries = 0
        longest = min(self._patience.longest_s, self._patience.first_s * 2.0 ** min(self._tries, 20))
        self._tries += 1
        return longest * (0.5 + self._chance() / 2)
