"""The routes of the coach: its page, what reads a picture, what finds the best turn, and the pictures shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from referee.game import coach
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS, Ruleset
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile, TileSet
from referee.i18n import Wording
from referee.journal.codec import PLAIN, codec_of
from referee.page.access.answers import NO_STORE
from referee.page.broadcast import Broadcast
from referee.page.command import Controls, Malformed, Refused, read_object, read_posted
from referee.page.endpoint import CommandEndpoint
from referee.page.pages import Pages
from referee.page.wording import PageWording, faces, language_of, missing_picture
from referee.pages.table.coach.allowed import box_for, match_under_way, refusal_of, rules_at_table, rules_for
from referee.pages.table.coach.api import LOOK, PAGE, READ, SOLVE, SolveFields
from referee.pages.table.coach.pictures import KeptPictures, decode
from referee.pages.table.coach.shown import advice_shown, sighting_shown
from referee.pages.table.read_pictures import CONFLICT, FORBIDDEN, NOT_READY, PictureReader, answer_or_refuse
from referee.settings.settings import SETTINGS
from referee.table.input.requests import LogCoach
from referee.vision.sighting import Image, Sighting

SOLVE_S, LOG_S = 30.0, 10.0
"""Seconds after which a turn counts as not found, and the loop as silent. A Pi needs a few."""
NO_TILES = Notice("coach.no_tiles")


class Coach:
    """Answers everything of the coach."""

    def __init__(self, broadcast: Broadcast, pages: Pages, commands: CommandEndpoint, reader: PictureReader) -> None:
        """`commands` has the controls of the running loop, which writes the journal; `reader` reads pictures."""
        self._broadcast, self._pages, self._commands = broadcast, pages, commands
        self._reader, self._pictures = reader, KeptPictures()

    def routes(self) -> list[BaseRoute]:
        """Return all routes."""
        return [
            Route(PAGE, self.page),
            Route("/coach/{name}.jpg", self.picture),
            Route(READ, self.read, methods=["POST"]),
            Route(LOOK, self.look, methods=["POST"]),
            Route(SOLVE, self.solve, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page."""
        facts = self._broadcast.facts
        own = rules_at_table(facts)
        words = self._pages.words(request, own.box.faces)
        return self._pages.page(
            request,
            "coach.html",
            books=[_book(rules, own) for rules in _books(own)],
            tiles={colour: _row(colour, words) for colour in Colour} | {"joker": faces([JOKER], words)},
            colours={colour: words.value(colour, "") for colour in Colour},
            colours_of={rules.name: list(box_for(facts, rules).colours) for rules in (own, *_books(own))},
            own=own.name,
        )

    async def picture(self, request: Request) -> Response:
        """Answer with a picture that was read a short while ago."""
        data = self._pictures.find(request.path_params["name"])
        if data is None:
            return missing_picture(request)
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600, immutable"})

    async def read(self, request: Request) -> Response:
        """Read the picture in the body; `rules` in the address is the rule book whose tiles are read."""
        data, box = await request.body(), self._box_in(request)

        async def answer() -> dict[str, Any]:
            picture, sighting = await self._reader.read(lambda: decode(data), box, own=False)
            if not any(read.tile is not None for read in sighting.reads):
                raise Refused(CONFLICT, NO_TILES)
            return await run_in_threadpool(self._shown, request, picture, sighting, box)

        return await self._answer(request, answer)

    async def look(self, request: Request) -> Response:
        """Read the table as the camera sees it now; outside a match only."""
        box = self._box_in(request)

        async def answer() -> dict[str, Any]:
            picture, sighting = await self._reader.read_table(box)
            return await run_in_threadpool(self._shown, request, picture, sighting, box)

        return await self._answer(request, answer)

    async def solve(self, request: Request) -> Response:
        """Find the best turn. During a match this is written to the journal before it is told."""
        try:
            fields: SolveFields = read_posted(codec_of(SolveFields, PLAIN), read_object(await request.body()))
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, NO_STORE)

        async def answer() -> dict[str, Any]:
            facts = self._broadcast.facts
            rules = rules_for(facts, fields.rules)
            question = coach.Question(fields.table, fields.hand, rules, fields.opened, fields.points)
            if (why := coach.objection(question)) is not None:
                raise Refused(CONFLICT, why)
            advice = await self._reader.work.run(lambda: coach.advise(question), SOLVE_S)
            await self._log(len(advice.laid))
            return advice_shown(advice, self._words(request))

        return await self._answer(request, answer)

    async def _answer(self, request: Request, answer: Callable[[], Awaitable[dict[str, Any]]]) -> Response:
        """Answer, or refuse with a sentence: nothing is told during a match in which it is not agreed."""

        async def answer_if_allowed() -> dict[str, Any]:
            self._refuse_unless_allowed()
            body = await answer()
            self._refuse_unless_allowed()  # a match may have begun meanwhile
            return body

        return await answer_or_refuse(request, answer_if_allowed)

    def _refuse_unless_allowed(self) -> None:
        self._broadcast.catch_up()
        if (why := refusal_of(self._broadcast.facts)) is not None:
            raise Refused(FORBIDDEN, why)

    def _box_in(self, request: Request) -> TileSet:
        """Return the tiles to be read: those of the rule book in the address, or of the table for anything else."""
        name, facts = request.query_params.get("rules", ""), self._broadcast.facts
        return box_for(facts, rules_for(facts, name if name in RULESETS else ""))

    def _words(self, request: Request) -> Wording:
        return PageWording(language_of(request), rules_at_table(self._broadcast.facts).box.faces)

    def _shown(self, request: Request, picture: Image, sighting: Sighting, box: TileSet) -> dict[str, Any]:
        name = self._pictures.keep(picture)
        return {"picture": f"/coach/{name}.jpg", **sighting_shown(sighting, picture, box, self._words(request))}

    async def _log(self, laid: int) -> None:
        """Write to the journal that the coach was asked, if a match is under way; raises Refused if that fails."""
        self._broadcast.catch_up()
        if match_under_way(self._broadcast.facts) is None:
            return
        controls: Controls | None = self._commands.controls
        if controls is None:
            raise Refused(NOT_READY, Notice("page.not_ready"))
        try:
            refused = await asyncio.wait_for(controls.send(LogCoach(laid)), LOG_S)
        except TimeoutError as error:
            raise Refused(NOT_READY, Notice("page.not_ready")) from error
        if refused is not None:
            raise Refused(FORBIDDEN, refused)


def _books(own: Ruleset) -> list[Ruleset]:
    """Return the rule books by which sets are laid turn by turn: that of the table first, then the usual one."""
    books = [rules for rules in RULESETS.values() if rules.melds is not None]
    usual = SETTINGS["game.rules"].default
    return sorted(books, key=lambda rules: (rules.name != own.name, rules.name != usual))


def _book(rules: Ruleset, own: Ruleset) -> dict[str, Any]:
    return {"name": rules.name, "title": rules.title, "chosen": rules.name == own.name}


def _row(colour: Colour, words: Wording) -> list[dict[str, Any]]:
    return faces([Tile(number, colour) for number in range(1, HIGHEST + 1)], words)
