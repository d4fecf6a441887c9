"""The hall's page, in a thread of its own beside the broker's."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from pathlib import Path

from referee.club import Do
from referee.hall.page.app import application, parts_of
from referee.hall.reader import HallReader
from referee.messages import Wording
from referee.web.access import Access, Policy
from referee.web.hub import Hub
from referee.web.listening import Listener, Opened
from referee.web.thread import ServerThread


class HallServer:
    """The page of the hall; also the way from it to the tables."""

    def __init__(
        self,
        listen: str,
        port: int,
        reader: HallReader,
        language: str,
        policy: Policy,
        folder: Path | None = None,
        opened: Opened | None = None,
    ) -> None:
        """`folder` is where the PIN is kept. As Server, raises BadInput where nobody can listen, without `opened`."""
        self._reader = reader
        self.wake: Callable[[], None] = lambda: None
        """Lets the broker's thread take what was ordered."""
        self._listener = Listener(listen, port, opened)
        hub = Hub(
            secrets.token_hex(4), time.monotonic, secrets.randbelow(2**30) << 20, parts=parts_of, facts=reader.facts
        )
        self.access = Access(policy, folder)
        self._app = app = application(hub, reader.pictures, language, self.access)
        app.state.commands.controls = self
        self._thread = ServerThread(self._listener, app, hub, lambda: reader.facts, policy.limits, Wording(language))

    @property
    def port(self) -> int:
        """The port of the page; 0 while it has none."""
        return self._listener.port

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def news(self) -> None:
        """The reader has other facts; may be called in any thread."""
        self._thread.news()

    def order(self, table: str, do: Do, said: str) -> None:
        """As Controls.order."""
        self._reader.order(table, do, said)
        self.wake()

    def close(self) -> None:
        """End all streams, and the thread."""
        self._thread.close()
