"""The time of a virtual table: while people only think, it runs as fast as they do, turn clocks included.

Presses and looks run at normal speed: in fast time a short press would become a long one, and networks read no faster.
So the pace changes only while everybody waits.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Pace:
    """A clock that runs faster at times; `now()` may be called in any thread."""

    def __init__(self, monotonic: Callable[[], float], speed: float) -> None:
        """In `hurry()` the clock runs `speed` times as fast as `monotonic`."""
        self._monotonic, self.speed = monotonic, speed
        began = monotonic()
        self._since = began, began, 1.0
        """The last change of pace by the real clock and by this one, and the rate since; one value, for threads."""

    def now(self) -> float:
        """Return the time of this clock, in seconds."""
        real, own, rate = self._since
        return own + (self._monotonic() - real) * rate

    @property
    def rate(self) -> float:
        """How many times as fast as the real clock it runs now."""
        return self._since[2]

    @contextmanager
    def hurry(self) -> Iterator[None]:
        """Let the clock run fast within this context, which must not be nested."""
        self._run_at(self.speed)
        try:
            yield
        finally:
            self._run_at(1.0)

    def _run_at(self, rate: float) -> None:
        real = self._monotonic()
        since, own, before = self._since
        self._since = real, own + (real - since) * before, rate


class PacedLoop(asyncio.SelectorEventLoop):
    """An event loop whose timers use the clock of a pace."""

    def __init__(self, pace: Pace) -> None:
        super().__init__(_PacedSelector(pace))
        self._pace = pace

    def time(self) -> float:
        """Return the time that timers use."""
        return self._pace.now()


class _PacedSelector(selectors.DefaultSelector):
    """Waits for seconds of the pace instead of real seconds."""

    def __init__(self, pace: Pace) -> None:
        super().__init__()
        self._pace = pace

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(None if timeout is None else timeout / self._pace.rate)
