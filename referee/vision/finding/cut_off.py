"""Tiles that are cut off by the edge of the picture: they must neither be read with certainty nor be passed over.

The finder has learnt from whole tiles. So the picture is mirrored at its edges: half a tile and its mirror image look
like a whole one. What is found in this way is a tile if it has the colour of the tiles that were read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.finding import finder as find
from referee.vision.finding import grouping as group
from referee.vision.finding.finder import Candidates
from referee.vision.finding.search import PYRAMID
from referee.vision.reading import crops
from referee.vision.reading.answers import Model
from referee.vision.sighting import Floats, Image

Mask = npt.NDArray[np.bool_]
# Chosen by hand after 2,800 tiles in 630 crops of 126 real photos, whose edges were laid through tiles, and after the
# same photos as a whole, with 11 of empty tables.
PRINT = 0.8
"""The part of a tile's width and height that may bear print; a tile is cut off if some of it is not in the picture."""
AT_EDGE, STUNTED = 0.3, 0.8
"""A tile that ends closer to the edge than this, in widths of a tile, and has less than this part of the area of whole
ones near it, is what is left of a larger one."""
TOUCHING = 0.12
"""A tile that ends closer to the edge than this, in widths of a tile, may go on beyond it. In the four photos of a row
that the edge cuts through, of which only the row is left, the tiles end within 0.05."""
NARROWEST, WIDEST = 0.55, 0.82
"""Whole tiles are so many times as wide as high: of 1,948 in real photos 98 %, and those that touch an edge 0.60 to
0.73."""
SHARES = (1.0, 0.75)
"""The sizes that are searched, in those of whole tiles: what is left of a tile and its mirror image is smaller."""
AROUND = 32
"""The width of the mirrored border in pixels of the finder."""
LARGEST_LEVEL = 3600
"""In pixels: a picture is not enlarged beyond that."""
DEEP = 192
"""Of a large picture, only strips along the edges are searched, this many pixels of the finder deep with the border.
It is a multiple of 16, the finder's largest step. All of a 2304 x 1296 picture with tiles of 14 px would take 200 MB
and six times as long."""
SCORE_FROM = 0.4
"""What the finder gives a lower score is not reported as a tile at the edge."""
LONE_FROM = 0.8
"""If there is no whole tile to compare with, this score or more. Empty tables reach 0.73; of 17 photos cropped until
each tile was cut, 11 reach more."""
LARGER = 1.3
"""No tile is larger by this factor than those that were read."""
LIKE_TILES = 0.15
"""Their colour differs from that of the most similar one of the nearest tiles by less than this: the logarithm of the
brightness, and twice that of the colour."""
NEAREST = 5
SAME = 0.4
"""If this part of what is left of a tile lies on a tile that was read, it is that one."""
NARROW = 0.15
"""Of a tile that counts, at least this part is in the picture; it is a strip that says nothing otherwise."""


@dataclass(frozen=True, slots=True)
class CutOff:
    """The tiles that are cut off: the indices of those that were `read`, and the places of all of them in pixels."""

    read: frozenset[int]
    places_px: tuple[tuple[float, float], ...]


def look_at_edges(finder: Model, picture: Image, tiles: Floats, outline: Floats | None) -> CutOff:
    """Return the tiles that the edge of a BGR picture (H, W, 3) cuts off.

    `tiles` (n, 4, 2) are those that were found, `outline` (4, 2) is the play area if there are markers. If all of that
    is in the picture, no other tile of the table can be cut off.
    """
    size = (picture.shape[1], picture.shape[0])
    cut = are_cut_off(tiles, size)
    if outline is None:
        cut |= are_stunted(tiles, size)
        found = find_cut_off(finder, picture, tiles) if len(tiles) else find_lone_cut_off(finder, picture)
    else:
        within = len(tiles) == 0 or not _reach_out(outline[None], size, 0.0)[0]
        found = np.zeros((0, 4, 2), np.float32) if within else find_cut_off(finder, picture, tiles)
    places = []
    for part in (_clip(quad, size) for quad in found):
        on_tiles = shares_on_tiles(part, tiles) > SAME
        middle = tuple(part.mean(axis=0).tolist())
        cut |= on_tiles
        if not on_tiles.any() and (outline is None or cv2.pointPolygonTest(outline, middle, False) >= 0):
            places.append(middle)
    read = np.flatnonzero(cut)
    last = np.asarray(size, np.float32) - 1
    places += [tuple(np.clip(tiles[i].mean(axis=0), 0, last).tolist()) for i in read]
    return CutOff(frozenset(read.tolist()), tuple(places))


