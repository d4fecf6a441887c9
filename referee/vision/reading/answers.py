"""The reader network's answers for each crop, column by column."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from referee.vision.reading.glyphs import BACK_KIND, INVERTED, JOKER_KIND, KINDS, NONE_KIND, SUITS
from referee.vision.sighting import Floats

INK, SHIFTS, EMBEDDING = 3, 8, 64
WIDTHS = (KINDS, len(SUITS), INK, INK, SHIFTS, EMBEDDING)
COLUMNS = sum(WIDTHS)
BATCH = 16
"""The most crops that a network gets at once; `python -m benchmarks cost` measures the time."""

Model = Callable[[Any], tuple[Any, ...]]

_TURNED = np.asarray([*range(INVERTED, 2 * INVERTED), *range(INVERTED), JOKER_KIND, BACK_KIND, NONE_KIND])


@dataclass(frozen=True, slots=True)
class Predictions:
    """The reader's answers for n crops.

    `kinds` (n, KINDS) and `suits` (n, 5) are logits. `absorbed` (n, 3), for blue, green and red, is the part of the
    body's light that the ink absorbs: 0 for the bare body, 1 for black; `spread` (n, 3) is the logarithm of its
    standard error. `shifts` (n, 8) says where the tile's corners are relative to the crop's, and `embedding` (n,
    EMBEDDING) describes what the print looks like.
    """

    kinds: Floats
    suits: Floats
    absorbed: Floats
    spread: Floats
    shifts: Floats
    embedding: Floats

    @classmethod
    def from_columns(cls, columns: Floats) -> Predictions:
        """Return the answers from the reader's output (n, COLUMNS); raises ValueError for another shape."""
        if columns.ndim != 2 or columns.shape[1] != COLUMNS:
            raise ValueError(f"expected answers of shape (n, {COLUMNS}), got {columns.shape}")
        edges = np.cumsum(WIDTHS)[:-1]
        return cls(*(np.asarray(part, np.float32) for part in np.split(columns, edges, axis=1)))

    def __len__(self) -> int:
        return len(self.kinds)

    def __getitem__(self, rows: Any) -> Predictions:
        return Predictions(*(getattr(self, item.name)[rows] for item in fields(self)))

    def with_row(self, row: Any, by: Predictions) -> Predictions:
        """Return these answers with the one in `row` replaced by `by`."""
        changed = [getattr(self, item.name).copy() for item in fields(self)]
        for mine, item in zip(changed, fields(self), strict=True):
            mine[row] = getattr(by, item.name)
        return Predictions(*changed)

    def followed_by(self, other: Predictions) -> Predictions:
        """Return these answers, followed by the others."""
        return Predictions(*(np.concatenate([getattr(self, i.name), getattr(other, i.name)]) for i in fields(self)))


def join_answers(one: Predictions, other: Predictions, rows: Any) -> Predictions:
    """Return `one`, combined in `rows` with `other`, their second reading upside down; both count the same."""
    kinds, suits, absorbed = one.kinds.copy(), one.suits.copy(), one.absorbed.copy()
    kinds[rows] = (kinds[rows] + other.kinds[:, _TURNED]) / 2
    suits[rows] = (suits[rows] + other.suits) / 2
    absorbed[rows] = (absorbed[rows] + other.absorbed) / 2
    return Predictions(kinds, suits, absorbed, one.spread, one.shifts, one.embedding)


def printed_inks(answers: Predictions) -> Floats:
    """Return the parts (n, 3) of the body's light that the ink absorbs; NaN for crops that do not show a number."""
    inks = answers.absorbed.copy()
    inks[answers.kinds.argmax(axis=1) >= JOKER_KIND] = np.nan
    return inks


def batches(count: int, threads: int) -> list[slice]:
    """Return parts of about the same size, at most BATCH, into which `count` crops are divided for so many threads.

    There are as many parts for each thread as for any other, so that none has to wait at the end.
    """
    if not count:
        return []
    number = min(count, threads * math.ceil(count / (threads * BATCH)))
    ends = [count * part // number for part in range(number + 1)]
    return [slice(*pair) for pair in itertools.pairwise(ends)]
