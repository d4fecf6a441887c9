"""What players are asked about a tile: what it may be, where it lies, and why that cannot be told from the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile
from referee.vision.doubts import in_words
from referee.vision.geometry.table_areas import in_parts, place_in_words
from referee.vision.quality import DARK_BELOW, GLARE_FROM
from referee.vision.reading import crops
from referee.vision.sighting import Image, Read, Sighting

SHARP_FROM = 9.0
"""Mean gradient of the sharpest edges of one crop, in grey levels a pixel, whose body were half bright."""
EDGE_PX = 3.0
"""A tile whose corner is nearer than this to the picture's edge may be cut off by it."""
_SIXES = {6, 9}
OVER = 0.08
"""Something over the table whose middle is nearer than this part of the play area lies over the tile."""


def asked_about(
    sighting: Sighting, picture: Image | None = None, over: Sequence[tuple[float, float]] = ()
) -> list[dict[str, Any]]:
    """Every read in doubt with all that JSON says about it, a `text` for the players, its `place` and the `reason`.

    `picture` (H, W, 3) is the one behind the sighting; without it nothing is said of glare and blur. `over` are the
    middles of what lies over the table, as parts of the play area.
    """
    tiles = sighting.to_json("")["tiles"]
    return [_asked(sighting.reads[i], sighting, picture, over, tiles[i]) for i in sighting.doubts]


def _asked(
    read: Read, sighting: Sighting, picture: Image | None, over: Sequence[tuple[float, float]], told: dict[str, Any]
) -> dict[str, Any]:
    spot = _spot(read, sighting)
    place = "" if spot is None else place_in_words(*spot)
    covered = spot is not None and any(max(abs(x - spot[0]), abs(y - spot[1])) < OVER for x, y in over)
    reason = "a hand or something else lies over it" if covered else why(read, sighting, picture)
    text = f"{in_words(read)} {place}".rstrip()
    return {"text": f"{text}: {reason}", "place": place, "reason": reason, **told}


def _spot(read: Read, sighting: Sighting) -> tuple[float, float] | None:
    """Where a tile lies, in parts of the play area; None where the picture shows no marked table."""
    if sighting.outline_px is None:
        return None
    x, y = in_parts(read.corners_px.mean(axis=0)[None], sighting.outline_px)[0]
    return float(x), float(y)


def why(read: Read, sighting: Sighting, picture: Image | None) -> str:
    """Why a tile cannot be read, in a few words."""
    told = read.reason or _too_many(read, sighting)
    if told is None and picture is not None:
        told = _in_the_picture(read, picture)
    return told or _alike(read)


def in_vain(read: Read, sighting: Sighting) -> bool:
    """Whether another look tells nothing more: every copy is clear to read, and there are more than the box holds."""
    if read.tile is None or _too_many(read, sighting) is None:
        return False
    copies = (other for other in sighting.reads if other.tile == read.tile)
    return all(not other.doubtful or other.confidence >= sighting.sure_from for other in copies)


def _too_many(read: Read, sighting: Sighting) -> str | None:
    """Whether it is one of more tiles than the box holds."""
    box = TILE_SETS.get(sighting.tileset)
    if box is None or read.tile is None:
        return None
    number, most = sum(other.tile == read.tile for other in sighting.reads), box.inventory().get(read.tile, 0)
    return f"I see {number} of them, and the box holds {most}" if number > most else None


def _in_the_picture(read: Read, picture: Image) -> str | None:
    """What is wrong with the picture just where the tile lies."""
    height, width = picture.shape[:2]
    low, high = read.corners_px.min(axis=0), read.corners_px.max(axis=0)
    if min(low) < EDGE_PX or high[0] > width - 1 - EDGE_PX or high[1] > height - 1 - EDGE_PX:
        return "cut off by the edge of the picture"
    crop = crops.cut(picture, read.corners_px[None])[0]
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    body = float(np.median(grey))
    if float((crop.min(axis=2) >= 250).mean()) > GLARE_FROM:
        return "too bright, or a lamp is mirrored in it"
    if body < DARK_BELOW:
        return "too dark"
    gradient = np.abs(np.diff(grey, axis=1))[:-1] + np.abs(np.diff(grey, axis=0))[:, :-1]
    sharp = float(np.quantile(gradient, 0.97)) / max(1.0, body) * 128 >= SHARP_FROM
    return None if sharp else "blurred"


def _alike(read: Read) -> str:
    """What the two likeliest readings have in common."""
    other = next((name for name, _ in read.alternatives if name != read.name), None)
    if FACE_DOWN in (read.name, other):
        return "it may lie face down"
    if other is None:
        return "its print is not clear"
    one, two = Tile.from_name(read.name), Tile.from_name(other)
    if one.colour == two.colour and {one.number, two.number} == _SIXES:
        return "6 or 9, the line below is not clear"
    if one.number == two.number:
        return "two inks alike"
    return "its sign is not clear" if one.is_joker or two.is_joker else "its number is not clear"
