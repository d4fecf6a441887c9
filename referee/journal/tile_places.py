"""Where tiles lie in a kept picture, written into the picture's own file.

A replay outlines the tiles that are new or lie in another set. It cannot read the picture again for that: a Pi needs a
second for it, and a later version might read it otherwise. In the journal the places would outlive the pictures, which
are deleted when their budget is used up. So they are a comment in the JPEG file, which every viewer passes over: it is
written, counted, deleted and backed up with its picture.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.errors import BadInput
from referee.game.tiles import Tile

MARK = b"referee tiles 1\n"
"""Begins the comment, so that no other one is taken for it."""
PARTS = 10_000
"""Places are stored as whole numbers, in so many parts of the picture's width and height."""
STEPS, AROUND = 8, 0.03
"""The part of a picture that shows all tiles has edges at whole eighths, at least so far from any tile."""
BEYOND = 2
"""A place further away than this many pictures is not believed."""
LONGEST = 65_533
"""The most bytes of a comment."""
HEAD = 200_000
"""The comment stands within so many bytes from the beginning, after whatever a camera may have put there."""
_START, _COMMENT, _FIRST, _LAST, _SCAN = b"\xff\xd8", 0xFE, 0xC0, 0xFE, 0xDA


@dataclass(frozen=True, slots=True)
class TilePlace:
    """A tile of a set and the corners of its top, as parts (0 to 1) of the picture's width and height."""

    tile: Tile
    corners: tuple[tuple[float, float], ...]


PlacedSets = tuple[tuple[TilePlace, ...], ...]
"""The sets of a table, each with its tiles in order."""


@dataclass(frozen=True, slots=True)
class Area:
    """A part of a picture, as parts of its width and height. It has the shape of the picture."""

    left: float = 0.0
    top: float = 0.0
    size: float = 1.0

    def of(self, sets: PlacedSets) -> PlacedSets:
        """Return the places in this part of the picture, as parts of its own width and height."""
        return tuple(
            tuple(
                TilePlace(
                    place.tile,
                    tuple(((x - self.left) / self.size, (y - self.top) / self.size) for x, y in place.corners),
                )
                for place in tiles
            )
            for tiles in sets
        )


def tiles_area(sets: PlacedSets) -> Area:
    """Return the part of a picture that shows all tiles; the whole picture if there are none.

    It consists of whole eighths of the picture, so that it mostly stays the same from turn to turn.
    """
    points = [corner for tiles in sets for place in tiles for corner in place.corners]
    if not points:
        return Area()
    spans = [
        (
            max(0, math.floor(STEPS * (min(values) - AROUND))),
            min(STEPS, math.ceil(STEPS * (max(values) + AROUND))),
        )
        for values in zip(*points, strict=True)
    ]
    size = max(1, *(high - low for low, high in spans))
    left, top = (max(0, min(STEPS - size, (low + high - size) // 2)) for low, high in spans)
    return Area(left / STEPS, top / STEPS, size / STEPS)


def with_places(jpeg: bytes, sets: PlacedSets) -> bytes:
    """Return the JPEG file with these places in it; the same file if it has no room for them, or there are none."""
    body = MARK + json.dumps([[_packed(one) for one in tiles] for tiles in sets], separators=(",", ":")).encode()
    if not sets or not jpeg.startswith(_START) or len(body) > LONGEST:
        return jpeg
    # The first segment of many files must stay the first.
    first = next(_segments(jpeg), None)
    at = first[2] if first is not None and 0xE0 <= first[0] <= 0xEF else len(_START)
    comment = bytes((0xFF, _COMMENT)) + (len(body) + 2).to_bytes(2, "big") + body
    return jpeg[:at] + comment + jpeg[at:]


def places_in(jpeg: bytes) -> PlacedSets:
    """Return the places in a JPEG file, of which the first HEAD bytes are enough; none if it has none, or bad ones."""
    for kind, begin, end in _segments(jpeg):
        if kind == _COMMENT and jpeg[begin:end].startswith(MARK):
            try:
                return tuple(tuple(map(_unpacked, tiles)) for tiles in json.loads(jpeg[begin + len(MARK) : end]))
            except (ValueError, TypeError, KeyError, RecursionError, BadInput):
                return ()
    return ()


def _segments(jpeg: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the kind, begin and end of every segment before the picture itself."""
    at = len(_START)
    while jpeg.startswith(_START) and at + 4 <= len(jpeg) and jpeg[at] == 0xFF:
        kind, end = jpeg[at + 1], at + 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
        if not _FIRST <= kind <= _LAST or kind == _SCAN or end > len(jpeg) or end < at + 4:
            return
        yield kind, at + 4, end
        at = end


def _packed(place: TilePlace) -> list[Any]:
    return [place.tile.name, *(round(PARTS * part) for corner in place.corners for part in corner)]


def _unpacked(packed: list[Any]) -> TilePlace:
    name, *parts = packed
    if len(parts) != 8 or not all(isinstance(part, int) and abs(part) <= BEYOND * PARTS for part in parts):
        raise ValueError(f"expected the corners of a tile, found {parts!r:.80}")
    numbers = [part / PARTS for part in parts]
    return TilePlace(Tile.from_name(name), tuple(zip(numbers[::2], numbers[1::2], strict=True)))
