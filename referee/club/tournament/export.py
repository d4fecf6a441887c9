"""Exports a tournament for other programs: everything as JSON, and standings, results or meetings as CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from referee.club.tournament.groups import group_name
from referee.club.tournament.standings import group_standings, of_table, standings
from referee.club.tournament.state import Correction, Round, Tournament
from referee.club.tournament.teams import team_standings

VERSION = 1
"""The version of the JSON document: new fields may be added to it; a change that breaks readers gets another one."""
_MAY_BE_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # noqa: RUF001 - taken for the others in Asia
"""The characters with which a formula of a spreadsheet may begin."""


def as_json(tournament: Tournament) -> dict[str, Any]:
    """Return the tournament with all its rounds, standings and changes as a JSON object."""
    rules = tournament.rules
    return {
        "version": VERSION,
        "tournament": tournament.name,
        "rounds_agreed": rules.rounds,
        "ended": tournament.ended,
        "book": rules.book,
        "match_rounds": rules.match_rounds,
        "highest_wins": rules.highest_wins,
        "scheme": {name: list(row) if isinstance(row, tuple) else row for name, row in asdict(rules.scheme).items()},
        "tie_breaks": [one.value for one in rules.tie_breaks],
        "drawing": rules.drawing.value,
        "counting": rules.counting.value,
        "group_stage": None if rules.groups is None else asdict(rules.groups),
        "team_counts": rules.team_counts,
        "seed": rules.seed,
        "players": [asdict(player) for player in tournament.players],
        "rounds": [_round(tournament, number, one) for number, one in enumerate(tournament.rounds, 1)],
        "standings": [
            {
                "place": line.shown_place,
                "player": line.player,
                "name": line.name,
                "club": tournament.players[line.player - 1].club,
                "team": tournament.players[line.player - 1].team,
                "points": short_number(line.points),
                "score": short_number(line.score),
                "strength": short_number(line.strength),
                "rounds": [None if points is None else short_number(points) for points in line.rounds],
                "played": line.played,
                "byes": line.byes,
                "adjusted": line.adjusted,
                "warnings": line.warnings,
                **{one.value: short_number(value) for one, value in line.tie_breaks},
            }
            for line in standings(tournament)
        ],
        "groups": _groups(tournament),
        "final": None if tournament.final is None else asdict(tournament.final),
        "teams": [
            {
                "place": line.shown_place,
                "team": line.team,
                "points": short_number(line.points),
                "score": short_number(line.score),
                "members": [one.player for one in line.members],
                "counted": line.counted,
                **{one.value: short_number(value) for one, value in line.tie_breaks},
            }
            for line in team_standings(tournament)
        ],
        "rulings": [asdict(one) for one in tournament.rulings],
        "changes": [{"change": type(trace).__name__.lower(), **asdict(trace)} for trace in tournament.traces],
    }


def _groups(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the groups with their standings, without the final."""
    return [
        {
            "group": group_name(at),
            "players": list(group),
            "standings": [
                {
                    "place": line.shown_place,
                    "player": line.player,
                    "points": short_number(line.points),
                    "score": short_number(line.score),
                    "strength": short_number(line.strength),
                    "played": line.played,
                }
                for line in lines
            ],
        }
        for at, (group, lines) in enumerate(zip(tournament.groups, group_standings(tournament), strict=True))
    ]


def _round(tournament: Tournament, number: int, one: Round) -> dict[str, Any]:
    tables = []
    for at, table in enumerate(one.tables, 1):
        played = of_table(table, tournament.rules)
        tables.append(
            {
                "table": at,
                "players": list(table.players),
                "totals": None if table.points is None else list(table.points),
                "points": [short_number(played[player].points) for player in table.players] if played else None,
                "reported": None if table.report is None else asdict(table.report),
            }
        )
    return {"round": number, "tables": tables, "byes": list(one.byes)}


def standings_csv(tournament: Tournament) -> str:
    """Return the standings as CSV: a line for every player, the best first.

    If there are teams or groups, further columns at the end have them.
    """
    lines = standings(tournament)
    more, cells = _columns_of_teams_and_groups(tournament)
    names = [one.value for one, _ in lines[0].tie_breaks] if lines else []
    rounds = [f"round {number}" for number in range(1, len(tournament.rounds) + 1)]
    rows = (
        [
            "" if line.shown_place is None else line.shown_place,
            guarded(line.name),
            short_number(line.points),
            *("" if points is None else short_number(points) for points in line.rounds),
            *(short_number(value) for _, value in line.tie_breaks),
            guarded(tournament.players[line.player - 1].club),
            line.adjusted,
            line.warnings,
            short_number(line.score),
            short_number(line.strength),
            *cells(line.player),
        ]
        for line in lines
    )
    own = ["club", "adjusted", "warnings", "score", "strength"]
    return csv_of(["place", "player", "points", *rounds, *names, *own, *more], rows)


