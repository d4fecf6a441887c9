"""What the pages say of changes to a tournament: what it was, when, by whom and why."""

from __future__ import annotations

from collections.abc import Container, Iterator
from datetime import UTC, datetime

from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import Tournament
from referee.club.tournament.state import (
    Correction,
    FinalWithdrawal,
    Rejection,
    Reopening,
    Report,
    Ruling,
    RulingWithdrawal,
    Swap,
    Table,
    Trace,
    Withdrawal,
)
from referee.club.tournament.written import signed, totals
from referee.game.notice import Notice, Value
from referee.journal.score_formats import local_time


def boxes_of(hosted: Hosted) -> frozenset[str]:
    """Return the hall's tables from which results of this tournament came."""
    return frozenset(one.at for round_ in hosted.rounds for one in round_.taken if one is not None)


def trace(tournament: Tournament, one: Trace, boxes: Container[str] = ()) -> tuple[Notice, ...]:
    """Return what was changed, when, by whom and why; somebody may want to appeal against any of it.

    `boxes` are the names of the hall's tables with a referee, which correct their results themselves.
    """
    who, why = (said.rstrip(" .") for said in (one.who, one.why))  # the sentence adds a full stop
    return (
        _change(tournament, one),
        Notice("results.changed_at", when=moment(one.t)),
        Notice("director.changed_by", who=who) if who else Notice("results.changed_by_nobody"),
        *_reason(one, why, by_table=isinstance(one, Correction) and who in boxes),
    )


def _reason(one: Trace, why: str, *, by_table: bool) -> Iterator[Notice]:
    """Yield the reason of a change; what the director decided between two versions needs none."""
    if why:
        yield Notice("director.changed_why", why=why)
    elif by_table:
        yield Notice("results.corrected_there")
    elif not isinstance(one, Rejection) or one.after is None:
        yield Notice("results.no_reason")


def moment(t: float) -> str:
    """Return a time of day in this machine's time zone, for a field that is written as `{when:moment}`."""
    return local_time(datetime.fromtimestamp(t, UTC))


def _change(tournament: Tournament, one: Trace) -> Notice:
    match one:
        case Swap():
            names = _name(tournament, one.one), _name(tournament, one.other)
            told = Notice("director.was_swapped", round=one.round, one=names[0], other=names[1])
        case Correction():
            seated = _seated(tournament, one.round, one.table)
            before, after = totals(tournament, seated, one.before), totals(tournament, seated, one.after)
            told = Notice("director.was_corrected", round=one.round, table=one.table, before=before, after=after)
        case Rejection():
            told = _rejection(tournament, one)
        case Ruling():
            told = ruling_notice(tournament, one)
        case RulingWithdrawal():
            told = Notice("results.was_withdrawn", ruling=ruling_notice(tournament, one.ruling))
        case Reopening():
            told = Notice("results.was_reopened", round=one.round)
        case FinalWithdrawal():
            finalists = ", ".join(_name(tournament, player) for player in one.players)
            told = Notice("final.was_withdrawn", round=one.round, players=finalists)
        case Withdrawal():
            tables = (", ".join(_name(tournament, player) for player in table) for table in one.draw.tables)
            told = Notice("director.was_withdrawn", round=one.round, tables=" | ".join(tables))
    return told


def _rejection(tournament: Tournament, one: Rejection) -> Notice:
    told: dict[str, Value] = {
        "round": one.round,
        "table": one.table,
        "player": _name(tournament, one.player),
        "points": totals(tournament, one.players, one.points),
    }
    after = {} if one.after is None else {"instead": totals(tournament, one.players, one.after)}
    if one.disputed_by is None or one.otherwise is None:
        return Notice("results.was_overruled" if after else "results.was_rejected", **told, **after)
    told |= {
        "other": _name(tournament, one.disputed_by),
        "otherwise": totals(tournament, one.players, one.otherwise),
    }
    return Notice("results.was_decided" if after else "results.was_rejected_both", **told, **after)


def _seated(tournament: Tournament, round_: int, table: int) -> tuple[int, ...]:
    """Return the players of a table that has a result: they stay there."""
    return tournament.rounds[round_ - 1].tables[table - 1].players


def _name(tournament: Tournament, player: int) -> str:
    return tournament.players[player - 1].name


def ruling_notice(tournament: Tournament, one: Ruling) -> Notice:
    """Return what a ruling says: a warning, or points taken or given."""
    player = _name(tournament, one.player)
    if not one.points:
        return Notice("results.was_warned", player=player)
    return Notice("results.was_adjusted", player=player, points=signed(one.points))


def report_state(tournament: Tournament, table: Table) -> Notice | None:
    """Return what is to be said of a result that a player entered; None if none was, or another one counts."""
    report = table.report
    if report is None:
        return None
    player = _name(tournament, report.player)
    if table.points is not None:
        return _settled(tournament, table.points, report)
    points = totals(tournament, table.players, report.points)
    if report.disputed_by is None:
        return Notice("results.table_pending", player=player, points=points)
    other = _name(tournament, report.disputed_by)
    return Notice("results.table_disputed", player=player, points=points, other=other)


def _settled(tournament: Tournament, points: tuple[int, ...], report: Report) -> Notice | None:
    """Return who entered the result of a table and who confirmed it; None if neither version of the report counts."""
    if points != report.points:
        if report.disputed_by is None or points != report.otherwise:
            return None
        return Notice("results.table_accepted", player=_name(tournament, report.disputed_by))
    player = _name(tournament, report.player)
    if report.confirmed_by is None:
        return Notice("results.table_accepted", player=player)
    return Notice("results.table_confirmed", player=player, other=_name(tournament, report.confirmed_by))


def dispute(tournament: Tournament, number: int, table: Table) -> Notice | None:
    """Return what the director must decide about the reported result of a table; None if nobody disputes it."""
    report = table.report
    if report is None or table.points is not None or report.disputed_by is None:
        return None
    told: dict[str, Value] = {
        "table": number,
        "player": _name(tournament, report.player),
        "points": totals(tournament, table.players, report.points),
        "other": _name(tournament, report.disputed_by),
    }
    if report.otherwise is None:
        return Notice("results.is_disputed", **told)
    return Notice("results.is_disputed_with", **told, instead=totals(tournament, table.players, report.otherwise))
