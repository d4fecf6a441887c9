"""A look, start to end: locate, rectify to the tile tops, find, read, group, assess."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from referee.game.tiles import FACE_DOWN, TileSet
from referee.vision import crops, find, group
from referee.vision import read as reading
from referee.vision.geometry import Pose, rectifying_maps
from referee.vision.markers import Located, locate
from referee.vision.quality import assess
from referee.vision.sighting import Floats, Image, Read, Sighting

USUAL_TILE_MM = (26.0, 37.5, 9.5)
BORDER_MM = 45.0  # seen around the play area, so that tiles at its edge are found whole
REACH_MM = 25.0  # a tile whose centre lies this far outside still belongs to the table
PYRAMID = (24.0, 38.0, 60.0, 95.0, 150.0, 240.0)  # short sides looked for in a picture without markers, pixels
SPREAD = 2.0  # tiles of one picture differ at most by this factor from the usual one


@dataclass(frozen=True, slots=True)
class _Placed:
    """Candidate tiles: `corners` (n, 4, 2) pixels, `plane` the same in mm or None without markers, `scores` (n,)."""

    corners: Floats
    plane: Floats | None
    scores: Floats


class TableReader:
    """Reads pictures of tables with two nets; holds no state between pictures.

    `finder` and `reader` map an array to a tuple of arrays; `description` holds the tables of `tiles.toml`.
    """

    def __init__(
        self, finder: reading.Model, reader: reading.Model, description: Mapping[str, Any],
        now: Callable[[], float] = time.perf_counter,
    ) -> None:  # fmt: skip
        self._finder = finder
        self._reader = reader
        self._calibration = reading.Calibration.from_description(description.get("reader", {}))
        finder_table = description.get("finder", {})
        self._threshold = float(finder_table.get("threshold", 0.3))
        self._certain = float(finder_table.get("certain", 0.9))
        self._now = now

    def read(
        self, picture: Image, tileset: TileSet | None = None, table_mm: tuple[float, float] = (900.0, 600.0)
    ) -> Sighting:
        """What lies on the table in a BGR picture (H, W, 3).

        `tileset` None lets the inks tell the box. Raises CannotJudge where markers lie, but not three of ours.
        """
        started = self._now()
        located = locate(picture, table_mm)
        at_located = self._now()
        placed = self._find(picture, located, tileset, table_mm)
        at_found = self._now()
        belief = reading.believe(self._reader, picture, placed.corners, self._calibration)
        kept = self._kept(belief, placed)
        belief = belief[kept]
        placed = _Placed(
            placed.corners[kept], None if placed.plane is None else placed.plane[kept], placed.scores[kept]
        )
        box = tileset or reading.guess_tile_set(belief)
        reads, sets = self._understand(reading.restrict(belief, box), placed, box)
        at_read = self._now()
        quality = assess(picture, placed.corners, None if located is None else set(located.corners))
        ended = self._now()
        timings = {"locate": at_located - started, "find": at_found - at_located, "read": at_read - at_found,
                   "total": ended - started}  # fmt: skip
        return Sighting(box.name, "tiles" if located is None else "markers", reads, sets, quality,
                        {k: 1e3 * v for k, v in timings.items()})  # fmt: skip

    def _find(
        self, picture: Image, located: Located | None, tileset: TileSet | None, table_mm: tuple[float, float]
    ) -> _Placed:
        if located is None:
            return find_by_pyramid(self._finder, picture, self._threshold)
        size_mm = USUAL_TILE_MM if tileset is None else tileset.size_mm
        return find_on_plane(self._finder, picture, located.pose, size_mm, table_mm, self._threshold)

    def _kept(self, belief: reading.Belief, placed: _Placed) -> np.ndarray:
        """Candidates that are tiles: the reader overrules the finder, unless that is certain and the reader is not."""
        nothing = belief.kinds[:, reading.NONE_KIND]
        return np.flatnonzero((nothing < 0.5) | ((placed.scores > self._certain) & (nothing < 0.9)))

    def _understand(
        self, belief: reading.Belief, placed: _Placed, box: TileSet
    ) -> tuple[tuple[Read, ...], tuple[tuple[int, ...], ...]]:
        corners = placed.corners if placed.plane is None else placed.plane
        kinds = belief.kinds
        inverted = [reading.is_inverted(k) for k in kinds]
        sure = [reading.way_up_known(k) for k in kinds]
        rows = group.rows(corners)
        weighed = kinds.copy()
        for row in rows:
            for i, upright in group.way_up_votes(row, corners, inverted, sure).items():
                if not sure[i]:
                    weighed[i] = reading.prefer_way_up(kinds[i], upright)
        inverted = [reading.is_inverted(k) for k in weighed]
        choices = [reading.candidates(k, c) for k, c in zip(weighed, belief.colours, strict=True)]
        contested = reading.too_many([c[0][0] for c in choices], box)
        reads = tuple(
            self._read_of(choice, inverted[i], i in contested, placed, i) for i, choice in enumerate(choices)
        )
        printed = np.asarray([np.roll(c, 2, 0) if inverted[i] else c for i, c in enumerate(corners)], np.float32)
        sets: list[tuple[int, ...]] = []
        for row in rows:
            sets += [tuple(group.reading_order(part, printed)) for part in _face_up_parts(row, reads)]
        return reads, tuple(sorted(sets, key=min))

    def _read_of(
        self, choice: list[tuple[str, float]], inverted: bool, contested: bool, placed: _Placed, index: int
    ) -> Read:
        name, confidence = choice[0]
        pixels = np.roll(placed.corners[index], 2, 0) if inverted else placed.corners[index]
        flat = placed.plane
        shown = pixels if flat is None else np.roll(flat[index], 2, 0) if inverted else flat[index]
        up = shown[0] + shown[1] - shown[2] - shown[3]
        centre = None if flat is None else flat[index].mean(axis=0)
        return Read(
            tile=reading.tile_named(name),
            confidence=confidence,
            doubtful=contested or confidence < self._calibration.sure_from,
            alternatives=tuple(choice[1:]),
            corners_px=np.asarray(pixels, np.float32),
            angle_deg=float(np.degrees(np.arctan2(up[0], -up[1])) % 360.0),
            x_mm=None if centre is None else float(centre[0]),
            y_mm=None if centre is None else float(centre[1]),
        )


def _face_up_parts(row: list[int], reads: tuple[Read, ...]) -> list[list[int]]:
    """A row cut at its face-down tiles; a tile that may be face-up in doubt stays in."""
    parts: list[list[int]] = [[]]
    for i in row:
        if reads[i].name == FACE_DOWN:
            parts.append([])
        else:
            parts[-1].append(i)
    return [part for part in parts if part]


def find_on_plane(
    finder: reading.Model, picture: Image, pose: Pose, tile_mm: tuple[float, float, float],
    table_mm: tuple[float, float], threshold: float,
) -> _Placed:  # fmt: skip
    """Candidate tiles of a marked table: found in the plane of the tile tops, seen from straight above."""
    px_per_mm = find.SHORT_PX / tile_mm[0]
    size = (round((table_mm[0] + 2 * BORDER_MM) * px_per_mm), round((table_mm[1] + 2 * BORDER_MM) * px_per_mm))
    maps = rectifying_maps(pose, tile_mm[2], (-BORDER_MM, -BORDER_MM), size, px_per_mm)
    ratio = max(1, int(float(np.linalg.norm(maps[0][0, -1] - maps[0][0, 0])) / size[0] + 0.3))
    shrunk = picture
    if ratio > 1:
        shrunk_size = (picture.shape[1] // ratio, picture.shape[0] // ratio)
        shrunk = np.asarray(cv2.resize(picture, shrunk_size, interpolation=cv2.INTER_AREA), np.uint8)
    map_x, map_y = ((m + 0.5) / ratio - 0.5 for m in maps)
    flat = cv2.remap(shrunk, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    found = find.decode(finder(find.to_input(np.asarray(flat, np.uint8)))[0][0], threshold)
    plane = found.corners / px_per_mm - BORDER_MM
    centres = plane.mean(axis=1)
    inside = ((centres > -REACH_MM) & (centres < np.asarray(table_mm) + REACH_MM)).all(axis=1)
    plane = np.asarray(plane[inside], np.float32)
    pixels = pose.on_plane(plane.reshape(-1, 2), tile_mm[2]).reshape(-1, 4, 2)
    return _Placed(np.asarray(pixels, np.float32), plane, found.scores[inside])


def find_by_pyramid(finder: reading.Model, picture: Image, threshold: float) -> _Placed:
    """Candidate tiles of a picture without markers: the scale comes from the tiles themselves."""
    height, width = picture.shape[:2]
    quads, scores = [np.zeros((0, 4, 2), np.float32)], [np.zeros(0, np.float32)]
    for short in PYRAMID:
        scale = find.SHORT_PX / short
        size = (round(width * scale), round(height * scale))
        if min(size) < 32 or max(size) > 2600:
            continue
        level = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        found = find.decode(finder(find.to_input(level))[0][0], threshold)
        ratio = np.asarray([width / size[0], height / size[1]], np.float32)
        corners = (found.corners + 0.5) * ratio - 0.5
        sides = crops.short_sides(found.corners)
        fits = (sides > 0.62 * find.SHORT_PX) & (sides < 1.62 * find.SHORT_PX)
        quads.append(corners[fits])
        # Where two levels see a tile, the one nearer to the finder's favourite size is the more exact.
        scores.append(
            found.scores[fits] * np.exp(-0.1 * np.abs(np.log(sides[fits] / find.SHORT_PX))).astype(np.float32)
        )
    corners, score = np.concatenate(quads), np.concatenate(scores)
    order = np.argsort(-score)
    corners, score = corners[order], score[order]
    centres, across, down = group.axes(corners)
    keep = find.suppress(centres, np.float32(0.5) * down, np.float32(0.5) * across)
    corners, score = corners[keep], score[keep]
    if len(corners):
        sides = crops.short_sides(corners)
        usual = float(np.median(sides[score > 0.5])) if (score > 0.5).any() else float(np.median(sides))
        fits = (sides < SPREAD * usual) & (sides > usual / SPREAD)
        corners, score = corners[fits], score[fits]
    inside = ((corners.mean(axis=1) > 0) & (corners.mean(axis=1) < (width, height))).all(axis=1)
    return _Placed(np.asarray(corners[inside], np.float32), None, score[inside])
