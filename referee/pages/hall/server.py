"""The server of the hall's page. It runs in its own thread, beside the thread of the broker."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from referee.club.hall.desk.keeper import Announced, DeskKeeper
from referee.club.hall.desk.rounds import round_now
from referee.club.hall.reader import HallFacts, HallReader
from referee.club.hall.tournaments.beginning import Beginning
from referee.club.hall.tournaments.keeper import Keeper
from referee.club.protocol import Do
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS, Ruleset
from referee.i18n import Wording
from referee.page.access import Access, Policy
from referee.page.broadcast import Broadcast
from referee.page.command import Refused
from referee.page.endpoint import NOT_READY
from referee.page.thread import Listener, Opened, ServerThread
from referee.pages.hall import player_page, players_import, table_cards, tournament_saving
from referee.pages.hall.app import application, parts_of

LARGER = (
    (players_import.PATH, players_import.MOST_BYTES),
    (tournament_saving.RESTORE, tournament_saving.MOST_BYTES),
)
"""The paths that accept more than a command has, each with its limit."""


class HallServer:
    """The server of the hall's page; it also passes the page's commands on to the tables."""

    def __init__(
        self,
        listen: str,
        port: int,
        reader: HallReader,
        language: str,
        policy: Policy,
        folder: Path | None = None,
        opened: Opened | None = None,
        tournaments: Keeper | None = None,
        book: Ruleset = RULESETS["rummikub"],
        desk: DeskKeeper | None = None,
    ) -> None:
        """Listen; if that is impossible and `opened` is None, raise BadInput. It answers only after `start()`.

        `listen`: the address to listen at, such as "127.0.0.1" or "0.0.0.0".
        `port`: the port; 0 takes any that is free.
        `reader`: has the facts and pictures of the tables, and sends commands to them.
        `language`: the language of readers whose browsers accept none of ours.
        `policy`: what needs the PIN, and the limits of each connection.
        `folder`: where the PIN is kept. None: a new PIN at every start.
        `opened`: called with the reason while the server cannot listen and tries again, and with None once it can.
            None: raise an error at once.
        `tournaments`: keeps the tournaments. None: commands about them are answered with 503.
        `desk`: keeps the director's desk. None: commands about it are answered with 503.
        `book`: the rule book of tournaments that choose no other one, Rummikub by default.
        """
        self._reader, self._tournaments, self._desk, self.book = reader, tournaments, desk, book
        self.wake: Callable[[], None] = lambda: None
        """Wakes the broker's thread, so that it sends waiting commands."""
        self._listener = Listener(listen, port, opened)
        broadcast = Broadcast(
            secrets.token_hex(4), time.monotonic, secrets.randbelow(2**30) << 20, parts=parts_of, facts=self._facts()
        )
        policy = replace(policy, limits=replace(policy.limits, larger=LARGER))
        self.access = Access(policy, folder, "hall", for_all=(player_page.PATH, table_cards.PATH))
        self.app = application(broadcast, reader.pictures, language, self.access)
        """The application that answers requests."""
        self.app.state.commands.controls = self
        self._thread = ServerThread(self._listener, self.app, broadcast, self._facts, policy.limits, Wording(language))

    @property
    def port(self) -> int:
        """The port of the page; 0 until one is open."""
        return self._listener.port

    def tell_address(self, address: str) -> None:
        """Note the address at which other machines of the house reach the page; QR codes lead there."""
        self.app.state.address = address

    def start(self) -> None:
        """Start to answer requests."""
        self._thread.start()

    def news(self) -> None:
        """Note that the facts of the reader have changed; may be called in any thread."""
        self._thread.news()

    def order(self, table: str, do: Do, said: str) -> None:
        """Send a command to one table; `said` is the text of an announcement. Returns at once."""
        self._reader.order(table, do, said)
        self.wake()

    async def announce(self, tables: Sequence[str], text: str, seconds: int, *, for_all: bool = False) -> None:
        """Send an announcement to tables, which show it for so long; `for_all`: to all players' pages, too.

        It is kept before anybody sees it; raises BadInput if that fails.
        """
        key, now = f"announce-{secrets.token_hex(6)}", time.monotonic()
        if self._desk is not None:
            told = Announced(key, text, now, tuple(tables), now + seconds, for_all)
            await asyncio.wrap_future(self._desk.announce(told))
        self._reader.announce(tables, text, seconds, key)
        self.wake()

    def tournament_news(self) -> None:
        """Note that the facts of the tournaments have changed: the clock of the round follows them."""
        if self._desk is not None and self._tournaments is not None:
            self._desk.follow(round_now(self._tournaments.facts))
        self._thread.news()

    def forget(self, table: str) -> Future[Notice | None]:
        """Hide a table until it sends a message again; the result is None once it is hidden, or says why it is not."""
        outcome = self._reader.forget(table)
        self.wake()
        return outcome

    def begin(self, asked: Beginning) -> None:
        """Ask a table to begin the match of a draw."""
        self._reader.begin(asked.at, asked.draw, asked.players, asked.rules, asked.rounds, asked.id)
        self.wake()

    @property
    def tournaments(self) -> Keeper:
        """The tournaments of the hall; raises Refused (503) if it keeps none."""
        if self._tournaments is None:
            raise Refused(503, NOT_READY)
        return self._tournaments

    @property
    def desk(self) -> DeskKeeper:
        """The director's desk; raises Refused (503) if the hall keeps none."""
        if self._desk is None:
            raise Refused(503, NOT_READY)
        return self._desk

    def draw_seed(self) -> int:
        """Return a random seed for a new tournament, from 0 up to 2^31 - 1."""
        return secrets.randbelow(2**31)

    def _facts(self) -> HallFacts:
        desk = None if self._desk is None else self._desk.facts
        tournaments = None if self._tournaments is None else self._tournaments.facts
        return replace(self._reader.facts, tournaments=tournaments, desk=desk)

    def close(self) -> None:
        """End all streams and the thread."""
        self._thread.close()
