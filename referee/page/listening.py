"""Where the page listens; an address that is not there yet, or taken, is tried again until it can be had."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

from referee.errors import BadInput
from referee.game.notice import Notice

RETRY_S = 5.0
WAITING = 128
"""Connections that wait to be taken."""

Opened = Callable[[Notice | None], None]
"""Is told why nobody can listen there just now, and None once that can be."""


class Listener:
    """A socket that listens, as soon as it can."""

    def __init__(self, listen: str, port: int, opened: Opened | None = None) -> None:
        """Without `opened` raises BadInput where nobody can listen at once."""
        self._listen, self._opened = listen, opened
        self.port = port
        """The port; 0 while any that is free would do, and none has been had yet."""
        self._over = asyncio.Event()
        self._told: Notice | None = None
        self.socket: socket.socket | None = None
        try:
            self._bind()
        except OSError as error:
            if opened is None:
                where = f"{listen} port {port}"
                raise BadInput(f"[web] listen: expected an address to listen at, found {where}: {error}") from error
            self._note_failure(error)
        except UnicodeError as error:
            raise BadInput(f"[web] listen: expected an address to listen at, found {listen}: {error}") from error

    async def listening(self) -> socket.socket | None:
        """The socket, waited for; None where it was closed before."""
        while self.socket is None and not self._over.is_set():
            try:
                self._bind()
            except OSError as error:
                self._note_failure(error)
            else:
                self._tell(None)
                break
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), RETRY_S)
        return self.socket

    def stop(self) -> None:
        """Wait no longer; to be called in the thread that waits."""
        self._over.set()

    def close(self) -> None:
        """Listen no more."""
        if self.socket is not None:
            self.socket.close()

    def _bind(self) -> None:
        door = socket.socket(socket.AF_INET6 if ":" in self._listen else socket.AF_INET, socket.SOCK_STREAM)
        try:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            door.bind((self._listen, self.port))
            door.listen(WAITING)
            door.setblocking(False)
        except BaseException:
            door.close()
            raise
        self.socket, self.port = door, door.getsockname()[1]

    def _note_failure(self, error: OSError) -> None:
        reason = error.strerror or str(error)
        host = f"[{self._listen}]" if ":" in self._listen else self._listen
        self._tell(Notice("console.page_waits", address=f"{host}:{self.port}", reason=reason))

    def _tell(self, told: Notice | None) -> None:
        """Tell what is news."""
        if told != self._told and self._opened is not None:
            self._told = told
            self._opened(told)
