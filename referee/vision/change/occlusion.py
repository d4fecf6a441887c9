"""What lies over a table and is not a tile (an arm, a sleeve, a cup), judged by an earlier picture of the table.

Where no tile lies now and none lay then, the table itself must look as it did. A hand that rests is as still as a
tile, and what it covers cannot be judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.game.tiles import Tile
from referee.vision.sighting import Floats, Image, Sighting

# Unless a comment names a source, these values were chosen by hand, not fitted. `python -m benchmarks hands` measures
# how many resting hands are noticed, and how many clear tables are taken for covered (models/METRICS.md).
PX_PER_MM = 0.6
"""Scale of the views that are compared: a tile is 16 pixels wide, enough to see a finger."""
RIM_PX = 24
"""Pixels around the markers' centres that a view includes: tiles of the table may overhang them by 25 mm."""
MARGIN_MM = 14.0
"""Distance around a tile within which its side faces and its shadow may be seen."""
STEP = 14.0
"""Levels of a channel by which the table must differ; the noise of a dim picture stays below."""
SHADE = (0.55, 1.4)
"""A shadow or a lamp changes light by a factor between these,"""
TINT = 0.07
"""and by the same in all channels but for this."""
FINGER_MM = 9.0
"""What is narrower than this is an edge that moved a little."""
LEAST_MM2 = 1400.0
"""What is smaller than this hides no tile of 26 x 38 mm."""
NEAR_MM = 10.0
"""A tile that is found this near to where it lay is not hidden."""
FEWEST_PX = 1000
"""From fewer pixels of the table nothing can be said about its light."""
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """The play area and a rim around it seen from above, (h, w, 3) uint8 BGR.

    The tiles on it are (n, 4, 2), in its pixels; `names` names each, None for a back.
    """

    picture: Image
    tiles: Floats
    names: tuple[Tile | None, ...] = ()

    @classmethod
    def from_sighting(cls, picture: Image, sighting: Sighting, table_mm: tuple[float, float]) -> TopView | None:
        """The view behind a sighting of a picture (H, W, 3); None where it shows no marked table."""
        if sighting.outline_px is None:
            return None
        width, height = (round(side * PX_PER_MM) for side in table_mm)
        ratio = max(1.0, float(np.linalg.norm(sighting.outline_px[1] - sighting.outline_px[0])) / width)
        small, left = picture, ratio
        while left >= 2 and not (small.shape[0] % 2 or small.shape[1] % 2):  # to halve is so much faster
            small, left = np.asarray(cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)), left / 2
        small = np.asarray(cv2.resize(small, None, fx=1 / left, fy=1 / left, interpolation=cv2.INTER_AREA), np.uint8)
        corners = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], np.float32) + RIM_PX
        turn = cv2.getPerspectiveTransform(np.asarray(sighting.outline_px / ratio, np.float32), corners)
        size = (width + 2 * RIM_PX, height + 2 * RIM_PX)
        flat = cv2.warpPerspective(small, turn, size, borderMode=cv2.BORDER_REPLICATE)
        quads = np.asarray([read.corners_px for read in sighting.reads], np.float32).reshape(-1, 1, 2) / ratio
        tiles = cv2.perspectiveTransform(quads, turn).reshape(-1, 4, 2) if len(quads) else quads.reshape(0, 4, 2)
        names = tuple(read.tile for read in sighting.reads)
        return cls(np.asarray(flat, np.uint8), np.asarray(tiles, np.float32), names)

    def with_sighting(self, sighting: Sighting) -> TopView:
        """Return the view with the tiles of another sighting of its picture, which must show a marked table."""
        height, width = self.picture.shape[:2]
        right, low = width - RIM_PX, height - RIM_PX
        corners = np.asarray([(RIM_PX, RIM_PX), (right, RIM_PX), (right, low), (RIM_PX, low)], np.float32)
        turn = cv2.getPerspectiveTransform(np.asarray(sighting.outline_px, np.float32), corners)
        quads = np.asarray([read.corners_px for read in sighting.reads], np.float32).reshape(-1, 1, 2)
        tiles = cv2.perspectiveTransform(quads, turn).reshape(-1, 4, 2) if len(quads) else quads.reshape(0, 4, 2)
        return TopView(self.picture, np.asarray(tiles, np.float32), tuple(read.tile for read in sighting.reads))

    def fill(self, quads: Floats) -> Mask:
        """Where quads (n, 4, 2) lie."""
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
        return mask.astype(bool)


