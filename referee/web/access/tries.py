"""How often the PIN may be tried: ever more slowly from one address, and not too often by all of them together.

Nobody is locked out for ever: the longest wait is a minute, all together have a try every few seconds, and a new PIN
forgets what was tried.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from referee.web.access.policy import Rate
from referee.web.access.rates import Buckets

FREE = 3
"""How many wrong ones cost no time."""
LONGEST_S = 60.0
FORGOTTEN_S = 1800.0
ALL = Rate(20, 0.2)
"""Of a million PINs the half would take a month."""
REMEMBERED = 2000


class Tries:
    """Wrong PINs by address."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self._all = Buckets(ALL, self._now)
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """How many wrong ones, and when the last."""

    def wait(self, address: str) -> float:
        """How long somebody must wait before the next try; 0.0: it is taken now."""
        count, last = self._wrong.get(address, (0, 0.0))
        passed = self._now() - last
        wait = 0.0 if count < FREE else min(LONGEST_S, 2.0 ** min(count - FREE, 16)) - passed
        return wait if wait > 0 else self._all.take("")

    def wrong(self, address: str) -> None:
        """That was not the PIN."""
        now = self._now()
        count, last = self._wrong.pop(address, (0, now))
        self._wrong[address] = (1 if now - last > FORGOTTEN_S else count + 1), now
        while len(self._wrong) > REMEMBERED:
            self._wrong.popitem(last=False)

    def right(self, address: str) -> None:
        """That was the PIN."""
        self._wrong.pop(address, None)
