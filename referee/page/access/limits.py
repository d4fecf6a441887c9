"""How often one address may ask, how large a body may be, and how long it may take to come.

Requests have a bucket of tokens for each address, one for reading and one for writing.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.bucket import Bucket
from referee.game.notice import Notice
from referee.page.access.answers import SAFE, address_of, refuse
from referee.page.access.policy import Limits, Rate

REMEMBERED = 2000
"""How many addresses are remembered; whoever has not asked for longest is forgotten."""
CROWDED_S = 10
READ_ON_BYTES = 1_000_000
"""So much of a body that is too large is read all the same: whoever still sends does not hear why it is refused."""
TOO_SLOW = Notice("access.too_slow")
CLOSE = {"Connection": "close"}


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
            await _send_retry_later(scope, receive, send, 503, "access.crowded", CROWDED_S)
            return
        buckets = self._reading if scope["method"] in SAFE else self._writing
        wait = buckets.take(address_of(scope))
        if wait:
            await _send_retry_later(scope, receive, send, 429, "access.too_often", math.ceil(wait))
        else:
            await self._app(scope, receive, send)


async def _send_retry_later(scope: Scope, receive: Receive, send: Send, status: int, key: str, seconds: int) -> None:
    headers = {"Retry-After": str(seconds), "Connection": "close"}
    await refuse(scope, receive, send, status, Notice(key, seconds=seconds), headers)


class TooLarge(Exception):
    """More than the route takes."""


class Gone(Exception):
    """Whoever sent it has left."""


class Bodies:
    """Reads the body of every command before its route does; whatever is too large or too slow is refused."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits, self._larger = app, limits, dict(limits.larger)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a request's whole body and pass it on; answer 413 if it is too large, 408 if it is too slow."""
        if scope["type"] != "http" or scope["method"] in SAFE:
            await self._app(scope, receive, send)
            return
        most = self._larger.get(scope["path"], self._limits.body_bytes)
        try:
            async with asyncio.timeout(self._limits.body_s):
                body = await _read(scope, receive, most)
        except TooLarge:
            kilobytes = max(1, most // 1000)
            await refuse(scope, receive, send, 413, Notice("access.too_large", kilobytes=kilobytes), CLOSE)
        except TimeoutError:
            await refuse(scope, receive, send, 408, TOO_SLOW, CLOSE)
        except Gone:
            return
        else:
            await self._app(scope, _replay_body(body, receive), send)


async def _read(scope: Scope, receive: Receive, most: int) -> bytes:
    told = Headers(scope=scope).get("content-length", "0")
    if not told.isdecimal() or len(told) > 12 or int(told) > most + READ_ON_BYTES:
        raise TooLarge
    body, size = bytearray(), 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        part = message.get("body", b"")
        size += len(part)
        if size <= most:
            body += part
        if size > most + READ_ON_BYTES:
            raise TooLarge
        if not message.get("more_body", False):
            break
    if size > most:
        raise TooLarge
    return bytes(body)


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """A body that was read already, and then whatever comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_message() -> Message:
        return messages.pop() if messages else await receive()

    return receive_message
