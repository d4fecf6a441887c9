"""The server of the page, in a thread of its own beside the loop, and the way from there to the loop."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path

from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.access import Access, Policy, is_local
from referee.page.broadcast import Broadcast
from referee.page.thread import Listener, Opened, ServerThread
from referee.pages.table.app import application
from referee.pages.table.commands import Controls
from referee.pages.table.parts import PARTS
from referee.table.event_loop import Loop
from referee.table.input.requests import PendingRequest, PendingTouch, Request, Sender
from referee.table.input.touches import Touch
from referee.table.output.follower import Facts, Follower
from referee.table.preparation.values import SetUp

SOON_S = 0.04
"""Screens are told so much later: a press brings several news within a moment, and its lamp comes first."""

Answered = Callable[[Notice | None], None]
Wanted = Callable[[], bool]


class LoopControls:
    """Hands requests to a loop that runs in another thread."""

    def __init__(self, loop: Loop, journal: Path | None = None) -> None:
        self._loop = loop
        self.journal = journal
        """The folder of the journal that the loop writes; None where the page knows none."""

    def now(self) -> float:
        """Return the moment by the loop's clock, in monotonic seconds."""
        return self._loop.now

    async def send(self, request: Request) -> Notice | None:
        """Hand a request to the loop and wait for its answer: why it cannot be done, None where it was."""
        return await self._ask_loop(lambda answered, wanted: PendingRequest(request, Sender.PAGE, answered, wanted))

    async def touch(self, touch: Touch) -> Notice | None:
        """Hand a touched button to the loop and wait for its answer: why it does not count, None where it does."""
        return await self._ask_loop(lambda answered, wanted: PendingTouch(touch, answered, wanted))

    async def _ask_loop(self, pending: Callable[[Answered, Wanted], PendingRequest | PendingTouch]) -> Notice | None:
        here = asyncio.get_running_loop()
        answer: asyncio.Future[Notice | None] = here.create_future()

        def take_answer(refused: Notice | None) -> None:
            here.call_soon_threadsafe(_answer, answer, refused)

        try:
            # Whoever has been told that the loop is busy has given up: it may not do it later all the same.
            self._loop.request(pending(take_answer, lambda: not answer.cancelled()))
        except RuntimeError:  # it has just ended
            return Notice("page.not_ready")
        return await answer


def _answer(future: asyncio.Future[Notice | None], refused: Notice | None) -> None:
    if not future.done():
        future.set_result(refused)


class Server:
    """The page of one table. `follower` is the audience to be given to the loop."""

    def __init__(
        self,
        listen: str,
        port: int,
        now: Callable[[], float],
        language: str,
        table_mm: tuple[float, float],
        policy: Policy | None = None,
        folder: Path | None = None,
        opened: Opened | None = None,
    ) -> None:
        """Listen, or raise BadInput where that cannot be and `opened` is None. Answers only after `start()`.

        `listen`: the address to listen at, such as "127.0.0.1" or "0.0.0.0".
        `port`: the port; 0 takes any that is free.
        `now`: the clock of the loop, in seconds.
        `language`: the language of readers whose browsers accept none of ours.
        `table_mm`: width and depth of the play area.
        `policy`: what needs the PIN, and the limits of each connection. None: everybody reads, and writing needs the
            PIN unless only this machine can reach the page.
        `folder`: where PIN and journal are kept. None: a new PIN at every start, and no scores of earlier matches.
        `opened`: called with the reason while nobody can listen, and with None once that works; until then it is
            tried again. None: an error at once.
        """
        policy = Policy(local=is_local(listen)) if policy is None else policy
        self._listener = Listener(listen, port, opened)
        self.broadcast = Broadcast(
            secrets.token_hex(4),
            now,
            secrets.randbelow(2**30) << 20,
            parts=lambda _: PARTS,
            facts=Facts(),
            faces=lambda facts: None if facts.scene is None else facts.scene.state.rules.box.faces,
        )
        """The state of the page, as it is streamed."""
        looks = secrets.randbelow(2**20) << 10
        self.follower = Follower(self._news, table_mm, looks, self._now)
        self.access = Access(policy, folder)
        self._folder = folder
        self.app = application(self.broadcast, language, self.access, folder)
        """The application that answers."""
        self._thread = ServerThread(
            self._listener,
            self.app,
            self.broadcast,
            lambda: self.follower.facts,
            policy.limits,
            Wording(language),
            SOON_S,
        )

    @property
    def port(self) -> int:
        """The port of the page; 0 while it has none."""
        return self._listener.port

    @property
    def listens(self) -> bool:
        """Whether browsers can get here."""
        return self._listener.socket is not None

    def start(self) -> None:
        """Begin to answer, as soon as somebody can listen there."""
        self._thread.start()

    def serves(self, loop: Loop | None) -> None:
        """Commands go to this loop from now on; to none with None."""
        contacts = () if loop is None else loop.contacts
        self.follower.follows(contacts, touchable=loop is not None and loop.touchable, attended=loop is not None)
        self.attends(None if loop is None else LoopControls(loop, self._folder))

    def attends(self, controls: Controls | None) -> None:
        """Commands are taken by these from now on; by none with None."""
        self.app.state.commands.controls = controls

    def sets_up(self, setup: SetUp, now: Callable[[], float], language: str, table_mm: tuple[float, float]) -> None:
        """A table is being built, by the clock `now` and in that language; nothing of the one before is shown."""
        self.broadcast.now, self.app.state.language = now, language
        self.follower.sets_up(setup, table_mm)

    def close(self) -> None:
        """End all streams, and the thread."""
        self._thread.close()

    def _now(self) -> float:
        """The clock of the loop; every table brings its own."""
        return self.broadcast.now()

    def _news(self) -> None:
        self._thread.news()
