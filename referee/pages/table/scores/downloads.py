"""Files to download: scores as CSV and JSON, as `referee scores` writes them, and the pictures behind the verdicts."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from starlette.responses import Response

from referee.devices.decoders import collected_complaints
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.scoring import Ending
from referee.i18n import ENGLISH
from referee.i18n.wording import sendable
from referee.journal.pictures import FOLDER, Pictures
from referee.journal.score_formats import CSV_NAMES, TOTAL_NAMES, as_csv, as_json, csv_file, csv_rows, total_rows
from referee.journal.scores import MatchScore, PlayerTotal
from referee.journal.statistics import PlayerStatistics
from referee.journal.statistics_formats import PAIR_NAMES, STATISTICS_NAMES, pair_rows, statistics_rows
from referee.journal.tile_places import HEAD, PlacedSets, places_in, tiles_area
from referee.pages.table.scores.sheets import NotThere
from referee.table.output.rectified import jpeg
from referee.vision.sighting import Image

LARGEST = 64_000_000
"""The largest picture that is read, in bytes; no camera's pictures are larger."""
COARSE = 480
"""Up to this width in pixels, a picture is decoded at a quarter of its size, which is several times as fast."""


class SavedPictures:
    """Reads the pictures beside a journal."""

    def __init__(self, journal: Path) -> None:
        self._pictures = Pictures(journal / FOLDER, 0)

    def events(self, match: int) -> tuple[int, ...]:
        """Return the events of a match that have pictures; none if the folder cannot be read."""
        try:
            return self._pictures.events(match)
        except OSError:
            return ()

    def stamp(self, match: int, event: int) -> tuple[Path, str] | None:
        """Return the picture of an event, with a stamp that changes if it is replaced; None if there is none."""
        try:
            paths = self._pictures.pictures_of(match, event)
            found = None if not paths else paths[-1].lstat()
        except OSError:
            return None
        if found is None or not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
            return None
        return paths[-1], f"{found.st_mtime_ns:x}-{found.st_size:x}"


def scale_picture(path: Path, width: int, *, tiles: bool = False) -> bytes | None:
    """Return a picture at most this many pixels wide; None if the file is gone or is no picture."""
    image = load_scaled(path, width, tiles=tiles)
    return None if image is None else jpeg(image)


def load_scaled(path: Path, width: int, *, tiles: bool = False) -> Image | None:
    """Return the pixels of a picture at most this many pixels wide; None if the file is gone or is no picture.

    With `tiles`, only the part with the tiles is returned, if it is known where they lie.
    """
    read = _read(path, LARGEST)
    area, data = tiles_area(places_in(read[:HEAD]) if tiles else ()), np.frombuffer(read, np.uint8)
    if not data.size:
        return None
    with collected_complaints():
        image = cv2.imdecode(data, cv2.IMREAD_REDUCED_COLOR_4) if width <= COARSE else None
        if image is None or image.shape[1] * area.size < width:
            image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if image is None:
        return None
    (high, wide), size = image.shape[:2], area.size
    top, left = round(high * area.top), round(wide * area.left)
    image = image[top : top + max(1, round(high * size)), left : left + max(1, round(wide * size))]
    if image.shape[1] > width:
        height = max(1, round(image.shape[0] * width / image.shape[1]))
        image = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(image, np.uint8)


def load_places(path: Path) -> PlacedSets:
    """Return where the tiles lie in a kept picture; none if that is not known."""
    return places_in(_read(path, HEAD))


def _read(path: Path, most: int) -> bytes:
    """Return the first bytes of a file, never one that a link leads to; none if it cannot be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        with os.fdopen(handle, "rb") as file:
            return file.read(most)
    except OSError:
        return b""


def matches(found: Sequence[MatchScore], kind: str, name: str) -> Response:
    """Return matches as a file: a list in JSON, or CSV with a line for every player in every round."""
    if _is_json(kind):
        return _json([as_json(score, ENGLISH) for score in found], name)
    return _csv(CSV_NAMES, [row for score in found for row in csv_rows(score)], name)


def match(score: MatchScore, kind: str) -> Response:
    """Return one match as a file."""
    name = f"match-{score.match}"
    return _json(as_json(score, ENGLISH), name) if _is_json(kind) else matches([score], kind, name)


def players(found: Sequence[PlayerTotal], kind: str) -> Response:
    """Return the totals of all players as a file."""
    if _is_json(kind):
        return _json([asdict(total) for total in found], "players")
    return _csv(TOTAL_NAMES, total_rows(found), "players")


def statistics(found: Sequence[PlayerStatistics], kind: str) -> Response:
    """Return the statistics of all players as a file."""
    return _lines(STATISTICS_NAMES, statistics_rows(found), kind, "statistics")


def pairs(found: Sequence[PlayerStatistics], kind: str) -> Response:
    """Return how every two players stand against each other as a file."""
    return _lines(PAIR_NAMES, pair_rows(found), kind, "head-to-head")


def _lines(names: Sequence[str], rows: Sequence[Sequence[object]], kind: str, name: str) -> Response:
    if _is_json(kind):
        return _json([dict(zip(names, row, strict=True)) for row in rows], name)
    return _csv(names, rows, name)


def gives_points(score: MatchScore) -> bool:
    """Return whether the book of a match gives the points of a round directly; then corrections change the points."""
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
    return _file(csv_file(as_csv(names, rows)), "text/csv; charset=utf-8; header=present", f"{name}.csv")


def text_file(text: str, name: str) -> Response:
    """Return a text as a file."""
    return _file(sendable(text), "text/plain; charset=utf-8", f"{name}.txt")


def picture_file(data: bytes, name: str, *, save: bool) -> Response:
    """Return a PNG picture: to be shown in a page, or, with `save`, as a file."""
    headers = {"Cache-Control": "no-store"}
    if save:
        headers["Content-Disposition"] = f'attachment; filename="{name}.png"'
    return Response(data, headers=headers, media_type="image/png")


def _file(data: bytes, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(data, headers=headers, media_type=kind)
