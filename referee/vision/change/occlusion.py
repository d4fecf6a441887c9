"""Things over a table other than tiles (an arm, a sleeve, a cup), found by comparison with an earlier picture.

Where no tile lies now and none lay before, the table itself must look as it did. A resting hand is as still as a tile,
and what it covers cannot be judged.
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
# how many resting hands are noticed, and how many clear tables are reported as covered (models/METRICS.md).
PX_PER_MM = 0.6
"""Scale of the views that are compared: a tile is 16 pixels wide, so that a finger is visible."""
RIM_PX = 24
"""Pixels around the markers' centres that a view includes, since tiles may reach 25 mm beyond them."""
MARGIN_MM = 14.0
"""Distance around a tile within which its side faces and its shadow may be seen."""
STEP = 14.0
"""Levels by which a channel of the table must differ; the noise of a dim picture is below this."""
SHADE = (0.55, 1.4)
"""A shadow or a lamp changes the light by a factor between these."""
TINT = 0.07
"""The factors of the channels then differ by at most this part."""
FINGER_MM = 9.0
"""Anything narrower than this is an edge that has moved a little."""
LEAST_MM2 = 1400.0
"""Anything smaller than this cannot hide a tile of 26 x 38 mm."""
NEAR_MM = 10.0
"""A tile found within this distance of where it lay is not hidden."""
FEWEST_PX = 1000
"""The light on the table cannot be measured from fewer pixels than this."""
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """A view from above of the play area and a rim around it, (h, w, 3) uint8 BGR.

    `tiles` (n, 4, 2) are the corners of its tiles in pixels of the view, `names` their tiles, None for a back, and
    `doubtful` the indices of those whose reads are in doubt, and that may be outlined wrongly.
    """

    picture: Image
    tiles: Floats
    names: tuple[Tile | None, ...] = ()
    doubtful: frozenset[int] = frozenset()

    @classmethod
    def from_sighting(cls, picture: Image, sighting: Sighting, table_mm: tuple[float, float]) -> TopView | None:
        """Return the view of a picture (H, W, 3) by its sighting; None if that shows no marked table."""
        if sighting.outline_px is None:
            return None
        width, height = (round(side * PX_PER_MM) for side in table_mm)
        ratio = max(1.0, float(np.linalg.norm(sighting.outline_px[1] - sighting.outline_px[0])) / width)
        small, left = picture, ratio
        while left >= 2 and not (small.shape[0] % 2 or small.shape[1] % 2):  # halving is much faster
            small, left = np.asarray(cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)), left / 2
        small = np.asarray(cv2.resize(small, None, fx=1 / left, fy=1 / left, interpolation=cv2.INTER_AREA), np.uint8)
        corners = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], np.float32) + RIM_PX
        turn = cv2.getPerspectiveTransform(np.asarray(sighting.outline_px / ratio, np.float32), corners)
        size = (width + 2 * RIM_PX, height + 2 * RIM_PX)
        flat = cv2.warpPerspective(small, turn, size, borderMode=cv2.BORDER_REPLICATE)
        quads = np.asarray([read.corners_px for read in sighting.reads], np.float32).reshape(-1, 1, 2) / ratio
        tiles = cv2.perspectiveTransform(quads, turn).reshape(-1, 4, 2) if len(quads) else quads.reshape(0, 4, 2)
        return cls(np.asarray(flat, np.uint8), np.asarray(tiles, np.float32), *_named(sighting))

    def with_sighting(self, sighting: Sighting) -> TopView:
        """Return the view with the tiles of another sighting of its picture, which must show a marked table."""
        height, width = self.picture.shape[:2]
        right, low = width - RIM_PX, height - RIM_PX
        corners = np.asarray([(RIM_PX, RIM_PX), (right, RIM_PX), (right, low), (RIM_PX, low)], np.float32)
        turn = cv2.getPerspectiveTransform(np.asarray(sighting.outline_px, np.float32), corners)
        quads = np.asarray([read.corners_px for read in sighting.reads], np.float32).reshape(-1, 1, 2)
        tiles = cv2.perspectiveTransform(quads, turn).reshape(-1, 4, 2) if len(quads) else quads.reshape(0, 4, 2)
        return TopView(self.picture, np.asarray(tiles, np.float32), *_named(sighting))

    def fill(self, quads: Floats) -> Mask:
        """Return the mask of the inside of quads (n, 4, 2)."""
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
        return mask.astype(bool)


