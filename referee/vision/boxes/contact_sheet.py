"""The contact sheet of a box, for people: a crop of every tile with its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.game.tiles import FACE_DOWN, HIGHEST, Tile, TileSet
from referee.vision.sighting import Floats, Image

WIDTH, HEIGHT, LABEL, GAP = 66, 96, 18, 6
"""Pixels: width and height of a crop, height of the strip for its name, and the gap between places."""
_PAPER, _INK, _DOUBT, _FRAME = (250, 250, 250), (40, 40, 40), (0, 120, 230), (190, 190, 190)
_LETTERS = 0.42
JPEG_QUALITY = 95
"""JPEG quality in percent, about that of cameras, because tiles may be read from the packed pictures later."""
_FINE = 2
"""A crop is cut this many times finer and then averaged, so that thin strokes are preserved."""


@dataclass(frozen=True, slots=True)
class Face:
    """One tile as it was read: its name, whether that is in doubt, and its crop (HEIGHT, WIDTH, 3) BGR.

    If the tile is in doubt, `label` is written below it instead of its name.
    """

    name: str
    doubtful: bool
    crop: Image
    label: str = ""

    def __post_init__(self) -> None:
        if self.crop.shape != (HEIGHT, WIDTH, 3):
            raise ValueError(f"expected a crop of shape {(HEIGHT, WIDTH, 3)}, got {self.crop.shape}")


def face_of(picture: Image, corners: Floats, name: str, *, doubtful: bool, label: str = "") -> Face:
    """Return the tile at `corners` (4, 2) of the picture, which begin at its printed top left."""
    target = np.asarray([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32) * _FINE - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), target)
    fine = cv2.warpPerspective(picture, matrix, (WIDTH * _FINE, HEIGHT * _FINE), borderMode=cv2.BORDER_REPLICATE)
    crop = cv2.resize(fine, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return Face(name, doubtful, np.asarray(crop, np.uint8), label)


def pack_picture(picture: Image) -> bytes:
    """Return a picture (H, W, 3) BGR as a JPEG, to be kept until the box is learnt."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def unpack_picture(jpeg: bytes) -> Image:
    """Return the picture (H, W, 3) BGR from its JPEG."""
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def contact_sheet(tileset: TileSet, faces: Sequence[Face]) -> Image:
    """Return all faces in a grid: one row for each copy of each colour, one column for each number.

    Below come jokers, tiles that were read but are not in the box or too many, backs, and what was taken for no tile.
    A tile that was not read leaves an empty place with its name.
    """
    rows: list[list[Face | str]] = []
    for colour in tileset.colours:
        rows += _of_colour(tileset, [f"{colour.value}-{number}" for number in range(1, HIGHEST + 1)], faces)
    known = {tile.name for tile in tileset.inventory()} - {"joker"}
    rest = [face for face in faces if face.name not in known]
    rest.sort(key=lambda face: (face.name != "joker", face.name == FACE_DOWN, bool(face.label), face.name))
    rest += _spare(tileset, faces)
    rows += [list(rest[at : at + HIGHEST]) for at in range(0, len(rest), HIGHEST)]
    cell_w, cell_h = WIDTH + GAP, HEIGHT + LABEL + GAP
    sheet = np.full((max(1, len(rows)) * cell_h + GAP, HIGHEST * cell_w + GAP, 3), _PAPER, np.uint8)
    for row, places in enumerate(rows):
        for column, face in enumerate(places):
            _paste_face(sheet, GAP + column * cell_w, GAP + row * cell_h, face)
    return sheet


def _of_colour(tileset: TileSet, names: Sequence[str], faces: Sequence[Face]) -> list[list[Face | str]]:
    """Return one row for each copy; a tile that was not read is represented by its name."""
    seen = {name: [face for face in faces if face.name == name] for name in names}
    return [[seen[name][copy] if copy < len(seen[name]) else name for name in names] for copy in range(tileset.copies)]


def _spare(tileset: TileSet, faces: Sequence[Face]) -> list[Face]:
    """Return the tiles beyond those that the box holds, apart from jokers, which are all shown anyway."""
    spare = []
    for tile, count in tileset.inventory().items():
        if not tile.is_joker:
            spare += [face for face in faces if face.name == tile.name][count:]
    return spare


def _paste_face(sheet: Image, x: int, y: int, face: Face | str) -> None:
    """Draw one place of the grid onto the sheet, with its upper left corner at x, y."""
    name = face if isinstance(face, str) else face.name
    doubtful = isinstance(face, str) or face.doubtful
    if isinstance(face, Face):
        sheet[y : y + HEIGHT, x : x + WIDTH] = face.crop
    cv2.rectangle(sheet, (x, y), (x + WIDTH - 1, y + HEIGHT - 1), _DOUBT if doubtful else _FRAME, 1)
    text = "?" if name == FACE_DOWN else str(Tile.from_name(name))
    if isinstance(face, str):
        text = f"({text})"
    elif doubtful:
        text = face.label or f"{text}?"
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, _LETTERS, 1)
    size = _LETTERS * min(1.0, (WIDTH + GAP - 2) / width)  # smaller letters if the text is longer than a tile's name
    at = (x + (WIDTH - round(width * size / _LETTERS)) // 2, y + HEIGHT + LABEL - 5)
    cv2.putText(sheet, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, _DOUBT if doubtful else _INK, 1, cv2.LINE_AA)
