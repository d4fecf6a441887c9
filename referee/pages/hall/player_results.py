"""Results that players enter on their own pages, at tables without a referee; an opponent confirms them there.

What a page sends names the draw and the points that it showed, so that nobody confirms what they have not seen. All of
it is decided in the one thread that changes the tournament: of two phones at once the second sees what the first did.
The same thing sent twice is done once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted, HostedEvent
from referee.club.tournament import OutOfOrder
from referee.club.tournament.events import ReportConfirmed, ReportDisputed, ResultReported
from referee.club.tournament.reports import check_by_book, check_points, has_negative_totals
from referee.club.tournament.state import Rejection, Report, Swap, Table, Tournament, Withdrawal
from referee.club.tournament.written import totals
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.game.rulebooks import RULESETS
from referee.journal.codec import PLAIN, codec_of
from referee.page.broadcast import Broadcast
from referee.page.command import Malformed, Refused, one_of, read_object, read_posted, text
from referee.page.endpoint import NOT_READY, CommandEndpoint
from referee.page.openapi import Described
from referee.page.wording import PageWording, language_of, notice_response
from referee.pages.hall.player_tokens import PlayerTokens
from referee.pages.hall.tournament_fields import Points

NO_STORE = {"Cache-Control": "no-store"}
REPORT, CONFIRM, DISPUTE = "report", "confirm", "dispute"
LONGEST_DRAW = 64
CHANGED = Notice("results.changed")

Totals = list[tuple[str, int | None]]
"""Each player of a table with their total; None if it was not entered."""


@dataclass(frozen=True, slots=True)
class ResultFields:
    """What a player says of the result of the own table.

    `points`: what they enter, or what they saw when they confirmed or disputed it. `otherwise`: the points that are
    right in the opinion of somebody who disputes them.
    """

    do: Annotated[str, one_of(REPORT, CONFIRM, DISPUTE)]
    draw: Annotated[str, text(1, LONGEST_DRAW)]
    points: Points
    otherwise: Points | None = None


_FIELDS = codec_of(ResultFields, PLAIN)
DESCRIBED = Described(
    "Enter the result of the own table, or confirm or dispute what another player there has entered.",
    _FIELDS.schema,
    {
        "type": "object",
        "required": ["done", "told"],
        "properties": {"done": {"const": True}, "told": {"type": "string", "minLength": 1}},
    },
)


def result_route(path: str, broadcast: Broadcast, commands: CommandEndpoint) -> Route:
    """Return the route to which players' pages below `path` post results."""
    tokens = PlayerTokens()

    async def result(request: Request) -> Response:
        facts = broadcast.facts.tournaments or TournamentFacts()
        found = tokens.find(request.path_params["token"], facts.secret, facts.all)
        if found is None:
            raise HTTPException(404)
        try:
            fields = read_posted(_FIELDS, read_object(await request.body()))
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, NO_STORE)
        if commands.controls is None:
            return notice_response(request, NOT_READY, 503)
        told: list[Notice] = []
        try:
            keeper = commands.controls.tournaments
            await asyncio.wrap_future(keeper.change(_change(fields, *found, told)))
        except Refused as error:
            return notice_response(request, error.told, error.status)
        except BadInput as error:
            return notice_response(request, told_by(error), 409)
        words = PageWording(language_of(request))
        return JSONResponse({"done": True, "told": words.all(tuple(told))}, headers=NO_STORE)

    return Route(f"{path}{{token}}/result", result, methods=["POST"])


def _change(
    fields: ResultFields, slug: str, player: int, told: list[Notice]
) -> Callable[[Hosted, Any, float], Sequence[HostedEvent]]:
    """Return the change of the tournament; what the player should know of it is added to `told`."""

    def events(hosted: Hosted, _: Any, t: float) -> Sequence[HostedEvent]:
        if hosted.slug != slug:
            raise OutOfOrder(CHANGED)
        done, happened = events_of(fields, hosted, player, t)
        told.append(done)
        return happened

    return events


