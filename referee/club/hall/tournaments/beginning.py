"""The beginning of a round: which table plays which match, which command each table gets, and which has not begun.

A table of the draw has a number in its round. The table of the hall where it is played, its place, has a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from referee.club.hall.intake import TableView
from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.round_results import Found, matches_of
from referee.club.hall.tournaments.state import Hosted, SetOut
from referee.club.protocol import Snapshot
from referee.club.protocol.told import Told
from referee.club.protocol.topics import is_of_other_hall
from referee.club.tournament import OutOfOrder
from referee.game.match.phases import Phase
from referee.game.notice import Notice

LATE_S = 20.0
"""Seconds after which a table that was asked to begin counts as late. Chosen by hand."""
STARTS_S = 10.0
"""Seconds after which a table that has connected but sent no state is asked all the same. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The command to one table of the hall to begin the match of a draw with these players; the first one starts."""

    at: str
    draw: str
    players: tuple[str | None, ...]
    rules: str | None = None
    """The name of the rule book; None for the one set at the table."""
    rounds: int | None = None
    """The number of rounds; None for the one set at the table."""
    id: str = ""
    """The id of the command, which begins with that of the draw and a dot; a table does each id once."""


Begin = Callable[[Beginning], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """When a table of the hall was asked to begin, and what was known of its connection then."""

    t: float
    at: str
    connections: int
    told_itself: bool
    command: Beginning

    @classmethod
    def from_view(cls, view: TableView, t: float, command: Beginning) -> Asked:
        """Return the record for a table that is asked at `t`."""
        return cls(t, view.name, view.connections, view.told_itself, command)

    def id_for(self, command: Beginning) -> str | None:
        """Return the id with which `command` is sent again, so that a table that has it already ignores it.

        None for another id: it is another command, or the program at the table may have lost it while it was starting.
        """
        same = self.told_itself and replace(self.command, id="") == command
        return self.command.id if same else None

    def has_reached(self, view: TableView) -> bool:
        """Return whether the command reached the program that runs at the table now.

        It did not if the table has connected again since. It may not have if the table had not yet sent a state itself
        when it was asked, but has since: earlier releases lose commands that come while they are starting.
        """
        same = self.at == view.name and self.connections == view.connections
        return same and (self.told_itself or not view.told_itself)


def may_be_asked(view: TableView, now: float) -> bool:
    """Return whether a table probably accepts commands: it is connected, and its program should have started.

    `now`: the hall's monotonic clock, in seconds.
    """
    return view.online and (not view.starting or now - view.connected >= STARTS_S)


def set_out(hall: HallFacts, t: float, only: str | None = None, *, named: bool) -> SetOut:
    """Return the state of all tables at `t`, or of the table `only`; `named`: players' names are sent to tables."""
    tables = matches_of(hall.results)
    matches = [(table, one.begun) for table, there in tables.items() if only in (None, table) for one in there]
    clocks = [
        (name, round(t + view.skew_s, 3))
        for name, view in hall.tables.items()
        if view.skew_s is not None and only in (None, name)
    ]
    return SetOut(tuple(matches), tuple(clocks), t, named)


def beginning(hosted: Hosted, table: int, *, names: bool) -> Beginning | None:
    """Return the command for a table of the current round; None if it has no place yet.

    `table`: its number in the draw. `names`: whether players' names are sent.
    """
    round_, at = hosted.tournament.rounds[-1], hosted.rounds[-1].places[table - 1]
    if at is None:
        return None
    players = round_.tables[table - 1].players
    named = tuple(hosted.tournament.players[player - 1].name if names else None for player in players)
    rules = hosted.tournament.rules
    return Beginning(at, hosted.draw_id(len(hosted.rounds), table), named, rules.book, rules.match_rounds)


def refusal_of(hosted: Hosted, table: int, view: TableView | None) -> Told | None:
    """Return why a table refused to begin this draw; None if it did not."""
    snapshot = None if view is None else view.snapshot
    draw = hosted.draw_id(len(hosted.rounds), table)
    if snapshot is None or snapshot.refused is None or snapshot.draw == draw:
        return None
    return snapshot.refused.why if snapshot.refused.id.rpartition(".")[0] == draw else None


def takes_matches(view: TableView) -> bool:
    """Return whether a table can begin a match: none is under way, and its settings allow the hall to begin one.

    Settings change only with a restart, which also clears an earlier refusal.
    """
    snapshot = view.snapshot
    if snapshot is None:
        return True
    forbidden = snapshot.refused is not None and snapshot.refused.why.body.get("notice") == "club.command_not_allowed"
    return not plays(snapshot) and not forbidden


def plays(snapshot: Snapshot) -> bool:
    """Return whether a match is under way at a table, or waits there after a power cut."""
    return snapshot.phase not in (Phase.LOBBY, Phase.OVER) or snapshot.cut


def idle(hosted: Hosted, found: Iterable[Found], tables: Mapping[str, TableView]) -> list[int]:
    """Return the connected tables of the current round at which its match has not begun."""
    drawn, current = hosted.last_round, hosted.current
    if drawn is None or current is None or not drawn.begun:
        return []
    begun = {one.table for one in found if one.round == len(hosted.rounds) and one.match is not None}
    views = {number: tables.get(at or "") for number, at in enumerate(current.places, 1)}
    return [
        number
        for number in drawn.missing_tables
        if number not in begun
        and (view := views[number]) is not None
        and view.online
        and (view.snapshot is None or view.snapshot.draw != hosted.draw_id(len(hosted.rounds), number))
    ]


