"""How often one address may send requests, how large a body may be, and how long it may take to arrive.

Each address has two buckets of tokens: one for requests that read, one for requests that write.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.bucket import Bucket
from referee.game.notice import Notice
from referee.page.access.answers import SAFE, address_of, refuse
from referee.page.access.policy import Limits, Rate

REMEMBERED = 2000
"""How many addresses are remembered; beyond that, the address whose last request is oldest is forgotten."""
CROWDED_S = 10
READ_ON_BYTES = 1_000_000
"""Bytes of a body beyond its limit that are still read: a client that is still sending does not read the refusal."""
READ_ON_S = 2.0
"""Seconds for which the body of a refused request is read on. Chosen by hand: 1 MB at 4 Mbit/s."""
READ_ALREADY = (408, 413)
"""Statuses of refusals that were sent because the body took too long or was too large: no more of it is read."""
TOO_SLOW = Notice("access.too_slow")
CLOSE = {"Connection": "close"}


class Buckets:
    """Buckets of tokens, one for each address."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._now = rate, now
        self._each: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> float:
        """Take a token and return 0.0; if there is none, return the seconds until there is."""
        now = self._now()
        bucket = self._each.pop(who, None) or Bucket(self._rate.burst, self._rate.each_s, now)
        self._each[who] = bucket
        while len(self._each) > REMEMBERED:
            self._each.popitem(last=False)
        return bucket.take(now)


class Rates:
    """Middleware that refuses requests of an address that sends too many, and of connections beyond the limit."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._larger = app, {path for path, _ in limits.larger} | set(limits.streamed)
        self._reading, self._writing = Buckets(limits.reading), Buckets(limits.writing)
        self._large = Buckets(limits.large)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 429 to an address that asks too often, 503 to connections beyond the limit."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] not in SAFE:
            unread = _Unread(receive, send)
            receive, send = unread.receive, unread.send
        if scope.get("state", {}).get("crowded"):
            await _send_retry_later(scope, receive, send, 503, "access.crowded", CROWDED_S)
            return
        buckets = self._reading if scope["method"] in SAFE else self._writing
        wait = buckets.take(address_of(scope))
        if not wait and buckets is self._writing and scope["path"] in self._larger:
            wait = self._large.take(address_of(scope))
        if wait:
            await _send_retry_later(scope, receive, send, 429, "access.too_often", math.ceil(wait))
        else:
            await self._app(scope, receive, send)


class _Unread:
    """Reads the rest of a request's body before a refusal is sent, within limits.

    A connection that is closed while the client is still sending is reset, and the client never sees why.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send, self._over = receive, send, False

    async def receive(self) -> Message:
        """Return the next message, and note whether it was the last of the body."""
        message = await self._receive()
        self._over = message["type"] == "http.disconnect" or not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Send a message; before the beginning of a refusal, read the body to its end."""
        status = message.get("status", 0)
        if status >= 400 and status not in READ_ALREADY and not self._over:
            with suppress(TimeoutError):
                async with asyncio.timeout(READ_ON_S):
                    await self._read_on()
        await self._send(message)

    async def _read_on(self) -> None:
        size = 0
        while not self._over and size <= READ_ON_BYTES:
            size += len((await self.receive()).get("body", b""))


async def _send_retry_later(scope: Scope, receive: Receive, send: Send, status: int, key: str, seconds: int) -> None:
    headers = {"Retry-After": str(seconds), "Connection": "close"}
    await refuse(scope, receive, send, status, Notice(key, seconds=seconds), headers)


class TooLarge(Exception):
    """The body is larger than the route accepts."""


class Gone(Exception):
    """The client disconnected before the body was complete."""


class Bodies:
    """Middleware that reads the body of every request that writes; a body that is too large or too slow is refused.

    The bodies of `streamed` paths are left to their handlers.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits, self._larger = app, limits, dict(limits.larger)
        self._large = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a request's whole body and pass it on; answer 413 if it is too large, 408 if it is too slow.

        Large bodies are answered 503 while others are being read or used.
        """
        if scope["type"] != "http" or scope["method"] in SAFE or scope["path"] in self._limits.streamed:
            await self._app(scope, receive, send)
        elif scope["path"] not in self._larger:
            await self._pass_on(scope, receive, send)
        elif self._large >= self._limits.large_at_once:
            await _send_retry_later(scope, receive, send, 503, "access.crowded", CROWDED_S)
        else:
            self._large += 1
            try:
                await self._pass_on(scope, receive, send)
            finally:
                self._large -= 1

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
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
    """Return a `receive` that gives a body that was already read, then whatever else arrives."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_message() -> Message:
        return messages.pop() if messages else await receive()

    return receive_message
