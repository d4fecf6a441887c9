"""Measures camera and light in a picture of the table, on the four markers, whose black and white are known.

Only numbers come from here; they are judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.geometry.markers import SQUARE_MM
from referee.vision.geometry.pose import Pose, rectifying_maps
from referee.vision.sighting import Floats, Image

TILE_TOP_MM = 9.5
CLIPPED = 250
"""The grey level from which a pixel only says "bright": the sensor has no range left above it."""
_INSIDE_MM, _OUTSIDE_MM = 5.0, 6.0  # the black rim is 6.7 mm wide, the white around it at least 8 mm
_PAPER_FROM_MM, _BLACK_FROM_MM = 3.0, 2.5  # nearer to the edge a blurred picture mixes both
_ROWS = 24
_STEP_PX = 0.25
_SHEET_MM = 90.0  # a marker's card, with room for lying askew: its paper is not glare
MIRRORED = 1.2
"""Anything this many times as bright as white paper is neither paper nor tile. A lamp mirrored in plastic is two to
eight times as bright."""
_SPOT_MM2 = 30.0  # smaller spots are bevels and the noise of the sensor
_BLEACHED_PX = 3  # the width of a spot in which a digit could vanish, at a pixel per millimetre


@dataclass(frozen=True, slots=True)
class Patch:
    """One marker: the width of its edges (10 to 90 % of the way from black to white), and its white and its black."""

    edge_mm: float
    edge_px: float
    paper: tuple[float, float, float]
    """The levels of the white paper, BGR."""
    black: float
    clipped: float
    """The fraction of the paper that is too bright to be measured."""

    @property
    def white(self) -> float:
        """The paper's grey level."""
        return 0.114 * self.paper[0] + 0.587 * self.paper[1] + 0.299 * self.paper[2]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place brighter than white paper: a lamp mirrored in a tile or in the table.

    Positions are in mm of the table frame.
    """

    x_mm: float
    y_mm: float
    area_mm2: float


@dataclass(frozen=True, slots=True)
class Flicker:
    """The differences in brightness of two pictures of one table: overall, and in stripes, as fractions."""

    overall: float
    stripes: float


def patch(picture: Image, corners: npt.NDArray[np.float32]) -> Patch | None:
    """Return the measurements of the marker with these corners (4, 2) in a BGR picture.

    Returns None if fewer than two of its edges are inside the picture.
    """
    sides = [_sample_edge(picture, corners, i) for i in range(4)]
    seen = [side for side in sides if side is not None]
    if len(seen) < 2:
        return None
    paper = np.concatenate([samples[:, at >= _PAPER_FROM_MM].reshape(-1, 3) for samples, at, _ in seen])
    black = np.concatenate([samples[:, at <= -_BLACK_FROM_MM].reshape(-1, 3) for samples, at, _ in seen])
    blue, green, red = (float(level) for level in np.median(paper, axis=0))
    return Patch(
        edge_mm=float(np.median([_width(samples, at) for samples, at, _ in seen])),
        edge_px=float(np.median([_width(samples, at) / mm_a_px for samples, at, mm_a_px in seen])),
        paper=(blue, green, red),
        black=float(np.median(black)),
        clipped=float((paper.min(axis=1) >= CLIPPED).mean()),
    )


def _sample_edge(picture: Image, corners: npt.NDArray[np.float32], side: int) -> tuple[Floats, Floats, float] | None:
    """Return samples (rows, steps, 3) across one edge from black to white, their positions in mm, and mm per pixel."""
    start, end = corners[side].astype(np.float64), corners[(side + 1) % 4].astype(np.float64)
    along = end - start
    length = float(np.hypot(*along))
    mm_a_px = SQUARE_MM / max(length, 1e-6)
    outward = np.asarray([along[1], -along[0]]) / max(length, 1e-6)
    if outward @ (corners.mean(axis=0) - start) > 0:
        outward = -outward
    steps = np.arange(-_INSIDE_MM / mm_a_px, _OUTSIDE_MM / mm_a_px, _STEP_PX)
    base = start + np.linspace(0.15, 0.85, _ROWS)[:, None] * along
    spots = (base[:, None] + steps[:, None] * outward).astype(np.float32)
    height, width = picture.shape[:2]
    if spots.min() < 0 or spots[..., 0].max() > width - 1 or spots[..., 1].max() > height - 1:
        return None
    x, y = (np.ascontiguousarray(spots[..., k]) for k in (0, 1))
    samples = cv2.remap(picture, x, y, cv2.INTER_LINEAR)
    return np.asarray(samples, np.float32), np.asarray(steps * mm_a_px, np.float32), mm_a_px


def _width(samples: Floats, at: Floats) -> float:
    """Return the millimetres from 10 to 90 % of the way from black to white."""
    profile = samples.mean(axis=(0, 2))
    black, white = (float(np.median(profile[part])) for part in (at <= -_BLACK_FROM_MM, at >= _PAPER_FROM_MM))
    if white - black < 1:
        return float(at[-1] - at[0])
    # Noise must not make the curve turn back: then it would cross a level more than once.
    share = np.maximum.accumulate((profile - black) / (white - black))
    low, high = (float(np.interp(level, share, at)) for level in (0.1, 0.9))
    return high - low


def spots(picture: Image, pose: Pose, table_mm: tuple[float, float], whites: Mapping[int, float]) -> tuple[Spot, ...]:
    """Return the places in the play area that are much brighter than white paper would be there, largest first.

    `whites` are the grey levels of the paper at the markers, by their numbers.
    """
    size = int(table_mm[0]), int(table_mm[1])
    x, y = rectifying_maps(pose, TILE_TOP_MM, (0.0, 0.0), size, 1.0)
    flat = cv2.remap(picture, x, y, cv2.INTER_LINEAR)
    # A lamp bleaches all three channels; the ink of a tile leaves at least one of them dark.
    level = cv2.blur(flat.min(axis=2), (_BLEACHED_PX, _BLEACHED_PX)).astype(np.float32)
    bright = (level >= np.minimum(_white_over(whites, size) * MIRRORED, CLIPPED)).astype(np.uint8)
    half = int(_SHEET_MM / 2)
    for left in (0, size[0] - half):
        for top in (0, size[1] - half):
            bright[top : top + half, left : left + half] = 0
    # The spots on neighbouring tiles belong to one lamp, although the ink between them may stay dark.
    merged = cv2.dilate(bright, np.ones((15, 15), np.uint8))
    count, labels = cv2.connectedComponents(merged)
    found = []
    for label in range(1, count):
        rows, columns = np.nonzero(bright.astype(bool) & (labels == label))
        if len(rows) >= _SPOT_MM2:
            found.append(Spot(float(columns.mean()), float(rows.mean()), float(len(rows))))
    return tuple(sorted(found, key=lambda spot: -spot.area_mm2))


def _white_over(whites: Mapping[int, float], size: tuple[int, int]) -> Floats:
    """Return how bright white paper would be all over the play area (h, w).

    A corner without a measurement gets the mean of the others.
    """
    usual = float(np.mean(list(whites.values())))
    top_left, top_right, bottom_right, bottom_left = (whites.get(i, usual) for i in range(4))
    u, v = np.meshgrid(np.linspace(0, 1, size[0], dtype=np.float32), np.linspace(0, 1, size[1], dtype=np.float32))
    top, bottom = (1 - u) * top_left + u * top_right, (1 - u) * bottom_left + u * bottom_right
    return np.asarray((1 - v) * top + v * bottom, np.float32)


def flicker(one: Image, other: Image) -> Flicker:
    """Return how the light changed between two pictures (H, W, 3) of one table.

    Movement in a part of the picture does not count.
    """
    small = [cv2.resize(p, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA) for p in (one, other)]
    first, second = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).astype(np.float32) + 2.0 for p in small)
    rows = np.median(second / first, axis=1)
    smooth = np.convolve(np.pad(rows, 4, mode="edge"), np.ones(9) / 9, "valid")
    overall = float(np.median(smooth))
    low, high = np.quantile(smooth, [0.05, 0.95])
    return Flicker(abs(overall - 1), float(high - low) / 2)
