"""How fast the best arrangement of a hand of ten is found."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path

from benchmarks.report import Row, skipped
from referee.game.gin.hands import arrange
from referee.game.table import Set
from referee.game.tiles import Colour, Tile

WHAT = "Gin: sets and rest of a hand"
COLOURS = {"r": Colour.RED, "y": Colour.YELLOW, "b": Colour.BLUE, "k": Colour.BLACK}


def measure(shared: Path) -> list[Row]:
    """Time the first arrangement of every hand of ten in the cases."""
    path = shared / "cases" / "gin.jsonl"
    if not path.is_file():
        return [skipped(WHAT, "hands of ten", "no shared/cases/gin.jsonl")]
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    times, right = [], 0
    hands = [case for case in cases if case["type"] == "deadwood10"]
    for case in hands:
        hand = _hand(case["hand"])
        start = time.perf_counter()
        found = arrange(hand)
        times.append(1e3 * (time.perf_counter() - start))
        right += found.points == case["deadwood"]
    median = statistics.median(times)
    figure = f"{median:.3f} ms median, {max(times):.2f} ms worst"
    on = f"hands of ten, {right} of {len(hands)} with the least rest"
    return [Row(WHAT, on, figure, f"{len(hands)} hands", "≤ 0.2 ms", median <= 0.2 and right == len(hands))]


def _hand(texts: list[str]) -> Set:
    return tuple(Tile(int(text[1:]), COLOURS[text[0]]) for text in texts)
