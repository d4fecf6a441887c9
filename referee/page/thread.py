"""A page that is served in a thread of its own: the listening socket, uvicorn, the connections and the broadcast.

If the server cannot listen at its address, because the address is taken or does not exist yet, it tries again.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette

from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.access import Limits
from referee.page.access.connections import HEADERS, Connection, Door
from referee.page.broadcast import Broadcast

RETRY_S = 5.0
"""Seconds between two attempts to open the port. Chosen by hand."""
WAITING = 128
"""How many connections may wait to be accepted."""

Opened = Callable[[Notice | None], None]
"""Called with the reason while the server cannot listen, and with None once it can."""
GOODBYE_S = 2
"""Seconds that open streams have to end when the server ends."""


class Listener:
    """A socket that listens as soon as its address is available."""

    def __init__(self, listen: str, port: int, opened: Opened | None = None) -> None:
        """If `opened` is None, raises BadInput if the server cannot listen at once."""
        self._listen, self._opened = listen, opened
        self.port = port
        """The port; 0 if any free one may be used and none has been opened yet."""
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

    async def wait_for_socket(self) -> socket.socket | None:
        """Wait for the socket and return it; None if `stop()` was called first."""
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
        """End `wait_for_socket()`; to be called in the thread that waits."""
        self._over.set()

    def close(self) -> None:
        """Stop listening."""
        if self.socket is not None:
            self.socket.close()

    def _bind(self) -> None:
        door = socket.socket(socket.AF_INET6 if ":" in self._listen else socket.AF_INET, socket.SOCK_STREAM)
        try:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            door.bind((self._listen, self.port))
            door.listen(WAITING)
            door.setblocking(False)
        except BaseException:  # also Ctrl-C: the socket is closed
            door.close()
            raise
        self.socket, self.port = door, door.getsockname()[1]

    def _note_failure(self, error: OSError) -> None:
        reason = error.strerror or str(error)
        host = f"[{self._listen}]" if ":" in self._listen else self._listen
        self._tell(Notice("console.page_waits", address=f"{host}:{self.port}", reason=reason))

    def _tell(self, told: Notice | None) -> None:
        """Call `opened` unless its last call said the same."""
        if told != self._told and self._opened is not None:
            self._told = told
            self._opened(told)


class ServerThread:
    """Serves `app` at the socket of `listener`, and publishes what `facts` returns whenever there is news."""

    def __init__(
        self,
        listener: Listener,
        app: Starlette,
        broadcast: Broadcast,
        facts: Callable[[], Any],
        limits: Limits,
        words: Wording,
        soon_s: float = 0.0,
    ) -> None:
        """Prepare the server; it answers only after `start()`.

        `listener`: the socket, which may open later.
        `app`: the application that answers.
        `broadcast`: the state that is streamed to browsers; from now on it is used only in this thread.
        `facts`: returns the state to publish. It is called in this thread, so its value must never change afterwards.
        `limits`: how many connections are allowed, and how long one may be idle.
        `words`: the language of the answer to a request that is not HTTP.
        `soon_s`: seconds from a change to its publication, which then includes changes in between; 0 by default.
        """
        self._listener, self._broadcast, self._facts, self._soon_s = listener, broadcast, facts, soon_s
        config = uvicorn.Config(
            app,
            lifespan="off",
            http=cast("type[asyncio.Protocol]", partial(Connection, Door(limits, words))),
            headers=HEADERS,
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GOODBYE_S,
            timeout_keep_alive=15,
            h11_max_incomplete_event_size=16_384,
            ws="none",
        )
        self._server = uvicorn.Server(config)
        self._started: Future[asyncio.AbstractEventLoop] = Future()
        self._due = threading.Event()
        broadcast.catch_up = self._catch_up
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    def start(self) -> None:
        """Start the thread; it answers as soon as the socket listens."""
        self._thread.start()
        self._started.result()

    def news(self) -> None:
        """Note that the facts have changed; may be called in any thread. They are published after `soon_s` seconds."""
        if self._started.done() and not self._due.is_set():
            self._due.set()
            loop = self._started.result()
            loop.call_soon_threadsafe(loop.call_later, self._soon_s, self._catch_up)

    def close(self) -> None:
        """End all streams and the thread."""
        self._server.should_exit = True
        if self._started.done():
            with suppress(RuntimeError):  # it has ended by itself
                self._started.result().call_soon_threadsafe(self._end_streams)
            self._thread.join(GOODBYE_S + 3)
        self._listener.close()

    def _end_streams(self) -> None:
        self._listener.stop()
        self._broadcast.end()

    def _catch_up(self) -> None:
        if self._due.is_set():
            self._due.clear()
            self._broadcast.publish(self._facts())

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._started.set_result(asyncio.get_running_loop())
        self._broadcast.publish(self._facts())
        listening = await self._listener.wait_for_socket()
        if listening is not None and not self._server.should_exit:
            await self._server.serve(sockets=[listening])
