"""The results of all matches of the hall as files."""

from __future__ import annotations

from collections.abc import Container, Iterable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.club.hall.results import KeptResult, MatchKey, superseded_matches
from referee.journal.score_formats import as_csv
from referee.page.broadcast import Broadcast

CSV_NAMES = (
    "table", "match", "begun", "rules", "state", "round", "seat", "player", "points", "corrected",
    "epoch", "superseded",
)  # fmt: skip


def routes(broadcast: Broadcast) -> list[Route]:
    """A line for every seat in every round as CSV, or everything as JSON.

    A round is superseded where the table has told its match otherwise since: it is in no sum.
    """

    async def answer(request: Request) -> Response:
        found = sorted(broadcast.facts.results.values(), key=lambda result: result.begun)
        older = superseded_matches(found)
        if request.path_params["kind"] == "csv":
            return Response(as_csv(CSV_NAMES, _lines(found, older)).encode("utf-8", "replace"), media_type="text/csv")
        if request.path_params["kind"] == "json":
            return JSONResponse([_as_json(one, superseded=one.key in older) for one in found])
        raise HTTPException(404)

    return [Route("/results.{kind}", answer)]


def _state(result: KeptResult) -> str:
    return "given up" if result.given_up else "over" if result.over else "not over"


def _lines(found: Iterable[KeptResult], older: Container[MatchKey]) -> Iterable[list[object]]:
    """A line for every seat in every round."""
    for one in found:
        head = [one.key.table, one.key.match, one.begun, one.rules, _state(one)]
        for number, line in enumerate(one.rounds, 1):
            for seat, points in enumerate(line.points):
                name = one.players[seat] if seat < len(one.players) else None
                tail = [one.key.epoch, int(one.key in older)]
                yield [*head, number, seat + 1, name or "", points, line.corrected, *tail]


def _as_json(result: KeptResult, *, superseded: bool) -> dict[str, object]:
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
