"""Where tiles may lie in a picture: in the plane of a marked table, or at any scale if there are no markers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.finding import finder as find
from referee.vision.finding import grouping as group
from referee.vision.finding.finder import Candidates
from referee.vision.finding.prints import find_prints
from referee.vision.geometry.markers import SQUARE_MM, Located, marker_centre
from referee.vision.geometry.pose import rectifying_maps
from referee.vision.reading import crops
from referee.vision.reading.answers import Model
from referee.vision.sighting import Floats, Image

# Unless a comment names a source, these values were chosen by hand, not fitted.
BORDER_MM = 45.0  # seen around the play area, so that tiles at its edge are found whole
REACH_MM = 25.0  # a tile whose centre lies this far outside still belongs to the table
PLANE_SHORT_PX = 16.5  # where scale is known, smaller tiles than the finder likes best do, for two thirds of the work
PYRAMID = (24.0, 38.0, 60.0, 95.0, 150.0, 240.0, 380.0, 600.0)
"""The short sides of tiles, in pixels, that are searched for in a picture without markers."""
RIVAL, TRIED = 0.4, 12
"""If candidates of different sizes have scores above this part of the highest, they contradict each other. Then this
many of each level are read. Chosen by hand, not fitted; `python -m benchmarks closeups` measures the result."""
FINE, FINE_BELOW, FINEST_LEVEL = 14.0, 30.0, 3600
"""The short side of smaller tiles, for which the picture is enlarged to at most FINEST_LEVEL pixels. This costs as
much as all other levels together, so it is done only if those show no tile, or tiles narrower than FINE_BELOW. With
it, all 203 tiles of 14 to 15 px on five rendered tables without markers are found."""
PART, OVERLAP = 1200, 64
"""An enlarged picture is searched in parts of this many pixels. They share a strip as wide as a whole tile."""
SMALLEST_LEVEL, LARGEST_LEVEL = 14, 2600  # pixels
CLOSE_UP, AROUND = 400, 26  # levels smaller than the first are widened by so much: one large tile needs surroundings
TOUCHING = 1.15
"""A find touches a tile if its middle is closer than this to the tile's, in sides of the tile."""
SPREAD, PLANE_SPREAD = 1.4, 1.28  # by this factor tiles may differ from the one size, or from its plane
PLANE_FROM = 6  # tiles that show how size changes across a picture
TURNS, PRINT_TURNS = 12, 6
"""The number of turns that are tried for a tile of which only the place is known, and for one of which only the print
may be visible; the aligner corrects half a step."""


