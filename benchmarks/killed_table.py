"""A simulated table of a club whose plug may be pulled: real journal and publisher, and players by chance.

What a pulled plug takes away is what the table had only in memory: what the broker had not confirmed, commands it had
not carried out, and the number of confirmed events since that was last written to disk.
"""

from __future__ import annotations

import queue
import random
import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from referee.club.mqtt.line import BrokerConnection, Endpoint, Message, Patience, Talker
from referee.club.mqtt.mqtt import Failed, MqttBroker
from referee.club.table_side.club import Club
from referee.club.table_side.history import FILE as CURSOR
from referee.devices.panel.lights import Lights
from referee.game.match.events import Corrected, Event, HandShown, Pressed, RoundStarted, Seen, Started
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.table import tiles_on
from referee.i18n import Wording
from referee.journal.amending import kept_in, rows_behind
from referee.journal.opening import FILE, open_journal
from referee.journal.rows import Setup
from referee.settings.settings import ClubSettings, Settings
from referee.table.event_loop import Loop
from referee.table.input.requests import BeginDraw, PendingRequest
from referee.table.output.audience import DisplayState
from referee.table.session import Players

QUICK = Patience(keepalive_s=5, connect_s=10.0, first_s=0.05, longest_s=0.5, stable_s=1.0)
"""A table here tries to connect more often than a real one, so that one run has room for many kills."""
UNDER_WAY, IS_OVER = Notice("club.match_under_way"), Notice("club.draw_is_over")
LAID = "R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7"
LIGHTS = Lights()
RULES = "rummikub"
PULLED = Failed(Notice("club.lost", address="a broker"))


