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
from referee.club.tournament.seating.bounds import LARGEST, SMALLEST
from referee.club.tournament.written import signed
from referee.game.rulebooks import RULESETS, Ruleset
from referee.journal.score_formats import as_csv, csv_file
from referee.page.access import Access
from referee.page.access.answers import answer_failure
from referee.page.broadcast import Broadcast, Part
from referee.page.command import Command
from referee.page.endpoint import CommandEndpoint
from referee.page.openapi import DOCUMENT, Described, document
from referee.page.pages import Pages
from referee.page.static_files import StaticFiles
from referee.page.stream import Streams
from referee.page.wording import missing_picture
from referee.pages.hall.desk_commands import COMMANDS as DESK_COMMANDS
from referee.pages.hall.desk_part import PARTS as DESK
from referee.pages.hall.hand_results import PARTS as BY_HAND
from referee.pages.hall.league_commands import COMMANDS as LEAGUES
from referee.pages.hall.league_pages import LeaguePages
from referee.pages.hall.order_columns import TIE_NAMES
from referee.pages.hall.orders import COMMANDS
from referee.pages.hall.parts import TABLE, hall, hall_source, results, results_source, table_part
from referee.pages.hall.phone_desk import DESCRIBED as CALL
from referee.pages.hall.phone_desk import call_route, player_caller, table_caller
from referee.pages.hall.player_page import PATH as PLAYER
from referee.pages.hall.player_page import PlayerPages
from referee.pages.hall.player_results import DESCRIBED as RESULT
from referee.pages.hall.player_results import result_route
from referee.pages.hall.players_import import DESCRIBED as IMPORTING
from referee.pages.hall.players_import import import_routes
from referee.pages.hall.ratings_page import RatingPages
from referee.pages.hall.ruling_commands import COMMANDS as RULING
from referee.pages.hall.table_cards import PATH as TABLE_PAGE
from referee.pages.hall.table_cards import TableCards
from referee.pages.hall.tournament_commands import COMMANDS as DIRECTING
from referee.pages.hall.tournament_fields import LONGEST_REASON, LONGEST_TYPED, LONGEST_WHO
from referee.pages.hall.tournament_part import PARTS as TOURNAMENT
from referee.pages.hall.tournament_saving import DESCRIBED as SAVING
from referee.pages.hall.tournament_saving import saving_routes
from referee.pages.hall.tournament_sheets import sheet_routes

CSV_NAMES = (
    "table", "match", "begun", "rules", "state", "round", "seat", "player", "points", "corrected",
    "epoch", "superseded", "begun_is_guess",
)  # fmt: skip


def table_sizes(book: Ruleset) -> tuple[int, int]:
    """Return the fewest and the most players at a table that a rule book allows in a tournament."""
    rules = Rules.by_book(book, 1, 0)
    return rules.smallest, rules.largest


AGREED: Mapping[str, Any] = {
    "books": tuple((name, book.title, table_sizes(book)) for name, book in RULESETS.items()),
    "sizes": tuple(range(SMALLEST, LARGEST + 1)),
    "ties": tuple(one.value for one in Rules(1).tie_breaks),
    "tie_keys": tuple((one.value, TIE_NAMES[one]) for one in TieBreak),
}
"""Values for the templates: rule books, sizes of tables, the tie-breaks in their usual order, and their names."""
DESCRIBED: Mapping[str, Described] = {
    **IMPORTING,
    **SAVING,
    f"{PLAYER}{{token}}/result": RESULT,
    f"{PLAYER}{{token}}/call": CALL,
    f"{TABLE_PAGE}{{token}}/call": CALL,
}
"""What the OpenAPI document says of the requests that write and are no commands."""
HERE = Path(__file__).parent
PAGE = Path(__file__).parents[2] / "page"
NO_STORE = {"Cache-Control": "no-store"}
ALL_COMMANDS: Mapping[str, Command[Any]] = {**COMMANDS, **DESK_COMMANDS, **DIRECTING, **RULING, **LEAGUES}
"""The commands of the hall's page."""
LONGEST = {"longest_name": LONGEST_TYPED, "longest_reason": LONGEST_REASON, "longest_who": LONGEST_WHO}
"""The most characters that a field takes for the name of a player or tournament, for a reason, and for who decides.
Names that are too long are refused with a sentence; a field that cut them would do so in the middle of an emoji."""


def routes(broadcast: Broadcast) -> list[Route]:
    """Return the route of the results as a file: CSV with a line for every seat in every round, or JSON.

    A match is superseded if its table has since sent another version of it; then it counts in no total.
    """

    async def answer(request: Request) -> Response:
        found = sorted(broadcast.facts.results.values(), key=lambda result: result.begun)
        older = superseded_matches(found)
        if request.path_params["kind"] == "csv":
            lines = as_csv(CSV_NAMES, result_lines(found, older))
            return Response(csv_file(lines), media_type="text/csv")
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
                tail = [one.key.epoch, int(one.key in older), int(one.begun_is_guess)]
                yield [*head, number, seat + 1, name or "", points, line.corrected, *tail]


