"""Makes puzzles from legal tables.

The difficulty is the number of sets of the table that must be changed at least. It is proven in three steps:

1. No tile of the hand can be added to a set of the table as it lies, and the hand holds no set of its own.
2. For every choice of fewer sets of the table, the tiles of these sets and of the hand cannot all lie in sets. That is
   decided by the exact solver, with jokers that may stand for anything, as no rule book allows more.
3. With that many sets there is a solution that the judge accepts by the rule book.

There may be several solutions; every one that the judge accepts counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from referee.game.judge.faults import not_sets
from referee.game.judge.jokers.rows import lay_rows
from referee.game.judge.judge import Turn, judge_without_advice
from referee.game.moves import Step, steps_between
from referee.game.rulebooks.model import JokerSets, Ruleset
from referee.game.sets import is_set, split_long
from referee.game.solver import best_sets, partition
from referee.game.solver.solve import best_play
from referee.game.table import Change, Set, Table, in_order, tiles_on
from referee.game.tiles import Tile

FEWEST_SETS, MOST_SETS = 4, 10
"""Tables with fewer sets are too easy, and larger ones take too long to build with real tiles. Chosen by hand."""
FEWEST_CHANGED, ENOUGH_CHANGED, MOST_CHANGED = 2, 3, 4
"""A puzzle changes at least two sets; with three it is good enough, and beyond four nobody finds the solution."""
HAND_SIZES = (3, 2)
"""How many tiles the hand has, in the order in which hands are tried."""
TRIES, PROOFS = 100, 4
"""For each size of the hand: how many hands are tried, and for how many of them the difficulty is computed at most.
Chosen by measuring (`python -m benchmarks.puzzles`): of 60 tables of virtual players 32 make a puzzle, in 0.6 s at
most."""
DEALT = 36
"""How many tiles are drawn for a table that nobody has played; about eight sets can be made of them."""

Pick = Callable[[int], int]
"""Returns a random number from 0 up to but not including its argument."""
ANY_TURN = Turn(opened=True)
"""The hand of a puzzle is a part of a player's tiles, so that laying it does not end a round."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A table to build, a hand to lay, and a solution that changes as few sets of the table as possible."""

    table: Table
    hand: Set
    solution: Table
    changed: int
    """How many sets of the table must be changed at least."""
    rules: Ruleset

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps from the table to the solution."""
        return steps_between(self.table, self.solution)


def make_puzzle(table: Table, rules: Ruleset, pick: Pick) -> Puzzle | None:
    """Return the first puzzle with this table that is difficult enough, or else the hardest found; None if none is."""
    if not is_fit(table, rules):
        return None
    best: Puzzle | None = None
    for size in HAND_SIZES:
        for hand in _hands(table, rules, size, pick):
            found = solve_puzzle(table, hand, rules)
            if found is not None and (best is None or found.changed > best.changed):
                best = found
            if best is not None and best.changed >= ENOUGH_CHANGED:
                return best
    return best


def is_fit(table: Table, rules: Ruleset) -> bool:
    """Return whether a puzzle can be made of a table: it is legal by itself, and neither small nor large."""
    if rules.melds is None or not FEWEST_SETS <= len(table) <= MOST_SETS:
        return False
    return not any(not_sets(Change.between((), split_long(table, rules.wraps)), rules))


def random_table(rules: Ruleset, pick: Pick) -> Table:
    """Return sets made of tiles drawn from the box, without jokers: as many of the tiles as can lie in sets."""
    box = [tile for tile in in_order(Counter(rules.box.inventory()).elements()) if not tile.is_joker]
    return lay_rows(best_sets(_drawn(box, DEALT, pick), wraps=rules.wraps).sets, Counter(), rules)


def solve_puzzle(table: Table, hand: Set, rules: Ruleset) -> Puzzle | None:
    """Return the puzzle with this hand and its proven difficulty.

    It is None if the hand can be laid with fewer than `FEWEST_CHANGED` changed sets, if more than `MOST_CHANGED` are
    needed, or if the judge refuses the solution that was found.
    """
    for number in range(MOST_CHANGED + 1):
        after = next(_solutions(table, hand, rules, number), None)
        if after is not None:
            legal = number >= FEWEST_CHANGED and judge_without_advice(table, after, ANY_TURN, rules).accepted
            return Puzzle(table, hand, after, number, rules) if legal else None
    return None


def _solutions(table: Table, hand: Set, rules: Ruleset, number: int) -> Iterator[Table]:
    """Yield tables on which the hand lies too, with exactly this many sets of the old table changed."""
    joker_sets = rules.joker_rule.alone is JokerSets.ALLOWED
    for changed in combinations(range(len(table)), number):
        tiles = (*(tile for index in changed for tile in table[index]), *hand)
        sets = partition(tiles, wraps=rules.wraps, joker_sets=joker_sets)
        if sets is not None:
            stay = (tiles for index, tiles in enumerate(table) if index not in changed)
            yield (*stay, *lay_rows(sets, Counter(), rules))


def _hands(table: Table, rules: Ruleset, size: int, pick: Pick) -> Iterator[Set]:
    """Yield hands of this size that can be laid, but not without rearranging the table."""
    left = Counter(rules.box.inventory())
    left.subtract(tiles_on(table))
    loose = [tile for tile, number in left.items() if number > 0 and not _fits_somewhere(tile, table, rules)]
    lying, proofs = in_order(tiles_on(table).elements()), 0
    for _ in range(TRIES if len(loose) >= size else 0):
        hand = in_order(_drawn(loose, size, pick))
        if best_sets(hand, wraps=rules.wraps).tiles:
            continue
        play = best_play(lying, hand, wraps=rules.wraps)
        if play is not None and len(play.tiles) == size:
            yield hand
            proofs += 1
            if proofs == PROOFS:
                return


def _fits_somewhere(tile: Tile, table: Table, rules: Ruleset) -> bool:
    """Return whether a tile can be added to a set as it lies; a joker always can be, so that no hand has one."""
    return tile.is_joker or any(is_set((*tiles, tile), rules.wraps) for tiles in table)


def _drawn(tiles: Sequence[Tile], number: int, pick: Pick) -> list[Tile]:
    """Return so many of the tiles, drawn at random."""
    left = list(tiles)
    return [left.pop(pick(len(left))) for _ in range(number)]
