"""Confidence that means something: temperatures and the threshold of doubt, on faces never trained on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.game.tiles import HIGHEST, Colour
from referee.train.data import CLASSES, NO_COLOUR, Samples
from referee.train.surfaces import Floats
from referee.vision.crops import relative_ink
from referee.vision.read import BACK_KIND, COLOURS, JOKER_KIND, NONE_KIND, Model, joined_logits

YELLOW, ORANGE = COLOURS.index(Colour.YELLOW), COLOURS.index(Colour.ORANGE)
SILENT_MISTAKES = 0.001  # of all reads of generated crops may be wrong and not marked doubtful


@dataclass(frozen=True)
class Measured:
    """What calibration found on `crops` held-out crops."""

    kind_temperature: float
    colour_temperature: float
    sure_from: float
    crops: int
    right: int
    silent_wrong: int
    doubtful: int


def _log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def temperature(logits: Floats, labels: Floats) -> float:
    """The temperature of the smallest negative log likelihood (Guo et al., On Calibration, 2017), by grid."""
    grid = np.exp(np.linspace(np.log(0.5), np.log(4.0), 85))
    loss = [-float(_log_softmax(logits / t)[np.arange(len(labels)), labels].mean()) for t in grid]
    return round(float(grid[int(np.argmin(loss))]), 3)


def read_logits(model: Model, samples: Samples, batch: int = 512) -> Floats:
    """The reader's joined answers to all crops, (m, CLASSES + 6)."""
    parts = [
        joined_logits(model, relative_ink(samples.crops[start : start + batch]))
        for start in range(0, len(samples.crops), batch)
    ]
    return np.concatenate(parts)


def _names(kinds: Floats, colours: Floats) -> Floats:
    """A number for each tile's identity: way up does not matter, colours matter for numbers only."""
    number = np.where(kinds < 2 * HIGHEST, kinds % HIGHEST, kinds)
    return np.asarray(np.where(kinds < 2 * HIGHEST, number * len(COLOURS) + colours, 1000 + number))


def _one_warm_ink(colours: Floats) -> Floats:
    """No box has both yellow and orange: what looked like either is one colour."""
    folded = colours.copy()
    folded[:, YELLOW] += folded[:, ORANGE]
    folded[:, ORANGE] = 0
    return folded


def calibrate(model: Model, samples: Samples) -> Measured:
    """Temperatures by likelihood, then the lowest threshold that lets few enough mistakes pass in silence."""
    logits = read_logits(model, samples)
    kinds, colours = samples.kinds.astype(int), samples.colours.astype(int)
    inked = colours != NO_COLOUR
    t_kind = temperature(logits[:, :CLASSES], kinds)
    t_colour = temperature(logits[inked][:, CLASSES:], colours[inked])
    kind = np.exp(_log_softmax(logits[:, :CLASSES] / t_kind))
    colour = _one_warm_ink(np.exp(_log_softmax(logits[:, CLASSES:] / t_colour)))
    colours = np.where(colours == ORANGE, YELLOW, colours)
    numbers = kind[:, :HIGHEST] + kind[:, HIGHEST : 2 * HIGHEST]
    bare = kind[:, [JOKER_KIND, BACK_KIND]]
    sure = np.maximum(numbers.max(axis=1) * colour.max(axis=1), bare.max(axis=1))
    is_bare = bare.max(axis=1) > numbers.max(axis=1) * colour.max(axis=1)
    said = np.where(
        is_bare, 1000 + np.asarray([JOKER_KIND, BACK_KIND])[bare.argmax(axis=1)],
        numbers.argmax(axis=1) * len(COLOURS) + colour.argmax(axis=1),
    )  # fmt: skip
    tile = kinds != NONE_KIND
    wrong = (said != _names(kinds, np.maximum(colours, 0)))[tile]
    kept = (kind[:, NONE_KIND] < 0.5)[tile]
    sure = sure[tile]
    threshold = 0.999
    for candidate in (0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.995):
        if (wrong & kept & (sure >= candidate)).mean() <= SILENT_MISTAKES:
            threshold = candidate
            break
    silent = wrong & kept & (sure >= threshold)
    return Measured(t_kind, t_colour, threshold, len(wrong), int((~wrong & kept).sum()), int(silent.sum()),
                    int((kept & (sure < threshold)).sum()))  # fmt: skip
