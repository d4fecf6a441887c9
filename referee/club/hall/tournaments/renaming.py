"""Replaces the names of renamed tables in a tournament: in places, matches and results. Pure.

The hall recognises a renamed table by its journal, and moves its matches to the new name (`HallReader`). A tournament
identifies tables by name. So the names are replaced in the round under way, and in results that tables may still
correct.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from referee.club.hall.intake import TableView
from referee.club.hall.reader import HallFacts
from referee.club.hall.results import KeptResult
from referee.club.hall.tournaments.round_results import matches_of
from referee.club.hall.tournaments.state import Hosted, HostedEvent, Placed, SetOut, Started

Matches = Mapping[str, Sequence[KeptResult]]


def follow_renamed_tables(hosted: Hosted, hall: HallFacts, t: float) -> tuple[HostedEvent, ...]:
    """Return the events that replace the names of renamed tables; none if no table of the tournament was renamed."""
    if not any(view.formerly for view in hall.tables.values()):
        return ()
    matches = matches_of(hall.results)
    followed = _earlier_matches(hosted, hall, matches), _taken_results(hosted, hall, matches)
    return (*_places(hosted, hall, matches, t), *chain.from_iterable(followed))


def _places(hosted: Hosted, hall: HallFacts, matches: Matches, t: float) -> Iterator[HostedEvent]:
    """Replace names in the places of the round under way; two tables that exchanged names exchange places."""
    current = hosted.current
    if current is None or not hosted.tournament.under_way:
        return
    now = list(current.places)
    for number, before in enumerate(current.places, 1):
        at = None if before is None else _name_of_place(hosted, hall, matches, number, before, now)
        if at is None:
            continue
        if at in now:
            now[now.index(at)] = before
        now[number - 1] = at
    if tuple(now) != current.places:
        yield Placed(tuple(now), t)


def _name_of_place(
    hosted: Hosted, hall: HallFacts, matches: Matches, number: int, before: str, places: Sequence[str | None]
) -> str | None:
    """Return the new name of the table at a place; None if it was not renamed, or several tables may be it."""
    draw = hosted.draw_id(len(hosted.rounds), number)
    candidates = [view for view in hall.tables.values() if before in view.formerly and _can_be(hall, before, view)]
    played = [view.name for view in candidates if any(one.draw == draw for one in matches.get(view.name, ()))]
    free = [view.name for view in candidates if view.online and view.name not in places]
    found = played or free
    return found[0] if len(found) == 1 else None


def _can_be(hall: HallFacts, before: str, view: TableView) -> bool:
    """Return whether a table may be the one that was called `before`, because no other table has that name now."""
    other = hall.tables.get(before)
    if other is None:
        return True
    if other.online or other.snapshot is None or view.snapshot is None:
        return False
    return other.snapshot.epoch == view.snapshot.epoch  # then it is what the broker retained under the former name


def _earlier_matches(hosted: Hosted, hall: HallFacts, matches: Matches) -> Iterator[HostedEvent]:
    """Yield the event that records, under the new names, matches from before the round and the clocks of tables."""
    current = hosted.current
    if current is None or not current.begun:
        return
    known, clocks = [], []
    for name, view in hall.tables.items():
        for before in view.formerly:
            known += [
                (name, one.begun)
                for one in matches.get(name, ())
                if Started(before, one.begun) in current.known and Started(name, one.begun) not in current.known
            ]
            if before in current.clocks and name not in current.clocks:
                clocks.append((name, current.clocks[before]))
    if known or clocks:
        yield SetOut(tuple(known), tuple(clocks), current.begun, current.named)


def _taken_results(hosted: Hosted, hall: HallFacts, matches: Matches) -> Iterator[HostedEvent]:
    """Yield events that record, under the new name, from which match a result was taken.

    Otherwise the table could not correct it any more.
    """
    for round_ in hosted.rounds:
        for one in round_.taken:
            if one is None or _is_among(matches.get(one.at, ()), one.begun):
                continue
            for name, view in hall.tables.items():
                if one.at in view.formerly and _is_among(matches.get(name, ()), one.begun):
                    yield replace(one, at=name)
                    break


def _is_among(matches: Sequence[KeptResult], begun: str) -> bool:
    return any(one.begun == begun for one in matches)
