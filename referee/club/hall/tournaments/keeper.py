"""Manages the tournaments of a hall: writes every change to disk before it takes effect, and collects results.

1. All changes are made in one thread, one after the other; neither the page nor the broker waits for the disk.
2. The page and the broker read `facts`, one frozen value, in their own threads.
3. Seats are computed in another thread (`seat_searches.py`). Its progress is in the facts, and after a moment the
   director may accept the best seats so far. If the tournament changes meanwhile, the result is discarded.
4. If seats were accepted before the search was over, those of the later rounds are improved while people play.
"""

from __future__ import annotations

import secrets
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

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.beginning import (
    Asked,
    Begin,
    beginning,
    cannot_begin,
    check_again,
    idle,
    late,
    may_be_asked,
    places,
    set_out,
    tables_to_ask,
)
from referee.club.hall.tournaments.leagues import LeagueChange, LeagueStep, add_evening, after_step
from referee.club.hall.tournaments.notes import Notes
from referee.club.hall.tournaments.player_tokens import tokens_for
from referee.club.hall.tournaments.renaming import follow_renamed_tables
from referee.club.hall.tournaments.round_results import Results, SeatSearch, TournamentFacts, found_in, news
from referee.club.hall.tournaments.saved import SavedTournament, save_tournament, slug_for
from referee.club.hall.tournaments.seat_searches import Find, Search, SeatSearches, find_better, find_plan
from referee.club.hall.tournaments.state import (
    Hosted,
    HostedEvent,
    Placed,
    apply_event,
    begun_by,
    slug_of,
)
from referee.club.tournament import OutOfOrder, Rules
from referee.club.tournament.drawing import check_enough_players, draws
from referee.club.tournament.events import Draw, Drawn, Opened, Planned, RoundBegun
from referee.club.tournament.groups import groups_due
from referee.club.tournament.machine import check_may_be_drawn
from referee.devices.thread import OneThread
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice, told_by

Change = Callable[[Hosted, HallFacts, float], Sequence[HostedEvent]]
"""Returns the events of a change, from the tournament, the hall's facts and the time; raises BadInput if the change is
not possible."""


class NotKept(BadInput):
    """The change could not be written to disk, and was not made."""


