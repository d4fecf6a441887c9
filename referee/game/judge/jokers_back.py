"""Time is up, and a joker of the table lies loose, in no valid set, or is gone: the ways to give it back to its set.

Its set is the one it lay in when the turn began. Where a tile of the hand took its place that tile goes back; where
nothing took it the joker goes back among the tiles that are left of its set; else that set is laid again as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from referee.game.judge.joker_values import counts, readings
from referee.game.rulebooks.model import Ruleset
from referee.game.solver.solve import best_sets
from referee.game.table import Change, Set, Table, in_order, laid, tiles_on, vanished
from referee.game.tiles import JOKER, Tile

_MOST_WAYS = 12
"""So many ways, those first by which the player takes least, are followed where several jokers are to go back."""


class _Way(NamedTuple):
    """The table as it would lie with jokers given back, tiles in no valid set still there, and what then stays."""

    lying: Table
    stays: Table


def kept(now: Table, rules: Ruleset) -> Table:
    """What stays when every tile in no valid set is taken: of a wrong set its largest part that is right."""
    sets: list[Set] = []
    for tiles in now:
        parts = (tiles,) if counts(tiles, rules) else best_sets(tiles, wraps=rules.wraps).sets
        sets += [part for part in parts if counts(part, rules)]
    return tuple(sets)


def lost(before: Table, target: Table) -> int:
    """How many jokers of the table it would not have any more."""
    return vanished(before, target)[JOKER]


def less(tiles: Set, taken: Iterable[Tile]) -> Set:
    """A set without some tiles."""
    left = Counter(taken)
    return tuple(tile for tile in tiles if not left[tile] or left.subtract((tile,)))


def with_jokers_back(before: Table, now: Table, rules: Ruleset) -> tuple[Table, ...]:
    """What may stay of the table `now` so that no joker of the table is taken, first that by which least is taken.

    Nothing where a joker cannot go back.
    """
    ways = [_Way(now, kept(now, rules))]
    for left in range(lost(before, ways[0].stays), 0, -1):
        found = (way for one in ways for way in _one_back(before, now, one, rules) if lost(before, way.stays) < left)
        ways = _first(found, before, now)
    return tuple(dict.fromkeys(way.stays for way in ways))


def _first(ways: Iterable[_Way], before: Table, now: Table) -> list[_Way]:
    def price(way: _Way) -> tuple[int, int]:
        return lost(before, way.stays), laid(way.stays, now).total()

    each: dict[frozenset[tuple[Set, int]], _Way] = {}
    for way in ways:
        each.setdefault(frozenset(Counter(map(in_order, way.stays)).items()), way)
    return sorted(each.values(), key=price)[:_MOST_WAYS]


def _one_back(before: Table, now: Table, way: _Way, rules: Ruleset) -> Iterator[_Way]:
    """Every way to give one joker more back."""
    without = _without_a_joker(way.lying, rules)
    hand = laid(before, now)
    for old in {in_order(tiles): tiles for tiles in Change.between(before, way.stays).old if JOKER in tiles}.values():
        tables = list(_for_its_stand_in(old, without, hand, rules)) or list(_among_its_tiles(old, without))
        for table in (*tables, *_as_it_was(old, without, before)):
            yield _Way(table, kept(table, rules))


def _without_a_joker(lying: Table, rules: Ruleset) -> Table:
    """The table without the joker that goes back: one that lies in no valid set, where there is one."""
    for index, tiles in enumerate(lying):
        if tiles.count(JOKER) > tiles_on(kept((tiles,), rules))[JOKER]:
            return _with_set(lying, index, less(tiles, (JOKER,)))
    return lying


def _for_its_stand_in(old: Set, lying: Table, hand: Counter[Tile], rules: Ruleset) -> Iterator[Table]:
    """The joker takes the place of a tile of the hand that had taken its own."""
    for stand_in in {tile for way in readings(old, rules) for tile in way.tiles if hand[tile]}:
        for index, tiles in enumerate(lying):
            if stand_in in tiles and set(old) & set(tiles):
                at = tiles.index(stand_in)
                yield _with_set(lying, index, (*tiles[:at], JOKER, *tiles[at + 1 :]))


def _among_its_tiles(old: Set, lying: Table) -> Iterator[Table]:
    """The joker goes to tiles that it lay with, beside its old neighbour."""
    first = old.index(JOKER)
    for index, tiles in enumerate(lying):
        left = [tiles.index(tile) + 1 for tile in reversed(old[:first]) if tile in tiles]
        right = [tiles.index(tile) for tile in old[first:] if tile in tiles and tile != JOKER]
        if at := (*left, *right):
            yield _with_set(lying, index, (*tiles[: at[0]], JOKER, *tiles[at[0] :]))


def _as_it_was(old: Set, lying: Table, before: Table) -> Iterator[Table]:
    """The set is laid again, out of loose tiles first and out of sets that lay there before last."""
    left, rest = Counter(less(old, (JOKER,))), list(lying)
    lay_there = Counter(map(in_order, before))
    for index in sorted(range(len(rest)), key=lambda i: (lay_there[in_order(rest[i])] > 0, len(rest[i]))):
        taken = Counter(rest[index]) & left
        rest[index], left = less(rest[index], taken.elements()), left - taken
    if not left:
        yield (*filter(None, rest), old)


def _with_set(table: Table, index: int, tiles: Set) -> Table:
    return tuple(filter(None, (*table[:index], tiles, *table[index + 1 :])))