def _columns_of_teams_and_groups(tournament: Tournament) -> tuple[list[str], Callable[[int], list[object]]]:
    """Return the names of the columns for teams and groups, and the function that returns their cells by player."""
    with_teams, with_groups = any(one.team for one in tournament.players), bool(tournament.groups)
    places = {line.player: line.shown_place for lines in group_standings(tournament) for line in lines}

    def cells(player: int) -> list[object]:
        at = tournament.group_of(player)
        team: list[object] = [guarded(tournament.players[player - 1].team)] if with_teams else []
        group: list[object] = ["" if at is None else group_name(at), places.get(player) or ""] if with_groups else []
        return team + group

    return ["team"] * with_teams + ["group", "group_place"] * with_groups, cells


def teams_csv(tournament: Tournament) -> str:
    """Return the standings of the teams as CSV: a line for every team, the best first."""
    lines = team_standings(tournament)
    names = next(([one.value for one, _ in line.tie_breaks] for line in lines if line.counted), [])
    rows = (
        [
            "" if line.shown_place is None else line.shown_place,
            guarded(line.team),
            short_number(line.points),
            line.counted,
            guarded(", ".join(one.name for one in line.members)),
            *(short_number(value) for _, value in line.tie_breaks),
            short_number(line.score),
        ]
        for line in lines
    )
    return csv_of(["place", "team", "points", "counted", "players", *names, "score"], rows)


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
                points = ["", ""] if told is None else [told.place, short_number(told.points)]
                name = guarded(tournament.players[player - 1].name)
                rows.append([number, at, seat + 1, name, total, *points, int((number, at) in changed)])
        for player in one.byes:
            name = guarded(tournament.players[player - 1].name)
            rows.append([number, "", "", name, "", "", tournament.rules.scheme.bye, 0])
    return csv_of(["round", "table", "seat", "player", "total", "place", "points", "corrected"], rows)


@dataclass(slots=True)
class Meeting:
    """How two players have met at tables that have a result; `one` has the lower number."""

    one: int
    other: int
    rounds: list[int] = field(default_factory=list)
    ahead: int = 0
    """How often `one` had the better place."""
    behind: int = 0


def meetings(tournament: Tournament) -> list[Meeting]:
    """Return all pairs who have met, in the order of their numbers."""
    found: dict[tuple[int, int], Meeting] = {}
    for number, one in enumerate(tournament.rounds, 1):
        for table in one.tables:
            played = of_table(table, tournament.rules)
            for pair in combinations(sorted(played), 2):
                meeting = found.setdefault(pair, Meeting(*pair))
                meeting.rounds.append(number)
                meeting.ahead += pair[1] in played[pair[0]].ahead
                meeting.behind += pair[0] in played[pair[1]].ahead
    return [found[pair] for pair in sorted(found)]


def meetings_csv(tournament: Tournament) -> str:
    """Return who has met whom as CSV: a line for every pair, with the rounds and who was ahead how often."""
    rows = (
        [
            guarded(tournament.players[one.one - 1].name),
            guarded(tournament.players[one.other - 1].name),
            len(one.rounds),
            " ".join(map(str, one.rounds)),
            one.ahead,
            one.behind,
        ]
        for one in meetings(tournament)
    )
    return csv_of(["player", "other", "met", "rounds", "ahead", "behind"], rows)


def short_number(value: Fraction) -> int | float:
    """Return a number for a file, with four decimals at most."""
    return int(value) if value.denominator == 1 else round(float(value), 4)


def guarded(name: str) -> str:
    """Return a name such that no spreadsheet takes it for a formula."""
    return f"'{name}" if name.startswith(_MAY_BE_FORMULAS) else name


class _Lines(list[str]):
    """A list of lines that `csv.writer` can write to as if it were a file."""

    write = list.append


def csv_of(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, below a line with the names of the columns."""
    lines = _Lines()
    # Every text is quoted: a spreadsheet that separates cells by semicolons would otherwise break a name at one.
    writer = csv.writer(lines, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(names)
    writer.writerows(rows)
    return "".join(lines)