class Keeper:
    """The tournaments in the hall's file. If a change is refused, its future raises BadInput, which says why."""

    def __init__(
        self,
        path: Path | str,
        hall: Callable[[], HallFacts],
        *,
        names: bool = False,
        wall: Callable[[], float] = time.time,
        now: Callable[[], float] = time.monotonic,
        find: Find = find_plan,
        improve: Find = find_better,
        token: Callable[[], str] = lambda: secrets.token_hex(4),
    ) -> None:
        """Read the tournaments of a file and start the threads; raises sqlite3.Error if that fails.

        `path`: the hall's SQLite file, which must exist.
        `hall`: returns the hall's facts about its tables; called in the keeper's own thread.
        `names`: whether the names of the players are sent to the tables.
        `wall`: the time of day, in seconds since 1970.
        `now`: the monotonic clock, in seconds.
        `find`: finds seats for all remaining rounds.
        `improve`: finds better seats than the planned ones, or None.
        `token`: returns random text that makes the id of a command unique.
        """
        self._token = token
        self._hall, self._names, self._wall, self._now = hall, names, wall, now
        self.news: Callable[[], None] = lambda: None
        """Called in the keeper's thread when `facts` have changed."""
        self.begins: Begin = lambda _: None
        """Called to ask a table to begin."""
        self._notes = Notes(path)
        known, unreadable = self._notes.load_all()
        secret = self._notes.player_secret(self._time())
        self._slugs = {*known, *unreadable}
        self._unreadable = tuple(
            Notice("director.unreadable", slug=slug, reason=reason) for slug, reason in unreadable.items()
        )
        leagues, unreadable = self._notes.load_leagues()
        self._league_slugs = {*leagues, *unreadable}
        self._unreadable += tuple(
            Notice("league.unreadable", slug=slug, reason=reason) for slug, reason in unreadable.items()
        )
        self.facts = TournamentFacts(
            tuple(known.values()), troubles=self._unreadable, secret=secret, leagues=tuple(leagues.values())
        )
        self._seen: tuple[Hosted, Results] | None = None
        """The tournament and the results for which `facts.found` was computed."""
        self._waiting: set[int] = set()
        """Tables of the round under way that are to be asked to begin as soon as they are connected."""
        self._asked: dict[int, Asked] = {}
        self._thread = OneThread("tournaments")
        self._searches = SeatSearches(find, improve, now, self._thread, self._show_search, self._finish_search)
        self._due = threading.Event()

    def open(self, name: str, rules: Rules, league: str = "") -> Future[None]:
        """Open a tournament, as an evening of a league if that is named; the one before must have ended."""
        return self._thread.submit(self._open, name, rules, league)

    def change_leagues(self, change: LeagueChange) -> Future[None]:
        """Apply a change to the leagues."""
        return self._thread.submit(self._change_leagues, change)

    def change(self, change: Change) -> Future[None]:
        """Apply a change to the tournament that was opened last."""
        return self._thread.submit(self._change, change)

    def save(self, slug: str) -> Future[bytes]:
        """Return a whole tournament as the content of one file."""
        return self._thread.submit(self._save, slug)

    def restore(self, saved: SavedTournament) -> Future[str]:
        """Store a tournament from a file, unless one is being played; the result is its id in this hall."""
        return self._thread.submit(self._restore, saved)

    def draw(self) -> Future[None]:
        """Draw the next round: at once if its seats are planned, otherwise once a search has found them."""
        return self._thread.submit(self._draw)

    def take(self) -> Future[None]:
        """Draw the round with the best seats that the search has found so far."""
        return self._thread.submit(self._take)

    def begin(self, table: int | None = None) -> Future[tuple[Notice, ...]]:
        """Begin the round at all tables, or ask one table again; the result says which cannot begin yet, and why."""
        return self._thread.submit(self._begin if table is None else partial(self._begin_again, table))

    def look(self) -> None:
        """Have the tables checked for new results; may be called in any thread, at any time."""
        if not self._due.is_set():
            self._due.set()
            self._thread.submit(self._look)

    def close(self) -> None:
        """End both threads and close the file."""
        self._searches.close()
        self._thread.shutdown()
        if not self._thread.hangs:
            self._notes.close()

    def _current(self) -> Hosted:
        if self.facts.current is None:
            raise OutOfOrder(Notice("director.none"))
        return self.facts.current

    def _open(self, name: str, rules: Rules, league: str) -> None:
        if self.facts.current is not None and not self.facts.current.tournament.ended:
            raise OutOfOrder(Notice("director.still_open"))
        event = Opened(name, rules, self._wall())
        slug = slug_of(name, self._slugs)
        facts = replace(self.facts, all=(*self.facts.all, begun_by(slug, event)), not_drawn=None)
        step = add_evening(league, slug)(facts, self._league_slugs, event.t) if league else None
        facts = facts if step is None else replace(facts, leagues=after_step(facts.leagues, step))
        self._keep(slug, [event], step)
        self._slugs.add(slug)
        self._publish(facts)

    def _change_leagues(self, change: LeagueChange) -> None:
        step = change(self.facts, self._league_slugs, self._wall())
        leagues = after_step(self.facts.leagues, step)
        try:
            self._notes.keep_league(step, self._time())
        except sqlite3.Error as error:
            raise NotKept(Notice("director.not_kept", reason=str(error))) from error
        self._league_slugs.add(step.league)
        self._publish(replace(self.facts, leagues=leagues))

    def _save(self, slug: str) -> bytes:
        hosted = next((one for one in self.facts.all if one.slug == slug), None)
        if hosted is None:
            raise OutOfOrder(Notice("director.none"))
        try:
            events, tokens = self._notes.events_of(slug), tokens_for(self.facts.secret, hosted)
            return save_tournament(slug, hosted.tournament.name, events, tokens)
        except (sqlite3.Error, RefereeError, ValueError) as error:
            raise BadInput(Notice("ranks.not_saved", reason=str(error))) from error

    def _restore(self, saved: SavedTournament) -> str:
        if self.facts.current is not None and not self.facts.current.tournament.ended:
            raise OutOfOrder(Notice("director.still_open"))
        restored = saved.hosted
        slug = slug_for(restored, self.facts.all, self._slugs)
        self._keep(slug, saved.events)
        self._slugs.add(slug)
        self._publish(replace(self.facts, all=(*self.facts.all, replace(restored, slug=slug)), not_drawn=None))
        return slug

    def _change(self, change: Change) -> None:
        hosted, hall = self._current(), self._hall()
        before = hosted.current
        hosted = self._happen(hosted, change(hosted, hall, self._wall()))
        if (
            before is not None
            and hosted.current is not None
            and hosted.last_round is not None
            and hosted.last_round.begun
        ):
            pairs = enumerate(zip(before.places, hosted.current.places, strict=False), 1)
            for number in [number for number, (was, at) in pairs if was != at]:
                self._waiting.add(number)
                self._asked.pop(number, None)
        self._take_results(hall)

    def _happen(self, hosted: Hosted, events: Iterable[HostedEvent]) -> Hosted:
        """Apply events, write them to disk, and only then publish the new state."""
        now, happened = hosted, list(events)
        for event in happened:
            now = apply_event(now, event)
        if happened:
            self._keep(hosted.slug, happened)
            search = self._searches.current
            shown = None if search is None else self.facts.search
            self._publish(replace(self.facts, all=(*self.facts.all[:-1], now), search=shown))
            if search is not None and _seats_are_outdated(search.before, now):
                self._end_search(None if search.later else Notice("director.changed_meanwhile"))
        return now

    def _time(self) -> str:
        """Return the time of day for a row of the file."""
        return datetime.fromtimestamp(self._wall(), UTC).isoformat(timespec="milliseconds")

    def _keep(self, slug: str, events: Sequence[HostedEvent], league: LeagueStep | None = None) -> None:
        try:
            self._notes.keep(slug, events, self._time(), league)
        except sqlite3.Error as error:
            raise NotKept(Notice("director.not_kept", reason=str(error))) from error

    def _draw(self) -> None:
        before = self._current()
        search = self._searches.current
        if search is not None and not search.later:
            raise OutOfOrder(Notice("director.drawing"))
        before = self._with_groups(before)
        check_may_be_drawn(before.tournament)
        if before.tournament.plan:
            self._end_search()
            self._change(partial(_events_of_draw, before, before.tournament.plan))
            return
        check_enough_players(before.tournament)
        self._begin_search(before, later=False)

    def _with_groups(self, before: Hosted) -> Hosted:
        """Form the groups before the first draw in groups, and add whoever has come before a later one."""
        tournament = before.tournament
        if tournament.ended or tournament.under_way:
            return before
        formed = groups_due(tournament, self._wall())
        return before if formed is None else self._happen(before, (formed,))

    def _begin_search(self, before: Hosted, *, later: bool) -> None:
        self._end_search()
        self._searches.begin(before, later=later)

    def _end_search(self, why: Notice | None = None) -> None:
        """End the search, if there is one; `why` is the reason if it failed."""
        self._searches.end()
        self._publish(replace(self.facts, search=None, not_drawn=why))

    def _show_search(self, view: SeatSearch) -> None:
        self._publish(replace(self.facts, search=view))

    def _finish_search(self, search: Search, found: Sequence[Draw] | None, why: Notice | None) -> None:
        """Finish a search: draw the round, or replace the plan of the later ones."""
        if found is None:
            self._end_search(None if search.later else why)
        elif search.later:
            self._replace_plan(found)
        else:
            self._draw_found(search, found)

    def _replace_plan(self, found: Sequence[Draw]) -> None:
        """Replace the plan of the later rounds; if the new one cannot be written to disk, the old one stays."""
        self._conclude(lambda: self._happen(self._current(), (Planned(tuple(found), self._wall()),)))

    def _take(self) -> None:
        search = self._searches.current
        if search is None or search.best is None or not search.view(self._now()).offered:
            raise OutOfOrder(Notice("director.no_seats_yet"))
        best = search.best.best
        self._draw_found(search, draws(search.before.tournament, best))
        if best.repeats > best.bound and self._current().tournament.plan:
            self._begin_search(self._current(), later=True)

    def _draw_found(self, search: Search, found: Sequence[Draw]) -> None:
        self._conclude(lambda: self._change(partial(_events_of_draw, search.before, found)))

    def _conclude(self, apply: Callable[[], object]) -> None:
        """Apply the result of the search, then mark it as over, so that the page learns of both together."""
        self._searches.end()
        try:
            apply()
        except BadInput as error:
            self._end_search(told_by(error))
            raise
        self._end_search()

    def _begin(self) -> tuple[Notice, ...]:
        hosted, hall, t = self._current(), self._hall(), self._wall()
        if hosted.current is None:
            raise OutOfOrder(Notice("tournament.no_round_to_begin"))
        there = Placed(places(hosted, hall.tables), t)
        hosted = self._happen(hosted, (there, RoundBegun(t), set_out(hall, t, named=self._names)))
        self._asked, self._waiting = {}, set(range(1, len(there.places) + 1))
        self._ask(hosted, hall, self._waiting)
        self._take_results(hall)
        return cannot_begin(self._current(), self._waiting, hall)

    def _begin_again(self, table: int) -> tuple[Notice, ...]:
        hosted, hall = self._current(), self._hall()
        check_again(hosted, table, hall, self.facts.find_result(len(hosted.rounds), table))
        self._waiting.add(table)
        self._asked.pop(table, None)
        self._ask(hosted, hall, (table,))
        self._take_results(hall)
        return ()

    def _ask(self, hosted: Hosted, hall: HallFacts, tables: Iterable[int]) -> None:
        """Ask those of the given tables of the draw to begin that can be asked now."""
        for number in sorted(tables if hall.connected else ()):
            asked = beginning(hosted, number, names=self._names)
            view = None if asked is None else hall.tables.get(asked.at)
            if asked is not None and view is not None and may_be_asked(view, self._now()):
                before = self._asked.get(number)
                again = None if before is None else before.id_for(asked)
                command = replace(asked, id=again or f"{asked.draw}.{self._token()}")
                self._waiting.discard(number)
                self._asked[number] = Asked.from_view(view, self._wall(), command)
                self.begins(command)

    def _look(self) -> None:
        self._due.clear()
        try:
            if self.facts.current is not None:
                self._take_results(self._hall())
        except Exception as error:  # noqa: BLE001 - nobody awaits this call: errors are shown, and it is tried again
            traceback.print_exception(error)
            told = Notice("director.failed", error=f"{type(error).__name__}: {error}")
            self._publish(replace(self.facts, troubles=(*self._unreadable, told)))

    def _take_results(self, hall: HallFacts) -> None:
        """Take over results from the tables' matches, and ask tables that have not begun."""
        hosted, found, troubles = self._current(), self.facts.found, self.facts.troubles
        hosted = self._hold_places(self._follow_names(hosted, hall), hall)
        if self._seen is None or self._seen[0] is not hosted or self._seen[1] is not hall.results:
            found, troubles = found_in(hosted, hall.results), self._unreadable
            try:
                hosted = self._happen(hosted, news(hosted, found, self._wall()))
                self._seen = hosted, hall.results
            except NotKept as error:  # the next check tries again
                self._seen, troubles = None, (*troubles, told_by(error))
            found = found_in(hosted, hall.results)
        quiet = idle(hosted, found, hall.tables)
        missing = hosted.last_round.missing_tables if hosted.last_round is not None and hosted.last_round.begun else ()
        self._waiting &= set(missing)
        self._waiting |= tables_to_ask(hosted, quiet, self._asked, hall.tables)
        self._ask(hosted, hall, self._waiting & set(quiet))
        now = late([one for one in quiet if one not in self._waiting], self._asked, self._wall())
        self._publish(replace(self.facts, found=found, late=now, troubles=troubles))

    def _follow_names(self, hosted: Hosted, hall: HallFacts) -> Hosted:
        """Replace the names of tables of the hall that were renamed."""
        try:
            return self._happen(hosted, follow_renamed_tables(hosted, hall, self._wall()))
        except NotKept:  # the next check tries again
            return hosted

    def _hold_places(self, hosted: Hosted, hall: HallFacts) -> Hosted:
        """Store places that were assigned automatically, so that a table keeps its place if it is disconnected."""
        held = hosted.current
        now = places(hosted, hall.tables)
        if held is None or not hosted.tournament.under_way or now == held.places:
            return hosted
        try:
            return self._happen(hosted, (Placed(now, self._wall()),))
        except NotKept:  # the next check tries again
            return hosted

    def _publish(self, facts: TournamentFacts) -> None:
        if facts != self.facts:
            self.facts = facts
            self.news()


