"""The body of a request that is too large for the memory, such as a file that somebody sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

from referee.page.access.limits import READ_ON_BYTES

PIECE = 1 << 18
FIRST_S, SLOWEST_BYTES_S = 30.0, 20_000
"""A file that arrives more slowly than this, after the first half minute, is not waited for: nobody else could send
one meanwhile. Chosen by hand: 150 MB then take two hours."""
READ_ON_S = 5.0
"""Seconds for which a refused body is still read."""


class ArrivingBody:
    """The body of a request, in the pieces in which it arrives."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._ended = False

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the pieces to the end; raises ClientDisconnect."""
        while not self._ended:
            message = await self._request.receive()
            if message["type"] == "http.disconnect":
                self._ended = True
                raise ClientDisconnect
            self._ended = not message.get("more_body", False)
            yield message.get("body", b"")

    async def pass_on(self, write: Callable[[bytes], None], patience: Callable[[int], float]) -> None:
        """Pass the body on to `write`, in a thread; raises what that raises, ClientDisconnect and TimeoutError.

        `patience` returns how many seconds so many bytes may take to arrive.
        """
        begun, waiting, arrived = asyncio.get_running_loop().time(), bytearray(), 0
        async with asyncio.timeout_at(begun + patience(0)) as limit:
            async for piece in self.pieces():
                waiting += piece
                arrived += len(piece)
                limit.reschedule(begun + patience(arrived))
                if len(waiting) >= PIECE:
                    await run_in_threadpool(write, bytes(waiting))
                    waiting.clear()
            limit.reschedule(None)
        await run_in_threadpool(write, bytes(waiting))

    async def read_on(self) -> None:
        """Read a little more of a body that is refused: a client that is still sending does not read the answer."""
        read = 0
        with suppress(TimeoutError, ClientDisconnect):
            async with asyncio.timeout(READ_ON_S):
                async for piece in self.pieces():
                    read += len(piece)
                    if read > READ_ON_BYTES:
                        return


def length_of(request: Request) -> int | None:
    """Return how many bytes a browser says it will send; None if it does not say."""
    told = request.headers.get("content-length", "")
    return int(told) if told.isascii() and told.isdecimal() and len(told) < 16 else None


def usual_patience(received: int) -> float:
    """Return how many seconds so many bytes of a file may take to arrive."""
    return FIRST_S + received / SLOWEST_BYTES_S
