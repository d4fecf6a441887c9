"""Calibration: temperatures and the threshold of doubt, found on tables with type faces that were never trained on.

Each generated table is of one box. The prior of a box's inks, before any picture is seen, is fitted here as well: a
mixture for each kind of box, from boxes in many lights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context

import cv2
import numpy as np
import numpy.typing as npt

from referee.game.tiles import FACE_DOWN, Colour, TileSet
from referee.train import balance
from referee.train.data import LOOSE, CropList, Labels, jitter
from referee.train.pictures.faces import BOXES, box_inks
from referee.train.pictures.lighting import absorbed_light, choose_light
from referee.train.pictures.scenes import make_scene
from referee.train.pictures.surfaces import Floats, Rng, tile_body
from referee.train.pictures.typefaces import Faces
from referee.vision.pipeline import TableReader
from referee.vision.placing import Nets
from referee.vision.reading.answers import Predictions
from referee.vision.reading.glyphs import BACK_KIND
from referee.vision.reading.inks import InkPrior
from referee.vision.reading.joint import Calibration, Known
from referee.vision.sighting import Doubles, Image

SAMPLES, COMPONENTS, ROUNDS = 9000, 6, 40
EXPOSED = (0.58, 1.12)
"""A picture is dark below the first value and too bright above the second; each is a class of light, as is wood."""
USUAL = 0.7
"""The share of inks of the usual kind; in training, the networks see more of the others."""
CLASSES = 2 * (len(EXPOSED) + 1)
LEAST = -0.6
"""The least absorbance: a crop's ink is cut off where it is brighter than the body by this much."""
NARROWEST = 0.03
"""The least standard deviation of a component in any direction: real lights differ more than those that were drawn."""

SIDE = 720
SEVERITY = 0.4
"""Light and camera as at a real table, not as harsh as in training."""
PLENTY = 99
"""How many copies of each tile a box has: generated tables do not respect the contents of a box."""
THRESHOLDS = (0.9, 0.93, 0.95, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995, 0.997, 0.998, 0.999, 0.9995)
SCALES = (0.7, 1.0)
"""Values of `ink_scale` to try: the error of an ink is taken as this many times the one that the reader states."""
SILENT_MISTAKES = 2.5e-3
"""The share of tiles that may be wrong without being in doubt, on generated tables that are harsher than real ones."""
LEGIBLE = 0.1
"""Tables of which a larger part than this is misread are ignored: nobody could play with them."""


def sample_inks(rng: Rng, colours: tuple[Colour, ...], light_side: int = 4) -> tuple[Floats, int]:
    """Return the inks of one box on one of its bodies in one light: absorbance (k, 3), BGR, and the class of light."""
    wooden = bool(rng.random() < 0.45)
    body = tile_body(rng, wooden, 8, 8).mean((0, 1))
    fading = float(rng.choice([0.0, rng.uniform(0.0, 0.15)], p=[0.75, 0.25]))
    inks = box_inks(rng, colours, fading, USUAL)
    opacity = np.float32(rng.uniform(0.74, 1.0))
    laid = np.asarray([body * (1 - opacity) + inks[c] * opacity for c in colours], np.float32)
    light = choose_light(rng, light_side, 1.0)
    light.veil[:] = 0  # haze belongs to single tiles, not to the table
    places = np.full((len(colours), 2), light_side / 2, np.float32)
    bodies = np.repeat(body[None].astype(np.float32), len(colours), axis=0)
    taken = absorbed_light(light.light_colours(laid, places), light.light_colours(bodies, places))[:, ::-1]
    exposure = int(np.searchsorted(EXPOSED, float(light.map.mean())))
    return np.maximum(taken, LEAST), exposure + wooden * (len(EXPOSED) + 1)


def fit_mixture(points: Doubles, components: int, rng: Rng) -> tuple[Doubles, Doubles, Doubles]:
    """Return weights, means and covariances of a mixture of normal distributions, by expectation maximisation."""
    count, size = points.shape
    means = points[rng.choice(count, components, replace=False)]
    floor = NARROWEST**2 * np.eye(size)
    covariances = np.repeat((np.cov(points.T) * 0.3 + floor)[None], components, axis=0)
    weights = np.full(components, 1 / components)
    for _ in range(ROUNDS):
        logs = np.log(weights) + np.stack(
            [_log_density(points, m, c) for m, c in zip(means, covariances, strict=True)], 1
        )
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        total = shares.sum(axis=0) + 1e-9
        weights = total / total.sum()
        means = (shares.T @ points) / total[:, None]
        for k in range(components):
            away = points - means[k]
            covariances[k] = (shares[:, k, None] * away).T @ away / total[k] + floor
    return weights, means, covariances


def _log_density(points: Doubles, mean: Doubles, covariance: Doubles) -> Doubles:
    away = points - mean
    solved = np.linalg.solve(covariance, away.T).T
    return np.asarray(-0.5 * ((away * solved).sum(axis=1) + np.linalg.slogdet(2 * np.pi * covariance)[1]))


