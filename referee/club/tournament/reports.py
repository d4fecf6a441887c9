"""Results that players enter themselves, at tables without a referee. Pure.

1. A player at a table of the round under way reports the result. It is shown as not confirmed, and counts nowhere.
   The same player may replace it.
2. Another player at the table, or the director, confirms it; then it is the result of the table.
3. One of the others may dispute it, and say what they think is right. Then only whoever disputed it may still confirm
   it, and the director decides: confirms it, takes the other version, enters a third result, or rejects it.
4. A version that does not count leaves a trace: because the director rejected it, or since it differs from the result
   that the table got. What the players of the table agreed on themselves leaves none.
"""

from __future__ import annotations

from dataclasses import replace

from referee.club.tournament.events import (
    OutOfOrder,
    ReportConfirmed,
    ReportDecided,
    ReportDisputed,
    ReportRejected,
    ResultReported,
)
from referee.club.tournament.rules import Rules
from referee.club.tournament.state import Rejection, Report, Round, Table, Tournament
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS
from referee.game.rulebooks.model import Ruleset, WinnerGets

MOST_POINTS = 1_000_000
"""The largest total that is accepted, positive or negative; more than any match can reach."""


def table_of(round_: Round, round_number: int, number: int) -> Table:
    """Return a table of a round; raises BadInput if there is none with this number."""
    if not 1 <= number <= len(round_.tables):
        raise BadInput(Notice("tournament.no_such_table", table=number, round=round_number))
    return round_.tables[number - 1]


def check_points(table: Table, number: int, points: tuple[int, ...]) -> None:
    """Raise BadInput unless there is one total for each player of a table, none of them absurd."""
    if len(points) != len(table.players):
        raise BadInput(Notice("tournament.wrong_points", table=number, players=len(table.players)))
    if any(abs(one) > MOST_POINTS for one in points):
        raise BadInput(f"expected totals up to {MOST_POINTS}, got {points}")


def has_negative_totals(book: Ruleset) -> bool:
    """Return whether players can have less than 0 points at the end of a match."""
    return book.scoring.highest_wins and book.scoring.winner_gets is WinnerGets.SUM and book.knocking is None


def check_form(points: tuple[int, ...], book: Ruleset) -> None:
    """Raise BadInput if no match by this rule book can end with these totals.

    Where the winner of a round gets what the others lose, all totals add up to 0, or to less if the stock ran out and
    everybody wrote points down.
    """
    if has_negative_totals(book):
        if sum(points) > 0:
            raise BadInput(Notice("tournament.more_won_than_lost", points=sum(points)))
    elif min(points) < 0:
        raise BadInput(Notice("tournament.below_zero"))


def check_by_book(points: tuple[int, ...], rules: Rules) -> None:
    """Raise BadInput if no match of a tournament with these rules can end with these totals; see `check_form`."""
    book = RULESETS.get(rules.book or "")
    if book is not None:
        check_form(points, book)


def check_sum(points: tuple[int, ...], rules: Rules) -> None:
    """Raise BadInput if totals add up to less than 0 where that hardly is right: somebody has to be asked.

    What the winner of a round gets is what the others lose. Less than 0 is right only after a round without a winner
    in which points are counted. If the rule book counts nothing then, it never is; otherwise it is not in a match of a
    single round that somebody has won. A tournament that says nothing of the rounds of a match has matches of one.
    """
    book = RULESETS.get(rules.book or "")
    if book is None or not has_negative_totals(book) or sum(points) >= 0:
        return
    if not book.meld_rules.stock_counts:
        raise BadInput(Notice("tournament.not_zero", points=sum(points)))
    if (rules.match_rounds or 1) == 1 and max(points) > 0:
        raise BadInput(Notice("tournament.less_won_than_lost", points=sum(points)))


def report_result(tournament: Tournament, event: ResultReported) -> Tournament:
    """Note a result that a player has entered, in place of an earlier one of the table."""
    _, table = _open_table(tournament, event.table)
    _check_seated(tournament, table, event.table, event.player)
    check_points(table, event.table, event.points)
    report, before = Report(event.player, event.points, event.t), table.report
    if before is not None:
        if before.player != event.player:
            raise OutOfOrder(Notice("tournament.reported_by", player=_name(tournament, before.player)))
        if before.points == event.points:
            raise OutOfOrder(Notice("tournament.reported_already"))
        report = replace(report, disputed_by=before.disputed_by, otherwise=before.otherwise)
    return _with_report(tournament, event.table, table, report)


