"""How fast the judge is."""

from __future__ import annotations

import statistics
import time

import numpy as np

from benchmarks.report import Row
from benchmarks.virtual import random_sets
from referee.game.judge.judge import Turn, judge
from referee.game.rulebooks import ruleset
from referee.game.tiles import tile_set

TURNS = 300


def measure() -> list[Row]:
    """Time the judge on full tables after an ordinary turn: one more set, and one set extended or rebuilt."""
    rules = ruleset("rummikub")
    rng = np.random.default_rng(3)
    times, sizes = [], []
    for _ in range(TURNS):
        sets = random_sets(tile_set("rummikub"), rng, 96)
        before = tuple(sets[:-1])
        sizes.append(sum(map(len, sets)))
        start = time.perf_counter()
        verdict = judge(before, tuple(sets), Turn(opened=True, hand=14), rules)
        times.append(1e3 * (time.perf_counter() - start))
        if not verdict.accepted:
            raise AssertionError(f"a legal turn was refused: {verdict.faults}")
    median = statistics.median(times)
    figure = f"{median:.2f} ms median, {max(times):.1f} ms worst"
    on = f"{statistics.median(sizes):.0f} tiles in the median, one set laid"
    return [Row("`judge` on a full table", on, figure, f"{TURNS} turns", "≤ 2 ms", median <= 2)]
