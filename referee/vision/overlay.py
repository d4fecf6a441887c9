"""The picture with what was read drawn into it, for people."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

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
_FONT = cv2.FONT_HERSHEY_SIMPLEX
# Chosen by eye.
_MARGIN_PX = 2
_WIDEST = 0.92
"""The largest width of a label, in tile widths, so that labels of neighbours do not touch."""
_DIGIT = 0.27
"""How far a digit reaches from the middle of its tile at most, in tile widths."""
_SEAM = 0.22
"""The line of a set covers this part of the way between two tiles, so that it crosses the seam but no digit."""
_OUTWARD = (0.55, 0.0, 1.1)
"""Distances of a label from the tile's lower edge, in label sizes; the first at which it hides the least is taken."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label of a tile: text, size of the letters, and the box that it fills."""

    text: str
    size: float
    box: Box


def draw(picture: Image, sighting: Sighting) -> Image:
    """Return a copy of the BGR picture with tiles outlined and named, and sets joined by lines in reading order.

    Green is sure, orange in doubt, grey face-down; the thick edge is the tile's top. No digit is drawn over. Orange
    crosses mark the tiles that the edge of the picture cuts off.
    """
    result = picture.copy()
    scale = max(picture.shape[:2]) / 1400
    thick = max(1, round(1.6 * scale))
    for read in sighting.reads:
        colour = _DOUBT if read.doubtful else _BACK if read.tile is None else _SURE
        cv2.polylines(result, [np.round(read.corners_px).astype(np.int32)], True, colour, thick, cv2.LINE_AA)
        cv2.line(result, to_pixel(read.corners_px[0]), to_pixel(read.corners_px[1]), colour, thick * 2, cv2.LINE_AA)
    for place in sighting.quality.cut_off_px:
        cv2.drawMarker(
            result, to_pixel(place), _DOUBT, cv2.MARKER_TILTED_CROSS, round(24 * scale), thick * 2, cv2.LINE_AA
        )
    for indices in sighting.sets:
        centres = [sighting.reads[i].corners_px.mean(axis=0) for i in indices]
        for one, other in itertools.pairwise(centres):
            middle, half = (one + other) / 2, (other - one) * _SEAM / 2
            cv2.line(result, to_pixel(middle - half), to_pixel(middle + half), _SET, thick * 2, cv2.LINE_AA)
    for read, label in zip(sighting.reads, labels(sighting.reads, scale), strict=True):
        _write(result, read, label, max(1, round(scale)))
    return result


def labels(reads: Sequence[Read], scale: float) -> list[Label]:
    """Return a label for each tile below its lower edge, where it hides no digit and no other label if possible.

    `scale` is 1 for a picture whose longer side has 1400 pixels.
    """
    taken = [_digit(read) for read in reads]
    found = []
    for read in reads:
        text = ("x" if read.tile is None else str(read.tile)) + ("?" if read.doubtful else "")
        size = 0.42 * scale
        (width, _), _ = cv2.getTextSize(text, _FONT, size, max(1, round(scale)))
        size *= min(1.0, _WIDEST * _width(read) / (width + 2 * _MARGIN_PX))
        (width, height), base = cv2.getTextSize(text, _FONT, size, max(1, round(scale)))
        extent = np.array([width, height + base]) / 2 + _MARGIN_PX
        boxes = [_box(read, extent, outward) for outward in _OUTWARD]
        best = min(boxes, key=lambda box: sum(_overlap_area(box, other) for other in taken))
        taken.append(best)
        found.append(Label(text, size, best))
    return found


def _width(read: Read) -> float:
    return float(np.linalg.norm(read.corners_px[1] - read.corners_px[0]))


def _digit(read: Read) -> Box:
    """Return the box that the tile's digit fills."""
    centre, reach = read.corners_px.mean(axis=0), _DIGIT * _width(read)
    return (*(centre - reach), *(centre + reach))


def _box(read: Read, extent: np.ndarray, outward: float) -> Box:
    """Return a box with the half size `extent` beyond the middle of the tile's lower edge."""
    edge = read.corners_px[2:].mean(axis=0)
    down = edge - read.corners_px[:2].mean(axis=0)
    down = down / max(float(np.linalg.norm(down)), 1e-6)
    # Half the extent of the box in the direction of the tile.
    reach = float(np.abs(down) @ extent)
    centre = edge + down * reach * 2 * outward
    return (*(centre - extent), *(centre + extent))


def _overlap_area(one: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, width) * max(0.0, height)


def to_pixel(point: object) -> tuple[int, int]:
    """Return a place (2,) as OpenCV draws there."""
    x, y = np.asarray(point)
    return round(float(x)), round(float(y))


def _write(result: Image, read: Read, label: Label, thick: int) -> None:
    left, top, right, bottom = label.box
    ink = (90, 90, 90) if read.tile is None or read.tile.colour is None else _INK[read.tile.colour]
    cv2.rectangle(result, to_pixel((left, top)), to_pixel((right, bottom)), (255, 255, 255), -1)
    (_, _), base = cv2.getTextSize(label.text, _FONT, label.size, thick)
    at = to_pixel((left + _MARGIN_PX, bottom - _MARGIN_PX - base))
    cv2.putText(result, label.text, at, _FONT, label.size, ink, thick, cv2.LINE_AA)
