"""Score sheets as files: CSV and JSON, as `referee scores` gives them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from starlette.responses import Response

from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.scoring import Ending
from referee.i18n import ENGLISH
from referee.i18n.wording import sendable
from referee.journal.score_formats import CSV_NAMES, TOTAL_NAMES, as_csv, as_json, csv_rows, total_rows
from referee.journal.scores import MatchScore, PlayerTotal
from referee.pages.table.scores.matches import NotThere


def matches(found: Sequence[MatchScore], kind: str, name: str) -> Response:
    """Matches, as a list in JSON or a line for every player in every round."""
    if _is_json(kind):
        return _json([as_json(score, ENGLISH) for score in found], name)
    return _csv(CSV_NAMES, [row for score in found for row in csv_rows(score)], name)


def match(score: MatchScore, kind: str) -> Response:
    """One match."""
    name = f"match-{score.match}"
    return _json(as_json(score, ENGLISH), name) if _is_json(kind) else matches([score], kind, name)


def players(found: Sequence[PlayerTotal], kind: str) -> Response:
    """What every player reached."""
    if _is_json(kind):
        return _json([asdict(total) for total in found], "players")
    return _csv(TOTAL_NAMES, total_rows(found), "players")


def gives_points(score: MatchScore) -> bool:
    """Whether the book of a match gives the points of a round directly, so that those are corrected."""
    try:
        return score.setup.ruleset().knocking is not None
    except BadInput:
        return any(line.ending is Ending.GIVEN for line in score.sheet.rounds)


def _is_json(kind: str) -> bool:
    if kind not in ("csv", "json"):
        raise NotThere(Notice("scores.no_such_match"))
    return kind == "json"


def _json(value: Any, name: str) -> Response:
    return _file(json.dumps(value, indent=1).encode(), "application/json", f"{name}.json")


def _csv(names: Sequence[str], rows: Sequence[Sequence[object]], name: str) -> Response:
    return _file(sendable(as_csv(names, rows)), "text/csv; charset=utf-8; header=present", f"{name}.csv")


def _file(data: bytes, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(data, headers=headers, media_type=kind)
