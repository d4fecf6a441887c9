"""How often one address may ask: a bucket of tokens each, one for reading and one for writing."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from referee.bucket import Bucket
from referee.game.notice import Notice
from referee.page.access.answers import SAFE, address_of, refuse
from referee.page.access.policy import Limits, Rate

REMEMBERED = 2000
"""How many addresses are remembered; whoever has not asked for longest is forgotten."""
CROWDED_S = 10


class Buckets:
    """A bucket of tokens for each of many."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._now = rate, now
        self._each: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> float:
        """Take a token: 0.0, or after how many seconds there is one."""
        now = self._now()
        bucket = self._each.pop(who, None) or Bucket(self._rate.burst, self._rate.each_s, now)
        self._each[who] = bucket
        while len(self._each) > REMEMBERED:
            self._each.popitem(last=False)
        return bucket.take(now)


class Rates:
    """Refuses whoever asks too often, or comes where there are too many already."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._reading, self._writing = Buckets(limits.reading), Buckets(limits.writing)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 429 to an address that asks too often, 503 to connections beyond the limit."""
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
