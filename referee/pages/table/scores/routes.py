"""The pages of the score sheets. The journal is read in threads, so that reading never blocks the server."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.errors import RefereeError
from referee.game.notice import Notice, told_by
from referee.i18n import Wording
from referee.journal.comments import Comments
from referee.journal.opening import FILE
from referee.journal.score_formats import faces_of, result_of, when_begun
from referee.journal.scores import MatchScore, MatchState, Sheets, totals
from referee.journal.statistics import PlayerStatistics, Statistics, turn_totals
from referee.journal.tile_places import tiles_area
from referee.page.broadcast import number_in
from referee.page.pages import Pages
from referee.page.wording import missing_picture, notice_response, sentence_response
from referee.pages.table.pictures import width_of
from referee.pages.table.scores import chart, downloads, sheets
from referee.pages.table.scores.downloads import SavedPictures, load_places, load_scaled, scale_picture
from referee.pages.table.scores.drawings import mark_tiles, outlines
from referee.pages.table.scores.people import person
from referee.pages.table.scores.replay import Replay, Reruns, Turn, marks_of_turn, turn_shown
from referee.pages.table.scores.shared_turn import SHARED_WIDTH, View, strip, table_png, turn_png, turn_text
from referee.pages.table.scores.sheets import Chosen, NotThere, kept_rows, one, select_matches
from referee.table.output.notices import agreement_notices, scores_told
from referee.table.output.score_card import card_png

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
            Route("/scores/statistics.{kind}", self._answer_with(self._statistics_as_file)),
            Route("/scores/head-to-head.{kind}", self._answer_with(self._pairs_as_file)),
            Route("/scores/{match}.{kind}", self._answer_with(self._match_as_file)),
            Route("/scores/{match}", self._answer_with(self._match)),
            Route("/scores/{match}/card.png", self._answer_with(self._card)),
            Route("/scores/{match}/replay", self._answer_with(self._replay)),
            Route("/scores/{match}/turn/{turn}.png", self._answer_with(self._turn_as_picture)),
            Route("/scores/{match}/turn/{turn}.txt", self._answer_with(self._turn_as_text)),
            Route("/scores/{match}/table/{turn}.png", self._answer_with(self._drawn_table)),
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
        if "." in request.url.path.rpartition("/")[2]:  # a file
            return sentence_response(request, notice, status)
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
            unfinished=_unfinished(await self._scores()),
            matches=[sheets.match_line(score, self._pages.words(request)) for score in newest],
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
        return self._pages.page(request, "scores_players.html", players=shown, missing=missing, found=found)

    async def _match(self, request: Request) -> Response:
        score = one(await self._scores(), request.path_params["match"])
        pictures = await self._read(self._pictures_of, score.match)
        return self._pages.page(
            request,
            "scores_match.html",
            score=score,
            begun=when_begun(score, self._pages.words(request)),
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
        words = self._pages.words(request, replay.faces)
        query = request.query_params
        event, turn = number_in(query.get("event", "")), number_in(query.get("turn", ""))
        place = replay.of_event(event) if event is not None else (turn or 1) - 1
        if not 0 <= place < len(replay.turns):
            return RedirectResponse(f"/scores/{match}/replay", 303)
        kept = () if self._kept is None else await self._read(self._kept.events, match)
        address = address_of(request, match, place)
        return self._pages.page(
            request,
            "scores_replay.html",
            match=match,
            replay=replay,
            place=place,
            shown=turn_shown(replay, place, kept, words),
            views=[await self._read(self._view, match, replay.turns[place], event)
                   for event in replay.turns[place].events if event in set(kept)],
            strip=strip(replay, kept),
            address=address,
            text=turn_text(replay, place, match, words, address),
        )  # fmt: skip

    def _view(self, match: int, turn: Turn, event: int) -> View:
        """Return the picture of an event with the marked tiles in it."""
        found = None if self._kept is None else self._kept.stamp(match, event)
        sets = () if found is None else load_places(found[0])
        sets = tiles_area(sets).of(sets)
        mark = next((one.mark for one in turn.happenings if one.event == event), "")
        return View(event, mark, tuple(outlines(sets, marks_of_turn(turn, turn.looks.get(event, ())))))

    async def _turn(self, request: Request) -> tuple[Replay, int, int]:
        """Return the replay, the index of the turn that a request is for, and the number of the match."""
        match, turn = (number_in(request.path_params[name]) for name in ("match", "turn"))
        if match is None or turn is None:
            raise NotThere(Notice("scores.no_such_match"))
        replay: Replay = await self._read(self._reruns.replay_of, self._there(), match)
        if not 0 < turn <= len(replay.turns):
            raise NotThere(Notice("sharing.no_such_turn"))
        return replay, turn - 1, match

    # Files

    async def _turn_as_text(self, request: Request) -> Response:
        replay, place, match = await self._turn(request)
        words, address = self._pages.words(request, replay.faces), address_of(request, match, place)
        return downloads.text_file(turn_text(replay, place, match, words, address), f"match-{match}-turn-{place + 1}")

    async def _turn_as_picture(self, request: Request) -> Response:
        replay, place, match = await self._turn(request)
        data = await self._read(self._turn_png, replay, place, match, self._pages.words(request, replay.faces))
        return downloads.picture_file(data, f"match-{match}-turn-{place + 1}", save="save" in request.query_params)

    def _turn_png(self, replay: Replay, place: int, match: int, words: Wording) -> bytes:
        turn, kept = replay.turns[place], () if self._kept is None else self._kept.events(match)
        event = next((event for event in reversed(turn.events) if event in kept), None)
        found = None if event is None or self._kept is None else self._kept.stamp(match, event)
        image = None if found is None else load_scaled(found[0], SHARED_WIDTH, tiles=True)
        if found is not None and image is not None and event is not None:
            sets = load_places(found[0])
            mark_tiles(image, tiles_area(sets).of(sets), marks_of_turn(turn, turn.looks.get(event, ())))
        return turn_png(replay, place, match, words, image)

    async def _drawn_table(self, request: Request) -> Response:
        replay, place, _ = await self._turn(request)
        width = width_of(request.query_params.get("w", ""))
        words = self._pages.words(request, replay.faces)
        shown = turn_shown(replay, place, (), words)
        tag = f'"{hashlib.sha256(repr((shown.sets, width)).encode()).hexdigest()[:20]}"'
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        data = await self._read(table_png, shown.sets, width)
        return Response(data, media_type="image/png", headers=headers)

    async def _card(self, request: Request) -> Response:
        score = one(await self._scores(), request.path_params["match"])
        data = await self._read(self._card_png, score, self._pages.words(request))
        name = f"{score.begun.astimezone():%Y-%m-%d}-match-{score.match}"
        return downloads.picture_file(data, name, save="save" in request.query_params)

    def _card_png(self, score: MatchScore, words: Wording) -> bytes:
        return card_png(score, turn_totals(kept_rows(self._there(), score.match)), words)

    async def _statistics_as_file(self, request: Request) -> Response:
        return downloads.statistics(await self._all_statistics(request), request.path_params["kind"])

    async def _pairs_as_file(self, request: Request) -> Response:
        return downloads.pairs(await self._all_statistics(request), request.path_params["kind"])

    async def _all_statistics(self, request: Request) -> list[PlayerStatistics]:
        """Return the statistics of the chosen matches, complete; other requests come in between."""
        found = await self._choose_matches(request)
        if self._statistics is None:
            raise NotThere(Notice("scores.no_journal"))
        players, missing = await self._read(self._statistics.read, found.scores)
        while missing:
            players, missing = await self._read(self._statistics.read, found.scores)
        return players

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
        width, tiles = width_of(request.query_params.get("w", "")), "tiles" in request.query_params
        headers = {"ETag": f'"{stamp}-{width}{"-tiles" * tiles}"', "Cache-Control": "private, no-cache"}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        data = await self._read(scale_picture, path, width, tiles=tiles)
        if data is None:
            return missing_picture(request)
        return Response(data, media_type="image/jpeg", headers=headers)


def _unfinished(scores: Sequence[MatchScore]) -> int | None:
    """Return the number of the newest match if it is not over, so that it can go on; None if it is."""
    return scores[-1].match if scores and scores[-1].state is MatchState.NOT_OVER else None


def address_of(request: Request, match: int, place: int) -> str:
    """Return the address of a turn, by the name under which the page was requested; it never changes."""
    return f"{request.base_url}scores/{match}/replay?turn={place + 1}"