def confirm_report(tournament: Tournament, event: ReportConfirmed) -> Tournament:
    """Make a reported result the result of the table."""
    number, table = _open_table(tournament, event.table)
    report = _report(table, event.table)
    if event.player is not None:
        _check_seated(tournament, table, event.table, event.player)
        if event.player == report.player:
            raise OutOfOrder(Notice("tournament.own_report"))
        if report.disputed_by not in (None, event.player):
            raise OutOfOrder(Notice("tournament.disputed_already", player=_name(tournament, report.disputed_by)))
    confirmed = replace(table, points=report.points, report=replace(report, confirmed_by=event.player))
    after = tournament.with_round(number, tournament.rounds[-1].with_table(event.table, confirmed))
    if event.player is not None:
        return after
    return with_trace(after, number, event.table, table, report.points, event.t, event.who)


def dispute_report(tournament: Tournament, event: ReportDisputed) -> Tournament:
    """Note that a player says that the reported result of the own table is wrong."""
    _, table = _open_table(tournament, event.table)
    report = _report(table, event.table)
    _check_seated(tournament, table, event.table, event.player)
    if event.player == report.player:
        raise OutOfOrder(Notice("tournament.own_report"))
    if event.points is not None:
        check_points(table, event.table, event.points)
    disputed = replace(report, disputed_by=event.player, otherwise=event.points)
    if report.disputed_by not in (None, event.player) or disputed == report:
        raise OutOfOrder(Notice("tournament.disputed_already", player=_name(tournament, report.disputed_by)))
    return _with_report(tournament, event.table, table, disputed)


def reject_report(tournament: Tournament, event: ReportRejected) -> Tournament:
    """Discard the reported result of a table; what was reported is kept as a trace."""
    number, table = _open_table(tournament, event.table)
    trace = discarded(number, event.table, table, None, event.t, event.who, event.why)
    after = _with_report(tournament, event.table, table, None)
    return replace(after, traces=(*tournament.traces, trace))


def decide_report(tournament: Tournament, event: ReportDecided) -> Tournament:
    """Give a table the result that the director decided on; a reported one that differs is kept as a trace."""
    number, table = _open_table(tournament, event.table)
    _report(table, event.table)
    check_points(table, event.table, event.points)
    decided = replace(table, points=event.points)
    after = tournament.with_round(number, tournament.rounds[-1].with_table(event.table, decided))
    return with_trace(after, number, event.table, table, event.points, event.t, event.who, event.why)


def with_trace(
    after: Tournament,
    round_: int,
    number: int,
    table: Table,
    points: tuple[int, ...],
    t: float,
    who: str = "",
    why: str = "",
) -> Tournament:
    """Return the tournament with a trace of the report of `table`, unless all that was entered there is the result."""
    report = table.report
    if report is None or {report.points, report.otherwise or report.points} == {points}:
        return after
    return replace(after, traces=(*after.traces, discarded(round_, number, table, points, t, who, why)))


def discarded(
    round_: int, number: int, table: Table, after: tuple[int, ...] | None, t: float, who: str = "", why: str = ""
) -> Rejection:
    """Return the trace of the report of a table, and of the other version, of which one at most counts."""
    report = _report(table, number)
    disputed_by = None if report.otherwise is None else report.disputed_by
    return Rejection(
        round_, number, report.player, report.points, after, t, who, why, table.players, disputed_by, report.otherwise
    )


def _open_table(tournament: Tournament, number: int) -> tuple[int, Table]:
    """Return the number of the round under way and one of its tables, which must not have a result yet."""
    if not tournament.under_way or not tournament.rounds[-1].begun:
        raise OutOfOrder(Notice("tournament.no_round"))
    round_ = len(tournament.rounds)
    table = table_of(tournament.rounds[-1], round_, number)
    if table.points is not None:
        raise OutOfOrder(Notice("tournament.results_told", tables=(str(number),)))
    return round_, table


def _report(table: Table, number: int) -> Report:
    if table.report is None:
        raise OutOfOrder(Notice("tournament.no_report", table=number))
    return table.report


def _check_seated(tournament: Tournament, table: Table, number: int, player: int) -> None:
    if player not in table.players:
        raise OutOfOrder(Notice("tournament.not_at_table", player=_name(tournament, player), table=number))


def _name(tournament: Tournament, player: int | None) -> str:
    """Return the name of a player; their number if there is none with it."""
    return next((one.name for one in tournament.players if one.number == player), str(player))


def _with_report(tournament: Tournament, number: int, table: Table, report: Report | None) -> Tournament:
    round_ = tournament.rounds[-1].with_table(number, replace(table, report=report))
    return tournament.with_round(len(tournament.rounds), round_)
