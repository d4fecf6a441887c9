"""Exact places of tiles, to a fraction of a millimetre: measured by the edges of their tops in the picture.

The reader's corners are good enough to crop a tile, but too coarse as places. Seen from the side, a tile shows the
wall that faces the point below the camera, and in light from there the wall is as bright as the top. The far edge of a
top hides its own wall, and where tiles touch there is a dark line; these edges are measured. The other edges follow
from the size, which is the same for all tiles of a table.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.geometry.markers import grey_of
from referee.vision.geometry.pose import Pose
from referee.vision.sighting import Doubles, Floats, Image

Mask = npt.NDArray[np.bool_]

# Chosen by hand, not fitted; models/METRICS.md has the precision of places that results from them.
REACH_PX, STEP_PX = 3.0, 0.5
"""Pixels on both sides of the reader's edge within which the true edge is searched, and the step of the search."""
SAMPLES = 12
"""Places along each side at which its edge is sampled."""
BESIDE_MM = 3.0
"""Two tiles touch if one reaches to within this distance of the other's edge."""
ROUND_MM = 0.1
"""Edges are rounded: the steepest slope lies this far inside of the edge."""
WALL_MM = 0.4
"""An edge is measured only if less than this width of its wall is seen, which could be taken for another edge."""
CLEAR, DARK = 0.15, 3.0
"""The least slope of an edge, as a share of the usual one, and the least depth of a dark line, in levels."""
INSET_MM = 0.3
"""The reader's quads are this much smaller than the tile; used if no size could be measured."""
OFF_MM = 1.0
"""A size that differs from the others' by more than this was measured on something else."""
FARTHEST_MM = 2.0
"""Tiles are not shifted farther than this."""
FEWEST = 3
"""The least number of tiles from which a common size is measured; with fewer the usual size is used."""
_SIDES = np.asarray([[0, -1], [1, 0], [0, 1], [-1, 0]], np.float64)  # top, right, bottom, left


@dataclass(frozen=True, slots=True)
class _Tiles:
    """Quads (n, 4, 2) on the plane of the tops, in mm: middles, directions, sizes, and widths of visible walls."""

    middles: Doubles
    across: Doubles
    down: Doubles
    sizes: Doubles
    walls: Doubles


def on_tops(picture: Image, pose: Pose, corners: Floats, height_mm: float) -> Floats:
    """Return quads (n, 4, 2) in pixels as millimetres on the plane of the tile tops, with corrected places.

    The picture may be BGR or grey.
    """
    if not len(corners):
        return np.zeros((0, 4, 2), np.float32)
    plane = pose.to_plane(corners.reshape(-1, 2), height_mm).reshape(-1, 4, 2)
    tiles = _measure_walls(plane, pose, height_mm)
    found, told = _edges(grey_of(picture), corners, tiles)
    shift = np.stack(
        [_shift(found[:, pair], told[:, pair], tiles, axis) for axis, pair in enumerate(([3, 1], [0, 2]))]
    )
    moved = plane + (tiles.across * shift[0][:, None] + tiles.down * shift[1][:, None])[:, None]
    return np.asarray(moved, np.float32)


def _measure_walls(plane: Doubles, pose: Pose, height_mm: float) -> _Tiles:
    """Return the tiles with the visible widths of their walls, which are negative on sides that face away."""
    right = (plane[:, 1] + plane[:, 2] - plane[:, 0] - plane[:, 3]) / 2
    below = (plane[:, 2] + plane[:, 3] - plane[:, 0] - plane[:, 1]) / 2
    sizes = np.maximum(1e-6, np.stack([np.linalg.norm(right, axis=1), np.linalg.norm(below, axis=1)], 1))
    across, down = right / sizes[:, :1], below / sizes[:, 1:]
    turn = cv2.Rodrigues(pose.rotation)[0]
    camera = -turn.T @ pose.translation
    away = plane.mean(axis=1) - camera[:2]
    sides = _directions(across, down)
    walls = -np.einsum("nsk,nk->ns", sides, away) * height_mm / max(1.0, -float(camera[2]))
    return _Tiles(plane.mean(axis=1), across, down, sizes, walls)


def _directions(across: Doubles, down: Doubles) -> Doubles:
    """Return the outward directions of the four sides, (n, 4, 2): top, right, bottom, left."""
    return _SIDES[None, :, :1] * across[:, None] + _SIDES[None, :, 1:] * down[:, None]


def _edges(grey: Image, corners: Floats, tiles: _Tiles) -> tuple[Doubles, Mask]:
    """Return how far each side of a tile is from its middle, (n, 4) in mm, and whether that could be measured."""
    profile, at = _profiles(grey, corners)
    fall, fall_px, falls = _peak(profile[..., :-2] - profile[..., 2:], at[1:-1])
    line, line_px, lines = _peak(-profile, at)
    dark = np.minimum(profile[..., 0], profile[..., -1]) + line > DARK
    long = np.linalg.norm(corners - np.roll(corners, -1, 1), axis=2)[:, [0, 3]] / tiles.sizes
    scale = np.sqrt(np.maximum(1e-6, long.prod(axis=1)))[:, None]
    half = tiles.sizes[:, [1, 0, 1, 0]] / 2
    touched = _touching_sides(tiles)
    place = half + np.where(touched, line_px / scale, fall_px / scale + ROUND_MM)
    clear = falls & (tiles.walls < WALL_MM) & (fall > CLEAR * np.median(fall))
    return place, np.where(touched, lines & dark, clear)


