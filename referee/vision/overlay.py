"""The picture with what was read drawn into it, for people's eyes."""

from __future__ import annotations

import cv2
import numpy as np

from referee.game.tiles import Colour
from referee.vision.sighting import Image, Read, Sighting

_SURE, _DOUBT, _BACK, _SET = (60, 200, 60), (0, 140, 255), (170, 170, 170), (255, 160, 60)
_INK = {
    Colour.BLACK: (40, 40, 40),
    Colour.BLUE: (200, 90, 20),
    Colour.RED: (50, 40, 210),
    Colour.YELLOW: (0, 190, 230),
    Colour.ORANGE: (30, 130, 250),
    Colour.GREEN: (60, 140, 30),
}


def draw(picture: Image, sighting: Sighting) -> Image:
    """A copy of the BGR picture with tiles outlined and named, and sets joined by a line in reading order.

    Green is sure, orange in doubt, grey face-down; the thick edge is the tile's top.
    """
    result = picture.copy()
    scale = max(picture.shape[:2]) / 1400
    thick = max(1, round(1.6 * scale))
    for indices in sighting.sets:
        centres = np.asarray([sighting.reads[i].corners_px.mean(axis=0) for i in indices])
        cv2.polylines(result, [np.round(centres).astype(np.int32)], False, _SET, thick, cv2.LINE_AA)
    for read in sighting.reads:
        colour = _DOUBT if read.doubtful else _BACK if read.tile is None else _SURE
        cv2.polylines(result, [np.round(read.corners_px).astype(np.int32)], True, colour, thick, cv2.LINE_AA)
        cv2.line(result, _pixel(read.corners_px[0]), _pixel(read.corners_px[1]), colour, thick * 2, cv2.LINE_AA)
        _label(result, read, scale)
    return result


def _pixel(point: object) -> tuple[int, int]:
    x, y = np.asarray(point)
    return round(float(x)), round(float(y))


def _label(result: Image, read: Read, scale: float) -> None:
    text = "x" if read.tile is None else str(read.tile)
    if read.doubtful:
        text += "?"
    size, thick = 0.42 * scale, max(1, round(scale))
    (width, height), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    x, y = _pixel(read.corners_px[2:].mean(axis=0) - (width / 2, 0))
    ink = (90, 90, 90) if read.tile is None or read.tile.colour is None else _INK[read.tile.colour]
    cv2.rectangle(result, (x - 2, y - height - 2), (x + width + 2, y + base), (255, 255, 255), -1)
    cv2.putText(result, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, ink, thick, cv2.LINE_AA)
