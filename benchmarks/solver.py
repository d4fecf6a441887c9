"""How fast the solver is, by itself and compared with a published solver."""

from __future__ import annotations

import importlib.metadata
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import Row, skipped
from benchmarks.virtual import random_sets
from referee.game.solver.solve import best_play, most_points, partition
from referee.game.tiles import JOKER, Colour, Tile, tile_set

PEER, PEER_VERSION = "rummikub-solver", "1.0.0"
REPEATS = 3
BOARDS = 60
MOST_CALLS = 300_000
"""The most function calls in the hardest search; their number does not depend on the speed of the machine. When this
was set, the hardest of these boards (half full, with runs that wrap around) made 276,476 calls, which took 59 to 65 ms
on a slow machine."""
COLOURS = {"r": Colour.RED, "y": Colour.YELLOW, "b": Colour.BLUE, "k": Colour.BLACK}
Times = list[float]
"""The time for each case in milliseconds, the best of a few repeats."""


def measure(shared: Path) -> list[Row]:
    """Measure the collected cases, then random tables."""
    collected = [*_splitting(shared), *_playing(shared), *_around(shared), *_points(shared)]
    return [*collected, *random_tables(_hand_of_peer(shared))]


def _splitting(shared: Path) -> list[Row]:
    what = "Solver: do tiles split into sets?"
    cases = _cases(shared, "partition_oracle")
    if not cases:
        return [skipped(what, "collected cases", "no shared/cases/partition_oracle.jsonl")]
    tiles = [_tiles(case["tiles"]) for case in cases]
    found, times = _timed([partial(partition, one) for one in tiles])
    right = sum((one is not None) == case["partitionable"] for one, case in zip(found, cases, strict=True))
    row = _checked(what, "collected cases, 0-4 jokers", right, times, 1, 10)
    return [row, _beside(what, times, lambda peer: [peer.arranging(each) for each in tiles], 20)]


def _playing(shared: Path) -> list[Row]:
    what = "Solver: most tiles of a hand"
    cases = _cases(shared, "play_oracle")
    if not cases:
        return [skipped(what, "collected cases", "no shared/cases/play_oracle.jsonl")]
    boards = [(_tiles(t for each in case["table_sets"] for t in each), _tiles(case["hand"])) for case in cases]
    found, times = _timed([partial(best_play, *board) for board in boards])
    wanted = [case["max_hand_tiles_playable"] for case in cases]
    right = sum(play is not None and len(play.tiles) == most for play, most in zip(found, wanted, strict=True))
    row = _checked(what, "collected cases, up to 14 in hand", right, times, 5, 50)
    return [row, _beside(what, times, lambda peer: [peer.playing(*board) for board in boards], 30)]


def _around(shared: Path) -> list[Row]:
    what = "Solver: do tiles split where runs go round?"
    cases = _cases(shared, "partition_wrap_oracle")
    if not cases:
        return [skipped(what, "collected cases", "no shared/cases/partition_wrap_oracle.jsonl")]
    tiles = [_tiles(case["tiles"]) for case in cases]
    found, times = _timed([partial(partition, one, wraps=True) for one in tiles])
    right = sum((one is not None) == case["partitionable"] for one, case in zip(found, cases, strict=True))
    return [_checked(what, "collected cases, 0-6 jokers", right, times, None, 20)]


def _points(shared: Path) -> list[Row]:
    what = "Solver: most points of many tiles"
    cases = _cases(shared, "max_value_public")
    if not cases:
        return [skipped(what, "published cases", "no shared/cases/max_value_public.jsonl")]
    tiles = [_tiles(case["tiles"]) for case in cases]
    found, times = _timed([partial(most_points, one) for one in tiles])
    right = sum(points == case["max_total_face_value_placeable"] for points, case in zip(found, cases, strict=True))
    return [_checked(what, "published cases, 57-79 tiles", right, times, None, 50)]


def random_tables(peer_ms: float | None = None) -> list[Row]:
    """Measure random tables with up to six jokers and 14 tiles in the hand: full ones and, hardest, half full ones.

    The published solver supports neither six jokers nor runs that wrap around. Its time for a collected hand,
    `peer_ms`, measured in the same run, shows how fast the machine is.
    """
    rows = []
    for least in (80, 30):
        for wraps in (False, True):
            rng = np.random.default_rng(6)
            calls: list[Callable[[], Any]] = []
            for number in range(BOARDS):
                box = tile_set("classic")
                table = [tile for tiles in random_sets(box, rng, least + number % 25) for tile in tiles]
                rest = list((Counter(box.inventory()) - Counter(table)).elements())
                hand = [rest[i] for i in rng.permutation(len(rest))[:14]]
                calls.append(partial(best_play, table, hand, wraps=wraps))
            found, times = _timed(calls)
            if None in found:
                raise AssertionError("a table of sets was said not to split into sets")
            work = max(map(count_function_calls, calls))
            on = f"random tables of {least}-{least + 24} tiles, up to 6 jokers" + (", runs go round" if wraps else "")
            row = _row("Solver: most tiles of a hand of 14", on, f"{BOARDS} boards", times, None, None)
            beside = "" if peer_ms is None else f", {max(times) / peer_ms:.2f} times what {PEER} takes for a hand"
            figure = f"{row.figure}{beside}; {work:,} calls of functions at most"
            target = f"≤ {MOST_CALLS:,} calls of functions"
            rows.append(replace(row, figure=figure, target=target, reached=work <= MOST_CALLS))
    return rows


