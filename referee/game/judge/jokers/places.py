"""The faults of a turn that is refused only because each joker stands for the number of its place in the row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, islice, product
from typing import NamedTuple

from referee.game.judge.jokers.values import Reading, change_by, readings, readings_anyhow, row_of
from referee.game.judge.verdict import Fault, FaultKind
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Set, Table, in_order
from referee.game.tiles import JOKER, Tile

_TRIES = 8
"""How many tables are tried to find where the jokers belong. Chosen by hand: each try calls the judge once more."""
_SETS_RELAID = 2
"""In how many sets jokers are moved at once. Chosen by hand."""

Accepts = Callable[[Table, Ruleset], bool]
"""Returns whether the turn would be legal with another table after it, or by other rules."""


class _Laid(NamedTuple):
    """A set in another order: its index, its tiles, what its jokers stood for, and what they stand for then."""

    where: int
    tiles: Set
    stood: Reading
    stands: Reading


def place_faults(before: Table, after: Table, rules: Ruleset, accepts: Accepts) -> tuple[Fault, ...]:
    """Return faults that say where the jokers belong, if their places are the only fault of a refused turn.

    If no other places would do, because a joker stood for another tile before the turn, the faults say that.
    """
    if not rules.joker_rule.as_laid or not any(_reading_by_places(tiles, rules) for tiles in (*before, *after)):
        return ()
    if not accepts(after, rules.with_value("joker_rule.as_laid", False)):
        return ()
    change = change_by(rules, before, after)
    ways = [list(_other_ways(index, tiles, rules)) for index, tiles in change.new]
    for some in islice(_combine_ways([way for way in ways if way]), _TRIES):
        table = list(after)
        for laid in some:
            table[laid.where] = laid.tiles
        if accepts(tuple(table), rules):
            return tuple(_belongs(after[laid.where], laid) for laid in some)
    lay = [(old, told) for old in change.old if (told := _reading_by_places(old, rules))]
    if not lay:
        return (Fault(FaultKind.JOKER_PLACE, (JOKER,), (), Notice("judge.jokers_by_place")),)
    return tuple(_lay(old, told) for old, told in lay)


def _reading_by_places(tiles: Set, rules: Ruleset) -> Reading | None:
    """Return what the jokers of a set stand for by their places; None if there are none, or places do not matter."""
    ways = readings(tiles, rules) if JOKER in tiles else ()
    return ways[0] if len(ways) == 1 and len(readings_anyhow(tiles, rules)) > 1 else None


def _other_ways(index: int, tiles: Set, rules: Ruleset) -> Iterator[_Laid]:
    """Yield the set with its jokers in other places; those with the fewest moves come first."""
    stood = _reading_by_places(tiles, rules)
    if stood is None:
        return
    others = [way for way in readings_anyhow(tiles, rules) if way != stood]
    for way in sorted(others, key=lambda way: len(way.tiles - stood.tiles)):
        yield _Laid(index, row_of(tiles, way), stood, way)


def _combine_ways(ways: list[list[_Laid]]) -> Iterator[tuple[_Laid, ...]]:
    """Yield each set in each other order alone, then two sets together."""
    sizes = range(1, min(_SETS_RELAID, len(ways)) + 1)
    return chain.from_iterable(product(*some) for size in sizes for some in combinations(ways, size))


def _belongs(tiles: Set, laid: _Laid) -> Fault:
    stands, wanted = in_order(laid.stood.tiles - laid.stands.tiles), in_order(laid.stands.tiles - laid.stood.tiles)
    if len(stands) == 1:
        notice = Notice("judge.joker_lies_as", stands=stands[0], wanted=wanted[0])
    else:
        notice = Notice("judge.jokers_lie_as", stands=stands, wanted=wanted)
    return Fault(FaultKind.JOKER_PLACE, tiles, (laid.where,), notice)


def _lay(old: Set, told: Reading) -> Fault:
    stood: tuple[Tile, ...] = in_order(told.tiles)
    return Fault(FaultKind.JOKER_PLACE, old, (), Notice("judge.joker_lay_as", old=old, stood=stood))
