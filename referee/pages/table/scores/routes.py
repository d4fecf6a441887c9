"""The pages of the score sheets. The journal is read in threads, so that reading never blocks the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.errors import RefereeError
from referee.game.notice import Notice, told_by
from referee.journal.comments import Comments
from referee.journal.opening import FILE
from referee.journal.score_formats import faces_of, local_time, result_of
from referee.journal.scores import MatchScore, Sheets, totals
from referee.journal.statistics import Statistics
from referee.page.broadcast import number_in
from referee.page.pages import Pages
from referee.page.wording import missing_picture, notice_response
from referee.pages.table.pictures import width_of
from referee.pages.table.scores import chart, downloads, sheets
from referee.pages.table.scores.downloads import SavedPictures, scale_picture
from referee.pages.table.scores.people import person
from referee.pages.table.scores.replay import Replay, Reruns, turn_shown
from referee.pages.table.scores.sheets import Chosen, NotThere, kept_rows, one, select_matches
from referee.table.output.notices import agreement_notices, scores_told

AT_ONCE = 2
"""How many threads may read the journal for the page at a time; few, because the match needs the processor more."""
MOST_WAITING = 20
"""If this many requests already read or wait for such a thread, another one is told to try again."""
A_PAGE = 50
"""Matches on one page of the list."""
NOT_FOUND, UNREADABLE = 404, 503

P = ParamSpec("P")
R = TypeVar("R")


class _Busy(Exception):
    """Too many requests are waiting already."""


class Scores:
    """Answers for everything below `/scores`."""

    def __init__(self, pages: Pages, folder: Path | None) -> None:
        """`folder` is that of the journal; None if there is none."""
        self._pages = pages
        self._path = None if folder is None else folder / FILE
        self._kept = None if folder is None else SavedPictures(folder)
        self._sheets = None if self._path is None else Sheets(self._path)
        self._statistics = None if self._path is None else Statistics(self._path)
        self._reruns = Reruns()
        self._comments = Comments()
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    def routes(self) -> list[Route]:
        """Return the routes, the more specific ones first."""
        return [
            Route("/scores", self._answer_with(self._all_matches)),
            Route("/scores.{kind}", self._answer_with(self._all_as_file)),
            Route("/scores/players", self._answer_with(self._players)),
            Route("/scores/players.{kind}", self._answer_with(self._totals_as_file)),
            Route("/scores/{match}.{kind}", self._answer_with(self._match_as_file)),
            Route("/scores/{match}", self._answer_with(self._match)),
            Route("/scores/{match}/replay", self._answer_with(self._replay)),
            Route("/scores/{match}/correct/{round}", self._answer_with(self._correct)),
            Route("/scores/{match}/picture/{event}.jpg", self._picture),
            Route("/api/comments/{match}", self._match_comments),
            Route("/api/comments/{match}/{round}", self._match_comments),
        ]

    def _answer_with(self, page: Callable[[Request], Any]) -> Callable[[Request], Any]:
        """Return the endpoint of a page. If it cannot be shown, the answer is a sentence with the fitting status."""

        async def answer(request: Request) -> Response:
            try:
                response: Response = await page(request)
            except NotThere as error:
                return self._problem(request, error.told, NOT_FOUND)
            except _Busy:
                return self._problem(request, Notice("page.not_ready"), UNREADABLE)
            except RefereeError as error:
                return self._problem(request, told_by(error), UNREADABLE)
            return response

        return answer

    def _problem(self, request: Request, notice: Notice, status: int) -> Response:
        if "kind" in request.path_params:
            return notice_response(request, notice, status)
        return self._pages.page(request, "scores_problem.html", status, problem=notice)

    async def _read(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        if self._waiting >= MOST_WAITING:
            raise _Busy
        self._waiting += 1
        try:
            async with self._at_once:
                return await run_in_threadpool(call, *args, **kwargs)
        finally:
            self._waiting -= 1

    async def _scores(self) -> list[MatchScore]:
        if self._sheets is None:
            raise NotThere(Notice("scores.no_journal"))
        return await self._read(self._sheets.read)

    async def known_matches(self) -> list[MatchScore]:
        """Return every match, oldest first; none if there is no journal or it cannot be read now."""
        try:
            return await self._scores()
        except (NotThere, _Busy, RefereeError):
            return []

    def _there(self) -> Path:
        if self._path is None:
            raise NotThere(Notice("scores.no_journal"))
        return self._path

    async def _choose_matches(self, request: Request) -> Chosen:
        query = request.query_params
        return select_matches(await self._scores(), query.get("season", ""), query.get("player", ""))

    # Pages

    async def _all_matches(self, request: Request) -> Response:
        found = await self._choose_matches(request)
        page = number_in(request.query_params.get("page", "")) or 1
        newest = found.scores[::-1][(page - 1) * A_PAGE : page * A_PAGE]
        return self._pages.page(
            request,
            "scores.html",
            matches=[sheets.match_line(score) for score in newest],
            totals=totals(found.scores),
            title_of=sheets.title_of,
            found=found,
            page=page,
            more=len(found.scores) > page * A_PAGE,
        )

    async def _players(self, request: Request) -> Response:
        found = await self._choose_matches(request)
        if self._statistics is None:
            raise NotThere(Notice("scores.no_journal"))
        players, missing = await self._read(self._statistics.read, found.scores)
        language = self._pages.words(request).language
        shown = [person(one, players, language) for one in players]
        return self._pages.page(request, "scores_players.html", players=shown, missing=missing)

    async def _match(self, request: Request) -> Response:
        score = one(await self._scores(), request.path_params["match"])
        pictures = await self._read(self._pictures_of, score.match)
        return self._pages.page(
            request,
            "scores_match.html",
            score=score,
            begun=local_time(score.begun),
            rules=sheets.title_of(score.setup.rules),
            options=sheets.options_of(score),
            result=result_of(score),
            rounds=sheets.rounds_of(score, pictures),
            totals=chart.series(score.sheet.totals),
            running=[chart.series(row) for row in chart.running_totals(score.sheet)],
            chart=chart.chart(score.sheet),
            corrections=sheets.corrections_of(score),
            agreements=agreement_notices(score.sheet),
            tiles=self._pages.words(request, faces_of(score)),
        )

    def _pictures_of(self, match: int) -> dict[int, tuple[int, ...]]:
        events = () if self._kept is None else self._kept.events(match)
        return sheets.rounds_of_events(kept_rows(self._there(), match), events) if events else {}

    async def _correct(self, request: Request) -> Response:
        score = one(await self._scores(), request.path_params["match"])
        number = number_in(request.path_params["round"])
        if number is None or not 1 <= number <= len(score.sheet.rounds):
            raise NotThere(Notice("scores.no_such_round"))
        line = score.sheet.rounds[number - 1]
        direct = downloads.gives_points(score)
        return self._pages.page(
            request,
            "scores_correct.html",
            score=score,
            number=number,
            line=line,
            points=line.scores if direct else line.hands,
            direct=direct,
            stands=scores_told(score.sheet.players, line.scores),
            may_write=request.state.may_write,
        )

    async def _replay(self, request: Request) -> Response:
        match = number_in(request.path_params["match"])
        if match is None:
            raise NotThere(Notice("scores.no_such_match"))
        replay: Replay = await self._read(self._reruns.replay_of, self._there(), match)
        query = request.query_params
        event, turn = number_in(query.get("event", "")), number_in(query.get("turn", ""))
        place = replay.of_event(event) if event is not None else (turn or 1) - 1
        if not 0 <= place < len(replay.turns):
            return RedirectResponse(f"/scores/{match}/replay", 303)
        kept = () if self._kept is None else await self._read(self._kept.events, match)
        return self._pages.page(
            request,
            "scores_replay.html",
            match=match,
            replay=replay,
            place=place,
            shown=turn_shown(replay, place, kept, self._pages.words(request, replay.faces)),
        )

    # Files

    async def _all_as_file(self, request: Request) -> Response:
        found = await self._choose_matches(request)
        return downloads.matches(found.scores, request.path_params["kind"], "scores")

    async def _totals_as_file(self, request: Request) -> Response:
        found = await self._choose_matches(request)
        return downloads.players(totals(found.scores), request.path_params["kind"])

    async def _match_as_file(self, request: Request) -> Response:
        score = one(await self._scores(), request.path_params["match"])
        return downloads.match(score, request.path_params["kind"])

    async def _match_comments(self, request: Request) -> Response:
        """Answer with what can be proven about the rounds of a match that are over, or about one of them."""
        match, only = (number_in(request.path_params.get(name, "")) for name in ("match", "round"))
        try:
            found = await self._read(self._comments_of, match or 0, only)
        except _Busy:
            return notice_response(request, Notice("page.not_ready"), UNREADABLE)
        except RefereeError as error:
            return notice_response(request, told_by(error), UNREADABLE)
        words = self._pages.words(request)
        rounds = [{"round": number, "lines": [words(line) for line in lines]} for number, lines in found.items()]
        return JSONResponse({"rounds": rounds}, headers={"Cache-Control": "no-store"})

    def _comments_of(self, match: int, only: int | None) -> dict[int, tuple[Notice, ...]]:
        return {} if self._path is None else self._comments.read(kept_rows(self._path, match), only)

    async def _picture(self, request: Request) -> Response:
        try:
            return await self._send_picture(request)
        except _Busy:
            return notice_response(request, Notice("page.not_ready"), UNREADABLE)

    async def _send_picture(self, request: Request) -> Response:
        match, event = (number_in(request.path_params[name]) for name in ("match", "event"))
        if self._kept is None or match is None or event is None:
            return missing_picture(request)
        found = await self._read(self._kept.stamp, match, event)
        if found is None:
            return missing_picture(request)
        path, stamp = found
        width = width_of(request.query_params.get("w", ""))
        headers = {"ETag": f'"{stamp}-{width}"', "Cache-Control": "private, no-cache"}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        data = await self._read(scale_picture, path, width)
        if data is None:
            return missing_picture(request)
        return Response(data, media_type="image/jpeg", headers=headers)