def events_of(fields: ResultFields, hosted: Hosted, player: int, t: float) -> tuple[Notice, Sequence[HostedEvent]]:
    """Return what a player is told, and the events that follow; raises BadInput if it cannot be done.

    No events follow from what was done already.
    """
    number, round_ = len(hosted.rounds), hosted.last_round
    at = None if round_ is None else round_.table_of(player)
    if round_ is None or at is None or fields.draw != hosted.draw_id(number, at):
        raise OutOfOrder(CHANGED)
    table = round_.tables[at - 1]
    if table.points is not None:
        if table.points != fields.points or fields.do == DISPUTE:
            raise OutOfOrder(CHANGED)
        return Notice("results.confirmed"), ()
    if fields.do == REPORT:
        return _report(fields.points, hosted, at, table, player, t)
    report = table.report
    if report is None or report.points != fields.points:
        raise OutOfOrder(CHANGED)
    if fields.do == CONFIRM:
        return Notice("results.confirmed"), (ReportConfirmed(at, t, player),)
    return _dispute(hosted, at, report, fields.otherwise, player, t)


def _report(
    points: tuple[int, ...], hosted: Hosted, at: int, table: Table, player: int, t: float
) -> tuple[Notice, Sequence[HostedEvent]]:
    place = hosted.rounds[-1].places[at - 1]
    if place is not None:
        raise OutOfOrder(Notice("results.has_box", at=place))
    _check(points, hosted, at, table)
    report = table.report
    if report is None:
        return Notice("results.sent"), (ResultReported(at, points, player, t),)
    if report.player != player:  # who enters the same confirms it, and who enters anything else disputes it
        if report.points == points:
            return Notice("results.confirmed"), (ReportConfirmed(at, t, player),)
        return _dispute(hosted, at, report, points, player, t)
    if report.points == points:
        return Notice("results.sent"), ()
    reported = ResultReported(at, points, player, t)
    if report.disputed_by is not None and report.otherwise == points:  # what the other has entered
        return Notice("results.confirmed"), (reported, ReportConfirmed(at, t, report.disputed_by))
    return Notice("results.sent"), (reported,)


def _dispute(
    hosted: Hosted, at: int, report: Report, otherwise: tuple[int, ...] | None, player: int, t: float
) -> tuple[Notice, Sequence[HostedEvent]]:
    if otherwise is not None:
        _check(otherwise, hosted, at, hosted.tournament.rounds[-1].tables[at - 1])
    if (report.disputed_by, report.otherwise) == (player, otherwise):
        return Notice("results.disputed"), ()
    return Notice("results.disputed"), (ReportDisputed(at, player, t, otherwise),)


def _check(points: tuple[int, ...], hosted: Hosted, at: int, table: Table) -> None:
    """Raise BadInput unless a match by the tournament's rule book can end with these points."""
    check_points(table, at, points)
    check_by_book(points, hosted.tournament.rules)


def result_values(hosted: Hosted, player: int) -> dict[str, Any] | None:
    """Return what a player's page needs to enter or confirm a result; None if there is nothing to do now."""
    round_, number = hosted.last_round, len(hosted.rounds)
    at = None if round_ is None else round_.table_of(player)
    if hosted.tournament.ended or round_ is None or at is None or not round_.begun:
        return None
    table = round_.tables[at - 1]
    if table.points is not None or (table.report is None and hosted.rounds[-1].places[at - 1] is not None):
        return None
    report = table.report
    points = [None] * len(table.players) if report is None else list(report.points)
    names = [hosted.tournament.players[one - 1].name for one in table.players]
    return {
        "draw": hosted.draw_id(number, at),
        "players": list(zip(names, points, strict=True)),
        "points": points,
        "versions": _versions(hosted, table, player),
        "own": _own_version(table, names, player),
        "by": "" if report is None else hosted.tournament.players[report.player - 1].name,
        "told": None if report is None else _told(hosted, report, player),
        "may_confirm": report is not None and report.player != player and report.disputed_by in (None, player),
        "may_dispute": report is not None and report.player != player and report.disputed_by is None,
        "fresh": report is None,
        "disputed": report is not None and report.disputed_by is not None,
        "signed": takes_minus(hosted.tournament),
        "fewest": not hosted.tournament.rules.highest_wins,
    }


