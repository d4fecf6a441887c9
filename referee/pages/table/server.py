"""The server of a table's page, in its own thread beside the loop, and how it passes requests to the loop."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from referee.devices.panel.real_buttons import ButtonsProof
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.access import Access, Policy, is_local
from referee.page.broadcast import Broadcast
from referee.page.thread import Listener, Opened, ServerThread
from referee.pages.table.app import application
from referee.pages.table.backups import Saving
from referee.pages.table.coach.api import COACH_POSTS, LARGER
from referee.pages.table.commands import Controls
from referee.pages.table.machine.care import Care
from referee.pages.table.parts import PARTS
from referee.pages.table.presence.routes import Presence
from referee.pages.table.puzzle.api import CHECK
from referee.pages.table.restore_api import FILE as RESTORE_FILE
from referee.pages.table.restores import Restoring
from referee.pages.table.update_api import SEND
from referee.pages.table.updates import Updating
from referee.report.bundle import Making
from referee.table.event_loop import Loop
from referee.table.input.requests import PendingRequest, PendingTouch, Request, Sender
from referee.table.input.touches import Touch
from referee.table.output.follower import Facts, Follower
from referee.table.preparation.values import SetUp

SOON_S = 0.04
"""Seconds from a change to its publication: a press causes several changes at once, and lamps are lit first."""

Answered = Callable[[Notice | None], None]
Wanted = Callable[[], bool]


class LoopControls:
    """Passes requests on to a loop that runs in another thread."""

    def __init__(self, loop: Loop, journal: Path | None = None) -> None:
        self._loop = loop
        self.journal = journal
        """The folder of the journal that the loop writes; None if there is none."""
        self.reads = loop.reads_pictures
        """Reads pictures that do not belong to the match; None if that is impossible."""

    def now(self) -> float:
        """Return the time of the loop's clock, in monotonic seconds."""
        return self._loop.now

    async def send(self, request: Request) -> Notice | None:
        """Pass a request to the loop; return why it was refused, None if it was carried out."""
        return await self._ask_loop(lambda answered, wanted: PendingRequest(request, Sender.PAGE, answered, wanted))

    async def touch(self, touch: Touch) -> Notice | None:
        """Pass a touched button to the loop; return why the touch does not count, None if it does."""
        return await self._ask_loop(lambda answered, wanted: PendingTouch(touch, answered, wanted))

    async def _ask_loop(self, pending: Callable[[Answered, Wanted], PendingRequest | PendingTouch]) -> Notice | None:
        here = asyncio.get_running_loop()
        answer: asyncio.Future[Notice | None] = here.create_future()

        def take_answer(refused: Notice | None) -> None:
            here.call_soon_threadsafe(_answer, answer, refused)

        try:
            # If the page has already answered that the loop is busy, the loop must not carry the request out later.
            self._loop.request(pending(take_answer, lambda: not answer.cancelled()))
        except RuntimeError:  # it has just ended
            return Notice("page.not_ready")
        return await answer


def _answer(future: asyncio.Future[Notice | None], refused: Notice | None) -> None:
    if not future.done():
        future.set_result(refused)


class Server:
    """The server of one table's page. `follower` is the audience to be given to the loop."""

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
        saving: Saving | None = None,
        updating: Updating | None = None,
    ) -> None:
        """Listen; if that is impossible and `opened` is None, raise BadInput. It answers only after `start()`.

        `listen`: the address to listen at, such as "127.0.0.1" or "0.0.0.0".
        `port`: the port; 0 takes any that is free.
        `now`: the clock of the loop, in seconds.
        `language`: the language of readers whose browsers accept none of ours.
        `table_mm`: width and depth of the play area.
        `policy`: what needs the PIN, and the limits of each connection. None: everybody reads, and writing needs the
            PIN unless only this machine can reach the page.
        `folder`: where PIN and journal are kept. None: a new PIN at every start, and no scores of earlier matches.
        `opened`: called with the reason while the server cannot listen and tries again, and with None once it can.
            None: raise an error at once.
        `saving`: what a backup contains. None: everything in `folder`.
        `updating`: the updater of this machine. None: the versions of this machine cannot be exchanged.
        """
        policy = Policy(local=is_local(listen)) if policy is None else policy
        policy = replace(policy, limits=replace(policy.limits, larger=LARGER, streamed=(SEND, RESTORE_FILE)))
        self._listener = Listener(listen, port, opened)
        self.broadcast = Broadcast(
            secrets.token_hex(4),
            now,
            secrets.randbelow(2**30) << 20,
            parts=lambda _: PARTS,
            facts=Facts(),
            faces=lambda facts: None if facts.scene is None else facts.scene.state.rules.box.faces,
        )
        """The state of the page that is streamed to browsers."""
        looks = secrets.randbelow(2**20) << 10
        self.follower = Follower(self._news, table_mm, looks, self._now)
        self.access = Access(policy, folder, for_readers=(*COACH_POSTS, CHECK))
        self._folder = folder
        self.app = application(self.broadcast, language, self.access, folder, saving, updating)
        """The application that answers requests."""
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
        """The port of the page; 0 until one is open."""
        return self._listener.port

    @property
    def listens(self) -> bool:
        """Whether the server listens, so that browsers can connect."""
        return self._listener.socket is not None

    @property
    def buttons(self) -> ButtonsProof:
        """What is told of presses of real buttons."""
        presence: Presence = self.app.state.presence
        return presence.proof

    def start(self) -> None:
        """Start the server; it answers as soon as it can listen."""
        self._thread.start()

    def serves(self, loop: Loop | None) -> None:
        """Send commands to this loop from now on; None: to no loop."""
        contacts = () if loop is None else loop.contacts
        self.follower.follows(contacts, touchable=loop is not None and loop.touchable, attended=loop is not None)
        self.attends(None if loop is None else LoopControls(loop, self._folder))

    def attends(self, controls: Controls | None) -> None:
        """Let these controls carry out commands from now on; None: commands are answered with 503."""
        self.app.state.commands.controls = controls

    def helps(self, making: Making) -> None:
        """Offer help that can be sent; `making` makes it, in a thread of its own."""
        self.app.state.helps.making = making

    def cares(self, care: Care) -> None:
        """Offer the page of the machine."""
        self.app.state.machine.care = care

    def restores(self, restoring: Restoring) -> None:
        """Offer to restore a backup."""
        self.app.state.restores.restoring = restoring

    def sets_up(self, setup: SetUp, now: Callable[[], float], language: str, table_mm: tuple[float, float]) -> None:
        """Show that a table is being built, with this clock, language and size, and nothing of an earlier table."""
        self.broadcast.now, self.app.state.language = now, language
        self.follower.sets_up(setup, table_mm)

    def close(self) -> None:
        """End all streams and the thread."""
        self._thread.close()

    def _now(self) -> float:
        """Return the time of the loop's clock; each table has its own clock."""
        return self.broadcast.now()

    def _news(self) -> None:
        self._thread.news()
