"""The page of the puzzle, the puzzle as JSON, and what the camera has read compared with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.errors import RefereeError
from referee.game.notice import Notice, told_by
from referee.game.puzzle.checking import check_beginning, check_solution
from referee.game.puzzle.making import Puzzle
from referee.game.puzzle.stages import Stage, stages_of
from referee.game.rulebooks import RULESETS, Ruleset
from referee.i18n import Wording
from referee.journal.opening import FILE
from referee.journal.rows import Row
from referee.journal.score_formats import local_time
from referee.journal.scores import Sheets
from referee.page.broadcast import Broadcast, number_in
from referee.page.pages import Pages
from referee.page.wording import face, faces, notice_response
from referee.pages.table.puzzle.daily import Daily, earlier_matches, puzzle_of
from referee.pages.table.scores.sheets import kept_rows
from referee.table.preparation.table_read import TableRead

BEGINNING, SOLUTION = "beginning", "solution"
"""What the table is compared with: first the puzzle's table, then its solutions."""
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
        self._one_at_a_time = asyncio.Lock()

    async def read(self, rules: Ruleset) -> tuple[date, Daily | None]:
        """Return the date and its puzzle; `rules` are for a made-up one. Raises the errors of `read_scores()`."""
        async with self._one_at_a_time:
            return await run_in_threadpool(self._read, rules)

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

    def __init__(self, pages: Pages, broadcast: Broadcast, puzzles: DailyPuzzles) -> None:
        self._pages, self._broadcast, self._puzzles = pages, broadcast, puzzles

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/puzzle", self._page),
            Route("/api/puzzle", self._puzzle),
            Route("/api/puzzle/{stage}/{number}", self._check),
        ]

    async def _page(self, request: Request) -> Response:
        return self._pages.page(request, "puzzle.html")

    async def _puzzle(self, request: Request) -> Response:
        """Answer with the puzzle of today, with all steps of its solution."""
        try:
            day, daily = await self._puzzles.read(self._rules())
        except RefereeError as error:
            return notice_response(request, told_by(error), UNREADABLE)
        if daily is None:
            return notice_response(request, NONE, NOT_FOUND)
        words = self._pages.words(request, daily.puzzle.rules.box.faces)
        body = {"date": day.isoformat(), **puzzle_json(daily, words)}
        return JSONResponse(body, headers={"Cache-Control": "no-store"})

    async def _check(self, request: Request) -> Response:
        """Compare what the camera has read last, by its number, with the puzzle."""
        read = self._broadcast.facts.prepared.table
        stage, number = request.path_params["stage"], number_in(request.path_params["number"])
        if read is None or read.number != number or stage not in (BEGINNING, SOLUTION):
            return notice_response(request, LATE, NOT_FOUND)
        try:
            _, daily = await self._puzzles.read(self._rules())
        except RefereeError as error:
            return notice_response(request, told_by(error), UNREADABLE)
        if daily is None:
            return notice_response(request, NONE, NOT_FOUND)
        right, told = await run_in_threadpool(compare, daily.puzzle, read, stage)
        words = self._pages.words(request, daily.puzzle.rules.box.faces)
        body = {"stage": stage, "right": right, "told": [words.sentence(one) for one in told]}
        return JSONResponse(body, headers={"Cache-Control": "no-store"})

    def _rules(self) -> Ruleset:
        """Return the rules at the table, or those of Rummikub if no sets are laid by them."""
        scene = self._broadcast.facts.scene
        rules = None if scene is None else scene.state.rules
        return RULESETS["rummikub"] if rules is None or rules.melds is None else rules


def compare(puzzle: Puzzle, read: TableRead, stage: str) -> tuple[bool, tuple[Notice, ...]]:
    """Return whether the table lies as this stage of a puzzle wants it, and what players are told.

    It is known which tiles must lie there, so tiles that were read only as likely count if all of them are those.
    """
    if read.trouble is not None:
        return False, (read.trouble,)
    check = check_beginning if stage == BEGINNING else check_solution
    wrong = check(puzzle, read.table)
    if not wrong:
        done = Notice("puzzle.begins") if stage == BEGINNING else Notice("puzzle.solved")
        return True, (done,)
    unsure = (Notice("puzzle.unsure", tiles=read.unsure),) if read.unsure else ()
    return False, (*wrong, *unsure)


def puzzle_json(daily: Daily, words: Wording) -> dict[str, Any]:
    """Return a puzzle as the page draws it."""
    puzzle, score = daily.puzzle, daily.score
    origin = Notice("puzzle.made_up")
    if score is not None:
        origin = Notice("puzzle.from_match", when=local_time(score.begun), round=daily.round)
    return {
        "origin": words(origin),
        "match": None if score is None else score.match,
        "rules": words(Notice("puzzle.rules", rules=puzzle.rules.title)),
        "task": words(Notice("puzzle.task", tiles=len(puzzle.hand))),
        "difficulty": words(Notice("puzzle.difficulty", sets=puzzle.changed)),
        "sets": puzzle.changed,
        "table": [faces(tiles, words) for tiles in puzzle.table],
        "hand": faces(puzzle.hand, words),
        "steps": [_step_json(stage, words) for stage in stages_of(puzzle.table, puzzle.steps)],
    }


def _step_json(stage: Stage, words: Wording) -> dict[str, Any]:
    groups = [
        {
            "number": None if group.place is None else group.place + 1,
            "tiles": [{**face(tile, words), "moved": index in group.moved} for index, tile in enumerate(group.tiles)],
        }
        for group in stage.groups
    ]
    return {"text": " ".join(words.sentence(told) for told in stage.told), "groups": groups}