@dataclass(frozen=True, slots=True)
class Cover:
    """Something over the table: its middle as parts of the play area (0-1), its size, and the tiles it may hide.

    `hides` are indices of the tiles of the earlier view.
    """

    x: float
    y: float
    area_mm2: float
    hides: tuple[int, ...]


def covers(before: TopView, now: TopView, bare: Sequence[tuple[Image, Mask]] = ()) -> tuple[Cover, ...]:
    """Return what lies over the table now and did not before, the largest first.

    `bare` are earlier pictures of the table, and where each shows it bare: what looks like one of them is no cover.
    """
    if before.picture.shape != now.picture.shape:
        return ()
    tiles = before.fill(before.tiles) | now.fill(now.tiles)
    within = _within_markers(~wider(tiles, MARGIN_MM))
    foreign = _foreign(before.picture, now.picture, within)
    found = _find_covers(before, now, foreign)
    for picture, known in bare if found else ():
        foreign &= ~known | _foreign(picture, now.picture, within & known)
        found = _find_covers(before, now, foreign)
    return found


def _find_covers(before: TopView, now: TopView, foreign: Mask) -> tuple[Cover, ...]:
    """Return the parts of what is foreign to the table that are large enough."""
    finger = np.ones((_px(FINGER_MM),) * 2, np.uint8)
    opened = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_OPEN, finger)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(opened)
    gone = _missing_tiles(before, now)
    height, width = (side - 2 * RIM_PX for side in opened.shape)
    found = []
    for label in range(1, count):
        area = float(stats[label, cv2.CC_STAT_AREA]) / PX_PER_MM**2
        if area >= LEAST_MM2:
            near = wider(labels == label, 2 * MARGIN_MM)
            hides = tuple(i for i in gone if (near & before.fill(before.tiles[i : i + 1])).any())
            x, y = centres[label] - RIM_PX
            found.append(Cover(float(x) / width, float(y) / height, area, hides))
    return tuple(sorted(found, key=lambda cover: -cover.area_mm2))


def _within_markers(mask: Mask) -> Mask:
    """Return the mask without the rim, where racks stand and hands rest without covering anything."""
    inner = np.zeros_like(mask)
    inner[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] = mask[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    return inner


def _missing_tiles(before: TopView, now: TopView) -> list[int]:
    """The tiles of the earlier view in whose place none lies now."""
    centres = now.tiles.mean(axis=1)
    places = before.tiles.mean(axis=1)
    near = NEAR_MM * PX_PER_MM
    return [i for i, place in enumerate(places) if not (np.linalg.norm(centres - place, axis=1) < near).any()]


def _px(mm: float) -> int:
    """An odd number of pixels."""
    return round(mm * PX_PER_MM) | 1


def wider(mask: Mask, mm: float) -> Mask:
    """Return the mask and everything within `mm` millimetres of it."""
    return cv2.dilate(mask.astype(np.uint8), np.ones((_px(2 * mm),) * 2, np.uint8)).astype(bool)


def light(before: Image | Floats, now: Image | Floats, within: Mask) -> Floats | None:
    """Return the factor by which light has changed, per channel; None where too little of the table shows."""
    if within.sum() < FEWEST_PX:
        return None
    then_levels, levels = (picture[::2, ::2][within[::2, ::2]] for picture in (before, now))  # enough for a median
    return np.asarray((np.median(levels, axis=0) + 1) / (np.median(then_levels, axis=0) + 1), np.float32)


def _foreign(before: Image, now: Image, within: Mask) -> Mask:
    """Return where the table shows in both pictures but has a colour that no change of light explains."""
    gain = light(before, now, within)
    if gain is None:
        return np.zeros(within.shape, bool)
    levels = np.arange(256, dtype=np.float32)[:, None] * gain
    told = np.asarray(cv2.LUT(before, levels[None]), np.float32)
    apart = np.asarray(cv2.absdiff(now.astype(np.float32), told), np.float32)
    foreign = within & (largest(apart) > STEP)
    old, new = told[foreign], now[foreign].astype(np.float32)
    factors = (new + 8) / (old + 8)
    low, high = -largest(-factors), largest(factors)
    foreign[foreign] = ~((low > SHADE[0]) & (high < SHADE[1]) & (high - low < TINT * high))
    return np.asarray(foreign, bool)


def largest(channels: Floats | Image) -> Floats | Image:
    """The largest of the three channels; a lot faster than `max` along the last axis."""
    return np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2])
