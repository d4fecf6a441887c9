"""Numbers that look alike: how many are in doubt, and how many are wrong.

    python -m benchmarks.look_alikes --rooms 200 400

In each room, all tiles 1, 4, 8 and 11 of a box of Classic Rummy, whose jack is a B, are laid out several times, at any
angle; and so are all tiles 6 and 9 of a box of Rummikub.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context

import numpy as np

from benchmarks.cost import reader_with
from benchmarks.progress import signs_of_life
from benchmarks.report import Row, rate_row, show
from benchmarks.rooms import Camera, any_room, lay_apart
from referee.cli.parts.readers import models_dir
from referee.errors import CannotJudge
from referee.game.tiles import Tile, tile_set
from referee.sim.scene.render import render
from referee.sim.scene.scene import Scene
from referee.vision.pipeline import TableReader
from referee.vision.reading.look_alikes import TURNED
from referee.vision.sighting import Read, Sighting

ROOMS = (200, 400)
"""The rooms that are measured; the values in `vision/reading/look_alikes.py` were chosen in the 120 first."""
PICTURES, SEED, NEAR_MM = 6, 4141, 12.0
SHOWN = {
    "prints of 1, 4, 8 and 11 of a box of Classic Rummy, B for the jack": ("classic", {1, 4, 8, 11}),
    "prints of 6 and 9 of a box of Rummikub": ("rummikub", set(TURNED)),
}
"""What is laid out in a room: the box, and the numbers of its tiles."""


@dataclass
class Counts:
    """What was read of the tiles of some rooms."""

    tiles: int = 0
    doubted: int = 0
    wrong: int = 0

    def add(self, other: Counts) -> None:
        """Add other counts to these."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@cache
def _reader() -> TableReader:
    return reader_with(models_dir(os.environ), 1)


def read_room(room: int, shown: str) -> Counts:
    """Lay out and read the tiles of one room; `shown` is a key of SHOWN."""
    name, numbers = SHOWN[shown]
    rng, box = np.random.default_rng([SEED, room]), tile_set(name)
    setting, lens = any_room(box, rng), Camera.any(rng)
    pieces = [(tile, copy) for tile, many in box.inventory().items() if tile.number in numbers for copy in range(many)]
    counts = Counts()
    for _ in range(PICTURES):
        scene = lay_apart(setting, [pieces[at] for at in rng.permutation(len(pieces))], rng)
        picture = lens(render(scene, setting.camera, setting.light, rng))
        try:
            sighting = _reader().read(picture, box, setting.table_mm)
        except CannotJudge:
            continue
        for truth, read in _with_truth(sighting, scene):
            counts.add(Counts(1, int(read.doubtful), int(not read.doubtful and read.tile != truth)))
    return counts


def _with_truth(sighting: Sighting, scene: Scene) -> Iterator[tuple[Tile | None, Read]]:
    """Yield each read near a tile, after the tile that lies there."""
    for read in sighting.reads:
        if read.x_mm is None or read.y_mm is None:
            continue
        x, y = read.x_mm, read.y_mm
        nearest = min(scene.tiles, key=lambda tile: math.hypot(tile.x_mm - x, tile.y_mm - y))
        if math.hypot(nearest.x_mm - x, nearest.y_mm - y) <= NEAR_MM:
            yield nearest.tile, read


def measure(rooms: Iterable[int] = range(*ROOMS), pool: Executor | None = None) -> list[Row]:
    """Return the rows of the rooms; `pool` shares the work."""
    rows: list[Row] = []
    for shown in SHOWN:
        counts = Counts()
        with signs_of_life("look-alikes"):
            for one in (pool.map if pool is not None else map)(read_room, rooms, itertools.repeat(shown)):
                counts.add(one)
        rows += [
            rate_row("in doubt", shown, counts.doubted, counts.tiles, None),
            rate_row("wrong without doubt", shown, counts.wrong, counts.tiles, 0.0, at_most=True),
        ]
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the figures; return 1 if a tile was read wrongly without doubt."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.look_alikes", description=__doc__)
    parser.add_argument("--rooms", type=int, nargs=2, default=ROOMS, metavar=("FIRST", "END"), help="which rooms")
    parser.add_argument("--processes", type=int, default=2, help="how many rooms at once")
    given = parser.parse_args(arguments)
    with ProcessPoolExecutor(given.processes, get_context("spawn")) as pool:
        rows = measure(range(*given.rooms), pool)
    show(rows)
    return 1 if any(row.reached is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
