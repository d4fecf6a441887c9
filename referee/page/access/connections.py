"""Connections: how many at once, and none that is kept open for nothing."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.access.policy import Limits

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
NOT_USED = ["camera", "geolocation", "microphone", "payment", "usb", "serial", "hid", "midi"]
HEADERS: list[tuple[str, str]] = [
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Permissions-Policy", ", ".join(f"{name}=()" for name in NOT_USED)),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]


ROOM_TO_REFUSE = 2
"""How many times the limit are let in to be told that there are too many; beyond that nobody is answered."""
NO_HTTP = Notice("access.no_http")


class Door:
    """Who is connected."""

    def __init__(self, limits: Limits, words: Wording) -> None:
        self.limits, self.words = limits, words
        self.open: Counter[str] = Counter()


class Connection(H11Protocol):
    """One connection; closed when nothing is asked for, be it that a request never comes to its end."""

    def __init__(self, door: Door, **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self._door = door
        self._idle: asyncio.TimerHandle | None = None
        self._waiting_for: object = None
        self._address: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection; close it at once, or mark it as crowded, where there are too many."""
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
        """Count the connection no more, and stop its timer."""
        super().connection_lost(exc)
        if self._idle is not None:
            self._idle.cancel()
        if self._address is not None:
            self._door.open[self._address] -= 1
            if not self._door.open[self._address]:
                del self._door.open[self._address]
            self._address = None

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - what a program would be told
        """Refuse what is no HTTP in one plain sentence."""
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
        """Close where nothing is being answered, and was not when it was looked at before."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._waiting_for is (self.cycle or self):
            self.transport.abort()
            return
        self._waiting_for = (self.cycle or self) if idle else None
        self._idle = self.loop.call_later(self._door.limits.idle_s / 2, self._look)
