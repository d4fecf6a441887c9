"""Tournaments as files: the one that was opened last, or any by its slug."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.club.hall.tournaments.results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import export
from referee.page.broadcast import Broadcast

NO_STORE = {"Cache-Control": "no-store"}


def routes(broadcast: Broadcast) -> list[Route]:
    """The list of all tournaments, and the files of each: `?of=SLUG`, or else those of the newest."""

    def chosen(request: Request) -> Hosted:
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
        hosted = chosen(request)
        told = {"id": hosted.slug, **export.as_json(hosted.tournament)}
        told["places"] = [list(round_.places) for round_ in hosted.rounds]
        return JSONResponse(told, headers=NO_STORE)

    async def standings(request: Request) -> Response:
        return _csv(export.standings_csv(chosen(request).tournament))

    async def results(request: Request) -> Response:
        return _csv(export.results_csv(chosen(request).tournament))

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
