"""Tables as pictures: drawn tiles, and marks around tiles in the camera's picture.

New tiles have a line around them, tiles that lie in another set than before a broken one; so the two differ without
any colour. Colours are blue, green, red, those of docs/design.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np

from referee.journal.tile_places import PlacedSets
from referee.pages.table.scores.marks import Mark, Marks
from referee.table.output.lettering import Colour, draw_area, draw_text
from referee.table.output.rectified import DARK, LIGHT
from referee.vision.sighting import Floats, Image

PAPER, PANEL, HAIR, TILE, TILE_EDGE = (
    (230, 239, 243), (248, 253, 255), (195, 210, 217), (226, 244, 251), (99, 127, 138),
)  # fmt: skip
INKS = {
    "black": (21, 21, 21), "blue": (168, 79, 10), "red": (27, 20, 179), "yellow": (0, 86, 118),
    "orange": (0, 65, 163), "green": (46, 101, 20), "joker": (122, 31, 122), "": (255, 255, 255),
}  # fmt: skip
BACK = (92, 103, 109)
HIGH = 4 / 3
"""Height of a tile as a part of its width."""
WIDEST, NARROWEST = 64, 6
"""The width of a drawn tile in pixels: at most, and at least, however many there are."""
DASH = 0.28
"""The length of a dash and of the gap after it, as a part of a tile's width."""


def draw_table(sets: Sequence[Sequence[dict[str, Any]]], width: int, height: int) -> Image:
    """Return a picture of this size with the sets; each tile is as in `page/wording.py`, and may have a `mark`."""
    image = np.full((height, width, 3), PAPER, np.uint8)
    edge = max(4, width // 40)
    tile = next(
        (size for size in range(WIDEST * width // 640, NARROWEST, -1)
         if _rows_height(sets, size, width - 2 * edge) <= height - 2 * edge),
        NARROWEST,
    )  # fmt: skip
    rows = list(_rows(sets, tile, width - 2 * edge))
    wide = max((sum(_set_width(tiles, tile) + 0.3 * tile for tiles in row) for row in rows), default=0.0)
    left = max(float(edge), (width - wide + 0.3 * tile) / 2)
    y = max(float(edge), (height - len(rows) * _set_height(tile)) / 2)
    for row in rows:
        x = left
        for tiles in row:
            _draw_set(image, tiles, (x, y), tile)
            x += _set_width(tiles, tile) + 0.3 * tile
        y += _set_height(tile)
    return image


def _set_width(tiles: Sequence[dict[str, Any]], tile: float) -> float:
    return len(tiles) * 1.1 * tile + 0.2 * tile


def _set_height(tile: float) -> float:
    return (HIGH + 0.6) * tile


def _rows(
    sets: Sequence[Sequence[dict[str, Any]]], tile: float, width: float
) -> Iterator[list[Sequence[dict[str, Any]]]]:
    """Yield the sets in rows, as many in each as there is room for."""
    row: list[Sequence[dict[str, Any]]] = []
    used = 0.0
    for tiles in sets:
        wide = _set_width(tiles, tile) + 0.3 * tile
        if row and used + wide > width:
            yield row
            row, used = [], 0.0
        row.append(tiles)
        used += wide
    if row:
        yield row


def _rows_height(sets: Sequence[Sequence[dict[str, Any]]], tile: float, width: float) -> float:
    """Return the height of all rows; infinite if a set is wider than a row."""
    if any(_set_width(tiles, tile) > width for tiles in sets):
        return float("inf")
    return sum(1 for _ in _rows(sets, tile, width)) * _set_height(tile)


def _draw_set(image: Image, tiles: Sequence[dict[str, Any]], place: tuple[float, float], tile: float) -> None:
    x, y = place
    bottom = y + (HIGH + 0.3) * tile
    draw_area(image, (x, y, x + _set_width(tiles, tile), bottom), HAIR, 0.22 * tile)
    line = max(1.0, tile / 40)
    draw_area(image, (x + line, y + line, x + _set_width(tiles, tile) - line, bottom - line), PANEL, 0.2 * tile)
    for number, face in enumerate(tiles):
        _draw_tile(image, face, (x + (0.15 + 1.1 * number) * tile, y + 0.15 * tile), tile)


def _draw_tile(image: Image, face: dict[str, Any], place: tuple[float, float], tile: float) -> None:
    (x, y), ink = place, INKS.get(face["colour"], INKS["black"])
    right, bottom = x + tile, y + HIGH * tile
    draw_area(image, (x, y, right, bottom), TILE_EDGE, 0.2 * tile)
    inside = x + tile / 40, y + tile / 40, right - tile / 40, bottom - tile / 11
    draw_area(image, inside, TILE if face["colour"] else BACK, 0.18 * tile)
    if tile >= 12:
        high = 0.66 if face["letters"] else 0.8
        draw_text(image, face["sign"], (x + tile / 2, y + high * tile), 0.58 * tile, ink, bold=True, align=0.5)
        draw_text(image, face["letters"], (x + tile / 2, y + 1.06 * tile), 0.36 * tile, ink, bold=True, align=0.5)
    elif face["colour"]:
        draw_area(image, (x + 0.3 * tile, y + 0.3 * tile, x + 0.7 * tile, y + 0.9 * tile), ink)
    if face.get("mark"):
        corners = np.asarray([(x, y), (right, y), (right, bottom), (x, bottom)], np.float32)
        _draw_mark(image, corners, Mark(face["mark"]), max(2, round(tile / 18)), DARK)


def mark_tiles(image: Image, sets: PlacedSets, marks: Marks) -> None:
    """Draw the marks of a table around its tiles in a picture of it."""
    height, width = image.shape[:2]
    for corners, mark in outlines(sets, marks):
        there = np.asarray(corners, np.float32) * np.asarray([width, height], np.float32)
        line = max(2, round(width / 360))
        _draw_mark(image, there, Mark.NEW, 3 * line, LIGHT)
        _draw_mark(image, there, mark, line, DARK)


def outlines(sets: PlacedSets, marks: Marks) -> list[tuple[tuple[tuple[float, float], ...], Mark]]:
    """Return the corners of the marked tiles in the picture; none if the picture's sets are not those of the table."""
    if [len(tiles) for tiles in sets] != [len(each) for each in marks]:
        return []
    pairs = (pair for tiles, each in zip(sets, marks, strict=True) for pair in zip(tiles, each, strict=True))
    return [(place.corners, mark) for place, mark in pairs if mark]


def _draw_mark(image: Image, corners: Floats, mark: Mark, line: int, colour: Colour) -> None:
    points = np.round(corners * 16).astype(np.int32)
    if mark is Mark.NEW:
        cv2.polylines(image, [points], True, colour, line, cv2.LINE_AA, shift=4)
        return
    dash = max(3.0, DASH * float(np.linalg.norm(corners[1] - corners[0])))
    for begin, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        pieces = max(1, round(float(np.linalg.norm(end - begin)) / dash / 2)) * 2 + 1
        cuts = np.round((begin + (end - begin) * np.linspace(0, 1, pieces + 1)[:, None]) * 16).astype(np.int32)
        for number in range(0, pieces, 2):
            cv2.line(image, cuts[number].tolist(), cuts[number + 1].tolist(), colour, line, cv2.LINE_AA, 4)
