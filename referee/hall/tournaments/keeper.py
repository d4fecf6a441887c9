"""Keeps the tournaments of a hall: every change is on the disk before it holds, and results come in by themselves.

1. All changes are made in one thread, one after the other; neither the page nor the broker waits for the disk.
2. The page and the broker read `facts`, one frozen value, in threads of their own.
3. Seats are found in another thread; what has changed meanwhile makes them void.
"""

from __future__ import annotations

import sqlite3
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from referee.devices.thread import OneThread
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.hall.reader import HallFacts
from referee.hall.tournaments.beginning import Begin, beginning, check_again, idle, late, set_out
from referee.hall.tournaments.events import HostedEvent, Placed
from referee.hall.tournaments.facts import TournamentFacts
from referee.hall.tournaments.notes import Notes
from referee.hall.tournaments.places import places
from referee.hall.tournaments.results import Results, found_in, news
from referee.hall.tournaments.state import Hosted, after, begun_by, slug_of
from referee.tournament import OutOfOrder, Rules, plan
from referee.tournament.events import Draw, Drawn, Opened, Planned, RoundBegun
from referee.tournament.machine import check_may_be_drawn

Change = Callable[[Hosted, HallFacts, float], Sequence[HostedEvent]]
"""What is to happen in a tournament as it stands, at a moment; raises BadInput where it cannot."""


class NotKept(BadInput):
    """The disk did not take it: nothing has happened."""


