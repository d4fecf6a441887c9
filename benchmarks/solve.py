"""The best turn on pictures of tables: whether it can be made with real tiles, is legal and lays as many as possible.

Each picture is read. If its tiles lie in sets, or can be arranged in sets, a hand is drawn from the tiles of the box
that do not lie there. Other pictures show loose tiles, as most photos do: these are then the hand of a player who has
made a first meld, on an empty table. The bound on the tiles is that of the search, which respects the rule book's
rules for jokers.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.report import Figures, Row, rate_row, skipped
from benchmarks.sight import labelled, table_of
from benchmarks.truth import photos
from referee.api import check_before
from referee.devices.camera.stills import load_picture
from referee.errors import BadInput
from referee.game.judge.best_turn import BestTurn, arrange, best_turn
from referee.game.judge.judge import Turn, judge
from referee.game.moves import Step
from referee.game.rulebooks import RULESETS, Ruleset, ruleset
from referee.game.table import Set, Table, in_order, tiles_on
from referee.game.tiles import JOKER, Tile, tile_set
from referee.vision.sighting import Image, Reader

PICTURES = 40
HAND = 14
SLOWEST_S = 1.0
TABLE_MM = (900.0, 600.0)


@dataclass(frozen=True)
class Case:
    """A picture with the rules and the size of the play area."""

    name: str
    picture: Image
    rules: Ruleset
    table_mm: tuple[float, float]


@dataclass(frozen=True)
class Solved:
    """A table, the hand, and the best turn; `lay` says how the table came about, and `steps` arrange it first."""

    lay: str
    found: Table
    steps: tuple[Step, ...]
    table: Table
    hand: Set
    turn: BestTurn

    def is_sound(self, rules: Ruleset) -> bool:
        """Return whether all steps can be made with real tiles, and the judge accepts what then lies there."""
        arranged = replay(self.found, (), self.steps)
        after = replay(self.table, self.hand, self.turn.steps)
        if arranged is None or after is None or _sorted(arranged) != _sorted(self.table):
            return False
        turn = Turn(hand=len(self.hand), jokers=self.hand.count(JOKER))
        return _sorted(after) == _sorted(self.turn.table) and judge(self.table, after, turn, rules).accepted


def measure(reader: Reader, shared: Path) -> Figures:
    """Read and solve every picture."""
    if not (shared / "photos" / "labels.jsonl").is_file():
        return Figures([skipped("turns found", "pictures", "../shared is missing")])
    return figures_of(reader, cases(shared))


def cases(shared: Path) -> Iterator[Case]:
    """Yield PICTURES pictures: all scenes and boxes, and photos chosen evenly."""
    found = 0
    for folder, pattern in (("scenes", "s*.jpg"), ("boxes", "b*-t*.jpg")):
        for name, picture, truth in labelled(shared / folder, pattern):
            box = truth["tileset"]
            yield Case(name, picture, replace(ruleset(box if box in RULESETS else "rummikub"), tileset=box),
                       table_of(truth))  # fmt: skip
            found += 1
    entries = [entry for entry in photos(shared / "photos") if entry["tiles"]]
    for place in np.linspace(0, len(entries) - 1, PICTURES - found).round().astype(int):
        image = entries[place]["image"]
        yield Case(image, load_picture(shared / "photos" / image), ruleset("rummikub"), TABLE_MM)


def figures_of(reader: Reader, found: Iterable[Case]) -> Figures:
    """Return the rows for these pictures, and every turn that falls short."""
    lay: Counter[str] = Counter()
    seconds, solving, failures = [], [], []
    sound = most = laid = nothing = 0
    for seed, case in enumerate(found):
        began = time.perf_counter()
        sighting = reader.read(case.picture, tile_set(case.rules.tileset), case.table_mm)
        read = time.perf_counter()
        solved = solve(sighting.table, case.rules, seed)
        done = time.perf_counter()
        seconds.append(done - began)
        solving.append(done - read)
        lay[solved.lay] += 1
        laid += len(solved.turn.laid)
        nothing += not solved.turn.laid
        if solved.is_sound(case.rules):
            sound += 1
        else:
            failures.append(f"{case.name}: a step cannot be made, or the judge refuses the turn")
        if solved.turn.proven:
            most += 1
        else:
            failures.append(f"{case.name}: {len(solved.turn.laid)} tiles laid, the bound is {solved.turn.most}")
    every = "pictures of ../shared"
    slowest, pictures = max(seconds), len(seconds)
    kinds = ", ".join(f"{number} {name}" for name, number in sorted(lay.items()))
    rows = [
        rate_row("turns that can be made step by step and are legal", every, sound, pictures, 1.0),
        rate_row("turns that lay as many tiles as any legal turn can", every, most, pictures, 1.0),
        Row("tiles laid", every, str(laid), f"{kinds}; nothing can be laid on {nothing}", "", None),
        Row("slowest picture, read and solved", every, f"{slowest:.2f} s",
            f"{pictures} pictures; solving alone at most {max(solving):.2f} s",
            f"≤ {SLOWEST_S:.0f} s", slowest <= SLOWEST_S),
    ]  # fmt: skip
    return Figures(rows, {"best turns on pictures": failures})


def solve(found: Table, rules: Ruleset, seed: int) -> Solved:
    """Return the best turn from a table as it was read."""
    lay, table = "legal tables", found
    steps: tuple[Step, ...] = ()
    try:
        check_before(found, "the picture", rules)
    except BadInput:
        arranged = arrange(found, rules)
        if arranged is None:
            hand = in_order(tile for tiles in found for tile in tiles)
            return Solved("hands", (), (), (), hand, best_turn((), hand, rules))
        lay, steps, table = "arranged tables", arranged.steps, arranged.table
    hand = draw_hand(table, rules, seed)
    return Solved(lay, found, steps, table, hand, best_turn(table, hand, rules))


def draw_hand(table: Table, rules: Ruleset, seed: int) -> Set:
    """Return a hand drawn from the tiles of the box that do not lie on the table."""
    left = Counter(rules.box.inventory()) - tiles_on(table)
    stock = in_order(left.elements())
    drawn = np.random.default_rng(seed).permutation(len(stock))[:HAND]
    return tuple(stock[number] for number in drawn)


def replay(table: Table, hand: Set, steps: Sequence[Step]) -> Table | None:
    """Return the table after every step was made with real tiles; None if a step cannot be made as it says."""
    sets, held = [list(tiles) for tiles in table], list(hand)
    for step in steps:
        for move in step.moves:
            source = held if move.source is None else sets[move.source]
            if move.tile not in source:
                return None
            source.remove(move.tile)
    for step in steps:
        there = [] if step.place is None else sets[step.place]
        if in_order([*there, *(move.tile for move in step.moves)]) != in_order(step.result):
            return None
        there[:] = step.result
        if step.place is None:
            sets.append(there)
    return tuple(tuple(tiles) for tiles in sets if tiles)


def _sorted(table: Iterable[Iterable[Tile]]) -> list[Set]:
    return sorted((in_order(tiles) for tiles in table), key=str)