def cannot_begin(hosted: Hosted, waiting: Collection[int], hall: HallFacts) -> tuple[Notice, ...]:
    """Return the notices about tables of a round that has just begun that cannot be asked to begin yet, and why."""
    current = hosted.current
    if current is None or not waiting:
        return ()
    nobody = [number for number in sorted(waiting) if current.places[number - 1] is None]
    by_phone = nobody if not free(hosted, hall.tables) else []
    if len(by_phone) == len(current.places):
        return (Notice("director.results_by_phone"),)
    also = (Notice("director.results_by_phone_at", tables=tuple(map(str, by_phone))),) if by_phone else ()
    if not hall.connected:
        return Notice("director.begun_nowhere"), Notice("director.waits_for_line"), *also
    reasons = {}
    for number in sorted({*waiting} - {*by_phone}):
        at = current.places[number - 1]
        if at is None:
            reasons[number] = Notice("director.unplaced", table=number)
        elif at not in hall.tables or not hall.tables[at].online:
            reasons[number] = Notice("director.waits_for", table=number, at=at)
    if not reasons:  # their programs are still starting, and will be asked soon
        return also
    nowhere = len(reasons) + len(by_phone) == len(current.places)
    told = Notice("director.begun_partly", tables=tuple(map(str, reasons)))
    return (Notice("director.begun_nowhere") if nowhere else told, *reasons.values(), *also)


def check_again(hosted: Hosted, table: int, hall: HallFacts, found: Found | None) -> None:
    """Raise OutOfOrder unless a table may be asked to begin once more; `found` is the match that was found for it."""
    drawn, current = hosted.last_round, hosted.current
    if drawn is None or current is None or not drawn.begun:
        raise OutOfOrder(Notice("director.begin_first"))
    if not 1 <= table <= len(current.places):
        raise OutOfOrder(Notice("tournament.no_such_table", table=table, round=len(hosted.rounds)))
    if table not in drawn.missing_tables:
        raise OutOfOrder(Notice("tournament.results_told", tables=(str(table),)))
    at = current.places[table - 1]
    if at is None:
        raise OutOfOrder(Notice("director.unplaced", table=table))
    if not hall.connected:
        raise OutOfOrder(Notice("hall.no_line"))
    if at not in hall.tables or not hall.tables[at].online:
        raise OutOfOrder(Notice("director.away", table=table, at=at))
    match, snapshot = None if found is None else found.match, hall.tables[at].snapshot
    if found is not None and match is not None and not match.given_up and found.trouble is None:
        raise OutOfOrder(Notice("director.begun_already", table=table, at=at))
    if snapshot is not None and not hall.tables[at].starting and plays(snapshot):
        if snapshot.draw == hosted.draw_id(len(hosted.rounds), table):
            raise OutOfOrder(Notice("director.begun_already", table=table, at=at))
        raise OutOfOrder(Notice("director.refused", table=table, at=at, why=Notice("club.match_under_way")))


def tables_to_ask(
    hosted: Hosted, idle_: Iterable[int], asked: Mapping[int, Asked], tables: Mapping[str, TableView]
) -> set[int]:
    """Return the idle tables that the command to begin has not reached, except those that have refused it."""
    places_ = () if hosted.current is None else hosted.current.places
    found = set()
    for number in idle_:
        view, before = tables[places_[number - 1] or ""], asked.get(number)
        if (before is None or not before.has_reached(view)) and refusal_of(hosted, number, view) is None:
            found.add(number)
    return found


def late(idle_: Iterable[int], asked: Mapping[int, Asked], t: float) -> frozenset[int]:
    """Return the idle tables that have had time to begin since they were asked."""
    return frozenset(number for number in idle_ if number in asked and t - asked[number].t > LATE_S)


def in_order(names: Iterable[str]) -> list[str]:
    """Return names of tables in natural order: `table-9` before `table-10`, and those of the other hall last."""
    return sorted(names, key=lambda name: (is_of_other_hall(name),
                                           [(int(one), "") if one.isdigit() else (-1, one)
                                            for one in re.findall(r"\d+|\D+", name)], name))  # fmt: skip


def places(hosted: Hosted, tables: Mapping[str, TableView]) -> tuple[str | None, ...]:
    """Return the places of the current round's tables: as set, or before it begins, the free tables in order."""
    current, drawn = hosted.current, hosted.last_round
    if current is None or drawn is None:
        return ()
    if drawn.begun:
        return current.places
    left = iter(in_order(name for name, view in tables.items() if view.online and name not in current.places))
    return tuple(at if at is not None else next(left, None) for at in current.places)


def free(hosted: Hosted, tables: Mapping[str, TableView]) -> list[str]:
    """Return the tables of the hall that this round does not use, connected ones first."""
    used = places(hosted, tables)
    names = in_order(name for name in tables if name not in used)
    return sorted(names, key=lambda name: not tables[name].online)


def places_after_move(
    hosted: Hosted, tables: Mapping[str, TableView], table: int, at: str | None
) -> tuple[str | None, ...]:
    """Return the places after moving a table of the draw to the place `at`; None takes its place away.

    If another table of the draw has that place, the two exchange places. Raises OutOfOrder if the move is impossible.
    """
    now, drawn = list(places(hosted, tables)), hosted.last_round
    if drawn is None or not hosted.tournament.under_way:
        raise OutOfOrder(Notice("tournament.no_round"))
    if not 1 <= table <= len(now):
        raise OutOfOrder(Notice("tournament.no_such_table", table=table, round=len(hosted.rounds)))
    if at is not None and at not in tables:
        raise OutOfOrder(Notice("director.unknown_place", at=at))
    both = [table] if at is None or at not in now else [table, now.index(at) + 1]
    told = tuple(str(number) for number in both if number not in drawn.missing_tables)
    if told:
        raise OutOfOrder(Notice("tournament.results_told", tables=told))
    if at is not None and at in now:
        now[now.index(at)] = now[table - 1]
    now[table - 1] = at
    return tuple(now)