def are_cut_off(corners: Floats, size: tuple[int, int]) -> Mask:
    """Return which tiles (n, 4, 2) may have some of their print outside a picture of (width, height)."""
    middles = corners.mean(axis=1, keepdims=True)
    printed = middles + np.float32(PRINT) * (corners - middles)
    return _reach_out(printed, size, 0.0)


def are_stunted(tiles: Floats, size: tuple[int, int]) -> Mask:
    """Return which tiles (n, 4, 2) at the edge of a picture of (width, height) may be what is left of larger ones.

    They are smaller than the whole tiles near them, or of another shape than tiles have. If several tiles touch the
    edge and none in the picture lies away from it, there is nothing to compare with: the edge may cut through a row.
    """
    if not len(tiles):
        return np.zeros(0, bool)
    width = float(np.median(crops.short_sides(tiles)))
    at_edge, touching = (_reach_out(tiles, size, near * width) for near in (AT_EDGE, TOUCHING))
    sides = np.linalg.norm(tiles - np.roll(tiles, 1, axis=1), axis=2)
    shape = (sides[:, 0] + sides[:, 2]) / np.maximum(sides[:, 1] + sides[:, 3], 1e-6)
    shape = np.minimum(shape, 1 / np.maximum(shape, 1e-6))
    stunted = touching & ((shape < NARROWEST) | (shape > WIDEST))
    whole = np.flatnonzero(~at_edge)
    if not len(whole):
        return np.asarray(touching if touching.sum() > 1 else stunted, bool)
    areas, places = np.asarray([_area(tile) for tile in tiles]), tiles.mean(axis=1)
    apart = np.linalg.norm(places[:, None] - places[whole], axis=2)
    near = whole[np.argsort(apart, axis=1)[:, :NEAREST]]
    return np.asarray(stunted | (at_edge & (areas < STUNTED * np.median(areas[near], axis=1))), bool)


def find_cut_off(finder: Model, picture: Image, tiles: Floats) -> Floats:
    """Return quads (m, 4, 2) of tiles that are cut off by the edge of the picture.

    `tiles` (n, 4, 2) are those that were found already: the others are no larger and have the same colour. Some of the
    result may be among them.
    """
    size = (picture.shape[1], picture.shape[0])
    usual = float(np.median(crops.short_sides(tiles)))
    found = find.join_candidates([_mirrored_level(finder, picture, share * usual) for share in SHARES])
    sides, longest = _longest_sides(found.corners), float(_longest_sides(tiles).max())
    found = found[_are_partly_shown(found.corners, size) & (sides < LARGER * longest)]
    found = found[np.argsort(-found.scores)]
    parts = [_clip(quad, size) for quad in found.corners]
    return _apart(found.corners[_look_like(picture, parts, tiles)])


def find_lone_cut_off(finder: Model, picture: Image) -> Floats:
    """Return quads (m, 4, 2) of tiles that are cut off by the edge of a picture which shows no whole tile."""
    size = (picture.shape[1], picture.shape[0])
    levels = []
    for short in PYRAMID:
        if max(size) * find.SHORT_PX < LARGEST_LEVEL * short:
            found = _mirrored_level(finder, picture, short)
            sides = crops.short_sides(found.corners) / np.float32(short)
            fits = (sides > 1 / LARGER) & (sides < LARGER) & (found.scores > LONE_FROM)
            levels.append(found[fits & _are_partly_shown(found.corners, size)])
    found = find.join_candidates(levels)
    return _apart(found[np.argsort(-found.scores)].corners)


def _are_partly_shown(quads: Floats, size: tuple[int, int]) -> Mask:
    """Return which quads (n, 4, 2) lie so that enough of them, but not all, is in a picture of (width, height)."""
    shown = [_area(_clip(quad, size)) > NARROW * _area(quad) for quad in quads]
    return np.asarray(shown, bool) & are_cut_off(quads, size)


def _apart(quads: Floats) -> Floats:
    """Return the quads (n, 4, 2) that do not lie on an earlier one."""
    centres, across, down = group.axes(quads)
    half = np.float32(0.5)
    return quads[find.suppress(centres, half * down, half * across)]


def _longest_sides(quads: Floats) -> Floats:
    """Return the length (n,) of the longest side of each quad (n, 4, 2)."""
    return np.asarray(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).max(axis=1), np.float32)


