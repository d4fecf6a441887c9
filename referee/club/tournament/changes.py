"""Results as they come in, and what the director changes: swaps of players, corrections of results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.club.tournament.events import OutOfOrder, ResultCorrected, ResultTold, Swapped
from referee.club.tournament.state import Correction, Round, Swap, Table, Tournament
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.scoring import ScoreSheet

MOST_POINTS = 1_000_000
"""More than any match comes to, either way."""


def told_by(sheet: ScoreSheet, table: int, t: float) -> ResultTold:
    """The result of a table by its match's score sheet, whose seats are in the order of the draw."""
    return ResultTold(table, sheet.totals, t)


def result_told(tournament: Tournament, event: ResultTold) -> Tournament:
    """Write down a table's result; the tournament's round is over with the last one."""
    if not tournament.rounds:
        raise OutOfOrder(Notice("tournament.no_round"))
    number = len(tournament.rounds)
    round_ = tournament.rounds[-1]
    table = _table(round_, number, event.table)
    if table.points is not None:
        raise OutOfOrder(Notice("tournament.results_told", tables=(str(event.table),)))
    _check_points(table, event.table, event.points)
    return tournament.with_round(number, round_.with_table(event.table, replace(table, points=event.points)))


def result_corrected(tournament: Tournament, event: ResultCorrected) -> Tournament:
    """Replace a result of any round; what stood there is kept as a trace."""
    if not 1 <= event.round <= len(tournament.rounds):
        raise OutOfOrder(Notice("tournament.no_such_round", round=event.round))
    round_ = tournament.rounds[event.round - 1]
    table = _table(round_, event.round, event.table)
    if table.points is None:
        raise OutOfOrder(Notice("tournament.results_missing", round=event.round, tables=(str(event.table),)))
    _check_points(table, event.table, event.points)
    if event.points == table.points:
        raise OutOfOrder(Notice("tournament.stands_so"))
    after = round_.with_table(event.table, replace(table, points=event.points))
    trace = Correction(event.round, event.table, table.points, event.points, event.t, event.who, event.why)
    return replace(tournament.with_round(event.round, after), traces=(*tournament.traces, trace))


def swap_players(tournament: Tournament, event: Swapped) -> Tournament:
    """Let two players of the round under way change places; whoever has none yet takes the other's."""
    if not tournament.under_way:
        raise OutOfOrder(Notice("tournament.no_round"))
    if event.one == event.other:
        raise BadInput(Notice("tournament.swapped_with_self"))
    number = len(tournament.rounds)
    round_ = tournament.rounds[-1]
    for player in (event.one, event.other):
        _check_free(tournament, round_, player)
    if not round_.players & {event.one, event.other}:
        raise OutOfOrder(Notice("tournament.neither_seated"))
    names = {event.one: event.other, event.other: event.one}

    def places(players: Sequence[int]) -> tuple[int, ...]:
        return tuple(names.get(player, player) for player in players)

    tables = tuple(replace(table, players=places(table.players)) for table in round_.tables)
    after = replace(round_, tables=tables, byes=places(round_.byes))
    trace = Swap(number, event.one, event.other, event.t, event.who, event.why)
    return replace(tournament.with_round(number, after), traces=(*tournament.traces, trace))


def _check_free(tournament: Tournament, round_: Round, player: int) -> None:
    """Raise unless a player can change places: known, at a table without a result; here, if without a place."""
    if not 1 <= player <= len(tournament.players):
        raise BadInput(Notice("tournament.no_such_player", player=player))
    at = round_.table_of(player)
    if at is not None and round_.tables[at - 1].points is not None:
        raise OutOfOrder(Notice("tournament.results_told", tables=(str(at),)))
    entry = tournament.players[player - 1]
    if player not in round_.players and not entry.here:
        raise OutOfOrder(Notice("tournament.not_here", player=entry.name))


def _table(round_: Round, round_number: int, number: int) -> Table:
    if not 1 <= number <= len(round_.tables):
        raise BadInput(Notice("tournament.no_such_table", table=number, round=round_number))
    return round_.tables[number - 1]


def _check_points(table: Table, number: int, points: tuple[int, ...]) -> None:
    if len(points) != len(table.players):
        raise BadInput(Notice("tournament.wrong_points", table=number, players=len(table.players)))
    if any(abs(one) > MOST_POINTS for one in points):
        raise BadInput(f"expected totals up to {MOST_POINTS}, got {points}")
