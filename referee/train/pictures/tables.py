"""Generated tables of one box each, of type faces never trained on, by which the threshold of doubt is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

import cv2
import numpy as np

from referee.game.tiles import FACE_DOWN, TileSet
from referee.train.data import LOOSE, CropList, Labels, jitter
from referee.train.pictures.faces import Faces
from referee.train.pictures.scenes import make_scene
from referee.train.pictures.surfaces import Floats
from referee.vision.sighting import Image

SIDE = 720
SEVERITY = 0.4
"""Light and camera as on a table, not as in training."""
PLENTY = 99
"""How many copies of each tile: generated tables take no care of what a box holds."""


@dataclass(frozen=True)
class MadeTable:
    """A picture (SIDE, SIDE, 3) BGR, quads (n, 4, 2) about where tiles lie in it, their names, and their box.

    `kinds`, `suits` (n,) and `absorbed` (n, 3) are what the reader should answer for these quads.
    """

    picture: Image
    corners: Floats
    names: tuple[str, ...]
    box: TileSet
    kinds: Labels
    suits: Labels
    absorbed: Floats


def make_table(seed: int, faces: Faces) -> MadeTable:
    """One table; the same seed gives the same on every machine with the same type faces."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, 3])
    short = float(np.exp(rng.uniform(np.log(40), np.log(66))))
    scene = make_scene(rng, faces, side=SIDE, short_px=short, validation=True, empty=False, severity=SEVERITY,
                       overhead=True)  # fmt: skip
    chosen = CropList()
    names = []
    for truth in scene.tiles:
        if not truth.cut:
            inverted = bool(rng.random() < 0.5)
            exact = np.roll(truth.corners, 2, 0) if inverted else truth.corners
            chosen.add_tile(truth, jitter(rng, exact, LOOSE), exact, inverted=inverted, loose=True)
            names.append(FACE_DOWN if truth.tile is None else truth.tile.name)
    style = scene.style
    box = TileSet("made", tuple(style.inks), PLENTY, PLENTY, "cards" if style.signs.cards else "numbers")
    return MadeTable(
        np.ascontiguousarray(scene.picture[..., ::-1]), np.asarray(chosen.quads, np.float32).reshape(-1, 4, 2),
        tuple(names), box, np.asarray(chosen.kinds, np.int8), np.asarray(chosen.suits, np.int8),
        np.asarray(chosen.absorbed, np.float32).reshape(-1, 3),
    )  # fmt: skip


def make_tables(seeds: range, faces: Faces, workers: int = 2) -> Iterator[MadeTable]:
    """Many of them, made in parallel."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield from pool.map(partial(make_table, faces=faces), seeds, chunksize=4)