def result_as_json(result: KeptResult, *, superseded: bool) -> dict[str, object]:
    """Return a match with all its rounds, without totals if it is superseded."""
    return {
        "table": result.key.table,
        "epoch": result.key.epoch,
        "match": result.key.match,
        "begun": result.begun,
        "begun_is_guess": result.begun_is_guess,
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


def tournament_finder(broadcast: Broadcast) -> Callable[[Request], Hosted]:
    """Return a function that finds the tournament of `?of=SLUG`, or the newest; it raises 404 if there is none."""

    def find_tournament(request: Request) -> Hosted:
        all_of = (broadcast.facts.tournaments or TournamentFacts()).all
        slug = request.query_params.get("of")
        found = next((one for one in reversed(all_of) if slug in (None, one.slug)), None)
        if found is None:
            raise HTTPException(404)
        return found

    return find_tournament


def tournament_files(broadcast: Broadcast, find_tournament: Callable[[Request], Hosted]) -> list[Route]:
    """Return the routes of the list of all tournaments and of the files of one."""

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

    async def teams(request: Request) -> Response:
        return _csv(export.teams_csv(find_tournament(request).tournament))

    return [
        Route("/tournaments.json", everything),
        Route("/tournament.json", one),
        Route("/tournament-standings.csv", standings),
        Route("/tournament-results.csv", results),
        Route("/tournament-teams.csv", teams),
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
    return Response(csv_file(lines), media_type="text/csv", headers=NO_STORE)


def director_path(facts: HallFacts) -> str:
    """Return where the director's work is: the page of the tournament while one is open, else that of the hall."""
    known = facts.tournaments
    hosted = None if known is None else known.current
    return "/director" if hosted is None or hosted.tournament.ended else "/tournament/director"


def parts_of(facts: HallFacts) -> Mapping[str, Part]:
    """Return the parts of the page: those of the hall, and one for every table."""
    return {
        "hall": Part(hall_source, hall),
        "results": Part(results_source, results),
        **BY_HAND,
        **TOURNAMENT,
        **DESK,
        **{f"{TABLE}{name}": table_part(name) for name in facts.tables},
    }


def application(broadcast: Broadcast, pictures: Mapping[str, bytes], language: str, access: Access) -> Starlette:
    """Return the application of the page; `pictures` has the newest picture of each table."""
    pages, streams, commands = (
        Pages(
            HERE / "templates",
            PAGE / "templates",
            commands=ALL_COMMANDS,
            functions={"signed": signed, "director_path": lambda: director_path(broadcast.facts)},
        ),
        Streams(broadcast),
        CommandEndpoint(broadcast, ALL_COMMANDS),
    )

    find_tournament = tournament_finder(broadcast)
    players, tables = PlayerPages(broadcast, pages, find_tournament), TableCards(broadcast, pages, find_tournament)
    static = StaticFiles(PAGE / "static", HERE / "static")

    async def now(_: Request) -> Response:
        return JSONResponse({"now": broadcast.now()}, headers=NO_STORE)

    def page(template: str, **values: Any) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            alone = broadcast.facts.alone
            return pages.page(request, template, may_write=request.state.may_write, alone=alone, **values)

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

    async def direct(request: Request) -> Response:
        controls = commands.controls
        book = None if controls is None else controls.book
        told = (
            {"book": "…", "book_sizes": None}
            if book is None
            else {"book": book.title, "book_sizes": table_sizes(book)}
        )
        may_write = request.state.may_write
        return pages.page(request, "tournament_director.html", may_write=may_write, **told, **AGREED, **LONGEST)

    async def openapi(_: Request) -> Response:
        return JSONResponse(described)

    app = Starlette(
        routes=[
            Route("/", page("hall.html")),
            Route("/table/{name}", table),
            Route("/results", page("hall_results.html")),
            *routes(broadcast),
            Route("/director", page("hall_director.html")),
            *tournament_files(broadcast, find_tournament),
            *sheet_routes(pages, find_tournament),
            Route("/tournament", page("tournament.html")),
            Route("/tournament/wall", page("tournament_wall.html")),
            Route("/tournament/director", direct),
            *import_routes(broadcast, commands),
            *RatingPages(broadcast, pages).routes(),
            *LeaguePages(broadcast, pages).routes(),
            *players.routes(),
            result_route(PLAYER, broadcast, commands),
            call_route(PLAYER, broadcast, commands, player_caller(players.find)),
            *tables.routes(),
            call_route(TABLE_PAGE, broadcast, commands, table_caller(tables.find)),
            *saving_routes(commands, find_tournament),
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
    described = document(app.routes, commands.commands, "The page of the hall", DESCRIBED)
    app.state.language, app.state.pages = language, pages
    app.state.streams, app.state.commands, app.state.start_button = streams, commands, lambda: False
    return app