def shares_on_tiles(part: Floats, tiles: Floats) -> Floats:
    """Return how much (n,) of a polygon (k, 2) lies on each of `tiles` (n, 4, 2), 0 to 1."""
    areas = [cv2.intersectConvexConvex(part, np.asarray(tile, np.float32))[0] for tile in tiles]
    return np.asarray(areas, np.float32) / np.float32(max(_area(part), 1e-6))


def _reach_out(corners: Floats, size: tuple[int, int], near: float) -> Mask:
    """Return which quads (n, 4, 2) reach out of a picture of (width, height), or closer to its edge than `near`."""
    outside = (corners < near - 0.5) | (corners > np.asarray(size, np.float32) - np.float32(near + 0.5))
    return np.asarray(outside.any(axis=(1, 2)), bool)


def _mirrored_level(finder: Model, picture: Image, short: float) -> Candidates:
    """Return what the finder finds in the picture mirrored at its edges, for tiles `short` pixels wide."""
    height, width = picture.shape[:2]
    scale = min(find.SHORT_PX / short, LARGEST_LEVEL / max(height, width))
    size = (max(AROUND + 1, round(width * scale)), max(AROUND + 1, round(height * scale)))
    level = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    level = cv2.copyMakeBorder(level, AROUND, AROUND, AROUND, AROUND, cv2.BORDER_REFLECT_101)
    mirrored = np.asarray(level, np.uint8)
    found = find.join_candidates(
        [
            find.shift_candidates(
                find.decode(finder(find.to_input(mirrored[top:bottom, left:right]))[0][0], SCORE_FROM),
                np.asarray((left, top), np.float32),
            )
            for top, bottom, left, right in _strips(mirrored.shape[0], mirrored.shape[1])
        ]
    )
    ratio = np.asarray([width / size[0], height / size[1]], np.float32)
    return Candidates(np.asarray((found.corners - AROUND + 0.5) * ratio - 0.5, np.float32), found.scores)


def _strips(height: int, width: int) -> list[tuple[int, int, int, int]]:
    """Return the parts of a level that show its edges: top, bottom, left and right of each; all of it if it is small.

    They begin where the finder's steps in the whole level do, so that it finds the same.
    """
    if min(height, width) < 3 * DEEP:
        return [(0, height, 0, width)]
    lowest, rightmost = ((side - DEEP) // 16 * 16 for side in (height, width))
    return [(0, DEEP, 0, width), (lowest, height, 0, width), (0, height, 0, DEEP), (0, height, rightmost, width)]


def _look_like(picture: Image, parts: Sequence[Floats], tiles: Floats) -> Mask:
    """Return which polygons of a BGR picture have the colour of the bodies of tiles (n, 4, 2) near them."""
    bodies = crops.medians(crops.cut(picture, tiles, 0.9, step=4))
    places = tiles.mean(axis=1)
    alike = np.zeros(len(parts), bool)
    for i, part in enumerate(parts):
        middle = part.mean(axis=0)
        near = np.argsort(np.linalg.norm(places - middle, axis=1))[:NEAREST]
        seen = _median_colour(picture, middle + np.float32(PRINT) * (part - middle))
        apart = np.log(np.maximum(seen, 8.0)) - np.log(np.maximum(bodies[near], 8.0))
        lighter = apart.mean(axis=1)
        coloured = np.abs(apart - lighter[:, None]).max(axis=1)
        alike[i] = (np.abs(lighter) + 2 * coloured).min() < LIKE_TILES
    return alike


def _median_colour(picture: Image, polygon: Floats) -> Floats:
    """Return the median colour (3,) of a BGR picture inside a polygon (k, 2) that lies in it."""
    low = np.maximum(np.floor(polygon.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(polygon.max(axis=0)).astype(int) + 1, (picture.shape[1], picture.shape[0]))
    inside = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(inside, np.round(polygon - low).astype(np.int32), 1)
    pixels = picture[low[1] : high[1], low[0] : high[0]][inside > 0]
    return np.asarray(np.median(pixels, axis=0) if len(pixels) else np.zeros(3), np.float32)


def _clip(quad: Floats, size: tuple[int, int]) -> Floats:
    """Return the polygon (k, 2) of a quad (4, 2) that lies in a picture of (width, height)."""
    frame = np.asarray([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32) - np.float32(0.5)
    area, polygon = cv2.intersectConvexConvex(np.asarray(quad, np.float32), frame)
    return np.asarray(polygon, np.float32).reshape(-1, 2) if area > 0 else np.zeros((0, 2), np.float32)


def _area(polygon: Floats) -> float:
    return float(cv2.contourArea(np.asarray(polygon, np.float32))) if len(polygon) > 2 else 0.0