class _Plug:
    """Stands between a table and its connection; once it is pulled, nothing passes, not even a goodbye."""

    def __init__(self, talker: Talker) -> None:
        self._talker, self.pulled = talker, False

    def on_connect(self, line: BrokerConnection) -> None:
        """Pass it on."""
        self._check()
        self._talker.on_connect(line)

    def step(self, line: BrokerConnection) -> float:
        """Pass it on."""
        self._check()
        return self._talker.step(line)

    def on_message(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """Pass it on."""
        self._check()
        self._talker.on_message(topic, payload, retained=retained)

    def on_confirmed(self, number: int, refused: str | None) -> None:
        """Pass it on."""
        self._check()
        self._talker.on_confirmed(number, refused)

    def on_disconnect(self, why: Notice) -> None:
        """Pass it on, unless the table itself is gone."""
        if not self.pulled:
            self._talker.on_disconnect(why)

    def before_disconnect(self, line: BrokerConnection) -> None:
        """Pass it on, unless the plug was pulled: then the socket is closed without a goodbye."""
        self._check()
        self._talker.before_disconnect(line)

    def _check(self) -> None:
        if self.pulled:
            raise PULLED


class _Line(MqttBroker):
    """A connection that can be cut as by a pulled plug."""

    def start(self, talker: Talker) -> None:
        """Start connecting, with a plug in between."""
        self._plug = _Plug(talker)
        super().start(self._plug)

    def pull(self) -> None:
        """Cut the connection without a word; nothing reaches the table any more."""
        self._plug.pulled = True
        self.wake()


class Table:
    """One table; all methods are to be called in one thread.

    `results` are the totals of each match by its draw, by name, as the players know them; `shown` are all totals that
    a match which was over has had, in order.
    """

    def __init__(self, folder: Path, port: int, name: str, seed: int, news: Callable[[], None], **more: Any) -> None:
        """`more`: other settings of the club."""
        self.folder, self.name, self._news = folder, name, news
        self._rng = random.Random(f"{seed}/{name}")  # noqa: S311 - chance for a measurement
        told = ClubSettings(on=True, broker="127.0.0.1", port=port, table=name, names=True, commands=("begin",))
        self._settings = replace(Settings(), club=replace(told, **more))
        self.results: dict[str, dict[str, int]] = {}
        self.shown: dict[str, list[dict[str, int]]] = {}
        self.begun: Counter[str] = Counter()
        """How often the match of each draw was begun."""
        self.backup: Path | None = None
        self.was_put_back = False
        self.up = False
        self.start()

    # Start and end

    def start(self) -> None:
        """Start the program, which takes up what its journal has."""
        opened = open_journal(self.folder, club=True)
        self.journal, kept = opened.journal, opened.kept
        self._orders: queue.SimpleQueue[PendingRequest] = queue.SimpleQueue()
        self._newest = 0 if kept is None else kept.match
        self.setup, self._t = Setup.now(RULES, {}), 0.0
        self.state: State = self.setup.state()
        goes_on = kept is not None and not kept.is_over
        if kept is not None and goes_on:
            self.setup, self.state, self._t = kept.setup, kept.state, kept.t
            self.results.pop(self.setup.draw or "", None)  # it was over, but not on the card that was put back
        self._club = Club(self._settings, self.folder, Wording("en"), self._opens)
        self._show(cut=goes_on)
        self._club.serves(cast(Loop, self))
        self.up = True

    def _opens(self, endpoint: Endpoint, will: Message) -> MqttBroker:
        self._line = _Line(endpoint, will, QUICK)
        return self._line

    def pull(self) -> None:
        """Pull the plug: the connection breaks without a goodbye, and only what is on the disk remains."""
        cursor = self.folder / CURSOR
        written = cursor.read_bytes() if cursor.exists() else None
        self._line.pull()
        self._club.close()
        self.journal.close()
        if written is not None:
            cursor.write_bytes(written)
        self.up = False

    def close(self) -> None:
        """Stop the program properly."""
        if self.up:
            self._club.close()
            self.journal.close()
            self.up = False

    def back_up(self) -> None:
        """Copy the card while the plug is pulled."""
        self.backup = self.folder.with_name(f"{self.name}-backup")
        shutil.copytree(self.folder, self.backup)

    def put_back(self, *, rebuilt: bool) -> None:
        """Put the copy of the card in place of the card, while the plug is pulled.

        `rebuilt`: as after damage, the journal gets a new epoch, in which the match under way is sent again.
        """
        if self.backup is None:
            raise FileNotFoundError(f"expected a copy of {self.folder}, found none")
        shutil.rmtree(self.folder)
        self.backup.rename(self.folder)
        self.backup, self.was_put_back = None, True
        if rebuilt:
            with closing(sqlite3.connect(self.folder / FILE)) as connection:
                connection.execute("DELETE FROM outbox")
                connection.execute("DELETE FROM club")
                connection.commit()

    # What the hall asks

    def request(self, pending: PendingRequest) -> None:
        """Take a request, as the loop of a table does; called in the broker's thread."""
        self._orders.put(pending)
        self._news()

    def take_orders(self) -> int:
        """Carry out what the hall has asked; return how many matches have begun."""
        begun = 0
        while self.up and not self._orders.empty():
            pending = self._orders.get()
            if not isinstance(pending.request, BeginDraw):
                pending.answered(None)
            elif self.plays:
                pending.answered(UNDER_WAY)
            elif self.state.phase is Phase.OVER and self.setup.draw == pending.request.draw:
                pending.answered(IS_OVER)
            else:
                self._begin(pending.request)
                pending.answered(None)
                begun += 1
        return begun

    def _begin(self, asked: BeginDraw) -> None:
        self.setup, self._t = Setup.now(asked.rules or RULES, {}), 0.0
        self.setup = replace(self.setup, draw=asked.draw)
        self.state = self.setup.state()
        self.begun[asked.draw] += 1
        names = tuple(name or "" for name in asked.players)
        self._happen(Started(names, 0.0, asked.rounds or 1))

    # What the players do

    @property
    def plays(self) -> bool:
        """Whether a match is under way."""
        return self.state.phase not in (Phase.LOBBY, Phase.OVER)

    def play(self) -> None:
        """Let the players do what is next in their match; whoever begins a round goes out at once."""
        self._t += 1.0
        state, t = self.state, self._t
        event: Event
        if state.phase is Phase.TURN:
            event = Pressed(state.current, t)
        elif state.phase is Phase.LOOKING:
            event = Seen(parse_table(LAID), t)
        elif state.phase is Phase.SHOWING:
            gone = tiles_on((*state.table, *(seat.shown or () for seat in state.seats)))
            left = sorted((Counter(state.rules.box.inventory()) - gone).elements(), key=lambda tile: tile.name)
            event = HandShown(state.current, tuple(self._rng.sample(left, state.seat.hand)), t)
        else:
            event = RoundStarted(t)
        self._happen(event)

    def correct(self) -> str | None:
        """Correct a round of the newest match; return its draw, or None if that match is not over.

        While the table still shows the match, it is corrected there; after a restart, on the page with old matches.
        """
        if not self.up or self.plays:
            return None
        if self.state.phase is Phase.OVER:
            self._t += 1.0
            self._happen(self._correction(self.state, self._t))
            return self.setup.draw
        if not self._newest:
            return None
        kept, newest = kept_in(self.folder / FILE, self._newest)
        if not kept.is_over or kept.setup.draw is None:
            return None
        event = self._correction(kept.state, kept.t)
        self.journal.amend(rows_behind(kept, event, newest))
        self._remember(kept.setup.draw, apply(kept.state, event)[0])
        return kept.setup.draw

    def _correction(self, state: State, t: float) -> Corrected:
        number = self._rng.randint(1, len(state.sheet.rounds))
        hands = [self._rng.randint(1, 90) for _ in state.seats]
        winner = self._rng.randrange(len(hands))
        hands[winner] = 0
        return Corrected(number, tuple(hands), t, winner=winner, who=state.seats[winner].name, why="A slip")

    def _remember(self, draw: str, state: State) -> None:
        """Note the totals of a match that is over."""
        totals = dict(zip((seat.name for seat in state.seats), state.sheet.totals, strict=True))
        self.results[draw] = totals
        self.shown.setdefault(draw, []).append(totals)

    def _happen(self, event: Event) -> None:
        after = apply(self.state, event)[0]
        if isinstance(event, Started):
            self._newest = self.journal.begin(self.setup, event, after)
        else:
            self.journal.append(event, after)
        self.state = after
        if after.phase is Phase.OVER and self.setup.draw is not None:
            self._remember(self.setup.draw, after)
        self._show()

    def _show(self, *, cut: bool = False) -> None:
        names = tuple(seat.name for seat in self.state.seats)
        players, zero = Players.for_names(names, names), time.monotonic() - self._t
        scene = DisplayState(self.state, LIGHTS, players, frozenset(), zero,
                             cut=cut, place=self.journal.place, draw=self.setup.draw)  # fmt: skip
        self._club.audience.on_update(scene)
