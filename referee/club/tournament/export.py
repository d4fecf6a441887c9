"""Exports a tournament for other programs: everything as JSON, and standings or results as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from referee.club.tournament.standings import of_table, standings
from referee.club.tournament.state import Correction, Round, Tournament

_MAY_BE_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""The characters with which a formula of a spreadsheet may begin."""


def as_json(tournament: Tournament) -> dict[str, Any]:
    """Return the tournament with all its rounds, standings and changes as a JSON object."""
    rules = tournament.rules
    return {
        "tournament": tournament.name,
        "rounds_agreed": rules.rounds,
        "ended": tournament.ended,
        "book": rules.book,
        "match_rounds": rules.match_rounds,
        "highest_wins": rules.highest_wins,
        "scheme": {name: list(row) if isinstance(row, tuple) else row for name, row in asdict(rules.scheme).items()},
        "tie_breaks": [one.value for one in rules.tie_breaks],
        "seed": rules.seed,
        "players": [asdict(player) for player in tournament.players],
        "rounds": [_round(tournament, number, one) for number, one in enumerate(tournament.rounds, 1)],
        "standings": [
            {
                "place": line.place,
                "player": line.player,
                "name": line.name,
                "points": _number(line.points),
                "rounds": [None if points is None else _number(points) for points in line.rounds],
                "played": line.played,
                "byes": line.byes,
                **{one.value: _number(value) for one, value in line.tie_breaks},
            }
            for line in standings(tournament)
        ],
        "changes": [{"change": type(trace).__name__.lower(), **asdict(trace)} for trace in tournament.traces],
    }


def _round(tournament: Tournament, number: int, one: Round) -> dict[str, Any]:
    tables = []
    for at, table in enumerate(one.tables, 1):
        played = of_table(table, tournament.rules)
        tables.append(
            {
                "table": at,
                "players": list(table.players),
                "totals": None if table.points is None else list(table.points),
                "points": [_number(played[player].points) for player in table.players] if played else None,
            }
        )
    return {"round": number, "tables": tables, "byes": list(one.byes)}


def standings_csv(tournament: Tournament) -> str:
    """Return the standings as CSV: a line for every player, the best first."""
    lines = standings(tournament)
    names = [one.value for one, _ in lines[0].tie_breaks] if lines else []
    rounds = [f"round {number}" for number in range(1, len(tournament.rounds) + 1)]
    rows = (
        [
            line.place,
            _text(line.name),
            _number(line.points),
            *("" if points is None else _number(points) for points in line.rounds),
            *(_number(value) for _, value in line.tie_breaks),
        ]
        for line in lines
    )
    return _csv(["place", "player", "points", *rounds, *names], rows)


def results_csv(tournament: Tournament) -> str:
    """Return the results as CSV: a line for every player in every round that was drawn."""
    changed = {(trace.round, trace.table) for trace in tournament.traces if isinstance(trace, Correction)}
    rows: list[list[object]] = []
    for number, one in enumerate(tournament.rounds, 1):
        for at, table in enumerate(one.tables, 1):
            played = of_table(table, tournament.rules)
            for seat, player in enumerate(table.players):
                total = "" if table.points is None else table.points[seat]
                told = played.get(player)
                points = ["", ""] if told is None else [told.place, _number(told.points)]
                name = _text(tournament.players[player - 1].name)
                rows.append([number, at, seat + 1, name, total, *points, int((number, at) in changed)])
        for player in one.byes:
            name = _text(tournament.players[player - 1].name)
            rows.append([number, "", "", name, "", "", tournament.rules.scheme.bye, 0])
    return _csv(["round", "table", "seat", "player", "total", "place", "points", "corrected"], rows)


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 4)


def _text(name: str) -> str:
    """Return a name such that no spreadsheet takes it for a formula."""
    return f"'{name}" if name.startswith(_MAY_BE_FORMULAS) else name


class _Lines(list[str]):
    """A list of lines that `csv.writer` can write to as if it were a file."""

    write = list.append


def _csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return "".join(lines)
