"""The routes of the coach: its page, what reads a picture, what finds the best turn, and the pictures shown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from referee.errors import CannotJudge, UnreadablePicture
from referee.game import coach
from referee.game.notice import Notice, told_by
from referee.game.rulebooks import RULESETS, Ruleset
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile
from referee.i18n import Wording
from referee.i18n.wording import sendable
from referee.journal.codec import PLAIN, codec_of
from referee.page.access.answers import NO_STORE
from referee.page.broadcast import Broadcast
from referee.page.command import Controls, Malformed, read_posted
from referee.page.endpoint import CommandEndpoint
from referee.page.pages import Pages
from referee.page.wording import PageWording, faces, language_of, missing_picture, notice_response
from referee.pages.table.coach.allowed import box_for, match_under_way, refusal_of, rules_at_table, rules_for
from referee.pages.table.coach.api import LOOK, PAGE, READ, SOLVE, SolveFields
from referee.pages.table.coach.one_at_a_time import Busy, OneAtATime, TooLong
from referee.pages.table.coach.pictures import KeptPictures, decode
from referee.pages.table.coach.shown import advice_shown, sighting_shown
from referee.settings.settings import SETTINGS
from referee.table.input.requests import LogCoach, TakePicture
from referee.table.surroundings import ReadPicture
from referee.vision.sighting import Image, Sighting

READ_S, SOLVE_S, LOOK_S = 30.0, 30.0, 10.0
"""Seconds after which a picture counts as not read, a turn as not found, and a camera as silent. A Pi needs a few."""
BUSY, TOO_LONG, NO_READER = Notice("coach.busy"), Notice("coach.too_long"), Notice("coach.no_reader")
NO_PICTURE, NO_TILES, NO_CAMERA = Notice("coach.no_picture"), Notice("coach.no_tiles"), Notice("coach.no_camera")
FORBIDDEN, CONFLICT, NOT_READY = 403, 409, 503


class Refusal(Exception):
    """Nothing is answered, with a status and one sentence."""

    def __init__(self, status: int, told: Notice) -> None:
        super().__init__(told.key)
        self.status, self.told = status, told


class Coach:
    """Answers everything of the coach."""

    def __init__(self, broadcast: Broadcast, pages: Pages, commands: CommandEndpoint) -> None:
        """`commands` has the controls of the running loop, which reads pictures and writes the journal."""
        self._broadcast, self._pages, self._commands = broadcast, pages, commands
        self._work, self._pictures = OneAtATime("coach"), KeptPictures()

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
        data, book = await request.body(), _book_in(request)

        async def answer(words: Wording) -> dict[str, Any]:
            return await self._read(lambda: decode(data), self._reads(), book, words, own=False)

        return await self._answer(request, answer)

    async def look(self, request: Request) -> Response:
        """Read the table as the camera sees it now; outside a match only."""
        book = _book_in(request)

        async def answer(words: Wording) -> dict[str, Any]:
            reads = self._reads()
            picture = await self._camera_picture()
            return await self._read(lambda: picture, reads, book, words, own=True)

        return await self._answer(request, answer)

    async def solve(self, request: Request) -> Response:
        """Find the best turn. During a match this is written to the journal before it is told."""
        try:
            fields: SolveFields = read_posted(codec_of(SolveFields, PLAIN), _json_of(await request.body()))
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, NO_STORE)

        async def answer(words: Wording) -> dict[str, Any]:
            facts = self._broadcast.facts
            rules = rules_for(facts, fields.rules)
            question = coach.Question(fields.table, fields.hand, rules, fields.opened, fields.points)
            if (why := coach.objection(question)) is not None:
                raise Refusal(CONFLICT, why)
            advice = await self._work.run(lambda: coach.advise(question), SOLVE_S)
            await self._log(len(advice.laid))
            return advice_shown(advice, words)

        return await self._answer(request, answer)

    async def _answer(self, request: Request, answer: Callable[[Wording], Awaitable[dict[str, Any]]]) -> Response:
        """Answer, or refuse with a sentence: nothing is begun during a match in which it is not agreed."""
        self._broadcast.catch_up()
        facts = self._broadcast.facts
        if (why := refusal_of(facts)) is not None:
            return notice_response(request, why, FORBIDDEN)
        words = PageWording(language_of(request), rules_at_table(facts).box.faces)
        try:
            body = await answer(words)
        except Refusal as error:
            return notice_response(request, error.told, error.status)
        except Busy:
            return notice_response(request, BUSY, NOT_READY, {"Retry-After": "5"})
        except TooLong:
            return notice_response(request, TOO_LONG, NOT_READY, {"Retry-After": "30"})
        text = sendable(json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")))
        return Response(text, media_type="application/json", headers=NO_STORE)

    def _reads(self) -> ReadPicture:
        """Return what reads pictures; raises Refusal if nothing does."""
        controls: Controls | None = self._commands.controls
        reads = None if controls is None else controls.reads
        if reads is None:
            raise Refusal(CONFLICT, NO_READER)
        return reads

    async def _read(
        self, take: Callable[[], Image], reads: ReadPicture, book: str, words: Wording, *, own: bool
    ) -> dict[str, Any]:
        """Read the picture that `take` returns in the coach's thread; `own`: it is from the table's camera."""
        facts = self._broadcast.facts
        box = box_for(facts, rules_for(facts, book))

        def work() -> tuple[Image, Sighting, str]:
            picture = take()
            sighting = reads(picture, box, own)
            return picture, sighting, self._pictures.keep(picture)

        try:
            picture, sighting, name = await self._work.run(work, READ_S)
        except UnreadablePicture as error:
            raise Refusal(CONFLICT, NO_PICTURE) from error
        except CannotJudge as error:
            raise Refusal(CONFLICT, told_by(error)) from error
        if not any(read.tile is not None for read in sighting.reads) and not own:
            raise Refusal(CONFLICT, NO_TILES)
        return {"picture": f"/coach/{name}.jpg", **sighting_shown(sighting, picture, box, words)}

    async def _camera_picture(self) -> Image:
        controls: Controls | None = self._commands.controls
        if controls is None or match_under_way(self._broadcast.facts) is not None:
            raise Refusal(CONFLICT, NO_CAMERA)
        here = asyncio.get_running_loop()
        taken: asyncio.Future[Image | None] = here.create_future()

        def take(picture: Image | None) -> None:
            here.call_soon_threadsafe(_answer_once, taken, picture)

        try:
            async with asyncio.timeout(LOOK_S):
                if (refused := await controls.send(TakePicture(take))) is not None:
                    raise Refusal(CONFLICT, refused)
                picture: Image | None = await taken
        except TimeoutError as error:
            raise Refusal(NOT_READY, NO_CAMERA) from error
        if picture is None:
            raise Refusal(NOT_READY, NO_CAMERA)
        return picture

    async def _log(self, laid: int) -> None:
        """Write to the journal that the coach was asked, if a match is under way; raises Refusal if that fails."""
        self._broadcast.catch_up()
        if match_under_way(self._broadcast.facts) is None:
            return
        controls: Controls | None = self._commands.controls
        if controls is None:
            raise Refusal(NOT_READY, Notice("page.not_ready"))
        try:
            refused = await asyncio.wait_for(controls.send(LogCoach(laid)), LOOK_S)
        except TimeoutError as error:
            raise Refusal(NOT_READY, Notice("page.not_ready")) from error
        if refused is not None:
            raise Refusal(FORBIDDEN, refused)


def _answer_once(taken: asyncio.Future[Image | None], picture: Image | None) -> None:
    if not taken.done():
        taken.set_result(picture)


def _books(own: Ruleset) -> list[Ruleset]:
    """Return the rule books by which sets are laid turn by turn: that of the table first, then the usual one."""
    books = [rules for rules in RULESETS.values() if rules.melds is not None]
    usual = SETTINGS["game.rules"].default
    return sorted(books, key=lambda rules: (rules.name != own.name, rules.name != usual))


def _book(rules: Ruleset, own: Ruleset) -> dict[str, Any]:
    return {"name": rules.name, "title": rules.title, "chosen": rules.name == own.name}


def _row(colour: Colour, words: Wording) -> list[dict[str, Any]]:
    return faces([Tile(number, colour) for number in range(1, HIGHEST + 1)], words)


def _book_in(request: Request) -> str:
    """Return the rule book that the address names; that of the table for anything else."""
    name = request.query_params.get("rules", "")
    return name if name in RULESETS else ""


def _json_of(body: bytes) -> Mapping[str, Any]:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed("expected JSON, found something else") from error
    if not isinstance(told, dict):
        raise Malformed("expected an object, found something else")
    return told
