"""The director's decisions as commands: on results that players reported, warnings, points, and the end undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.state import Hosted, HostedEvent
from referee.club.tournament import OutOfOrder
from referee.club.tournament.events import (
    Reopened,
    ReportConfirmed,
    ReportDecided,
    ReportRejected,
    RulingMade,
    RulingWithdrawn,
)
from referee.club.tournament.rulings import MOST_ADJUSTED
from referee.game.notice import Notice
from referee.page.command import Command, one_line, text, whole
from referee.pages.hall.tournament_commands import ROUND, check_totals, command_of
from referee.pages.hall.tournament_fields import LONGEST_REASON, Player, Points, ReasonFields, Table, Who

MOST_RULINGS = 10_000
"""The highest number of a ruling that is accepted; no tournament comes near."""
Reason = Annotated[str, text(1, LONGEST_REASON, one_line, lettered=True)]


@dataclass(frozen=True, slots=True)
class ConfirmFields:
    """A table, and the points reported there that the director has seen."""

    table: Table
    points: Points
    who: Who = ""


@dataclass(frozen=True, slots=True)
class RejectFields:
    """A table whose reported result is discarded."""

    table: Table
    who: Who = ""
    why: Annotated[str, text(0, LONGEST_REASON, one_line)] = ""


@dataclass(frozen=True, slots=True)
class DecideFields:
    """A table at which a result was reported, and the one that it gets: that of the disputer, or a third one."""

    table: Table
    points: Points
    who: Who = ""
    why: Annotated[str, text(0, LONGEST_REASON, one_line)] = ""
    sure: bool | None = None
    """As for `ResultFields`."""


@dataclass(frozen=True, slots=True)
class RuleFields:
    """A player, and the points that the standings add for them: less than 0 for a deduction, 0 for a warning."""

    player: Player
    points: Annotated[int, whole(-MOST_ADJUSTED, MOST_ADJUSTED)]
    why: Reason
    who: Who = ""


@dataclass(frozen=True, slots=True)
class WithdrawFields:
    """The number of a ruling that is withdrawn."""

    ruling: Annotated[int, whole(1, MOST_RULINGS)]
    why: Reason
    who: Who = ""


def _confirm_report(fields: ConfirmFields, hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
    tables = () if hosted.last_round is None else hosted.last_round.tables
    report = tables[fields.table - 1].report if fields.table <= len(tables) else None
    if report is not None and report.points != fields.points:
        raise OutOfOrder(Notice("results.changed"))
    return [ReportConfirmed(fields.table, t, None, fields.who)]


def _decide_report(fields: DecideFields, hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
    decided = ReportDecided(fields.table, fields.points, t, fields.who, fields.why)
    return check_totals(decided, hosted.tournament, fields.sure)


COMMANDS: Mapping[str, Command[Any]] = {
    "tournament-report-confirm": command_of(ConfirmFields, _confirm_report, ROUND),
    "tournament-report-reject": command_of(
        RejectFields, lambda told, _, __, t: [ReportRejected(told.table, t, told.who, told.why)], ROUND
    ),
    "tournament-report-decide": command_of(DecideFields, _decide_report, ROUND),
    "tournament-rule": command_of(
        RuleFields, lambda told, _, __, t: [RulingMade(told.player, told.points, t, told.who, told.why)]
    ),
    "tournament-rule-withdraw": command_of(
        WithdrawFields, lambda told, _, __, t: [RulingWithdrawn(told.ruling, t, told.who, told.why)]
    ),
    "tournament-reopen": command_of(
        ReasonFields, lambda told, _, __, t: [Reopened(t, told.who, told.why)], ("tournament-round",)
    ),
}
