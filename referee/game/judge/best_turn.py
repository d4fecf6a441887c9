"""The best legal turn: the most tiles of a hand, or the most points, laid by the rules of a book.

The solver finds the most tiles that fit on the table if everything may be rebuilt and jokers move freely. Not every
rule book allows that. So the judge decides about each proposal, and plainer ones are tried as well: sets with a joker
stay as they are, or all sets of the table stay and only grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from referee.errors import BadInput
from referee.game.judge.judge import Turn, judge
from referee.game.moves import Step, steps_between
from referee.game.rulebooks import Ruleset
from referee.game.sets import is_set
from referee.game.solver import Play, best_play, best_sets, partition
from referee.game.solver.solve import face_value, one_each
from referee.game.table import Set, Table, in_order
from referee.game.tiles import Tile


@dataclass(frozen=True, slots=True)
class BestTurn:
    """The tiles laid from the hand, the table after the turn, and the steps that lead there."""

    laid: Set
    table: Table
    steps: tuple[Step, ...]

    @property
    def points(self) -> int:
        """The sum of the numbers laid; jokers count nothing."""
        return sum(tile.number for tile in self.laid)


def best_turn(table: Table, hand: Set, rules: Ruleset, *, opened: bool = True, points: bool = False) -> BestTurn:
    """Return the legal turn that lays most tiles of the hand, or most points; nothing is laid if none is legal.

    The table must be legal (`api.check_before`). Raises BadInput for rules by which nothing is laid turn by turn.
    """
    if rules.melds is None:
        raise BadInput(f"expected rules by which sets are laid turn by turn, got {rules.name}")
    turn = Turn(opened, len(hand))
    best = BestTurn((), table, ())
    for proposal in _proposals(table, hand, rules, opened=opened, points=points):
        if _rank(proposal.laid, points) <= _rank(best.laid, points):
            continue
        if judge(table, proposal.table, turn, rules).accepted:
            best = proposal
    return best


def arrange(table: Table, rules: Ruleset) -> BestTurn | None:
    """Return how the tiles of a table that is not legal can all lie in sets; None if they cannot."""
    found = partition((tile for tiles in table for tile in tiles), wraps=rules.wraps)
    return None if found is None else _turn_to(table, Play((), found), rules)


def _rank(laid: Set, points: bool) -> tuple[int, int]:
    worth = sum(tile.number for tile in laid)
    return (worth, len(laid)) if points else (len(laid), worth)


def _proposals(table: Table, hand: Set, rules: Ruleset, *, opened: bool, points: bool) -> Iterator[BestTurn]:
    """Yield turns that may be legal, those that change most first."""
    worth, other = (face_value, one_each) if points else (one_each, face_value)
    wraps = rules.wraps
    if opened:
        still = [index for index, tiles in enumerate(table) if any(tile.is_joker for tile in tiles)]
        for fixed in ([], still) if still else ([],):
            free = [tile for index, tiles in enumerate(table) if index not in fixed for tile in tiles]
            play = best_play(free, hand, worth, wraps=wraps)
            if play is not None and play.tiles:
                yield _turn_to(table, play, rules, fixed)
    for way in (worth, other):
        own = best_sets(hand, way, wraps=wraps)
        if opened:
            yield _only_growing(table, hand, own, wraps)
        if own.tiles:
            sets = (*table, *own.sets)
            yield BestTurn(own.tiles, sets, steps_between(table, sets))


def _turn_to(table: Table, play: Play, rules: Ruleset, fixed: Collection[int] = ()) -> BestTurn:
    """Return the turn that lays the tiles of `play` and leaves as many sets as possible as they are.

    The sets with the indices `fixed` stay in any case; `play` has the tiles of all others in its sets.
    """
    free = [index for index in range(len(table)) if index not in fixed]
    sets = play.sets
    for index in sorted(free, key=lambda i: len(table[i])):
        if not is_set(table[index], rules.wraps):
            continue
        rest = [tile for i in free if i != index for tile in table[i]]
        found = partition((*rest, *play.tiles), wraps=rules.wraps)
        if found is not None:
            free.remove(index)
            sets = found
    kept = tuple(tiles for index, tiles in enumerate(table) if index not in free)
    after = (*kept, *sets)
    return BestTurn(play.tiles, after, steps_between(table, after))


def _only_growing(table: Table, hand: Set, own: Play, wraps: bool) -> BestTurn:
    """Return the turn that lays these sets of the hand and adds single tiles of it to the sets of the table."""
    sets = list(table)
    left = Counter(hand) - Counter(own.tiles)
    grows = True
    while grows:
        grows = False
        for tile in in_order(left.elements()):
            place = next((i for i, tiles in enumerate(sets) if is_set((*tiles, tile), wraps)), None)
            if place is not None:
                sets[place] = _with_tile(sets[place], tile)
                left[tile] -= 1
                grows = True
    laid = in_order((Counter(hand) - +left).elements())
    after = (*sets, *own.sets)
    return BestTurn(laid, after, steps_between(table, after))


def _with_tile(tiles: Set, tile: Tile) -> Set:
    """Return the tiles of a set with one more at the end where it continues a run, or at the end of a group."""
    numbers = [t.number for t in tiles if not t.is_joker]
    rises = numbers == sorted(numbers)
    if tile.is_joker or not numbers or (tile.number < min(numbers)) != rises:
        return (*tiles, tile)
    return (tile, *tiles)