def takes_minus(tournament: Tournament) -> bool:
    """Return whether a match of the tournament can end with totals below 0."""
    book = RULESETS.get(tournament.rules.book or "")
    return book is None or has_negative_totals(book)


def _own_version(table: Table, names: Sequence[str], player: int) -> Totals | None:
    """Return the totals that a player has entered and may correct; None for everybody else."""
    report = table.report
    if report is None or player not in (report.player, report.disputed_by):
        return None
    points = report.points if report.player == player else report.otherwise
    return list(zip(names, points or [None] * len(names), strict=True))


def _versions(hosted: Hosted, table: Table, player: int) -> dict[str, Any] | None:
    """Return whose versions of the result there are, and the totals of each player; None if nobody has another.

    Whoever disputes a result sees what they have sent, and so does everybody else at the table.
    """
    report = table.report
    if report is None or report.disputed_by is None or report.otherwise is None:
        return None
    names = {one.number: one.name for one in hosted.tournament.players}

    def head(by: int) -> Notice:
        return Notice("results.version_mine") if by == player else Notice("results.version_of", player=names[by])

    totals_of = zip(table.players, report.points, report.otherwise, strict=True)
    return {
        "heads": [head(report.player), head(report.disputed_by)],
        "lines": [(names[one], first, second) for one, first, second in totals_of],
    }


def _told(hosted: Hosted, report: Report, player: int) -> Notice:
    """Return what a player should know of the result that was entered at the own table."""
    names: Mapping[int, str] = {one.number: one.name for one in hosted.tournament.players}
    if report.disputed_by is None:
        if report.player == player:
            return Notice("results.mine_waits")
        return Notice("results.other_waits", player=names[report.player])
    if report.player == player:
        return Notice("results.disputed_mine", player=names[report.disputed_by])
    if report.disputed_by == player:
        return Notice("results.disputed_by_me", player=names[report.player])
    return Notice("tournament.disputed_already", player=names[report.disputed_by])


def rejection_of(tournament: Tournament, player: int) -> tuple[Notice, ...]:
    """Return that the director rejected what was entered at the table of a player, why, and what to do now.

    Empty once the table has a result, or another one was entered.
    """
    round_ = tournament.rounds[-1] if tournament.rounds and not tournament.ended else None
    at = None if round_ is None else round_.table_of(player)
    if round_ is None or at is None:
        return ()
    table = round_.tables[at - 1]
    if table.points is not None or table.report is not None:
        return ()
    rejection = _last_rejection(tournament, table, at)
    if rejection is None:
        return ()
    told = Notice("results.my_rejected", player=tournament.players[rejection.player - 1].name,
                  points=totals(tournament, table.players, rejection.points))  # fmt: skip
    if rejection.player == player:
        told = Notice("results.my_own_rejected", points=totals(tournament, table.players, rejection.points))
    why = rejection.why.rstrip(" .")  # the sentence adds a full stop
    return (told, *([Notice("results.reason", why=why)] if why else []), Notice("results.enter_again"))


def _last_rejection(tournament: Tournament, table: Table, at: int) -> Rejection | None:
    """Return the last rejection at a table of the last round that was about the players who sit there now."""
    number = len(tournament.rounds)
    for one in reversed(tournament.traces):
        if isinstance(one, Withdrawal) and one.round == number:
            return None
        if isinstance(one, Swap) and one.round == number and {one.one, one.other} & {*table.players}:
            return None
        if isinstance(one, Rejection) and (one.round, one.table) == (number, at):
            return one
    return None
