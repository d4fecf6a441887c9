"""The table of a league for other programs: as a JSON object, and as CSV."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from referee.club.tournament.export import csv_of, guarded, short_number
from referee.club.tournament.league.table import LeagueLine, LeagueTable

VERSION = 1
"""The version of the JSON document: new fields may be added to it; a change that breaks readers gets another one."""


def as_json(table: LeagueTable) -> dict[str, Any]:
    """Return a league with its evenings and its table as a JSON object."""
    league = table.league
    return {
        "version": VERSION,
        "id": league.slug,
        "league": league.name,
        "evenings_agreed": league.evenings,
        "best": league.best,
        "worth": league.worth.value,
        "after": league.after or None,
        "founded": league.t,
        "changes": [asdict(one) for one in league.changes],
        "ended": league.ended,
        "provisional": table.provisional,
        "evenings": [
            {
                "evening": evening.number,
                "id": evening.contest.slug,
                "tournament": evening.contest.tournament.name,
                "opened": evening.contest.t,
                "ended": evening.ended,
                "players": evening.players,
            }
            for evening in table.evenings
        ],
        "missing": list(table.missing),
        "table": [_line(line) for line in table.lines],
        "awaited": list(table.awaited),
    }


def _line(line: LeagueLine) -> dict[str, Any]:
    return {
        "place": line.place,
        "player": line.name,
        "club": line.club,
        "total": short_number(line.total),
        "played": line.played,
        "values": [
            None if score is None else {"value": short_number(score.value), "counts": score.counts}
            for score in line.scores
        ],
    }


def table_csv(table: LeagueTable) -> str:
    """Return the table as CSV: a line for every player, the best first, with two columns for each evening."""
    names = [column for one in table.evenings for column in (f"evening {one.number}", f"counts {one.number}")]
    rows = (
        [line.place, guarded(line.name), guarded(line.club), short_number(line.total), line.played, *_cells(line)]
        for line in table.lines
    )
    return csv_of(["place", "player", "club", "total", "played", *names], rows)


def _cells(line: LeagueLine) -> list[object]:
    cells: list[object] = []
    for score in line.scores:
        cells += ["", ""] if score is None else [short_number(score.value), int(score.counts)]
    return cells
