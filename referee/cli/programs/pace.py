"""Time at a virtual table: while people only think it runs as fast as they do, turn clocks included.

Presses and looks take the time they take: a short press would be a long one in fast time, and a network reads no
faster. So the pace is changed for the moments in which everybody waits.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Pace:
    """A clock that hurries now and then; `now` may be asked for in any thread."""

    def __init__(self, monotonic: Callable[[], float], speed: float) -> None:
        """In a hurry it runs `speed` times as fast as `monotonic`."""
        self._monotonic, self.speed = monotonic, speed
        began = monotonic()
        self._since = began, began, 1.0
        """Since when, by the real clock and by this one, it runs how fast; one value, for other threads read it."""

    def now(self) -> float:
        """Seconds by this clock."""
        real, own, rate = self._since
        return own + (self._monotonic() - real) * rate

    @property
    def rate(self) -> float:
        """How fast it runs now."""
        return self._since[2]

    @contextmanager
    def hurry(self) -> Iterator[None]:
        """While this lasts it runs fast; not to be nested."""
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
    """An event loop whose every timer goes by a pace."""

    def __init__(self, pace: Pace) -> None:
        super().__init__(_PacedSelector(pace))
        self._pace = pace

    def time(self) -> float:
        """The moment by which timers go."""
        return self._pace.now()


class _PacedSelector(selectors.DefaultSelector):
    """Waits as long as that many seconds of the pace really last."""

    def __init__(self, pace: Pace) -> None:
        super().__init__()
        self._pace = pace

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(None if timeout is None else timeout / self._pace.rate)
