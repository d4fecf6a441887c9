"""The routes of the hall's page, and its files: the results of all matches, and tournaments."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.club.hall.reader import HallFacts
from referee.club.hall.results import KeptResult, MatchKey, superseded_matches
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import Rules, TieBreak, export
from referee.club.tournament.machine import LONGEST_NAME
from referee.club.tournament.seating.bounds import LARGEST, SMALLEST
from referee.game.rulebooks import RULESETS
from referee.journal.score_formats import as_csv
from referee.page.access import Access
from referee.page.access.answers import answer_failure
from referee.page.broadcast import Broadcast, Part
from referee.page.command import Command
from referee.page.endpoint import CommandEndpoint
from referee.page.openapi import DOCUMENT, document
from referee.page.pages import Pages
from referee.page.static_files import StaticFiles
from referee.page.stream import Streams
from referee.page.wording import missing_picture
from referee.pages.hall.orders import COMMANDS
from referee.pages.hall.parts import TABLE, hall, hall_source, results, results_source, table_part
from referee.pages.hall.tournament_commands import COMMANDS as DIRECTING
from referee.pages.hall.tournament_commands import LONGEST_REASON
from referee.pages.hall.tournament_part import PARTS as TOURNAMENT
from referee.pages.hall.tournament_part import TIES

CSV_NAMES = (
    "table", "match", "begun", "rules", "state", "round", "seat", "player", "points", "corrected",
    "epoch", "superseded",
)  # fmt: skip

_TIE_NAMES: Mapping[TieBreak, str] = {
    **TIES,
    TieBreak.BEST_ROUNDS: "tournament_page.tie_best_rounds",
    TieBreak.DIRECT: "tournament_page.tie_direct",
    TieBreak.LOTS: "tournament_page.tie_lots",
}
AGREED: Mapping[str, Any] = {
    "books": tuple((name, book.title) for name, book in RULESETS.items()),
    "sizes": tuple(range(SMALLEST, LARGEST + 1)),
    "ties": tuple(one.value for one in Rules(1).tie_breaks),
    "tie_keys": tuple((one.value, _TIE_NAMES[one]) for one in TieBreak),
}
"""Values for the templates: rule books, sizes of tables, the tie-breaks in their usual order, and their names."""
HERE = Path(__file__).parent
PAGE = Path(__file__).parents[2] / "page"
NO_STORE = {"Cache-Control": "no-store"}
ALL_COMMANDS: Mapping[str, Command[Any]] = {**COMMANDS, **DIRECTING}
"""The commands of the hall's page."""
LONGEST = {"longest_name": LONGEST_NAME, "longest_reason": LONGEST_REASON}
"""The most letters of the name of a player or tournament, and of the reason for a change."""


def routes(broadcast: Broadcast) -> list[Route]:
    """Return the route of the results as a file: CSV with a line for every seat in every round, or JSON.

    A match is superseded if its table has since sent another version of it; then it counts in no total.
    """

    async def answer(request: Request) -> Response:
        found = sorted(broadcast.facts.results.values(), key=lambda result: result.begun)
        older = superseded_matches(found)
        if request.path_params["kind"] == "csv":
            lines = as_csv(CSV_NAMES, result_lines(found, older))
            return Response(lines.encode("utf-8", "replace"), media_type="text/csv")
        if request.path_params["kind"] == "json":
            return JSONResponse([result_as_json(one, superseded=one.key in older) for one in found])
        raise HTTPException(404)

    return [Route("/results.{kind}", answer)]


def _state(result: KeptResult) -> str:
    return "given up" if result.given_up else "over" if result.over else "not over"


def result_lines(found: Iterable[KeptResult], older: Container[MatchKey]) -> Iterable[list[object]]:
    """Yield a line for every seat in every round."""
    for one in found:
        head = [one.key.table, one.key.match, one.begun, one.rules, _state(one)]
        for number, line in enumerate(one.rounds, 1):
            for seat, points in enumerate(line.points):
                name = one.players[seat] if seat < len(one.players) else None
                tail = [one.key.epoch, int(one.key in older)]
                yield [*head, number, seat + 1, name or "", points, line.corrected, *tail]


def result_as_json(result: KeptResult, *, superseded: bool) -> dict[str, object]:
    """Return a match with all its rounds, without totals if it is superseded."""
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


def tournament_files(broadcast: Broadcast) -> list[Route]:
    """Return the routes of the list of all tournaments and of the files of one: that of `?of=SLUG`, or the newest."""

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


def parts_of(facts: HallFacts) -> Mapping[str, Part]:
    """Return the parts of the page: those of the hall, and one for every table."""
    return {
        "hall": Part(hall_source, hall),
        "results": Part(results_source, results),
        **TOURNAMENT,
        **{f"{TABLE}{name}": table_part(name) for name in facts.tables},
    }


def application(broadcast: Broadcast, pictures: Mapping[str, bytes], language: str, access: Access) -> Starlette:
    """Return the application of the page; `pictures` has the newest picture of each table."""
    pages, streams, commands = (
        Pages(HERE / "templates", PAGE / "templates", commands=ALL_COMMANDS),
        Streams(broadcast),
        CommandEndpoint(broadcast, ALL_COMMANDS),
    )

    static = StaticFiles(PAGE / "static", HERE / "static")

    async def now(_: Request) -> Response:
        return JSONResponse({"now": broadcast.now()}, headers=NO_STORE)

    def page(template: str, **values: Any) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            return pages.page(request, template, may_write=request.state.may_write, **values)

        return answer

    async def table(request: Request) -> Response:
        name = request.path_params["name"]
        tables = broadcast.facts.tables
        if name not in tables:
            for now_called, view in tables.items():
                if name in view.formerly:
                    return RedirectResponse(request.url_for("table", name=now_called).path)
            raise HTTPException(404)
        return pages.page(request, "hall_table.html", name=name, may_write=request.state.may_write)

    async def picture(request: Request) -> Response:
        data = pictures.get(request.path_params["name"])
        if data is None or not request.state.may_write:  # a picture shows people's hands, too
            return missing_picture(request)
        return Response(data, media_type="image/jpeg", headers=NO_STORE)

    async def openapi(_: Request) -> Response:
        return JSONResponse(described)

    app = Starlette(
        routes=[
            Route("/", page("hall.html")),
            Route("/table/{name}", table),
            Route("/results", page("hall_results.html")),
            *routes(broadcast),
            Route("/director", page("hall_director.html")),
            *tournament_files(broadcast),
            Route("/tournament", page("tournament.html")),
            Route("/tournament/wall", page("tournament_wall.html")),
            Route("/tournament/director", page("tournament_director.html", **AGREED, **LONGEST)),
            Route("/picture/{name}.jpg", picture),
            Route("/api/stream", streams.answer),
            Route("/api/now", now),
            Route("/api/command", commands.answer, methods=["POST"]),
            Route(DOCUMENT, openapi),
            *access.routes,
            Route("/static/scripts/{names}.js", static.scripts),
            Route("/static/hall/{name}", static.answer),
            Route("/static/{name}", static.answer),
        ],
        middleware=access.middleware(),
        exception_handlers={HTTPException: answer_failure, Exception: answer_failure},
    )
    described = document(app.routes, commands.commands, "The page of the hall")
    app.state.language, app.state.pages = language, pages
    app.state.streams, app.state.commands, app.state.start_button = streams, commands, lambda: False
    return app
