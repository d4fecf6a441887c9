"""The first meld: whether some of the tiles laid form sets of the player's own that are worth the minimum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations

from referee.game.arrange import most_points
from referee.game.jokers import moved_unfreed, reach_of
from referee.game.rulesets.base import Ruleset
from referee.game.sets import LARGEST_GROUP, SMALLEST, shape
from referee.game.table import Change, Set, Table, in_order, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile

# A longer run with a joker falls into one of these lengths and a run without: the points stay the same.
_RUN_LENGTHS = range(SMALLEST, 2 * SMALLEST)


def opening_points(change: Change, rules: Ruleset) -> int:
    """The most points that can be seen in this turn as a first meld of the player's own tiles."""
    visible = _points(own_sets(change, rules), rules)
    if visible >= rules.opening.minimum or not change.old or not rules.opening.same_turn:
        return visible
    return max(visible, _hidden_points(change, rules))


def own_sets(change: Change, rules: Ruleset) -> Table:
    """The new sets that lie there complete and hold only tiles laid in this turn."""
    own, left = [], Counter(change.laid)
    for _, tiles in change.new:
        if shape(tiles, rules.wraps).valid and not Counter(tiles) - left:
            left -= Counter(tiles)
            own.append(tiles)
    return tuple(own)


def _points(sets: Table, rules: Ruleset) -> int:
    return sum(shape(tiles, rules.wraps).value(rules.opening.joker) for tiles in sets)


def _hidden_points(change: Change, rules: Ruleset) -> int:
    """Points of a first meld that was rebuilt or added to before the turn ended.

    Tiles without a joker are worth what the solver says. Jokers in the meld lay on the table once it lay there, so the
    way from there to the table as it is now must be a legal one for them too.
    """
    best = 0
    free = [tiles for tiles in _sets_with_jokers(change.laid) if not _jokers_stuck((tiles,), change, rules)]
    for melds in chain.from_iterable(combinations(free, size) for size in range(change.laid[JOKER] + 1)):
        if best >= rules.opening.minimum:
            break
        if tiles_on(melds) - change.laid:
            continue
        rest = change.laid - tiles_on(melds)
        del rest[JOKER]
        points = _points(melds, rules) + most_points(rest)
        if points > best and not _jokers_stuck(melds, change, rules):
            best = points
    return best


def _jokers_stuck(melds: Table, change: Change, rules: Ruleset) -> bool:
    later = Change.between((*change.before, *melds), change.after)
    return bool(moved_unfreed(later.old, [tiles for _, tiles in later.new], reach_of(change, rules), rules))


def _sets_with_jokers(laid: Counter[Tile]) -> Iterator[Set]:
    """Every short set with at least one joker that the tiles laid allow."""
    for number in range(1, HIGHEST + 1):
        row = [tile for colour in Colour if laid[tile := Tile(number, colour)]]
        for length in range(SMALLEST, LARGEST_GROUP + 1):
            for plain in range(1, length):
                yield from (
                    (*tiles, *(JOKER,) * (length - plain))
                    for tiles in combinations(row, plain)
                    if length - plain <= laid[JOKER]
                )
    for colour in Colour:
        for length in _RUN_LENGTHS:
            for start in range(1, HIGHEST - length + 2):
                yield from _run_with_jokers([Tile(n, colour) for n in range(start, start + length)], laid)


def _run_with_jokers(run: list[Tile], laid: Counter[Tile]) -> Iterator[Set]:
    """The run with jokers in the place of missing tiles, and of as many others as there are jokers for."""
    missing = [tile for tile in run if not laid[tile]]
    present = [tile for tile in run if laid[tile]]
    fewest, most = max(1, len(missing)), min(laid[JOKER], len(run) - 1)
    for jokers in range(fewest, most + 1):
        for replaced in combinations(present, jokers - len(missing)):
            yield in_order([t for t in present if t not in replaced] + [JOKER] * jokers)
