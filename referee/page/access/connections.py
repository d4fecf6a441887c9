"""The limit on connections, and the time after which an idle one is closed."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.access.policy import Limits

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
NOT_USED = ["camera", "geolocation", "microphone", "payment", "usb", "serial", "hid", "midi"]
HEADERS: list[tuple[str, str]] = [
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Permissions-Policy", ", ".join(f"{name}=()" for name in NOT_USED)),
    ("Cross-Origin-Resource-Policy", "same-origin"),
]


ROOM_TO_REFUSE = 2
"""Connections up to this many times the limit are accepted, and refused with an answer; more are closed at once."""
NO_HTTP = Notice("access.no_http")


class Door:
    """The open connections, counted by address."""

    def __init__(self, limits: Limits, words: Wording) -> None:
        self.limits, self.words = limits, words
        self.open: Counter[str] = Counter()


class Connection(H11Protocol):
    """One connection. It is closed when it is idle, which includes a request that is never completed."""

    def __init__(self, door: Door, **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self._door = door
        self._idle: asyncio.TimerHandle | None = None
        self._waiting_for: object = None
        self._address: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection; if there are too many, mark it as crowded or close it at once."""
        super().connection_made(transport)
        door, limits = self._door, self._door.limits
        address = self._address = self.client[0] if self.client else ""
        door.open[address] += 1
        total, own = door.open.total() / limits.connections, door.open[address] / limits.connections_each
        if max(total, own) > ROOM_TO_REFUSE:
            transport.abort()
        elif max(total, own) > 1:
            self.app_state = {**self.app_state, "crowded": True}
        self._idle = self.loop.call_later(limits.idle_s, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection from the count, and stop its timer."""
        super().connection_lost(exc)
        if self._idle is not None:
            self._idle.cancel()
        if self._address is not None:
            self._door.open[self._address] -= 1
            if not self._door.open[self._address]:
                del self._door.open[self._address]
            self._address = None

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - the parser's message
        """Answer a request that is not HTTP with one plain sentence."""
        body = self._door.words(NO_HTTP).encode()
        head = [
            "HTTP/1.1 400 Bad Request",
            "Content-Type: text/plain; charset=utf-8",
            f"Content-Length: {len(body)}",
            "Connection: close",
            *(f"{name}: {value}" for name, value in HEADERS),
        ]
        self.transport.write("\r\n".join([*head, "", ""]).encode("ascii") + body)
        self.transport.close()

    def _look(self) -> None:
        """Close the connection if it is idle and was idle at the previous check."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._waiting_for is (self.cycle or self):
            self.transport.abort()
            return
        self._waiting_for = (self.cycle or self) if idle else None
        self._idle = self.loop.call_later(self._door.limits.idle_s / 2, self._look)
