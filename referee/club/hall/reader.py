"""Receives the messages of all tables from the broker, stores events and results, and requests missing events.

The methods of `Talker` are called in the broker's thread. The page reads `facts`, one frozen value, in its own thread.
"""

from __future__ import annotations

import itertools
import secrets
import sqlite3
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from referee.club.hall.desk.keeper import DeskFacts, DeskKeeper
from referee.club.hall.desk.state import DeskState
from referee.club.hall.desk.telling import DeskTelling
from referee.club.hall.intake import STALE_S, TableIntake, TableView
from referee.club.hall.results import KeptResult, MatchKey
from referee.club.hall.store import Document, HallStore
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.mqtt.line import BrokerConnection, Message
from referee.club.protocol import Address, Command, Do, Event, Kind, MatchResult, Online
from referee.club.protocol.coding import encode_document
from referee.club.protocol.topics import address_of, hall_topic, subscription, topic
from referee.errors import BadInput
from referee.game.notice import Notice

CONNECTING = Notice("hall.connecting")
OF_A_TABLE = frozenset({"no_broker", "silent", "lost", "failed"})
"""Keys of notices about the connection for which the hall (`hall.*`) has other sentences than a table (`club.*`)."""
MOST_TABLES = 1000
"""The most tables that are followed; `python -m benchmarks hall` measures a hall with that many."""
BATCH_S = 0.04
"""Seconds between two commits of events: a commit takes more time than storing its events. Chosen by hand."""
EVERY_S = 0.5
"""Seconds between two checks for tables that are silent or miss events. Chosen by hand."""
MOST_WAITING = 10_000
"""The most results that wait while the disk accepts no writes: 20 (`RESULTS`) of each of 500 tables."""
CROWDED_S = 1.0
"""Seconds between two attempts to drop a table if there are `MOST_TABLES`. Chosen by hand."""
PICTURES = 32
"""The most tables of which the last picture is kept. Chosen by hand, to limit memory."""


@dataclass(frozen=True, slots=True)
class HallFacts:
    """Everything that the pages show of the hall; frozen, and replaced as a whole."""

    tables: Mapping[str, TableView] = field(default_factory=dict)
    results: Mapping[MatchKey, KeptResult] = field(default_factory=dict)
    connected: bool = False
    trouble: Notice | None = CONNECTING
    """Why nothing comes from the broker, or why nothing can be stored; None if nothing is wrong."""
    strangers: int = 0
    """The number of messages under topics that no table has."""
    beyond: int = 0
    """The number of messages dropped because there were more than `MOST_TABLES` tables."""
    tournaments: TournamentFacts | None = None
    """What the pages show of tournaments; the reader does not set it."""
    desk: DeskFacts | None = None
    """What the pages show of the director's desk; the reader does not set it."""
    alone: bool = False
    """Whether no broker is set, so that no table can be connected: a tournament on phones only."""
    desk_refused: bool = False
    """Whether the broker refuses what the desk tells the tables, because its access list is of an earlier release."""


@dataclass(frozen=True, slots=True)
class _SharedJournal:
    """Two tables send the same journal: `before` seemed to be connected when the other one began, at `since`."""

    before: str
    epoch: str
    since: float


def presence(root: str, told: Online) -> Message:
    """Return the message that says whether the hall is connected; with False it is also the broker's last word."""
    return Message(hall_topic(root), encode_document(told), retain=True)