@dataclass(frozen=True, slots=True)
class Rectification:
    """A view of a marked table from straight above, in the plane of the tile tops, for one position of the camera."""

    located: Located
    tile_mm: tuple[float, float, float]
    table_mm: tuple[float, float]
    px_per_mm: float
    maps: tuple[Floats, Floats]
    """For cv2.remap, in pixels of a picture that is smaller by the factor `shrunk_by`."""
    shrunk_by: int

    @classmethod
    def for_finder(
        cls, located: Located, tile_mm: tuple[float, float, float], table_mm: tuple[float, float]
    ) -> Rectification:
        """Return the view in which a tile is as wide in pixels as the finder expects.

        `tile_mm` is a tile's width, its height, and the height of its top above the table; `table_mm` is the width and
        depth of the play area.
        """
        scale = PLANE_SHORT_PX / tile_mm[0]
        size = (round((table_mm[0] + 2 * BORDER_MM) * scale), round((table_mm[1] + 2 * BORDER_MM) * scale))
        maps = rectifying_maps(located.pose, tile_mm[2], (-BORDER_MM, -BORDER_MM), size, scale)
        # The picture is shrunk first, to about the scale of the view, so that no pixel is skipped.
        ratio = max(1, int(float(np.hypot(*(m[0, -1] - m[0, 0] for m in maps))) / size[0] + 0.3))
        for one in maps if ratio > 1 else ():
            np.add(one, np.float32(0.5), out=one)
            np.divide(one, np.float32(ratio), out=one)
            np.subtract(one, np.float32(0.5), out=one)
        return cls(located, tile_mm, table_mm, scale, maps, ratio)

    def rectify(self, picture: Image) -> Image:
        """Return this view (h, w, 3) of a picture taken by the same camera in the same position."""
        size = (picture.shape[1] // self.shrunk_by, picture.shape[0] // self.shrunk_by)
        shrunk = picture if self.shrunk_by == 1 else cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.remap(shrunk, *self.maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def on_table(self, found: Candidates) -> Candidates:
        """Return what was found in this view, without anything off the table or on a marker."""
        plane = found.corners / self.px_per_mm - BORDER_MM
        return found[self._is_on_table(plane.mean(axis=1))]

    def _is_on_table(self, points: Floats) -> npt.NDArray[np.bool_]:
        """Return whether each point (n, 2), in mm, may be the middle of a tile: not off the table, nor on a marker."""
        inside = ((points > -REACH_MM) & (points < np.asarray(self.table_mm) + REACH_MM)).all(axis=1)
        return np.asarray(inside & ~_is_near_marker(points, _marker_places(self.located)), bool)

    def in_view(self, quads: Floats) -> Floats:
        """Return the middles (n, 2) of quads (n, 4, 2) of a picture, in pixels of this view."""
        plane = self.located.pose.to_plane(quads.mean(axis=1), self.tile_mm[2])
        return np.asarray((plane + BORDER_MM) * self.px_per_mm, np.float32)

    def in_picture(self, found: Candidates, prints: Floats) -> Candidates:
        """Return what was found in this view, in pixels of the picture, together with quads of the box's tile size.

        `prints` (m, 2) are the middles of what looks like a print in the view.
        """
        plane = found.corners / self.px_per_mm - BORDER_MM
        quads = np.concatenate([plane[:, None], _of_size(plane, self.tile_mm)], axis=1)
        pixels = self.located.pose.on_plane(quads.reshape(-1, 2), self.tile_mm[2]).astype(np.float32)
        first, usual = np.split(pixels.reshape(-1, 3, 4, 2), [1], axis=1)
        middles = prints / self.px_per_mm - BORDER_MM
        proposed = turned_quads(self.located, self.tile_mm, middles[self._is_on_table(middles)])
        return Candidates(first[:, 0], found.scores, usual, proposed)


def _of_size(quads: Floats, tile_mm: tuple[float, float, float]) -> Floats:
    """Return quads (n, 2, 4, 2) of this size in the middles of `quads`, with the same turn and a quarter further."""
    centres, across, _ = group.axes(quads)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), np.float32(1e-6))
    down = np.stack([-across[:, 1], across[:, 0]], axis=1)
    wide, high = np.float32(tile_mm[0] / 2), np.float32(tile_mm[1] / 2)
    ways = find.quads(centres, wide * across, high * down), find.quads(centres, wide * down, -high * across)
    return np.stack(ways, axis=1)


def quads_at(located: Located, tile_mm: tuple[float, float, float], x_px: float, y_px: float) -> Floats:
    """Return quads of this size with their middle at a pixel, in all turns that differ: (TURNS, 4, 2) in pixels."""
    middles = located.pose.to_plane([(x_px, y_px)], tile_mm[2])
    return np.asarray(turned_quads(located, tile_mm, middles, TURNS)[0], np.float32)


def turned_quads(
    located: Located, tile_mm: tuple[float, float, float], middles: npt.NDArray[Any], count: int = PRINT_TURNS
) -> Floats:
    """Return quads of this size around middles (n, 2), mm, in so many turns: (n, count, 4, 2) in pixels."""
    turns = np.arange(count, dtype=np.float32) * np.float32(np.pi / count)
    across = np.stack([np.cos(turns), np.sin(turns)], axis=1) * np.float32(tile_mm[0] / 2)
    down = np.stack([-np.sin(turns), np.cos(turns)], axis=1) * np.float32(tile_mm[1] / 2)
    around = find.quads(np.zeros((count, 2), np.float32), across, down)
    plane = np.asarray(middles[:, None, None] + around, np.float64).reshape(-1, 2)
    quads: Floats = located.pose.on_plane(plane, tile_mm[2]).astype(np.float32).reshape(-1, count, 4, 2)
    return quads