def priors(seed: int, samples: int = SAMPLES, components: int = COMPONENTS) -> list[InkPrior]:
    """Return one prior for each kind of box that is sold."""
    result = []
    for index, colours in enumerate(BOXES):
        rng = np.random.default_rng([seed, index, 7])
        drawn = [sample_inks(rng, colours) for _ in range(samples)]
        points = np.asarray([inks for inks, _ in drawn], np.float64)
        lights = np.asarray([light for _, light in drawn])
        classes = range(CLASSES)
        parts = [[fit_mixture(points[lights == c, k], components, rng) for k in range(len(colours))] for c in classes]
        shares, means, covariances = (np.asarray([[ink[i] for ink in row] for row in parts]) for i in range(3))
        result.append(InkPrior(colours, np.bincount(lights, minlength=CLASSES) / samples, shares, means, covariances))
    return result


@dataclass(frozen=True)
class MadeTable:
    """A picture (SIDE, SIDE, 3) BGR, approximate quads (n, 4, 2) of its tiles, their names, and their box.

    `kinds` and `suits` (n,) are what the reader should answer for these quads.
    """

    picture: Image
    corners: Floats
    names: tuple[str, ...]
    box: TileSet
    kinds: Labels
    suits: Labels


def make_table(seed: int, faces: Faces) -> MadeTable:
    """Return one table; a seed gives the same one on every machine with the same type faces."""
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
    )  # fmt: skip


def make_tables(seeds: range, faces: Faces, workers: int = 2) -> Iterator[MadeTable]:
    """Yield a table for each seed, made in parallel."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield from pool.map(partial(make_table, faces=faces), seeds, chunksize=4)


@dataclass(frozen=True)
class Measured:
    """The result of a calibration on `tiles` tiles of `tables` tables."""

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
    """Return the temperature with the smallest negative log likelihood (Guo et al., On Calibration, 2017), on a grid.

    `offsets` (k,) are logarithms of how much likelier each label is here than the logits assume.
    """
    grid = np.exp(np.linspace(np.log(0.5), np.log(4.0), 85))
    loss = [-float(_log_softmax(logits / t + offsets)[np.arange(len(labels)), labels].mean()) for t in grid]
    return round(float(grid[int(np.argmin(loss))]), 3)


def calibrate(nets: Nets, known: Known, tables: Sequence[MadeTable]) -> Measured:
    """Choose the temperatures by likelihood, and then the threshold of doubt and the scale of inks.

    The threshold and the scale that leave the fewest tiles in doubt are returned, of those with which at most a share
    SILENT_MISTAKES of the tiles is wrong without doubt. All are tried on the same tables, which are legible.
    """
    reader = TableReader(nets, {}, known)
    answers = [reader.answers_at(table.picture, table.corners) for table in tables]
    kinds = np.concatenate([t.kinds for t in tables]).astype(int)
    suits = np.concatenate([t.suits for t in tables]).astype(int)
    inked = kinds < BACK_KIND
    joined = _join_predictions(answers)
    first = Calibration(
        temperature(joined.kinds, kinds, balance.offsets(kinds)),
        max(1.0, temperature(joined.suits[inked], suits[inked])), SCALES[-1], 1.0, 0.98,
    )  # fmt: skip
    legible = [table for table in tables if _is_legible(nets, known, table, first)]
    tried = [_choose_threshold(nets, known, legible, replace(first, ink_scale=scale)) for scale in SCALES]
    return min(tried, key=_rank)


def _rank(measured: Measured) -> tuple[bool, int, int]:
    too_many = measured.silent_wrong > SILENT_MISTAKES * measured.tiles
    return too_many, measured.doubtful, measured.silent_wrong


def _join_predictions(parts: Sequence[Predictions]) -> Predictions:
    return Predictions(*(np.concatenate([getattr(p, name) for p in parts]) for name in Predictions.__slots__))


def _is_legible(nets: Nets, known: Known, table: MadeTable, calibration: Calibration) -> bool:
    confidences, wrong = _read_tables(nets, known, [table], calibration)
    return bool(wrong.sum() <= LEGIBLE * len(confidences))


def _read_tables(
    nets: Nets, known: Known, tables: Sequence[MadeTable], calibration: Calibration
) -> tuple[Doubles, npt.NDArray[np.bool_]]:
    """Return the confidence of each read of some tables (n,), and whether it is wrong (n,)."""
    reader = TableReader(nets, {}, known, calibration=calibration)
    reads = [reader.read_at(table.picture, table.corners, table.box) for table in tables]
    pairs = [pair for own, table in zip(reads, tables, strict=True) for pair in zip(own, table.names, strict=True)]
    confidences = np.asarray([read.confidence for read, _ in pairs], np.float64)
    return confidences, np.asarray([read.name != name for read, name in pairs], bool)


def _choose_threshold(nets: Nets, known: Known, tables: Sequence[MadeTable], calibration: Calibration) -> Measured:
    """Return the lowest threshold at which few enough mistakes pass without a doubt; the highest if there is none."""
    confidences, wrong = _read_tables(nets, known, tables, calibration)
    allowed = SILENT_MISTAKES * len(wrong)
    few = [t for t in THRESHOLDS if tables and (wrong & (confidences >= t)).sum() <= allowed]
    threshold = few[0] if few else THRESHOLDS[-1]
    silent, doubtful = int((wrong & (confidences >= threshold)).sum()), int((confidences < threshold).sum())
    chosen = replace(calibration, sure_from=threshold)
    return Measured(chosen, len(tables), len(wrong), int((~wrong).sum()), silent, doubtful)