class Keeper:
    """The tournaments in the hall's file. Where nothing was done a future fails with BadInput, which says why not."""

    def __init__(
        self,
        path: Path | str,
        hall: Callable[[], HallFacts],
        *,
        names: bool = False,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`names`: whether tables are told who plays. Raises sqlite3.Error."""
        self._hall, self._names, self._wall = hall, names, wall
        self.news: Callable[[], None] = lambda: None
        """Is called, in the keeper's thread, when there are other facts."""
        self.begins: Begin = lambda _: None
        """Asks a table to begin."""
        self._notes = Notes(path)
        known, unreadable = self._notes.all()
        self._slugs = {*known, *unreadable}
        self._unreadable = tuple(
            Notice("director.unreadable", slug=slug, reason=reason) for slug, reason in unreadable.items()
        )
        self.facts = TournamentFacts(tuple(known.values()), troubles=self._unreadable)
        self._seen: tuple[Hosted, Results] | None = None
        """From what the facts were found."""
        self._waiting: set[int] = set()
        """Tables of the round under way that were not there to be asked to begin."""
        self._asked: dict[int, float] = {}
        self._thread, self._drawer = OneThread("tournaments"), OneThread("draw")
        self._drawing, self._due = threading.Lock(), threading.Event()

    def open(self, name: str, rules: Rules) -> Future[None]:
        """Open a tournament; the one before must have ended."""
        return self._thread.submit(self._open, name, rules)

    def change(self, change: Change) -> Future[None]:
        """Let something happen in the tournament that was opened last."""
        return self._thread.submit(self._change, change)

    def draw(self) -> Future[None]:
        """Find seats for the next round; raises OutOfOrder where that is going on already."""
        if not self._drawing.acquire(blocking=False):
            raise OutOfOrder(Notice("director.drawing"))
        drawing = self._drawer.submit(self._draw)
        drawing.add_done_callback(lambda one: self._drawing.release() if one.cancelled() else None)
        return drawing

    def begin(self, table: int | None = None) -> Future[None]:
        """Begin the round at all tables, or ask one of them once more."""
        return self._thread.submit(self._begin if table is None else partial(self._begin_again, table))

    def look(self) -> None:
        """Look at what the tables have told since; may be called in any thread, as often as one likes."""
        if not self._due.is_set():
            self._due.set()
            self._thread.submit(self._look)

    def close(self) -> None:
        """End both threads, and let go of the file."""
        self._drawer.shutdown()
        self._thread.shutdown()
        if not self._thread.hangs:
            self._notes.close()

    def _current(self) -> Hosted:
        if self.facts.current is None:
            raise OutOfOrder(Notice("director.none"))
        return self.facts.current

    def _open(self, name: str, rules: Rules) -> None:
        if self.facts.current is not None and not self.facts.current.tournament.ended:
            raise OutOfOrder(Notice("director.still_open"))
        event = Opened(name, rules, self._wall())
        slug = slug_of(name, self._slugs)
        hosted = begun_by(slug, event)
        self._keep(slug, [event])
        self._slugs.add(slug)
        self._publish(replace(self.facts, all=(*self.facts.all, hosted)))

    def _change(self, change: Change) -> None:
        hosted, hall = self._current(), self._hall()
        before = hosted.current
        hosted = self._happen(hosted, change(hosted, hall, self._wall()))
        if before is not None and hosted.current is not None and hosted.drawn is not None and hosted.drawn.begun:
            pairs = enumerate(zip(before.places, hosted.current.places, strict=False), 1)
            self._waiting |= {number for number, (was, at) in pairs if was != at}
        self._found(hall)

    def _happen(self, hosted: Hosted, events: Iterable[HostedEvent]) -> Hosted:
        """What happens is tried, then kept; then it holds."""
        now, happened = hosted, list(events)
        for event in happened:
            now = after(now, event)
        if happened:
            self._keep(hosted.slug, happened)
            self._publish(replace(self.facts, all=(*self.facts.all[:-1], now)))
        return now

    def _keep(self, slug: str, events: Sequence[HostedEvent]) -> None:
        wall = datetime.fromtimestamp(self._wall(), UTC).isoformat(timespec="milliseconds")
        try:
            self._notes.keep(slug, events, wall)
        except sqlite3.Error as error:
            raise NotKept(Notice("director.not_kept", reason=str(error))) from error

    def _draw(self) -> None:
        try:
            before = self._current()
            check_may_be_drawn(before.tournament)
            draws = before.tournament.plan or plan(before.tournament)
            self._thread.submit(self._change, partial(_drawn, before, draws)).result()
        finally:
            self._drawing.release()

    def _begin(self) -> None:
        hosted, hall, t = self._current(), self._hall(), self._wall()
        if hosted.current is None:
            raise OutOfOrder(Notice("tournament.no_round_to_begin"))
        there = Placed(places(hosted, hall.tables), t)
        hosted = self._happen(hosted, (there, RoundBegun(t), set_out(hall, t, named=self._names)))
        self._asked, self._waiting = {}, set(range(1, len(there.places) + 1))
        self._ask(hosted, hall, self._waiting)
        self._found(hall)

    def _begin_again(self, table: int) -> None:
        hosted, hall = self._current(), self._hall()
        check_again(hosted, table, hall)
        self._ask(hosted, hall, (table,))
        self._found(hall)

    def _ask(self, hosted: Hosted, hall: HallFacts, tables: Iterable[int]) -> None:
        """Ask tables of the draw to begin, as far as they are there."""
        for number in sorted(tables if hall.connected else ()):
            asked = beginning(hosted, number, names=self._names)
            if asked is not None and asked.at in hall.tables and hall.tables[asked.at].online:
                self._waiting.discard(number)
                self._asked[number] = self._wall()
                self.begins(asked)

    def _look(self) -> None:
        self._due.clear()
        try:
            if self.facts.current is not None:
                self._found(self._hall())
        except Exception as error:  # noqa: BLE001 - nobody asks for the answer: it is told, and tried again
            traceback.print_exception(error)
            told = Notice("director.failed", error=f"{type(error).__name__}: {error}")
            self._publish(replace(self.facts, troubles=(*self._unreadable, told)))

    def _found(self, hall: HallFacts) -> None:
        """Take what the tables' matches have come to, and see who has not begun."""
        hosted, found, troubles = self._current(), self.facts.found, self.facts.troubles
        if self._seen is None or self._seen[0] is not hosted or self._seen[1] is not hall.results:
            found, troubles = found_in(hosted, hall.results), self._unreadable
            try:
                hosted = self._happen(hosted, news(hosted, found, self._wall()))
                self._seen = hosted, hall.results
            except NotKept as error:  # it is tried again with the next news
                self._seen, troubles = None, (*troubles, told_by(error))
            found = found_in(hosted, hall.results)
        quiet = idle(hosted, found, hall.tables)
        missing = hosted.drawn.missing if hosted.drawn is not None and hosted.drawn.begun else ()
        self._waiting &= set(missing)
        self._ask(hosted, hall, self._waiting & set(quiet))
        now = late(hosted, [one for one in quiet if one not in self._waiting], self._asked, self._wall())
        self._publish(replace(self.facts, found=found, late=now, troubles=troubles))

    def _publish(self, facts: TournamentFacts) -> None:
        if facts != self.facts:
            self.facts = facts
            self.news()


def _drawn(before: Hosted, draws: Sequence[Draw], hosted: Hosted, hall: HallFacts, t: float) -> Sequence[HostedEvent]:
    """The seats that were found are those of the round, if the tournament still is as it was then."""
    was, now = before.tournament, hosted.tournament
    same = (was.here, was.rules, was.plan, len(was.rounds), len(was.traces), was.ended)
    if before.slug != hosted.slug or same != (
        now.here,
        now.rules,
        now.plan,
        len(now.rounds),
        len(now.traces),
        now.ended,
    ):
        raise OutOfOrder(Notice("director.changed_meanwhile"))
    check_may_be_drawn(now)
    drawn: tuple[HostedEvent, ...] = (Drawn(draws[0], t),)
    if not now.plan and len(draws) > 1:
        drawn = (Planned(tuple(draws), t), *drawn)
    after_it = hosted
    for event in drawn:
        after_it = after(after_it, event)
    return (*drawn, Placed(places(after_it, hall.tables), t))
