"""The page of the puzzle, the puzzle as JSON, its solution on request, and the table compared with it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.errors import RefereeError
from referee.game.coach import told_steps
from referee.game.notice import Notice, told_by
from referee.game.puzzle.checking import check_beginning, check_solution
from referee.game.puzzle.making import Puzzle
from referee.game.rulebooks import RULESETS, Ruleset
from referee.i18n import Wording
from referee.journal.codec import PLAIN, codec_of
from referee.journal.opening import FILE
from referee.journal.rows import Row
from referee.journal.score_formats import local_time
from referee.journal.scores import Sheets
from referee.page.access.answers import NO_STORE
from referee.page.broadcast import Broadcast, number_in
from referee.page.command import Malformed, Refused, read_object, read_posted
from referee.page.pages import Pages
from referee.page.wording import faces
from referee.pages.table.coach.allowed import box_for
from referee.pages.table.puzzle.api import BEGINNING, CHECK, CheckFields
from referee.pages.table.puzzle.daily import Daily, earlier_matches, puzzle_of
from referee.pages.table.read_pictures import PictureReader, answer_or_refuse
from referee.pages.table.scores.sheets import kept_rows
from referee.pages.table.steps_shown import steps_shown
from referee.vision.sighting import Sighting

REMEMBERED = 3
"""How many puzzles are remembered. Somebody may still be building yesterday's, or one by rules chosen before."""
NONE = Notice("puzzle.none")
LATE = Notice("page.late")
NOT_FOUND, UNREADABLE = 404, 503

Today = Callable[[], date]


def today() -> date:
    """Return the date of this machine."""
    return datetime.now(UTC).astimezone().date()


class DailyPuzzles:
    """The puzzle of today; it is made once, in a thread, and remembered."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` is that of the journal; None if there is none."""
        self.today: Today = today
        self._path = None if folder is None else folder / FILE
        self._sheets = None if self._path is None else Sheets(self._path)
        self._known: tuple[object, date, Daily | None] | None = None
        self._told: OrderedDict[str, Daily] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    async def read(self, rules: Ruleset) -> tuple[date, Daily | None]:
        """Return the date and its puzzle; `rules` are for a made-up one. Raises the errors of `read_scores()`."""
        async with self._one_at_a_time:
            day, daily = await run_in_threadpool(self._read, rules)
        if daily is not None:
            self._told[daily.name] = daily
            self._told.move_to_end(daily.name)
            while len(self._told) > REMEMBERED:
                self._told.popitem(last=False)
        return day, daily

    async def find(self, name: str, rules: Ruleset) -> Daily | None:
        """Return a puzzle that was told a while ago, or that of today; None if neither has this name."""
        if name not in self._told:
            await self.read(rules)
        return self._told.get(name)

    def _read(self, rules: Ruleset) -> tuple[date, Daily | None]:
        day = self.today()
        matches = earlier_matches([] if self._sheets is None else self._sheets.read(), day)
        key = day, tuple(score.match for score in matches), rules.name
        if self._known is None or self._known[0] != key:
            self._known = key, day, puzzle_of(day, matches, self._rows_of, rules)
        return self._known[1:]

    def _rows_of(self, match: int) -> Sequence[Row]:
        return [] if self._path is None else kept_rows(self._path, match)