def _seats_are_outdated(before: Hosted, now: Hosted) -> bool:
    """Return whether seats found for `before` are not valid for `now`."""

    def matters(hosted: Hosted) -> tuple[object, ...]:
        one = hosted.tournament
        teams = tuple(player.team for player in one.players)
        rounds = len(one.rounds)
        return (
            hosted.slug,
            one.here,
            one.rules,
            one.plan,
            rounds,
            len(one.traces),
            one.ended,
            one.groups,
            one.final,
            teams,
        )

    return matters(before) != matters(now)


def _events_of_draw(
    before: Hosted, found: Sequence[Draw], hosted: Hosted, hall: HallFacts, t: float
) -> Sequence[HostedEvent]:
    """Return the events that draw the round with these seats, if the tournament has not changed meanwhile."""
    if _seats_are_outdated(before, hosted):
        raise OutOfOrder(Notice("director.changed_meanwhile"))
    check_may_be_drawn(hosted.tournament)
    drawn: tuple[HostedEvent, ...] = (Drawn(found[0], t),)
    if not hosted.tournament.plan and len(found) > 1:
        drawn = (Planned(tuple(found), t), *drawn)
    after_it = hosted
    for event in drawn:
        after_it = apply_event(after_it, event)
    return (*drawn, Placed(places(after_it, hall.tables), t))
