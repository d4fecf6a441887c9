"""A look, start to end: locate, rectify to the tile tops, find, read, group, assess."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from referee.errors import CannotJudge
from referee.game.tiles import FACE_DOWN, TileSet
from referee.vision import edges, group, search
from referee.vision import read as reading
from referee.vision.find import Candidates
from referee.vision.geometry import Lens
from referee.vision.markers import Located, locate
from referee.vision.quality import assess
from referee.vision.sighting import Floats, Image, Read, Sighting

USUAL_TILE_MM = (26.0, 37.5, 9.5)
SHEET_MM = 0.5  # markers are printed on card or taped paper, so that their plane lies a little above the table


class TableReader:
    """Reads pictures of tables with two nets; holds no state between pictures.

    `finder` and `reader` map an array to a tuple of arrays; `description` holds the tables of `tiles.toml`; `lens` is
    the camera's, where it is known.
    """

    def __init__(
        self, finder: reading.Model, reader: reading.Model, description: Mapping[str, Any],
        now: Callable[[], float] = time.perf_counter, lens: Lens | None = None,
    ) -> None:  # fmt: skip
        self._finder = finder
        self._reader = reader
        self._calibration = reading.Calibration.from_description(description.get("reader", {}))
        finder_table = description.get("finder", {})
        self._threshold = float(finder_table.get("threshold", 0.25))
        self._keep_from = float(finder_table.get("keep_from", 1.0))
        self._now, self._lens = now, lens

    def read(
        self, picture: Image, tileset: TileSet | None = None, table_mm: tuple[float, float] = (900.0, 600.0),
        *, marked_only: bool = False,
    ) -> Sighting:  # fmt: skip
        """What lies on the table in a BGR picture (H, W, 3).

        `tileset` None lets the inks tell the box. Raises CannotJudge where markers lie, but not three of ours, and
        where `marked_only` asks for them and there are none: tiles of any size are searched for slowly.
        """
        started = self._now()
        located = locate(picture, table_mm, self._lens)
        if located is None and marked_only:
            raise CannotJudge("I see none of the markers at the corners of the table.")
        at_located = self._now()
        candidates = self._find(picture, located, tileset, table_mm)
        at_found = self._now()
        candidates, belief = self._read(picture, candidates, located is None)
        box = tileset or reading.guess_tile_set(belief)
        top = _tops(tileset)[2]
        plane = None if located is None else edges.on_tops(picture, located.pose, candidates.corners, top)
        reads, sets = self._understand(reading.restrict(belief, box), candidates.corners, plane, box)
        at_read = self._now()
        quality = assess(picture, candidates.corners, None if located is None else set(located.corners))
        ended = self._now()
        timings = {"locate": at_located - started, "find": at_found - at_located, "read": at_read - at_found,
                   "total": ended - started}  # fmt: skip
        return Sighting(box.name, "tiles" if located is None else "markers", reads, sets, quality,
                        {k: 1e3 * v for k, v in timings.items()}, self._calibration.sure_from,
                        _outline(located, table_mm))  # fmt: skip

    def _find(
        self, picture: Image, located: Located | None, tileset: TileSet | None, table_mm: tuple[float, float]
    ) -> Candidates:
        if located is None:
            return search.at_any_scale(self._finder, picture, self._threshold)
        return search.on_plane(self._finder, picture, located, _tops(tileset), table_mm, self._threshold)

    def _read(self, picture: Image, candidates: Candidates, any_scale: bool) -> tuple[Candidates, reading.Belief]:
        """Straighten, read, and keep what finder and reader together take for a tile."""
        corners = reading.straighten(self._reader, picture, candidates.corners)
        candidates = Candidates(corners, candidates.scores)
        belief = reading.believe(self._reader, picture, corners, self._calibration)
        nothing = belief.kinds[:, reading.NONE_KIND]
        kept = reading.tile_evidence(candidates.scores, nothing) > self._keep_from
        if any_scale and kept.any():
            kept &= search.of_one_size(candidates, candidates[kept])
        rows = np.flatnonzero(kept)
        return candidates[rows], belief[rows]

    def _understand(
        self, belief: reading.Belief, pixels: Floats, plane: Floats | None, box: TileSet
    ) -> tuple[tuple[Read, ...], tuple[tuple[int, ...], ...]]:
        corners = pixels if plane is None else plane
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
            self._read_of(choice, inverted[i], i in contested, pixels[i], None if plane is None else plane[i])
            for i, choice in enumerate(choices)
        )
        printed = np.asarray([np.roll(c, 2, 0) if inverted[i] else c for i, c in enumerate(corners)], np.float32)
        sets: list[tuple[int, ...]] = []
        for row in rows:
            sets += [tuple(group.reading_order(part, printed)) for part in _face_up_parts(row, reads)]
        return reads, tuple(sorted(sets, key=min))

    def _read_of(
        self, choice: list[tuple[str, float]], inverted: bool, contested: bool, pixels: Floats, flat: Floats | None
    ) -> Read:
        name, confidence = choice[0]
        pixels = np.roll(pixels, 2, 0) if inverted else pixels
        shown = pixels if flat is None else np.roll(flat, 2, 0) if inverted else flat
        up = shown[0] + shown[1] - shown[2] - shown[3]
        centre = None if flat is None else flat.mean(axis=0)
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


def _tops(tileset: TileSet | None) -> tuple[float, float, float]:
    """Width and height of a tile, and how far its top lies above the markers' plane, mm."""
    width, height, thickness = USUAL_TILE_MM if tileset is None else tileset.size_mm
    return width, height, thickness - SHEET_MM


def _outline(located: Located | None, table_mm: tuple[float, float]) -> Floats | None:
    """The corners (4, 2) of the play area in pixels."""
    if located is None:
        return None
    width, height = table_mm
    corners = located.pose.on_plane([(0, 0), (width, 0), (width, height), (0, height)], 0.0)
    return np.asarray(corners, np.float32)
