"""What the inks of a box look like before any picture is seen: a mixture fitted to boxes in lights, by colours."""

from __future__ import annotations

import numpy as np

from referee.game.tiles import Colour
from referee.train.pictures.inks import BOXES, box_inks
from referee.train.pictures.lighting import absorbed_light, choose_light
from referee.train.pictures.surfaces import Floats, Rng, tile_body
from referee.vision.reading.inks import Doubles, InkPrior

SAMPLES, COMPONENTS, ROUNDS = 9000, 6, 40
EXPOSED = (0.58, 1.12)
"""Below the first a picture is dark, above the second too bright: each is a class of its own, and so is wood."""
USUAL = 0.7
"""How many inks are of the usual kind; training shows the nets more of the others."""
CLASSES = 2 * (len(EXPOSED) + 1)
LEAST = -0.6
"""The reader's crops are cut off where the ink is so much brighter than the body."""
NARROWEST = 0.03
"""No component is narrower than this in any direction: lights differ by more than those that were drawn."""


def sample_inks(rng: Rng, colours: tuple[Colour, ...], light_side: int = 4) -> tuple[Floats, int]:
    """One box's inks on one of its bodies in one light: absorbance (k, 3), BGR, and the class of light."""
    wooden = bool(rng.random() < 0.45)
    body = tile_body(rng, wooden, 8, 8).mean((0, 1))
    fading = float(rng.choice([0.0, rng.uniform(0.0, 0.15)], p=[0.75, 0.25]))
    inks = box_inks(rng, colours, fading, USUAL)
    opacity = np.float32(rng.uniform(0.74, 1.0))
    laid = np.asarray([body * (1 - opacity) + inks[c] * opacity for c in colours], np.float32)
    light = choose_light(rng, light_side, 1.0)
    light.veil[:] = 0  # haze is a tile's own, not the table's
    places = np.full((len(colours), 2), light_side / 2, np.float32)
    bodies = np.repeat(body[None].astype(np.float32), len(colours), axis=0)
    taken = absorbed_light(light.light_colours(laid, places), light.light_colours(bodies, places))[:, ::-1]
    exposure = int(np.searchsorted(EXPOSED, float(light.map.mean())))
    return np.maximum(taken, LEAST), exposure + wooden * (len(EXPOSED) + 1)


def fit_mixture(points: Doubles, components: int, rng: Rng) -> tuple[Doubles, Doubles, Doubles]:
    """A mixture of normal distributions, by expectation maximisation: weights, means, covariances."""
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
    """One prior for each kind of box in the shops."""
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