def turn_quads(quads: Floats) -> list[Floats]:
    """Return quads (n, 4, 2) of tiles turned about their middles, once for each turn that must be tried.

    The aligner corrects a turn of 15 degrees; a tile turned by 180 degrees has the same quad.
    """
    centres, across, down = group.axes(quads)
    wide, high = (np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-6) for side in (across, down))
    turns = []
    for angle in np.radians(np.arange(30, 180, 30)):
        cosine, sine = np.float32(np.cos(angle)), np.float32(np.sin(angle))
        a = cosine * across + sine * down * (wide / high)
        d = cosine * down - sine * across * (high / wide)
        turns.append(find.quads(centres, np.asarray(a / 2, np.float32), np.asarray(d / 2, np.float32)))
    return turns


def tiles_touched_by(quads: Floats, tiles: Floats, within: float = TOUCHING) -> npt.NDArray[np.intp]:
    """Return for each quad (n, 4, 2) which of `tiles` (m, 4, 2) it half covers or nearly touches; -1 for none.

    That is, its middle is closer to the tile's than `within`, in sides of the tile.
    """
    if not len(tiles) or not len(quads):
        return np.full(len(quads), -1, np.intp)
    centres, across, down = group.axes(tiles)
    apart = quads.mean(axis=1)[:, None] - centres
    nearest = np.linalg.norm(apart, axis=2).argmin(axis=1)
    ways = apart[np.arange(len(quads)), nearest]
    along, below = _shares(ways, across[nearest], down[nearest])
    return np.where(np.maximum(np.abs(along), np.abs(below)) < within, nearest, -1)


def move_beside(quads: Floats, tiles: Floats) -> Floats:
    """Return the quads (n, 4, 2), with each that half covers one of `tiles` (m, 4, 2) moved to beside that tile.

    Such a quad gets that tile's size and turn, because tiles touch but never overlap. Other quads stay as they are.
    """
    centres, across, down = group.axes(tiles)
    touched = tiles_touched_by(quads, tiles)
    rows = np.flatnonzero(touched >= 0)
    tile = touched[rows]
    along, below = _shares(quads[rows].mean(axis=1) - centres[tile], across[tile], down[tile])
    beside = (np.abs(along) >= np.abs(below))[:, None]
    moves = np.where(beside, across[tile] * np.sign(along)[:, None], down[tile] * np.sign(below)[:, None])
    result = quads.copy()
    result[rows] = tiles[tile] + moves[:, None]
    return result


def _shares(ways: Floats, across: Floats, down: Floats) -> tuple[Floats, Floats]:
    """Return the lengths (n,) of vectors (n, 2) along tiles' sides, across and down, in lengths of these sides."""
    along, below = ((ways * side).sum(axis=1) / np.maximum(1e-6, (side * side).sum(axis=1)) for side in (across, down))
    return np.asarray(along, np.float32), np.asarray(below, np.float32)


def on_plane(
    finder: Model, picture: Image, located: Located, tile_mm: tuple[float, float, float],
    table_mm: tuple[float, float], threshold: float,
) -> Candidates:  # fmt: skip
    """Return the candidates of a marked table, searched in the plane of the tile tops as seen from straight above."""
    rectification = Rectification.for_finder(located, tile_mm, table_mm)
    view = rectification.rectify(picture)
    found = find.decode(finder(find.to_input(view))[0][0], threshold)
    return rectification.in_picture(rectification.on_table(found), find_prints(view, PLANE_SHORT_PX))


def _marker_places(located: Located) -> npt.NDArray[np.float64]:
    centres = [marker_centre(c) for c in located.corners.values()]
    return located.pose.to_plane(np.asarray(centres), 0.0)


