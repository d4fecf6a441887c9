"""Files of the hall: the results of all its matches, and its tournaments."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.club.hall.results import KeptResult, MatchKey, superseded_matches
from referee.club.hall.tournaments.results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import export
from referee.journal.score_formats import as_csv
from referee.page.broadcast import Broadcast

CSV_NAMES = (
    "table", "match", "begun", "rules", "state", "round", "seat", "player", "points", "corrected",
    "epoch", "superseded",
)  # fmt: skip


def routes(broadcast: Broadcast) -> list[Route]:
    """A line for every seat in every round as CSV, or everything as JSON.

    A round is superseded where the table has told its match otherwise since: it is in no sum.
    """

    async def answer(request: Request) -> Response:
        found = sorted(broadcast.facts.results.values(), key=lambda result: result.begun)
        older = superseded_matches(found)
        if request.path_params["kind"] == "csv":
            return Response(as_csv(CSV_NAMES, _lines(found, older)).encode("utf-8", "replace"), media_type="text/csv")
        if request.path_params["kind"] == "json":
            return JSONResponse([_as_json(one, superseded=one.key in older) for one in found])
        raise HTTPException(404)

    return [Route("/results.{kind}", answer)]


def _state(result: KeptResult) -> str:
    return "given up" if result.given_up else "over" if result.over else "not over"


def _lines(found: Iterable[KeptResult], older: Container[MatchKey]) -> Iterable[list[object]]:
    """A line for every seat in every round."""
    for one in found:
        head = [one.key.table, one.key.match, one.begun, one.rules, _state(one)]
        for number, line in enumerate(one.rounds, 1):
            for seat, points in enumerate(line.points):
                name = one.players[seat] if seat < len(one.players) else None
                tail = [one.key.epoch, int(one.key in older)]
                yield [*head, number, seat + 1, name or "", points, line.corrected, *tail]


def _as_json(result: KeptResult, *, superseded: bool) -> dict[str, object]:
    return {
        "table": result.key.table,
        "epoch": result.key.epoch,
        "match": result.key.match,
        "begun": result.begun,
        "rules": result.rules,
        "state": _state(result),
        "players": list(result.players),
        "rounds": [
            {"points": list(one.points), "winner": one.winner, "corrected": one.corrected} for one in result.rounds
        ],
        "superseded": superseded,
        "totals": None if superseded else list(result.totals),
        "winners": list(result.winners),
    }


NO_STORE = {"Cache-Control": "no-store"}


def tournament_files(broadcast: Broadcast) -> list[Route]:
    """The list of all tournaments, and the files of each: `?of=SLUG`, or else those of the newest."""

    def find_tournament(request: Request) -> Hosted:
        all_of = (broadcast.facts.tournaments or TournamentFacts()).all
        slug = request.query_params.get("of")
        found = next((one for one in reversed(all_of) if slug in (None, one.slug)), None)
        if found is None:
            raise HTTPException(404)
        return found

    async def everything(_: Request) -> Response:
        all_of = (broadcast.facts.tournaments or TournamentFacts()).all
        return JSONResponse([_line(one) for one in all_of], headers=NO_STORE)

    async def one(request: Request) -> Response:
        hosted = find_tournament(request)
        told = {"id": hosted.slug, **export.as_json(hosted.tournament)}
        told["places"] = [list(round_.places) for round_ in hosted.rounds]
        return JSONResponse(told, headers=NO_STORE)

    async def standings(request: Request) -> Response:
        return _csv(export.standings_csv(find_tournament(request).tournament))

    async def results(request: Request) -> Response:
        return _csv(export.results_csv(find_tournament(request).tournament))

    return [
        Route("/tournaments.json", everything),
        Route("/tournament.json", one),
        Route("/tournament-standings.csv", standings),
        Route("/tournament-results.csv", results),
    ]


def _line(hosted: Hosted) -> dict[str, Any]:
    tournament = hosted.tournament
    return {
        "id": hosted.slug,
        "name": tournament.name,
        "opened": hosted.t,
        "ended": tournament.ended,
        "players": len(tournament.players),
        "rounds": len(tournament.rounds),
    }


def _csv(lines: str) -> Response:
    return Response(lines.encode("utf-8", "replace"), media_type="text/csv", headers=NO_STORE)
