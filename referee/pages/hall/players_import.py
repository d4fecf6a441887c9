"""Takes a file with players: shows what was found in it, and enters them only when asked to.

Both are the same request with the same bytes, so nothing is kept between the two: what is entered is read again, and
refused as a whole if anything in it is wrong by then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted, HostedEvent
from referee.club.tournament import OutOfOrder, Tournament
from referee.club.tournament.players_file import PlayerList, decode_list, read_players
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.page.broadcast import Broadcast
from referee.page.command import Refused
from referee.page.endpoint import NOT_READY, CommandEndpoint
from referee.page.openapi import Described
from referee.page.wording import PageWording, language_of, notice_response
from referee.pages.hall.tournament_commands import TournamentControls
from referee.pages.hall.tournament_fields import MOST_PLAYERS

PATH = "/api/tournament/players"
MOST_BYTES = 200_000
"""The largest file: 2,000 lines of a hundred bytes."""
WRONG_SHOWN = 200
"""How many faults are told one by one; a file with more is another kind of file."""
NO_STORE = {"Cache-Control": "no-store"}
_TEXT = {"type": "string"}
_LINE = {
    "type": "object",
    "required": ["line", "name", "club", "team", "rating", "written", "known", "right"],
    "properties": {
        "line": {"type": "integer"},
        "name": _TEXT,
        "club": _TEXT,
        "team": _TEXT,
        "rating": {"type": ["integer", "null"]},
        "written": _TEXT,
        "known": {"type": "boolean"},
        "right": {"type": "boolean"},
    },
}
DESCRIBED: Mapping[str, Described] = {
    PATH: Described(
        "Show what is in a file of players, and with `enter` enter them: all of them or none.",
        {"type": "string", "format": "binary"},
        {
            "type": "object",
            "required": ["form", "players", "wrong", "told", "entered"],
            "properties": {
                "form": {"enum": ["csv", "trf"]},
                "players": {"type": "array", "items": _LINE},
                "wrong": {"type": "array", "items": _TEXT},
                "told": _TEXT,
                "entered": {"type": "boolean"},
            },
        },
        "application/octet-stream",
        {"enter": {"enum": ["0", "1"]}},
    )
}


def import_routes(broadcast: Broadcast, commands: CommandEndpoint) -> list[Route]:
    """Return the route that takes a file of players."""

    async def take_file(request: Request) -> Response:
        text = decode_list(await request.body())
        facts: TournamentFacts = broadcast.facts.tournaments or TournamentFacts()
        try:
            if request.query_params.get("enter") == "1":
                return _answer(request, await _enter(text, commands.controls), entered=True)
            found = read_players(text, _open_tournament(facts), MOST_PLAYERS)
        except Refused as error:
            return notice_response(request, error.told, error.status)
        except BadInput as error:
            return notice_response(request, told_by(error), 409)
        return _answer(request, found, entered=False)

    return [Route(PATH, take_file, methods=["POST"])]


def _open_tournament(facts: TournamentFacts) -> Tournament:
    if facts.current is None:
        raise OutOfOrder(Notice("director.none"))
    if facts.current.tournament.ended:
        raise OutOfOrder(Notice("tournament.over"))
    return facts.current.tournament


async def _enter(text: str, controls: TournamentControls | None) -> PlayerList:
    """Enter the players and return the list; raises BadInput if it is wrong, Refused if there are no tournaments."""
    if controls is None:
        raise Refused(503, NOT_READY)
    found: list[PlayerList] = []

    def enter(hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
        listed = read_players(text, hosted.tournament, MOST_PLAYERS, t)
        if listed.wrong:
            raise BadInput(Notice("ranks.not_entered", why=listed.wrong[0]))
        found.append(listed)
        return listed.events

    await asyncio.wrap_future(controls.tournaments.change(enter))
    return found[0]


def _answer(request: Request, found: PlayerList, *, entered: bool) -> Response:
    words = PageWording(language_of(request))
    wrong = [words(one) for one in found.wrong[:WRONG_SHOWN]]
    if len(found.wrong) > WRONG_SHOWN:
        wrong.append(words(Notice("ranks.more_wrong", lines=len(found.wrong) - WRONG_SHOWN)))
    told: dict[str, Any] = {
        "form": found.form,
        "players": [
            {
                "line": one.line,
                "name": one.name,
                "club": one.club,
                "team": one.team,
                "rating": one.rating,
                "written": one.written,
                "known": one.known,
                "right": not one.troubles,
            }
            for one in found.players
        ],
        "wrong": wrong,
        "told": words(_sum_up(found, entered=entered)),
        "entered": entered,
    }
    return JSONResponse(told, headers=NO_STORE)


def _sum_up(found: PlayerList, *, entered: bool) -> Notice:
    known = sum(one.known for one in found.players)
    if found.wrong:
        return Notice("ranks.is_wrong", lines=len(found.wrong))
    key = "ranks.were_entered" if entered else "ranks.is_right"
    return Notice(key, players=len(found.players) - known, known=known)
