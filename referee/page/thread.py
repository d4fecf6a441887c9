"""A page served in a thread of its own: uvicorn, the limits of each connection, and the state that is streamed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette

from referee.i18n import Wording
from referee.page.access import Limits
from referee.page.access.connections import Connection, Door
from referee.page.access.headers import HEADERS
from referee.page.broadcast import Broadcast
from referee.page.listening import Listener

GOODBYE_S = 2
"""How long open streams are given when the server ends."""


class ServerThread:
    """Serves `app` where `listener` listens; publishes in `broadcast` what `facts` gives whenever there is news."""

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

        `listener`: the socket, which may be had later only.
        `app`: the application that answers.
        `broadcast`: what is streamed to browsers; used in this thread alone from now on.
        `facts`: returns the state to publish; called in this thread, so it must return a value that nobody changes.
        `limits`: how many connections are allowed, and how long one may ask for nothing.
        `words`: the language of the answer to a request that is not HTTP.
        `soon_s`: seconds between news and their publication, which then holds what came meanwhile; 0 by default.
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
        """Begin to answer, as soon as somebody can listen there."""
        self._thread.start()
        self._loop = self._started.result()

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def news(self) -> None:
        """There are other facts; called in any thread. They are published a little later, with what came since."""
        if self._started.done() and not self._due.is_set():
            self._due.set()
            self._loop.call_soon_threadsafe(self._loop.call_later, self._soon_s, self._catch_up)

    def close(self) -> None:
        """End all streams, and the thread."""
        self._server.should_exit = True
        if self._started.done():
            with suppress(RuntimeError):  # it has ended by itself
                self._loop.call_soon_threadsafe(self._end_streams)
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
        listening = await self._listener.listening()
        if listening is not None and not self._server.should_exit:
            await self._server.serve(sockets=[listening])
