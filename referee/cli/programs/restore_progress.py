"""Says how far a restore is, at the address of the page, while the page itself is closed.

1. Only the path at which the page itself tells its progress is answered, with one number. Every other connection is
   closed without an answer, as if nobody listened: browsers then try again, as they do while a machine starts.
2. Connections are read at the same time, so that a silent one does not delay the others.
3. If the address is not to be had, the restore goes on without.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from referee.backup.counting import Report, ignore_report

PATIENCE_S = 1.0
"""Seconds for which a browser may take to send its whole request."""
LONGEST = 8192
"""As many bytes of a request are read; only its first line matters."""
_END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Address:
    """Where the page listens, and the path at which it says how far the check of a backup is."""

    listen: str
    port: int
    path: str


@contextmanager
def progress_at(address: Address | None) -> Iterator[Report]:
    """Provide what takes how far the restore is; it is told at this address within this context."""
    try:
        server = None if address is None else ProgressServer(address)
    except (OSError, UnicodeError, OverflowError):
        server = None
    if server is None:
        yield ignore_report
        return
    server.start()
    try:
        yield server.report
    finally:
        server.close()


class ProgressServer:
    """Answers in a thread of its own."""

    def __init__(self, address: Address) -> None:
        """Listen; raises OSError."""
        family = socket.AF_INET6 if ":" in address.listen else socket.AF_INET
        dual = family is socket.AF_INET6 and socket.has_dualstack_ipv6()
        self._door = socket.create_server((address.listen, address.port), family=family, dualstack_ipv6=dual)
        self.port: int = self._door.getsockname()[1]
        self._path, self._percent = address.path.encode(), 0
        self._loop, self._over = asyncio.new_event_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)

    def report(self, done: int, total: int) -> None:
        """Take how many bytes of how many are done."""
        self._percent = 100 * done // max(total, 1)

    def start(self) -> None:
        """Start to answer."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening, so that the page can be opened there again."""
        with contextlib.suppress(RuntimeError):  # it has ended by itself
            self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(2 * PATIENCE_S)
        self._door.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:  # at its end, nobody is answered any more
            runner.run(self._serve())

    async def _serve(self) -> None:
        async with await asyncio.start_server(self._answer, sock=self._door, limit=LONGEST):
            await self._over.wait()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(OSError, EOFError, asyncio.LimitOverrunError):
            async with asyncio.timeout(PATIENCE_S):
                head = await reader.readuntil(_END)
                if head.split(b" ")[:2] == [b"GET", self._path]:
                    writer.write(self._told())
                    await writer.drain()

    def _told(self) -> bytes:
        body = json.dumps({"restored": self._percent}).encode()
        head = (
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
            f"X-Content-Type-Options: nosniff\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body
