"""A recount of a tournament from what its tables know, and what the hall has otherwise.

The standings are computed here a second time, without the code of the hall: points for the places at each table, then
tables won, the mean points of the opponents, the margin, and lots.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from benchmarks.killed_table import Table
from referee.club.hall.tournaments.notes import Notes
from referee.club.protocol import Kind, decode_document
from referee.club.protocol.documents import Event
from referee.club.tournament.events import ResultCorrected, ResultTold
from referee.journal.opening import FILE
from referee.journal.outbox import read_outgoing

Totals = dict[int, int]
"""The total of each player at a table, by the number of the player."""
WORTH = {2: (12, 0), 3: (12, 6, 0), 4: (12, 8, 4, 0)}
DRAW = re.compile(r"(?P<slug>.+)-r(?P<round>\d+)-t(?P<table>\d+)")
Place = tuple[int, int]
"""A round, and a table of it."""


@dataclass
class Found:
    """What differs between the hall and the tables; `notes` describe each difference."""

    results: int = 0
    lost: int = 0
    doubled: int = 0
    wrong: int = 0
    events: int = 0
    events_lost: int = 0
    events_doubled: int = 0
    events_former: int = 0
    """Events in whose place the hall has those from before a journal was put back."""
    lines: int = 0
    lines_wrong: int = 0
    corrections: int = 0
    """How many corrections the hall has taken over."""
    notes: list[str] = field(default_factory=list)


def place_of(draw: str) -> Place:
    """Return the round and the table of a draw."""
    matched = DRAW.fullmatch(draw)
    if matched is None:
        raise ValueError(f"expected the id of a draw, found {draw!r}")
    return int(matched["round"]), int(matched["table"])


def truth_of(tables: Sequence[Table], numbers: Mapping[str, int]) -> dict[Place, Totals]:
    """Return what the tables know of every match; `numbers` are those of the players by all names they ever had."""
    return {place_of(draw): by_number(told, numbers) for table in tables for draw, told in table.results.items()}


def by_number(totals: Mapping[str, int], numbers: Mapping[str, int]) -> Totals:
    """Return totals by the numbers of the players."""
    return {numbers[name]: total for name, total in totals.items()}


def told_in(export: Mapping[str, Any]) -> dict[Place, Totals | None]:
    """Return the results that the hall has; None for a table without one."""
    return {
        (one["round"], table["table"]): None
        if table["totals"] is None
        else dict(zip(table["players"], table["totals"], strict=True))
        for one in export["rounds"]
        for table in one["tables"]
    }


def compare_results(truth: Mapping[Place, Totals], told: Mapping[Place, Totals | None], found: Found) -> None:
    """Count results that the hall does not have, or has with other totals."""
    found.results = len(told)
    for place in sorted({*truth, *told}):
        own, kept = truth.get(place), told.get(place)
        if kept is None:
            found.lost += 1
            found.notes.append(f"round {place[0]}, table {place[1]}: expected {own}, found nothing")
        elif kept != own:
            found.wrong += 1
            found.notes.append(f"round {place[0]}, table {place[1]}: expected {own}, found {kept}")


def compare_standings(truth: Mapping[Place, Totals], export: Mapping[str, Any], found: Found) -> None:
    """Count the lines of the standings that differ from the recount."""
    mine = recount(truth, range(1, len(export["players"]) + 1), export["seed"])
    names = {player["number"]: player["name"] for player in export["players"]}
    found.lines = len(mine)
    theirs = [
        (one["place"], one["player"], one["points"], one["wins"], one["opponents"], one["margin"])
        for one in export["standings"]
    ]
    wrong = [pair for pair in zip(mine, theirs, strict=False) if pair[0] != pair[1]]
    renamed = [one["player"] for one in export["standings"] if one["name"] != names[one["player"]]]
    found.lines_wrong = len(wrong) + abs(len(mine) - len(theirs)) + len(renamed)
    found.notes += [f"standings: expected {one}, found {other}" for one, other in wrong]


Line = tuple[int, int, float, float, float, float]
"""Place, player, points, tables won, mean points of the opponents, margin."""


def recount(truth: Mapping[Place, Totals], players: Sequence[int], seed: int) -> list[Line]:
    """Return the standings, the best first."""
    points: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    margins: Counter[int] = Counter()
    met: dict[int, list[list[int]]] = {player: [] for player in players}
    for totals in truth.values():
        for player, own in totals.items():
            better = sum(other > own for other in totals.values())
            equal = sum(other == own for other in totals.values())
            others = [one for one in totals if one != player]
            points[player] += Fraction(sum(WORTH[len(totals)][better : better + equal]), equal)  # type: ignore[assignment]
            wins[player] += Fraction(1, equal) if not better else 0  # type: ignore[assignment]
            margins[player] += own - Fraction(sum(totals[one] for one in others), len(others))  # type: ignore[assignment]
            met[player].append(others)

    def opponents(player: int) -> Fraction:
        means = [Fraction(sum(points[one] for one in others), len(others)) for others in met[player]]
        return sum(means, Fraction(0)) / len(means) if means else Fraction(0)

    def key(player: int) -> tuple[Any, ...]:
        lot = hashlib.sha256(f"{seed}/{player}".encode()).digest()
        return points[player], wins[player], opponents(player), margins[player], lot

    order = sorted(players, key=key, reverse=True)
    return [
        (place, player, *(_number(Fraction(one)) for one in key(player)[:4]))  # type: ignore[misc]
        for place, player in enumerate(order, 1)
    ]


def _number(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else round(float(value), 4)


def compare_history(tables: Sequence[Table], numbers: Mapping[str, int], hall: Path, found: Found) -> None:
    """Count results that were told twice: for one match, or again after a later one. The hall must not be running."""
    shown: dict[Place, list[Totals]] = {}
    for table in tables:
        for draw, count in table.begun.items():
            if count > 1:
                found.doubled += count - 1
                found.notes.append(f"{draw}: begun {count} times at {table.name}")
        for draw, all_of in table.shown.items():
            shown.setdefault(place_of(draw), []).extend(by_number(one, numbers) for one in all_of)
    for place, history in _told_in_order(hall).items():
        found.corrections += len(history) - 1
        left = iter(shown.get(place, []))
        for told in history:
            if not any(sorted(one.values()) == sorted(told) for one in left):
                found.doubled += 1
                found.notes.append(f"round {place[0]}, table {place[1]}: {told} was told again, or never at the table")


def _told_in_order(hall: Path) -> dict[Place, list[tuple[int, ...]]]:
    """Return all results that a tournament has ever had at each of its tables."""
    found: dict[Place, list[tuple[int, ...]]] = {}
    notes = Notes(hall)
    try:
        (slug,) = notes.load_all()[0]
        number = 0
        for event in notes.events_of(slug):
            if type(event).__name__ == "Drawn":
                number += 1
            if isinstance(event, ResultTold):
                found.setdefault((number, event.table), []).append(event.points)
            if isinstance(event, ResultCorrected):
                found.setdefault((event.round, event.table), []).append(event.points)
    finally:
        notes.close()
    return found


def compare_events(tables: Sequence[Table], hall: Path, found: Found) -> None:
    """Count the events of the journals that the hall lacks, and those that it has twice.

    If a journal was put back while the hall was away, and goes on past what the hall has by the time it is there
    again, the hall cannot know that the events in between are now others. These are counted by themselves.
    """
    for table in tables:
        wanted, kept = _written(table), Counter(_kept(hall, table.name))
        missing = wanted - set(kept)
        former = len(missing) - len(_places(missing) - _places(kept)) if table.was_put_back else 0
        lost, doubled = len(missing) - former, kept.total() - len(kept)
        found.events += len(wanted)
        found.events_former += former
        found.events_lost += lost
        found.events_doubled += doubled
        if lost or doubled:
            found.notes.append(f"{table.name}: {lost} events lost, {doubled} doubled, {kept.total()} kept")


Told = tuple[str, int, int, int, str]
"""Epoch, number, match, number in the match, time of day."""


def _written(table: Table) -> set[Told]:
    told = read_outgoing(table.folder / FILE, 0, 10**6)
    if told is None:
        raise ValueError(f"expected an outbox in the journal of {table.name}, found none")
    return {(told.epoch, one.seq, one.row.match, one.row.number, one.row.wall[:23]) for one in told.entries}


def _kept(hall: Path, table: str) -> Iterator[Told]:
    with closing(sqlite3.connect(f"file:{hall}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT body FROM events WHERE tbl = ?", (table,)).fetchall()
    for (body,) in rows:
        event = cast(Event, decode_document(Kind.EVENT, bytes(body)))
        yield event.epoch, event.seq, event.match, event.number, event.wall[:23]


def _places(events: Iterable[Told]) -> set[tuple[str, int]]:
    return {(epoch, seq) for epoch, seq, *_ in events}


def has_all_events(table: Table, hall: Path) -> bool:
    """Return whether the hall has an event for every number of a table's journal."""
    return _places(_written(table)) <= _places(_kept(hall, table.name))
