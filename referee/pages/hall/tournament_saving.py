"""Saves a whole tournament to one file and restores one from such a file, at this hall or another.

A file also has what only directors see, such as why somebody left, so both take the PIN.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.club.hall.tournaments.saved import read_tournament
from referee.club.hall.tournaments.state import Hosted
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.page.access.answers import refusal
from referee.page.access.authorization import ENTER
from referee.page.command import Refused
from referee.page.endpoint import NOT_READY, CommandEndpoint
from referee.page.openapi import Described
from referee.page.wording import PageWording, language_of, notice_response
from referee.pages.hall.tournament_fields import MOST_PLAYERS, MOST_ROUNDS

SAVED, RESTORE = "/tournament-saved.json", "/api/tournament/restore"
MOST_BYTES = 4_000_000
"""The largest file. 256 players whose seats are planned anew in each of 30 rounds make less than half of it."""
NO_STORE = {"Cache-Control": "no-store"}
PIN_FIRST = Notice("hall.pin_to_write", page=ENTER)
DESCRIBED: Mapping[str, Described] = {
    RESTORE: Described(
        "Restore a tournament from a file; not while another one is under way.",
        {"type": "string", "format": "binary"},
        {
            "type": "object",
            "required": ["id", "told"],
            "properties": {"id": {"type": "string"}, "told": {"type": "string"}},
        },
        "application/octet-stream",
    )
}


def saving_routes(commands: CommandEndpoint, find_tournament: Callable[[Request], Hosted]) -> list[Route]:
    """Return the routes; `find_tournament` returns the tournament that a request names, or raises 404."""

    async def save(request: Request) -> Response:
        if not request.state.may_write:
            return refusal(request, 403, PIN_FIRST)
        slug = find_tournament(request).slug
        if commands.controls is None:
            return notice_response(request, NOT_READY, 503)
        try:
            data = await asyncio.wrap_future(commands.controls.tournaments.save(slug))
        except Refused as error:
            return notice_response(request, error.told, error.status)
        except BadInput as error:
            return notice_response(request, told_by(error), 409)
        name = f'attachment; filename="{slug}.tournament.json"'
        return Response(data, media_type="application/json", headers={**NO_STORE, "Content-Disposition": name})

    async def restore(request: Request) -> Response:
        if commands.controls is None:
            return notice_response(request, NOT_READY, 503)
        data = await request.body()
        try:
            saved = await asyncio.to_thread(read_tournament, data, MOST_PLAYERS, MOST_ROUNDS)
            slug = await asyncio.wrap_future(commands.controls.tournaments.restore(saved))
        except Refused as error:
            return notice_response(request, error.told, error.status)
        except BadInput as error:
            return notice_response(request, told_by(error), 409)
        told = Notice("ranks.restored", name=saved.hosted.tournament.name)
        return JSONResponse({"id": slug, "told": PageWording(language_of(request))(told)}, headers=NO_STORE)

    return [Route(SAVED, save), Route(RESTORE, restore, methods=["POST"])]