def _is_near_marker(points: npt.NDArray[Any], places: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Return whether each point (n, 2), in mm, lies on the square of a marker."""
    distance = np.linalg.norm(points[:, None] - places[None], axis=2)
    return np.asarray((distance < SQUARE_MM * 0.6).any(axis=1))


def at_any_scale(
    finder: Model, picture: Image, threshold: float,
    print_evidence: Callable[[Candidates], Floats] | None = None,
) -> Candidates:  # fmt: skip
    """Return candidates of a picture without markers, from an image pyramid: each tile is found at its own level.

    `print_evidence` returns for n candidates how strongly each shows the print of a tile, (n,), 0 for those without.
    It is called only if the levels disagree about the size of tiles: threads of coarse cloth, or granules of cork,
    look to the finder like a hundred small tiles around a large one, and only the reader can tell which bear a print.
    """
    levels = [c for c in (_level(finder, picture, short, threshold) for short in PYRAMID) if c is not None]
    sample = None
    if print_evidence is not None and _sizes_differ(levels):
        sample = _printed_sample(levels, print_evidence)
    found = _of_levels(levels, sample)
    if len(found.scores) and np.median(crops.short_sides(found.corners)) >= FINE_BELOW:
        # A cup or the joints of a floor may be taken for a few large tiles. Only prints prove that tiles are large.
        likeliest = found[np.arange(min(TRIED, len(found.scores)))]
        if print_evidence is None or sample is not None or (print_evidence(likeliest) > 0).any():
            return found
    levels.append(_fine_level(finder, picture, threshold))
    if print_evidence is not None and sample is None and _sizes_differ(levels):
        sample = _printed_sample(levels, print_evidence)
    return _of_levels(levels, sample)


def _sizes_differ(levels: Sequence[Candidates]) -> bool:
    """Return whether strong candidates of several levels differ too much in size to be tiles of one box."""
    joined = find.join_candidates(levels)
    if not len(joined.scores):
        return False
    joined = joined[np.argsort(-joined.scores)]
    joined = joined[_suppress_overlaps(joined)]
    strong = joined[joined.scores > RIVAL * joined.scores.max()]
    return not bool(of_one_size(strong, strong).all())


def _printed_sample(
    levels: Sequence[Candidates], print_evidence: Callable[[Candidates], Floats]
) -> Candidates | None:  # fmt: skip
    """Return those among the likeliest candidates of each level that bear a print; None if none does.

    Among threads a few seem to bear one, weakly. Of all sizes the one is taken for which there is the most evidence.
    """
    best = find.join_candidates([level[np.argsort(-level.scores)[:TRIED]] for level in levels])
    evidence = print_evidence(best)
    best, evidence = best[evidence > 0], evidence[evidence > 0]
    if not len(evidence):
        return None
    sizes = _log_sizes(best.corners)
    alike = np.abs(sizes[:, None] - sizes) < np.log(SPREAD)
    return best[alike[int(np.argmax(alike @ evidence))]]


def _of_levels(levels: Sequence[Candidates], sample: Candidates | None) -> Candidates:
    """Return the candidates of several levels together, likeliest first, all of the size of `sample`.

    Without a sample, the size comes from the strongest candidates of all levels.
    """
    joined = find.join_candidates(levels)
    joined = joined[np.argsort(-joined.scores)]
    # A level may see two tiles in the halves of one, so first learn how large tiles are, and only then suppress.
    joined = joined[of_one_size(joined, joined[_suppress_overlaps(joined)] if sample is None else sample)]
    return joined[_suppress_overlaps(joined)]


def _level(finder: Model, picture: Image, short: float, threshold: float) -> Candidates | None:
    """Return tiles whose short side is about `short` pixels; None if that level would be too small or too large."""
    height, width = picture.shape[:2]
    scale = find.SHORT_PX / short
    size = (round(width * scale), round(height * scale))
    if min(size) < SMALLEST_LEVEL or max(size) > LARGEST_LEVEL:
        return None
    level = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    around = AROUND if max(size) < CLOSE_UP else 0
    if around:
        level = np.asarray(cv2.copyMakeBorder(level, around, around, around, around, cv2.BORDER_REFLECT_101), np.uint8)
    found = find.decode(finder(find.to_input(level))[0][0], threshold)
    return _in_picture(found, around, size, (width, height))


def _fine_level(finder: Model, picture: Image, threshold: float) -> Candidates:
    """Return tiles whose short side is about FINE pixels, searched part by part in the enlarged picture."""
    height, width = picture.shape[:2]
    scale = min(find.SHORT_PX / FINE, FINEST_LEVEL / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    parts = []
    for top in range(0, max(1, size[1] - OVERLAP), PART - OVERLAP):
        for left in range(0, max(1, size[0] - OVERLAP), PART - OVERLAP):
            wide, high = min(PART, size[0] - left), min(PART, size[1] - top)
            enlarging = np.asarray([[size[0] / width, 0, -left], [0, size[1] / height, -top]])
            part = cv2.warpAffine(
                picture, enlarging, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
            found = find.decode(finder(find.to_input(np.asarray(part, np.uint8)))[0][0], threshold)
            # A tile cut off at a seam is whole in the next part; it is taken from the part that has its middle.
            x, y = found.corners.mean(axis=1).T
            own = (x >= OVERLAP / 2) | (left == 0)
            own &= (x < PART - OVERLAP / 2) | (left + wide == size[0])
            own &= (y >= OVERLAP / 2) | (top == 0)
            own &= (y < PART - OVERLAP / 2) | (top + high == size[1])
            parts.append(find.shift_candidates(found[own], np.asarray((left, top), np.float32)))
    return _in_picture(find.join_candidates(parts), 0, size, (width, height))


def _in_picture(found: Candidates, around: int, size: tuple[int, int], whole: tuple[int, int]) -> Candidates:
    """Return what was found in a level of `size`, which has a border of `around`, in pixels of the whole picture."""
    ratio = np.asarray([whole[0] / size[0], whole[1] / size[1]], np.float32)
    corners = (found.corners - around + 0.5) * ratio - 0.5
    sides = crops.short_sides(found.corners) / find.SHORT_PX
    middles = corners.mean(axis=1)
    fits = (sides > 0.62) & (sides < 1.62) & ((middles > 0) & (middles < whole)).all(axis=1)
    # If two levels show the same tile, the one in which it is closer to the finder's preferred size is more exact.
    closeness = np.exp(-0.1 * np.abs(np.log(np.maximum(sides[fits], 1e-3))))
    return Candidates(np.asarray(corners[fits], np.float32), np.asarray(found.scores[fits] * closeness, np.float32))


def _suppress_overlaps(candidates: Candidates) -> list[int]:
    """Return the rows of the candidates that do not lie on a better one."""
    centres, across, down = group.axes(candidates.corners)
    half = np.float32(0.5)
    return find.suppress(centres, half * down, half * across)


def _log_sizes(corners: Floats) -> npt.NDArray[np.float64]:
    """Return half the logarithm of each quad's area (n, 4, 2); perspective changes it equally whatever the turn."""
    x, y = corners[..., 0].astype(np.float64), corners[..., 1].astype(np.float64)
    area = np.abs((x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)) / 2
    return np.asarray(np.log(np.maximum(area, 1.0)) / 2)


def of_one_size(candidates: Candidates, sample: Candidates) -> npt.NDArray[np.bool_]:
    """Return which candidates have the size of tiles at their place, estimated from the sample's best candidates.

    All tiles of one box have the same size, which changes evenly across a tilted view. So a plane is fitted to the
    logarithm of the size, with iterated weights against outliers. If there are too few tiles for that, one size is
    used.
    """
    if not len(sample.scores):
        return np.zeros(len(candidates.scores), bool)
    unit = float(np.abs(candidates.corners).max()) or 1.0

    def terms(corners: Floats) -> npt.NDArray[np.float64]:
        middles = corners.mean(axis=1).astype(np.float64) / unit
        return np.column_stack([np.ones(len(middles)), middles])

    strong = sample[sample.scores > 0.6 * sample.scores.max()]
    sizes, places = _log_sizes(strong.corners), terms(strong.corners)
    tilted = len(sizes) >= PLANE_FROM
    places = places if tilted else places[:, :1]
    fit: npt.NDArray[Any] = np.zeros(places.shape[1])
    fit[0] = np.median(sizes)
    for _ in range(12):
        weight = strong.scores / np.maximum(np.abs(sizes - places @ fit), 0.02)
        fit = np.linalg.lstsq(places * weight[:, None] ** 0.5, sizes * weight**0.5, rcond=1e-9)[0]
    expected = terms(candidates.corners)[:, : places.shape[1]] @ fit
    return np.asarray(np.abs(_log_sizes(candidates.corners) - expected) < np.log(PLANE_SPREAD if tilted else SPREAD))