class PuzzlePages:
    """Answers for the page of the puzzle and for what its script asks."""

    def __init__(self, pages: Pages, broadcast: Broadcast, puzzles: DailyPuzzles, reader: PictureReader) -> None:
        """`reader` takes and reads pictures of the table."""
        self._pages, self._broadcast, self._puzzles, self._reader = pages, broadcast, puzzles, reader

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/puzzle", self._page),
            Route("/api/puzzle", self._puzzle),
            Route("/api/puzzle/{name}/steps/{number}", self._steps),
            Route(CHECK, self._check, methods=["POST"]),
        ]

    async def _page(self, request: Request) -> Response:
        return self._pages.page(request, "puzzle.html")

    async def _puzzle(self, request: Request) -> Response:
        """Answer with the puzzle of today, without its solution."""

        async def answer() -> dict[str, Any]:
            try:
                day, daily = await self._puzzles.read(self._rules())
            except RefereeError as error:
                raise Refused(UNREADABLE, told_by(error)) from error
            if daily is None:
                raise Refused(NOT_FOUND, NONE)
            return {"date": day.isoformat(), **puzzle_json(daily, self._words(request, daily))}

        return await answer_or_refuse(request, answer)

    async def _steps(self, request: Request) -> Response:
        """Answer with the first so many steps of a solution."""

        async def answer() -> dict[str, Any]:
            daily = await self._find(request.path_params["name"])
            most = number_in(request.path_params["number"]) or 0
            steps = await run_in_threadpool(_told_steps, daily.puzzle, self._words(request, daily))
            return {"steps": steps[:most]}

        return await answer_or_refuse(request, answer)

    async def _check(self, request: Request) -> Response:
        """Compare what lies on the table with a stage of a puzzle."""
        try:
            fields: CheckFields = read_posted(codec_of(CheckFields, PLAIN), read_object(await request.body()))
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, NO_STORE)

        async def answer() -> dict[str, Any]:
            daily = await self._find(fields.puzzle)
            _, sighting = await self._reader.read_table(box_for(self._broadcast.facts, daily.puzzle.rules))
            right, told = await run_in_threadpool(compare, daily.puzzle, sighting, fields.stage)
            words = self._words(request, daily)
            return {"stage": fields.stage, "right": right, "told": [words.sentence(one) for one in told]}

        return await answer_or_refuse(request, answer)

    async def _find(self, name: str) -> Daily:
        try:
            daily = await self._puzzles.find(name, self._rules())
        except RefereeError as error:
            raise Refused(UNREADABLE, told_by(error)) from error
        if daily is None:
            raise Refused(NOT_FOUND, LATE)
        return daily

    def _words(self, request: Request, daily: Daily) -> Wording:
        return self._pages.words(request, daily.puzzle.rules.box.faces)

    def _rules(self) -> Ruleset:
        """Return the rules at the table, or those of Rummikub if no sets are laid by them."""
        scene = self._broadcast.facts.scene
        rules = None if scene is None else scene.state.rules
        return RULESETS["rummikub"] if rules is None or rules.melds is None else rules


def compare(puzzle: Puzzle, seen: Sighting, stage: str) -> tuple[bool, tuple[Notice, ...]]:
    """Return whether the table lies as this stage of a puzzle wants it, and what players are told.

    It is known which tiles must lie there, so tiles that were read only as likely count if all of them are those.
    """
    check = check_beginning if stage == BEGINNING else check_solution
    wrong = check(puzzle, seen.table)
    if not wrong:
        done = Notice("puzzle.begins") if stage == BEGINNING else Notice("puzzle.solved")
        return True, (done,)
    unsure = tuple(tile for index in seen.doubts if (tile := seen.reads[index].tile) is not None)
    return False, (*wrong, *((Notice("puzzle.unsure", tiles=unsure),) if unsure else ()))


def puzzle_json(daily: Daily, words: Wording) -> dict[str, Any]:
    """Return a puzzle as the page draws it; of the solution, only how many steps it has."""
    puzzle, score = daily.puzzle, daily.score
    origin = Notice("puzzle.made_up")
    if score is not None:
        origin = Notice("puzzle.from_match", when=local_time(score.begun), round=daily.round)
    return {
        "name": daily.name,
        "origin": words(origin),
        "match": None if score is None else score.match,
        "rules": words(Notice("puzzle.rules", rules=puzzle.rules.title)),
        "task": words(Notice("puzzle.task", tiles=len(puzzle.hand))),
        "difficulty": words(Notice("puzzle.difficulty", sets=puzzle.changed)),
        "sets": puzzle.changed,
        "table": [faces(tiles, words) for tiles in puzzle.table],
        "hand": faces(puzzle.hand, words),
        "steps": len(puzzle.steps),
    }


def _told_steps(puzzle: Puzzle, words: Wording) -> list[dict[str, Any]]:
    return steps_shown(told_steps(puzzle.table, puzzle.steps), words)