class HallReader:
    """The hall's side of the connection (a `Talker`). `news` is called in the broker's thread when `facts` change."""

    def __init__(
        self,
        store: HallStore,
        root: str,
        news: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
        utc: Callable[[], datetime] = lambda: datetime.now(UTC),
        desk: DeskKeeper | None = None,
        *,
        alone: bool = False,
    ) -> None:
        """`desk` hears the calls of tables, and what it has to tell is published; None: there is no desk.

        `alone`: no broker is set, so nobody will call the methods of `Talker`, and nothing is wrong with that.
        """
        self._desk, self._telling = desk, DeskTelling()
        self._desk_told: DeskState | None = None
        """The state of the desk that the tables were told last."""
        self._desk_open: set[int] = set()
        """The numbers of messages of the desk that the broker has not confirmed."""
        self._present_at: float | None = None
        """When to say again that the hall is connected; None: nothing has said otherwise."""
        self._store, self._root, self._news, self._now, self._utc = store, root, news, now, utc
        self._tables: dict[str, TableIntake] = {}
        self._shared: dict[str, _SharedJournal] = {}
        """Journals that two tables send, by the name of the table that began later."""
        self._to_keep: list[tuple[str, Document]] = []
        self._retry_at = -1e9
        self._kept_at = 0.0
        self._looked_at = 0.0
        self._crowded_until = -1e9
        self._orders: deque[tuple[str, Command]] = deque(maxlen=10_000)
        self._to_forget: deque[tuple[str, Future[Notice | None]]] = deque(maxlen=MOST_TABLES)
        self._ids = (f"{secrets.token_hex(6)}-{number}" for number in itertools.count())
        self._stored: Notice | None = None
        self.tick: Callable[[], None] = lambda: None
        """Called every `EVERY_S` seconds while the hall is connected, in the broker's thread."""
        self._results_at = store.changes
        self.pictures: dict[str, bytes] = {}
        for name in store.tables[:MOST_TABLES]:  # so that a table that is missing after a power cut is still shown
            self._add(name)
        views = {name: table.view for name, table in self._tables.items()}
        self.facts = HallFacts(views, dict(store.results), trouble=None if alone else CONNECTING, alone=alone)

    def announce(self, tables: Iterable[str], text: str, seconds: int, key: str) -> None:
        """Send an announcement to tables, like `order()`; `key` is the id of all commands."""
        for table in tables:
            self._orders.append((table, Command(Do.ANNOUNCE, key, text=text, seconds=seconds)))

    def order(self, table: str, do: Do, text: str = "") -> None:
        """Send a command to a table; may be called in any thread. The caller must wake the broker afterwards."""
        self._orders.append((table, Command(do, next(self._ids), 0, text)))

    def forget(self, table: str) -> Future[Notice | None]:
        """Stop showing a table until it sends something; its stored data stays. May be called in any thread.

        The future gets its result once the table is gone from `facts`: None, or why the table is still shown.
        """
        outcome = Future[Notice | None]()
        self._to_forget.append((table, outcome))
        return outcome

    def begin(
        self,
        table: str,
        draw: str,
        players: tuple[str | None, ...],
        rules: str | None,
        rounds: int | None,
        key: str,
    ) -> None:
        """Send the command to begin the match of a draw to a table, like `order()`; `key` is the id of the command.

        If `rules` or `rounds` is None, the table uses its own.
        """
        self._orders.append((table, Command(Do.BEGIN, key, players=players, draw=draw, rules=rules, rounds=rounds)))

    def on_connect(self, line: BrokerConnection) -> None:
        """Subscribe to the messages of all tables, and note that the hall is connected."""
        line.subscribe(subscription(self._root))
        self._telling.forget()
        self._desk_open.clear()
        self._desk_told = self._present_at = None
        if self._desk is not None:
            line.publish(presence(self._root, Online(True, since=self._stamp())))
        self._tell(connected=True, trouble=self._stored)

    def on_disconnect(self, why: Notice) -> None:
        """Store what has come, mark all tables as cut off, and note why the connection is down."""
        self._keep()
        for table in self._tables.values():
            table.note_disconnection(self._now())
        domain, _, key = why.key.partition(".")
        if domain == "club" and key in OF_A_TABLE:
            why = Notice(f"hall.{key}", **dict(why.fields))
        self._tell(connected=False, trouble=why)

    def before_disconnect(self, line: BrokerConnection) -> None:
        """Send the commands that wait, and store what has come."""
        self._send(line)
        if self._desk is not None:
            line.publish(presence(self._root, Online(False)))
        self._keep()

    def on_confirmed(self, number: int, refused: str | None) -> None:
        """Note whether the broker accepts what the desk tells; a command that it refuses is not sent again."""
        if number in self._desk_open:
            self._desk_open.discard(number)
            if self.facts.desk_refused is not (refused is not None):
                self._tell(desk_refused=refused is not None)

    def on_message(self, name: str, payload: bytes, *, retained: bool = False) -> None:
        """Handle a message of a table; if it cannot be handled, this is reported for that table only."""
        if name == hall_topic(self._root):
            if not retained and b'"online":true' not in payload.replace(b" ", b"") and self._desk is not None:
                self._present_at = self._now() + EVERY_S  # an earlier connection of the hall has ended late
            return
        try:
            address = address_of(self._root, name)
        except BadInput:
            self._strange()
            return
        if address.kind.is_from_hall:
            return  # which the hall itself or another client has sent
        if self._is_hidden(address.table) and not self._has_come_back(address, payload):
            return
        table = self._table(address)
        if table is None:
            return
        # A bridge to another hall sends again what its broker has retained, as if the table had just sent it.
        offline = table.view.lost is not None
        retained = retained or (offline and address.kind.is_retained and address.kind is not Kind.ONLINE)
        try:
            outcome = table.take_message(
                address.kind, payload, self._now(), self._utc(), retained=retained, match=address.match
            )
        except Exception as error:  # noqa: BLE001 - an error caused by one table's message must not stop the others
            traceback.print_exception(error)
            table.bad(self._now())
            return
        self._to_keep += ((address.table, event) for event in outcome.events)
        self._to_keep += (
            (address.table, one) for one in outcome.results if not (retained and self._is_left_over(address, one))
        )
        if outcome.call is not None and self._desk is not None:
            self._desk.hear(address.table, outcome.call)
        if outcome.picture is not None:
            self.pictures.pop(address.table, None)
            self.pictures[address.table] = outcome.picture
            while len(self.pictures) > PICTURES:
                self.pictures.pop(next(iter(self.pictures)))
        if outcome.again is not None:
            self._orders.append((address.table, Command(Do.AGAIN, next(self._ids), outcome.again)))

    def step(self, line: BrokerConnection) -> float:
        """Send the commands that wait, request events that are missing, and store what has come in batches.

        Returns `BATCH_S`, the seconds after which to be called again.
        """
        t = self._now()
        while self._to_forget:
            name, outcome = self._to_forget.popleft()
            refused = self._forget(name)
            self._tell()
            if outcome.set_running_or_notify_cancel():
                outcome.set_result(refused)
        if t - self._looked_at >= EVERY_S:
            self._looked_at = t
            self.tick()
            self._desk_told = None
            self._take_over_silent()
            for name, table in self._tables.items():
                start = table.resend_from(t)
                if start is not None:
                    self._orders.append((name, Command(Do.AGAIN, next(self._ids), start)))
        self._send(line)
        self._tell_desk(line)
        if t - self._kept_at >= BATCH_S:
            self._kept_at = t
            self._keep()
            self._tell()
        return BATCH_S

    def _send(self, line: BrokerConnection) -> None:
        while self._orders:
            table, command = self._orders.popleft()
            line.publish(Message(topic(self._root, table, Kind.DO), encode_document(command)))

    def _tell_desk(self, line: BrokerConnection) -> None:
        """Publish what the tables must be told by the director's desk, at once if that changes, else now and then."""
        if self._desk is None:
            return
        if self._present_at is not None and self._now() >= self._present_at:
            self._present_at = None
            line.publish(presence(self._root, Online(True, since=self._stamp())))
        state = self._desk.facts.state
        if state is self._desk_told:
            return
        self._desk_told = state
        views = {name: table.view for name, table in self._tables.items()}
        for name, told in self._telling.due(state, views, self._now(), self._stamp()):
            message = Message(topic(self._root, name, Kind.DESK), encode_document(told), retain=True)
            self._desk_open.add(line.publish(message))

    def _keep(self) -> None:
        if self._to_keep and self._now() >= self._retry_at:
            documents, self._to_keep = self._to_keep, []
            self._keep_all(documents)

    def _keep_all(self, documents: list[tuple[str, Document]]) -> None:
        try:
            kept = self._store.keep(documents, self._stamp())
        except sqlite3.Error as error:
            self._ask_again(documents, error)
            return
        except Exception as error:  # noqa: BLE001 - the documents of each table are then stored separately
            self._keep_each(documents, error)
            return
        self._stored = None
        for table in kept.contradicted:
            self._tables[table].contradicts()
        for table in kept.full:
            self._tables[table].full()
        for (table, epoch), seq in kept.back.items():
            self._tables[table].stands_at(epoch, seq)

    def _keep_each(self, documents: list[tuple[str, Document]], error: Exception) -> None:
        """Store the documents table by table. If those of one table cannot be stored, that table counts as full."""
        tables = list(dict.fromkeys(table for table, _ in documents))
        if len(tables) == 1:
            traceback.print_exception(error)
            self._tables[tables[0]].full()
            return
        for table in tables:
            self._keep_all([one for one in documents if one[0] == table])

    def _ask_again(self, documents: list[tuple[str, Document]], error: sqlite3.Error) -> None:
        """Handle a failed write: request the events from the tables again, and keep the results for another try."""
        self._stored = Notice("hall.not_kept", reason=str(error))
        waiting = {(table, one.epoch, one.match): one for table, one in documents if isinstance(one, MatchResult)}
        if waiting:
            self._to_keep += [(table, one) for (table, _, _), one in waiting.items()][-MOST_WAITING:]
            self._retry_at = self._now() + EVERY_S
        events = [(table, one) for table, one in documents if isinstance(one, Event)]
        kept = {(table, event.epoch): event.seq - 1 for table, event in reversed(events)}
        for (table, epoch), seq in kept.items():
            self._tables[table].want_again(epoch, seq, self._now())

    def _table(self, address: Address) -> TableIntake | None:
        found = self._tables.get(address.table)
        if found is None and (len(self._tables) < MOST_TABLES or self._make_room()):
            found = self._add(address.table)
        if found is None:
            self.facts = replace(self.facts, beyond=self.facts.beyond + 1)
        return found

    def _add(self, name: str) -> TableIntake:
        kept, claim = partial(self._last, name), partial(self._claim, name)
        table = TableIntake(name, self._now(), kept, claim, self._store.formerly.get(name, ()))
        self._tables[name] = table
        return table

    def _last(self, table: str, epoch: str) -> int:
        """Return the number of the last event of an epoch that is stored.

        It is 0 if that cannot be read; then the table sends its events again.
        """
        try:
            return self._store.last(table, epoch)
        except sqlite3.Error:
            return 0

    def _claim(self, table: str, epoch: str) -> int:
        """Return the number of the last stored event of an epoch of which this table has not sent any event yet.

        The epoch identifies the journal. If another table has sent this journal before and is no longer connected, it
        was this table under its former name, and everything of that journal is moved to this one. If it seems to be
        connected, a memory card was copied, or its plug was pulled just now, which the broker has not noticed yet.
        """
        self._keep()
        try:
            before = self._store.owner(epoch, table)
            if before is None or before == table:
                return 0
            other = self._tables.get(before)
            if other is not None and other.epoch == epoch and self._is_there(other.view):
                self._tables[table].shares_journal(before)
                other.shares_journal(table)
                self._shared[table] = _SharedJournal(before, epoch, self._now())
                return 0
            self._take_over(before, table, epoch)
        except sqlite3.Error:
            return 0
        return self._last(table, epoch)

    def _take_over(self, before: str, table: str, epoch: str) -> None:
        """Move what is stored of an epoch from a table's former name to the new one; raises sqlite3.Error."""
        self._store.rename(before, table, epoch, self._stamp())
        other = self._tables.get(before)
        if other is not None and other.epoch in (None, epoch):
            self._let_go(before)
        self._tables[table].was_called(*self._store.formerly[table])

    def _take_over_silent(self) -> None:
        """Take over journals from tables that turn out to have been renamed.

        If a table has sent nothing since another one began to send its journal, both are one table, which was renamed.
        If it has sent something since, it is another table, with a copy of the card.
        """
        for table, shared in list(self._shared.items()):
            own, other = self._tables.get(table), self._tables.get(shared.before)
            if own is None or other is None or (other.view.heard or 0.0) > shared.since:
                del self._shared[table]
            elif not self._is_there(other.view):
                self._keep()
                try:
                    if self._store.tell_the_same(shared.before, table, shared.epoch):
                        self._take_over(shared.before, table, shared.epoch)
                        own.owns_journal()
                        own.stands_at(shared.epoch, self._last(table, shared.epoch))
                except sqlite3.Error:
                    continue  # try again at the next check
                del self._shared[table]

    def _is_there(self, view: TableView) -> bool:
        """Return whether a table seems to be connected: it has not gone offline, and has sent something recently."""
        return view.lost is None and view.heard is not None and self._now() - view.heard <= STALE_S

    def _is_left_over(self, address: Address, document: MatchResult) -> bool:
        """Return whether a retained result is under a name that its table no longer has."""
        if (address.table, document.epoch) in self._store.moved:
            return True
        own = self._tables[address.table]
        if own.epoch == document.epoch and self._is_there(own.view):
            return False
        others = (other for name, other in self._tables.items() if name != address.table)
        return any(other.epoch == document.epoch and self._is_there(other.view) for other in others)

    def _is_hidden(self, table: str) -> bool:
        """Return whether a name is not to be shown: the director wanted that, or its table has another name now."""
        if table in self._store.forgotten:
            return True
        return table not in self._tables and any(table == before for before, _ in self._store.moved)

    def _has_come_back(self, address: Address, payload: bytes) -> bool:
        """Return whether a message shows that there is a table with a hidden name, and if so, show it.

        The table says that it is online before anything else. What the broker has retained of other kinds may be old.
        """
        online = address.kind is Kind.ONLINE and b'"online":true' in payload.replace(b" ", b"")
        if not online and address.kind is not Kind.EVENT:
            return False
        if address.table in self._store.forgotten:
            try:
                self._store.forget(address.table, self._stamp(), gone=False)
            except sqlite3.Error:
                self._store.forgotten.discard(address.table)  # not stored: after a restart it is forgotten again
        return True

    def _forget(self, table: str) -> Notice | None:
        """Stop showing a table unless it is connected; return None, or why it is still shown."""
        found = self._tables.get(table)
        if found is None:
            return None
        if found.view.online:
            return Notice("hall.still_there", table=table)
        self._keep()
        try:
            self._store.forget(table, self._stamp(), gone=True)
        except sqlite3.Error as error:
            self._stored = Notice("hall.not_kept", reason=str(error))
            return self._stored
        self._let_go(table)
        return None

    def _let_go(self, table: str) -> None:
        del self._tables[table]
        self.pictures.pop(table, None)

    def _stamp(self) -> str:
        return self._utc().isoformat(timespec="milliseconds")

    def _make_room(self) -> bool:
        """Drop a silent table, if there is one; return whether one was dropped.

        Tables that have never sent anything are dropped first, then the one that has been silent for longest.
        """
        t = self._now()
        if t < self._crowded_until:
            return False
        views = [table.view for table in self._tables.values()]
        silent = [view for view in views if view.heard is None or t - view.heard > STALE_S]
        if not silent:
            self._crowded_until = t + CROWDED_S
            return False
        self._keep()
        self._let_go(min(silent, key=lambda view: (view.seq > 0, -1.0 if view.heard is None else view.heard)).name)
        return True

    def _strange(self) -> None:
        self.facts = replace(self.facts, strangers=self.facts.strangers + 1)

    def _tell(self, **changed: object) -> None:
        """Replace `facts` and call `news` if anything has changed."""
        before = self.facts
        views = {name: table.view for name, table in sorted(self._tables.items())}
        same = len(views) == len(before.tables) and all(
            before.tables.get(name) is view for name, view in views.items()
        )
        results = before.results
        if self._results_at != self._store.changes:
            self._results_at, results = self._store.changes, dict(self._store.results)
        changed.setdefault("trouble", self._stored if before.connected else before.trouble)
        after = replace(before, tables=before.tables if same else views, results=results, **changed)  # type: ignore[arg-type]
        if after != before:
            self.facts = after
            self._news()