def _profiles(grey: Image, corners: Floats) -> tuple[Doubles, Doubles]:
    """Return levels across the sides (n, 4, k), from inside to outside, and their places in pixels from the side."""
    along = np.roll(corners, -1, 1) - corners
    outwards = np.stack([along[..., 1], -along[..., 0]], -1)
    outwards /= np.maximum(1e-6, np.linalg.norm(outwards, axis=-1, keepdims=True))
    at = np.arange(-REACH_PX, REACH_PX + STEP_PX / 2, STEP_PX)
    share = np.linspace(0.15, 0.85, SAMPLES)
    x, y = (
        (corners[..., k, None] + along[..., k, None] * share)[..., None] + (outwards[..., k, None] * at)[..., None, :]
        for k in (0, 1)
    )
    shape = len(corners), -1  # one row per tile: cv2.remap takes at most 32767
    levels = cv2.remap(grey, x.astype(np.float32).reshape(shape), y.astype(np.float32).reshape(shape),
                       cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    shown = levels.reshape(*corners.shape[:2], SAMPLES, len(at)).transpose(2, 0, 1, 3)
    ordered = _sort_few(list(np.ascontiguousarray(shown)))
    middle = ordered[SAMPLES // 2 - 1].astype(np.float64) + ordered[SAMPLES // 2]
    return middle / 2, at


def _sort_few(arrays: list[Image]) -> list[Image]:
    """Sort a few arrays of bytes, element by element; several times as fast as `np.sort` along a first axis."""
    ordered = list(arrays)
    for one, other in _comparisons(len(ordered)):
        low, high = ordered[one], ordered[other]
        ordered[one], ordered[other] = np.minimum(low, high), np.maximum(low, high)
    return ordered


@functools.cache
def _comparisons(count: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs that must be put in order, one after the other, to sort `count` values.

    This is Batcher's merge exchange (Knuth, The Art of Computer Programming, volume 3, 5.2.2, algorithm M).
    """
    pairs: list[tuple[int, int]] = []
    half = 1 << max(0, (count - 1).bit_length() - 1)
    part = half
    while part:
        apart, rest, wide = part, 0, half
        while True:
            pairs += [(i, i + apart) for i in range(count - apart) if i & part == rest]
            if wide == part:
                break
            apart, rest, wide = wide - part, part, wide // 2
        part //= 2
    return tuple(pairs)


def _peak(values: Doubles, at: Doubles) -> tuple[Doubles, Doubles, Mask]:
    """Return the highest of values (n, 4, k), its interpolated place, and whether it lies inside the range."""
    top = values.argmax(axis=-1)
    inner = np.clip(top, 1, values.shape[-1] - 2)
    left, middle, right = (np.take_along_axis(values, (inner + k)[..., None], -1)[..., 0] for k in (-1, 0, 1))
    bend = left - 2 * middle + right
    shift = np.where(np.abs(bend) > 1e-3, 0.5 * (left - right) / np.where(bend == 0, 1, bend), 0.0)
    return middle, at[inner] + np.clip(shift, -1, 1) * STEP_PX, top == inner


def _touching_sides(tiles: _Tiles) -> Mask:
    """Return at which sides another tile lies, (n, 4)."""
    half = tiles.sizes[:, [1, 0, 1, 0]] / 2
    beyond = tiles.middles[:, None] + _directions(tiles.across, tiles.down) * (half + BESIDE_MM)[..., None]
    inside = np.ones((len(half), 4, len(half)), bool)
    for axis, way in enumerate((tiles.across, tiles.down)):  # the distance of those places from every tile's middle
        inside &= np.abs(beyond @ way.T - (tiles.middles * way).sum(axis=1)) < tiles.sizes[:, axis] / 2
    inside[np.arange(len(half)), :, np.arange(len(half))] = False
    return np.asarray(inside.any(axis=-1), bool)


def _shift(places: Doubles, told: Mask, tiles: _Tiles, axis: int) -> Doubles:
    """Return how far to move tiles along an axis, (n,) mm; `places` (n, 2) are the distances of both its sides."""
    own, walls = tiles.sizes[:, axis], tiles.walls[:, [3, 1] if axis == 0 else [0, 2]]
    both, span = told.all(axis=1), places.sum(axis=1)
    seen_from_above = np.argsort(walls.max(axis=1), kind="stable")[: max(FEWEST, len(own) // 3)]
    usual = float(np.median(own[seen_from_above])) + INSET_MM
    good = both & (np.abs(span - usual) < 2 * OFF_MM)
    size = float(np.median(span[good])) if good.sum() >= FEWEST else usual
    fit = both & (np.abs(span - size) < OFF_MM)
    by_one = np.where(told[:, 1], places[:, 1] - size / 2, size / 2 - places[:, 0])
    # If no edge could be measured, the part of a quad beyond the tile's size is assumed to be its wall.
    wall = np.where(walls[:, 0] > walls[:, 1], 1, -1) * np.clip(own - size, 0, walls.max(axis=1)) / 2
    shift = np.where(fit, (places[:, 1] - places[:, 0]) / 2, np.where(told.sum(axis=1) == 1, by_one, wall))
    return np.asarray(np.clip(shift, -FARTHEST_MM, FARTHEST_MM))
