"""How large tiles must be in a picture: what is found and read of the same tables in smaller and smaller pictures.

Each table is read with its markers, and once more with the markers painted over, when the size of tiles is unknown.

    python -m benchmarks.sizes --tables 4

measures a part and writes nothing; `python -m benchmarks sizes` measures all of it for models/METRICS.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks import virtual
from benchmarks.progress import signs_of_life
from benchmarks.report import Figures, Row, rate_row, show
from benchmarks.sight import labelled, table_of
from benchmarks.truth import scene_label
from referee.cli.parts.readers import build_reader
from referee.errors import CannotJudge
from referee.game.tiles import TileSet, tile_set
from referee.vision.geometry.markers import SQUARE_MM, Located, locate
from referee.vision.pipeline import TableReader, tops
from referee.vision.sighting import Floats, Image

SHARED = Path(__file__).resolve().parents[2] / "shared"
HEIGHTS_PX = (12, 14, 16, 18, 20, 24, 28, 32, 40, 56)
"""The heights of tiles in the pictures; people cannot read smaller ones, either."""
RENDERED = 8
SAFE_FROM = 0.995
"""Tiles are safe to read from the height at which this share of them is found, and none is read wrong."""
MARGIN_MM = 8.0
"""The white paper around a marker, which is painted over as well."""


@dataclass
class Count:
    """What became of the tiles of one size."""

    tiles: int = 0
    found: int = 0
    sure: int = 0
    wrong: int = 0
    reported: int = 0
    """The number of tiles that were found and reported as too small to be read, or in a picture that was refused."""

    @property
    def safe(self) -> bool:
        """Whether tiles of this size are found, and none is wrong without doubt."""
        return self.found >= SAFE_FROM * self.tiles and not self.wrong


@dataclass(frozen=True)
class Table:
    """One picture with the box, the names of its tiles, where they lie in pixels, (n, 2), and their height there."""

    picture: Image
    unmarked: Image
    box: TileSet
    size_mm: tuple[float, float]
    names: tuple[str, ...]
    middles: Floats
    high_px: float


def tables(shared: Path, most: int | None = None) -> Iterator[Table]:
    """Yield the scenes of ../shared, if it exists, and rendered tables."""

    def every() -> Iterator[tuple[str, Image, dict[str, Any]]]:
        yield from labelled(shared / "scenes", "s*.jpg")
        yield from islice(virtual.tables(), RENDERED)

    for _, picture, truth in islice(every(), most):
        box, size_mm = tile_set(truth["tileset"]), table_of(truth)
        located = locate(picture, size_mm)
        if located is not None:
            yield _table_of(picture, located, box, size_mm, truth)


def _table_of(
    picture: Image, located: Located, box: TileSet, size_mm: tuple[float, float], truth: dict[str, Any]
) -> Table:  # fmt: skip
    top = tops(box)[2]
    places = np.asarray([(tile["x_mm"], tile["y_mm"]) for tile in truth["tiles"]], np.float64)
    middles = np.asarray(located.pose.on_plane(places, top), np.float32)
    middle = np.asarray([(size_mm[0] / 2, size_mm[1] / 2 + dy) for dy in (0, box.size_mm[1])])
    ends = located.pose.on_plane(middle, top)
    names = tuple(scene_label(tile) for tile in truth["tiles"])
    high = float(np.linalg.norm(ends[1] - ends[0]))
    return Table(picture, paint_over_markers(picture, located), box, size_mm, names, middles, high)


def paint_over_markers(picture: Image, located: Located) -> Image:
    """Return the picture with its markers painted over in the colour of the table around them."""
    plain = picture.copy()
    for corners in located.corners.values():
        centre = corners.mean(axis=0)
        side = float(np.linalg.norm(corners[1] - corners[0]))
        patch = (corners - centre) * (1 + 2 * MARGIN_MM / SQUARE_MM) + centre
        beyond = np.clip(patch + (patch - centre) * 0.3, 0, np.asarray(picture.shape[1::-1]) - 1).astype(int)
        colour = np.median([picture[y, x] for x, y in beyond], axis=0)
        cv2.fillConvexPoly(plain, np.round(patch).astype(np.int32), colour.tolist())
        cv2.polylines(plain, [np.round(patch).astype(np.int32)], True, colour.tolist(), max(2, round(side * 0.15)))
    return plain


def measure(reader: TableReader, shared: Path, most: int | None = None) -> Figures:
    """Read all tables in all sizes."""
    counts = {(marked, high): Count() for marked in (True, False) for high in HEIGHTS_PX}
    for table in tables(shared, most):
        for (marked, high), count in counts.items():
            if high <= table.high_px:
                _read_table(reader, table, high / table.high_px, count, marked=marked)
    return figures(counts)


def _read_table(reader: TableReader, table: Table, scale: float, count: Count, *, marked: bool) -> None:
    picture = table.picture if marked else table.unmarked
    small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    count.tiles += len(table.names)
    try:
        sighting = reader.read(small, table.box, table.size_mm, marked_only=marked)
    except CannotJudge:  # markers as small as that are not seen
        count.reported += len(table.names)
        return
    count.reported += sighting.quality.too_small
    free = list(sighting.reads)
    for name, middle in zip(table.names, (table.middles + 0.5) * scale - 0.5, strict=True):
        far = [float(np.linalg.norm(read.corners_px.mean(axis=0) - middle)) for read in free]
        if not far or min(far) > 0.35 * scale * table.high_px:
            continue
        read = free.pop(int(np.argmin(far)))
        count.found += 1
        count.sure += not read.doubtful and read.name == name
        count.wrong += not read.doubtful and read.name != name


def figures(counts: dict[tuple[bool, int], Count]) -> Figures:
    """Return a row for each size with and without markers, and the size from which tiles are safe."""
    rows = []
    for marked in (True, False):
        way = "with markers" if marked else "without markers"
        for high in HEIGHTS_PX:
            count = counts[marked, high]
            if count.tiles:
                share = [100 * part / count.tiles for part in (count.found, count.sure, count.reported)]
                figure = (
                    f"{share[0]:.1f} % found, {share[1]:.1f} % right without doubt, {count.wrong} wrong without doubt"
                )
                refused = f", {share[2]:.1f} % reported as too small" if count.reported else ""
                rows.append(Row(f"tiles {high} px high", way, figure + refused, f"{count.tiles} tiles", "", None))
        small = [high for high in HEIGHTS_PX if not counts[marked, high].safe]
        safe = min((high for high in HEIGHTS_PX if high > max(small, default=0)), default=None)
        rows.append(Row("tiles are safe to read from", way, "no size" if safe is None else f"{safe} px high",
                        f"{len(HEIGHTS_PX)} sizes", "", None))  # fmt: skip
        total = [counts[marked, high] for high in HEIGHTS_PX]
        rows.append(rate_row("wrong without doubt", f"tiles of all sizes, {way}", sum(c.wrong for c in total),
                             sum(c.tiles for c in total), 0.0, at_most=True))  # fmt: skip
    return Figures(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure a part and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sizes", description=__doc__)
    parser.add_argument("--tables", type=int, default=None, help="only the first so many")
    given = parser.parse_args(arguments)
    with signs_of_life("sizes"):
        came = measure(build_reader(), SHARED, given.tables)
    show(came.rows)
    return 1 if any(row.reached is False for row in came.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