def count_function_calls(call: Callable[[], Any]) -> int:
    """Return how many functions one call calls, including built-in ones; the number is the same on every machine."""
    number = 0

    def count(_: Any, event: str, __: Any) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(None)
    return number


def _hand_of_peer(shared: Path) -> float | None:
    """Return the median time of the published solver for a collected hand in milliseconds; None if it is missing."""
    cases = _cases(shared, "play_oracle")
    try:
        peer = Peer()
    except ImportError:
        return None
    boards = [(_tiles(t for each in case["table_sets"] for t in each), _tiles(case["hand"])) for case in cases]
    return statistics.median(_timed([peer.playing(*board) for board in boards])[1]) if boards else None


def _row(what: str, on: str, count: str, times: Times, median: float | None, worst: float | None) -> Row:
    """Return a row of the table; `median` and `worst` are targets in milliseconds, or None."""
    reached = [(statistics.median(times), median, "median"), (max(times), worst, "worst")]
    figure = ", ".join(f"{time_ms:.2f} ms {kind}" for time_ms, _, kind in reached)
    target = ", ".join(f"≤ {most:g} ms {kind}" for _, most, kind in reached if most is not None)
    holds = all(time_ms <= most for time_ms, most, _ in reached if most is not None)
    return Row(what, on, figure, count, target, holds if target else None)


def _checked(what: str, on: str, right: int, times: Times, median: float | None, worst: float) -> Row:
    """Return the row for cases whose answers are known; its goal is reached only if all of them are right."""
    row = _row(what, on, f"{right} of {len(times)} right", times, median, worst)
    return replace(row, reached=bool(row.reached) and right == len(times))


def _beside(what: str, times: Times, calls: Callable[[Peer], list[Callable[[], Any]]], wanted: int) -> Row:
    """Return a row that says how many times slower the published solver's median is, on the same cases."""
    on = f"the same cases, {PEER} {PEER_VERSION}"
    try:
        peer = Peer()
    except ImportError:
        return skipped(what, on, "it is not installed")
    _, others = _timed(calls(peer))
    median = statistics.median(others)
    ratio = median / statistics.median(times)
    figure = f"{ratio:.0f} times as fast at the median; it takes {median:.2f} ms, {max(others):.1f} ms worst"
    return Row(what, on, figure, f"{len(times)} cases", f"≥ {wanted} times", ratio >= wanted)


class Peer:
    """The published solver, prepared before timing starts; raises ImportError if that version is not installed."""

    def __init__(self) -> None:
        if importlib.metadata.version(PEER) != PEER_VERSION:
            raise ImportError
        from rummikub_solver import RuleSet, SolverMode

        self.rules = {jokers: RuleSet(jokers=jokers) for jokers in range(5)}
        self.mode = SolverMode.TILE_COUNT

    def arranging(self, tiles: list[Tile]) -> Callable[[], Any]:
        """Return a function that arranges a table."""
        rules = self.rules[tiles.count(JOKER)]
        state = self._state(rules, tiles, [])
        return lambda: rules.arrange_table(state)

    def playing(self, table: list[Tile], hand: list[Tile]) -> Callable[[], Any]:
        """Return a function that plays as many tiles of a hand as possible."""
        rules = self.rules[(table + hand).count(JOKER)]
        state = self._state(rules, table, hand)
        return lambda: rules.solve(state, self.mode)

    def _state(self, rules: Any, table: list[Tile], hand: list[Tile]) -> Any:
        colours = list(COLOURS.values())

        def known(tile: Tile) -> int:
            return len(rules.tiles) if tile.colour is None else 13 * colours.index(tile.colour) + tile.number

        state = rules.new_game()
        state.initial = False
        state.add_table(*map(known, table))
        state.add_rack(*map(known, hand))
        return state


def _timed(calls: list[Callable[[], Any]]) -> tuple[list[Any], Times]:
    """Return the result of each call, and its best time of a few."""
    found, times = [], []
    for call in calls:
        best = float("inf")
        for _ in range(REPEATS):
            start = time.perf_counter()
            result = call()
            best = min(best, time.perf_counter() - start)
        found.append(result)
        times.append(1e3 * best)
    return found, times


def _cases(shared: Path, name: str) -> list[dict[str, Any]]:
    path = shared / "cases" / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [json.loads(line) for line in lines]


def _tiles(texts: Any) -> list[Tile]:
    return [JOKER if text == "J" else Tile(int(text[1:]), COLOURS[text[0]]) for text in texts]
