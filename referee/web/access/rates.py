"""How often one address may ask: a bucket of tokens each, one for reading and one for writing."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from referee.game.notice import Notice
from referee.web.access.answers import SAFE, address_of, refuse
from referee.web.access.policy import Limits, Rate

REMEMBERED = 2000
"""So many addresses are remembered; whoever has not asked for longest is forgotten."""
CROWDED_S = 10


class Buckets:
    """A bucket of tokens for each of many."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._now = rate, now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens left, and when that was."""

    def take(self, who: str) -> float:
        """Take a token: 0.0, or after how many seconds there is one."""
        now, rate = self._now(), self._rate
        left, since = self._left.pop(who, (rate.burst, now))
        left = min(rate.burst, left + max(0.0, now - since) * rate.each_s)
        wait = 0.0 if left >= 1 else (1 - left) / rate.each_s
        self._left[who] = (left if wait else left - 1), now
        while len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return wait


class Rates:
    """Refuses whoever asks too often, or comes where there are too many already."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._reading, self._writing = Buckets(limits.reading), Buckets(limits.writing)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope.get("state", {}).get("crowded"):
            await _later(scope, receive, send, 503, "access.crowded", CROWDED_S)
            return
        buckets = self._reading if scope["method"] in SAFE else self._writing
        wait = buckets.take(address_of(scope))
        if wait:
            await _later(scope, receive, send, 429, "access.too_often", math.ceil(wait))
        else:
            await self._app(scope, receive, send)


async def _later(scope: Scope, receive: Receive, send: Send, status: int, key: str, seconds: int) -> None:
    headers = {"Retry-After": str(seconds), "Connection": "close"}
    await refuse(scope, receive, send, status, Notice(key, seconds=seconds), headers)
