"""Samples from which networks learn what is easy within seconds."""

import numpy as np

from referee.train.data import SIDE, Samples, target_maps
from referee.train.pictures.scenes import Truth
from referee.vision.reading import crops
from referee.vision.reading.answers import SHIFTS


def quad(x: float, y: float, degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    box = np.asarray([[-10.5, -15], [10.5, -15], [10.5, 15], [-10.5, 15]])
    return np.asarray(box @ np.asarray([[c, s], [-s, c]]) + [x, y], np.float32)


TILES = tuple(
    Truth(None, quad(x, y, turn), cut=False) for x, y, turn in ((60, 60, 20), (180, 90, 75), (100, 200, 140))
)
MAPS = target_maps(TILES, 1.0)


def easy_samples(count: int) -> Samples:
    """Grey pictures with three white tiles each, and crops with a bar whose height tells the kind, its ink the hue."""
    rng = np.random.default_rng(1)
    picture = np.full((SIDE, SIDE, 3), 60, np.uint8)
    for truth in TILES:
        x, y = truth.corners.mean(axis=0).astype(int)
        picture[y - 9 : y + 9, x - 9 : x + 9] = 240
    kinds = rng.integers(0, 4, count)
    inks = rng.integers(10, 130, (count, 3))
    cut = rng.integers(150, 160, (count, crops.HEIGHT, crops.WIDTH, 3)).astype(np.uint8)
    for crop, kind, ink in zip(cut, kinds, inks, strict=True):
        crop[10 : 20 + 8 * kind, 14:34] = ink
    labels = kinds.astype(np.int8)
    return Samples(
        np.stack([picture] * count), np.stack([MAPS] * count), cut, labels, np.zeros(count, np.int8),
        (1 - inks / 155).astype(np.float16), np.full((count, SHIFTS), 0.02, np.float16),
        np.ones(count, np.int8),
    )  # fmt: skip
