"""Confidence that means something: temperatures and the threshold of doubt, on tables of faces never trained on.

Each generated table is of one box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context

import cv2
import numpy as np

from referee.game.tiles import FACE_DOWN, TileSet
from referee.train import fit
from referee.train.data import LOOSE, CropList, Labels, jitter
from referee.train.pictures.faces import Faces
from referee.train.pictures.scenes import make_scene
from referee.train.pictures.surfaces import Floats
from referee.vision.pipeline import Nets, TableReader
from referee.vision.reading.answers import Predictions
from referee.vision.reading.glyphs import BACK_KIND
from referee.vision.reading.joint import Calibration, Known
from referee.vision.sighting import Image, Read

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


THRESHOLDS = (0.9, 0.93, 0.95, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995, 0.997, 0.998, 0.999, 0.9995)
SCALES = (0.7, 1.0)
"""By these the reader's own errors of inks are multiplied, beside what its errors come to."""
SILENT_MISTAKES = 2.5e-3
"""Of the tiles of generated tables, a good deal harsher than real ones, may be wrong and not marked doubtful."""
LEGIBLE = 0.1
"""A table of which a larger part is misread is none that anybody could play with, and chooses no threshold."""
LEAST_SCALE = 0.5
TWO_DIMENSIONS = 1.27
"""Below this lie four fifths of the root mean square of two standard normal numbers."""


@dataclass(frozen=True)
class Measured:
    """What calibration found on `tiles` tiles of `tables` tables."""

    calibration: Calibration
    tables: int
    tiles: int
    right: int
    silent_wrong: int
    doubtful: int


def _log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def temperature(logits: Floats, labels: Floats, offsets: Floats | float = 0.0) -> float:
    """The temperature of the smallest negative log likelihood (Guo et al., On Calibration, 2017), by grid.

    `offsets` (k,) say how much likelier each label is here than the logits allow for, as logarithms.
    """
    grid = np.exp(np.linspace(np.log(0.5), np.log(4.0), 85))
    loss = [-float(_log_softmax(logits / t + offsets)[np.arange(len(labels)), labels].mean()) for t in grid]
    return round(float(grid[int(np.argmin(loss))]), 3)


def ink_scale(answers: Predictions, absorbed: Floats) -> float:
    """By what the reader's own errors of inks must be multiplied to be standard errors, of the middle four fifths.

    Only what lies across the ink counts: along it haze and thin strokes err more, which reading the inks allows for.
    """
    length = np.maximum(np.linalg.norm(absorbed, axis=1, keepdims=True), 0.05)
    along = absorbed / length
    away = answers.absorbed - absorbed
    across = away - (away * along).sum(axis=1, keepdims=True) * along
    size = np.linalg.norm(across, axis=1) / np.sqrt(2) / np.exp(answers.spread).mean(axis=1)
    return round(max(LEAST_SCALE, float(np.quantile(size, 0.8)) / TWO_DIMENSIONS), 3)


def calibrate(nets: Nets, known: Known, tables: Sequence[MadeTable]) -> Measured:
    """Temperatures by likelihood, then weight and threshold that ask least and let few enough mistakes pass."""
    reader = TableReader(nets, {}, known)
    answers = [reader.answers_at(table.picture, table.corners) for table in tables]
    kinds = np.concatenate([t.kinds for t in tables]).astype(int)
    suits = np.concatenate([t.suits for t in tables]).astype(int)
    absorbed = np.concatenate([t.absorbed for t in tables])
    inked = kinds < BACK_KIND
    joined = _join_predictions(answers)
    first = Calibration(
        temperature(joined.kinds, kinds, fit.offsets(kinds)),
        max(1.0, temperature(joined.suits[inked], suits[inked])),
        ink_scale(joined[inked], absorbed[inked]), 1.0, 0.98,
    )  # fmt: skip
    tried = [_choose_threshold(nets, known, tables, replace(first, ink_scale=scale)) for scale in SCALES]
    return min(tried, key=_rank)


def _rank(measured: Measured) -> tuple[int, int]:
    return measured.doubtful, measured.silent_wrong


def _join_predictions(parts: Sequence[Predictions]) -> Predictions:
    return Predictions(*(np.concatenate([getattr(p, name) for p in parts]) for name in Predictions.__slots__))


def _outcomes(
    nets: Nets, known: Known, tables: Sequence[MadeTable], calibration: Calibration
) -> tuple[list[Read], list[str]]:
    reader = TableReader(nets, {}, known, calibration=calibration)
    reads: list[Read] = []
    names: list[str] = []
    for table in tables:
        reads += reader.read_at(table.picture, table.corners, table.box)
        names += table.names
    return reads, names


def _choose_threshold(nets: Nets, known: Known, tables: Sequence[MadeTable], calibration: Calibration) -> Measured:
    """The lowest threshold at which few enough mistakes pass in silence, on tables that can be read at all."""
    sure, wrong, legible = [], [], 0
    for table in tables:
        reads, names = _outcomes(nets, known, [table], calibration)
        misread = [read.name != name for read, name in zip(reads, names, strict=True)]
        if sum(misread) <= LEGIBLE * len(misread):
            sure += [read.confidence for read in reads]
            wrong += misread
            legible += 1
    confidence, is_wrong = np.asarray(sure), np.asarray(wrong, bool)
    allowed = SILENT_MISTAKES * len(confidence)
    few = [t for t in THRESHOLDS if legible and (is_wrong & (confidence >= t)).sum() <= allowed]
    threshold = few[0] if few else THRESHOLDS[-1]
    silent = int((is_wrong & (confidence >= threshold)).sum())
    chosen = replace(calibration, sure_from=threshold)
    right, doubtful = int((~is_wrong).sum()), int((confidence < threshold).sum())
    return Measured(chosen, legible, len(confidence), right, silent, doubtful)