def _named(sighting: Sighting) -> tuple[tuple[Tile | None, ...], frozenset[int]]:
    """Return the tiles of all reads, and the indices of those in doubt, also if players have said what they are."""
    reads = sighting.reads
    doubtful = (i for i, read in enumerate(reads) if read.doubtful or read.confidence < sighting.sure_from)
    return tuple(read.tile for read in reads), frozenset(doubtful)


@dataclass(frozen=True, slots=True)
class Cover:
    """Something over the table: its middle in parts of the play area (0-1), its size, and the tiles that it may hide.

    `hides` are indices of tiles of the earlier view.
    """

    x: float
    y: float
    area_mm2: float
    hides: tuple[int, ...]


def covers(before: TopView, now: TopView, bare: Sequence[tuple[Image, Mask]] = ()) -> tuple[Cover, ...]:
    """Return what lies over the table now and did not before, the largest first.

    `bare` are earlier pictures of the table, with masks of where each shows it bare. What looks like one of them is
    not returned.
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
    """Return the connected parts of the mask `foreign` that are large enough to hide a tile."""
    finger = np.ones((_px(FINGER_MM),) * 2, np.uint8)
    opened = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_OPEN, finger)
    if not opened.any():
        return ()
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
    """Return the mask without the rim, where racks and hands may be without covering anything."""
    inner = np.zeros_like(mask)
    inner[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] = mask[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    return inner


def _missing_tiles(before: TopView, now: TopView) -> list[int]:
    """Return the indices of the tiles of the earlier view near which no tile lies now."""
    centres = now.tiles.mean(axis=1)
    places = before.tiles.mean(axis=1)
    near = NEAR_MM * PX_PER_MM
    return [i for i, place in enumerate(places) if not (np.linalg.norm(centres - place, axis=1) < near).any()]


def _px(mm: float) -> int:
    """Return millimetres as an odd number of pixels."""
    return round(mm * PX_PER_MM) | 1


def wider(mask: Mask, mm: float) -> Mask:
    """Return the mask and everything within `mm` millimetres of it."""
    return cv2.dilate(mask.astype(np.uint8), np.ones((_px(2 * mm),) * 2, np.uint8)).astype(bool)


def light(before: Image | Floats, now: Image | Floats, within: Mask) -> Floats | None:
    """Return the factor by which light has changed, per channel; None if too little of the table is visible."""
    if within.sum() < FEWEST_PX:
        return None
    seen = within[::2].astype(np.uint8)
    seen[:, 1::2] = 0  # a quarter of all pixels is enough for a median
    then_levels, levels = (_median_colour(picture[::2], seen) for picture in (before, now))
    return np.asarray((levels + 1) / (then_levels + 1), np.float32)


def _median_colour(picture: Image | Floats, mask: Image) -> npt.NDArray[np.float64]:
    """Return the median (3,) of each channel of a picture where a mask is not 0; counting bytes is faster."""
    if picture.dtype != np.uint8:
        return np.asarray(np.median(picture[mask > 0], axis=0), np.float64)
    shown, count = np.asarray(picture, np.uint8), cv2.countNonZero(mask)
    totals = (cv2.calcHist([shown], [channel], mask, [256], [0, 256]).cumsum() for channel in range(3))
    middles = [np.searchsorted(total, [(count - 1) // 2, count // 2], "right") for total in totals]
    return np.asarray(np.mean(middles, axis=1), np.float64)


def _foreign(before: Image, now: Image, within: Mask) -> Mask:
    """Return where a pixel within the mask `within` has changed its colour in a way that light does not explain."""
    gain = light(before, now, within)
    if gain is None:
        return np.zeros(within.shape, bool)
    levels = np.arange(256, dtype=np.float32)[:, None] * gain
    told = np.asarray(cv2.LUT(before, levels[None]), np.float32)
    apart = np.asarray(cv2.absdiff(now.astype(np.float32), told), np.float32)
    foreign = within & (largest(apart) > STEP)
    if not foreign.any():
        return foreign
    old, new = told[foreign], now[foreign].astype(np.float32)
    factors = (new + 8) / (old + 8)
    low, high = -largest(-factors), largest(factors)
    foreign[foreign] = ~((low > SHADE[0]) & (high < SHADE[1]) & (high - low < TINT * high))
    return np.asarray(foreign, bool)


def largest(channels: Floats | Image) -> Floats | Image:
    """Return the largest of the three channels; much faster than `max` along the last axis."""
    return np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2])
