"""When time is up and a joker of the table is in no valid set or gone: the ways to give it back to its set.

Its set is the one that it was in when the turn began. If a tile of the hand has taken its place, that tile goes back
to the hand. If nothing has taken it, the joker goes back among the remaining tiles of its set. Otherwise that set is
laid again as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from referee.game.judge.jokers.values import only_jokers, readings
from referee.game.rulebooks.model import JokerSets, Ruleset
from referee.game.sets import is_set
from referee.game.solver.solve import best_sets
from referee.game.table import Change, Set, Table, in_order, laid_tiles, tile_key, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Tile

_MOST_WAYS = 6
"""How many ways are followed if several jokers must go back, those first with which the player takes fewest tiles.
Chosen by hand: it limits the search."""


class _Way(NamedTuple):
    """A table with jokers given back: `lying` still has the tiles in no valid set, `stays` does not."""

    lying: Table
    stays: Table


def table_without_wrong_sets(now: Table, rules: Ruleset) -> Table:
    """Return the table without the tiles that are in no valid set; of an invalid set, its largest valid part stays."""
    alone = rules.joker_rule.alone is not JokerSets.REFUSED
    return tuple(part for tiles in now for part in _parts(tiles, rules.wraps, alone))


@lru_cache(maxsize=1 << 12)
def _parts(tiles: Set, wraps: bool, jokers_alone: bool) -> tuple[Set, ...]:
    parts = (tiles,) if _counts(tiles, wraps, jokers_alone) else _best_sets(in_order(tiles), wraps)
    return tuple(part for part in parts if _counts(part, wraps, jokers_alone))


@lru_cache(maxsize=1 << 12)
def _best_sets(tiles: Set, wraps: bool) -> Table:
    """Return the best sets of sorted tiles; cached, since many heaps differ only in where a joker lies."""
    return best_sets(tiles, wraps=wraps).sets


def _counts(tiles: Set, wraps: bool, jokers_alone: bool) -> bool:
    return is_set(tiles, wraps) and (jokers_alone or not only_jokers(tiles))


def count_lost_jokers(before: Table, target: Table) -> int:
    """Return how many jokers of the table `before` are not in `target`."""
    return max(0, jokers_on(before) - jokers_on(target))


def jokers_on(table: Iterable[Set]) -> int:
    """Return how many jokers lie in these sets."""
    return sum([tiles.count(JOKER) for tiles in table])


def without_tiles(tiles: Set, taken: Iterable[Tile]) -> Set:
    """Return a set without some tiles."""
    left = Counter(taken)
    return tuple(tile for tile in tiles if not left[tile] or left.subtract((tile,)))


def with_jokers_back(before: Table, now: Table, rules: Ruleset) -> tuple[Table, ...]:
    """Return the tables that may stay of `now` if no joker of the table is taken, the largest first.

    Empty if a joker cannot go back.
    """
    ways = [_Way(now, table_without_wrong_sets(now, rules))]
    for left in range(count_lost_jokers(before, ways[0].stays), 0, -1):
        ways = _first((way for one in ways for way in _give_one_back(before, now, one, left, rules)), before, now)
    return tuple(dict.fromkeys(way.stays for way in ways))


def _first(ways: Iterable[_Way], before: Table, now: Table) -> list[_Way]:
    lying = tiles_on(now)

    def price(way: _Way) -> tuple[int, int]:
        return count_lost_jokers(before, way.stays), (lying - tiles_on(way.stays)).total()

    each: dict[frozenset[tuple[Set, int]], _Way] = {}
    sorted_sets: dict[Set, Set] = {}
    for way in ways:
        for tiles in way.stays:
            if tiles not in sorted_sets:
                sorted_sets[tiles] = in_order(tiles)
        each.setdefault(frozenset(Counter([sorted_sets[tiles] for tiles in way.stays]).items()), way)
    return sorted(each.values(), key=price)[:_MOST_WAYS]


def _give_one_back(before: Table, now: Table, way: _Way, left: int, rules: Ruleset) -> Iterator[_Way]:
    """Yield every way to give back one more of the `left` jokers that are missing.

    If every set that lost jokers must get them back, only the first set that can is tried: the order is irrelevant.
    """
    without = _without_a_joker(way.lying, rules)
    hand = laid_tiles(before, now)
    olds = [tiles for tiles in Change.between(before, way.stays).old if JOKER in tiles]
    in_turn = tiles_on(olds)[JOKER] == left
    for old in {in_order(tiles): tiles for tiles in olds}.values():
        tables = list(_for_its_stand_in(old, without, hand, rules)) or list(_among_its_tiles(old, without, rules))
        found = [
            _Way(table, table_without_wrong_sets(table, rules))
            for table in (*tables, *_as_it_was(old, without, before))
        ]
        better = [one for one in found if count_lost_jokers(before, one.stays) < left]
        yield from better
        if in_turn and better:
            return


def _without_a_joker(lying: Table, rules: Ruleset) -> Table:
    """Return the table without the joker that goes back: one that lies in no valid set, if there is one."""
    for index, tiles in enumerate(lying):
        if JOKER in tiles and tiles.count(JOKER) > jokers_on(table_without_wrong_sets((tiles,), rules)):
            return _with_set(lying, index, without_tiles(tiles, (JOKER,)))
    return lying


def _for_its_stand_in(old: Set, lying: Table, hand: Counter[Tile], rules: Ruleset) -> Iterator[Table]:
    """Yield tables in which the joker replaces a tile of the hand that had taken its place."""
    for stand_in in sorted(_stood_for(old, rules) & set(hand), key=tile_key):
        for index, tiles in enumerate(lying):
            if stand_in in tiles and set(old) & set(tiles):
                at = tiles.index(stand_in)
                yield _with_set(lying, index, (*tiles[:at], JOKER, *tiles[at + 1 :]))


def _stood_for(old: Set, rules: Ruleset) -> set[Tile]:
    """Return what the jokers of a set stood for: by their places if it lies in a row, else everything possible."""
    could = {tile for way in readings(old, rules) for tile in way.tiles}
    for step in (1, -1):
        firsts = {(tile.number - at * step) % HIGHEST for at, tile in enumerate(old) if not tile.is_joker}
        if len(firsts) == 1:
            (first,) = firsts
            row = {(first + at * step) % HIGHEST for at, tile in enumerate(old) if tile.is_joker}
            return {tile for tile in could if tile.number % HIGHEST in row} or could
    return could


def _among_its_tiles(old: Set, lying: Table, rules: Ruleset) -> Iterator[Table]:
    """Yield tables with the joker beside an old neighbour, if it can stand there for what it stood for before."""
    first, stood_for, numbered = old.index(JOKER), _stood_for(old, rules), set(old) - {JOKER}
    for index, tiles in enumerate(lying):
        if numbered.isdisjoint(tiles):
            continue
        left = [tiles.index(tile) + 1 for tile in reversed(old[:first]) if tile in tiles]
        right = [tiles.index(tile) for tile in old[first:] if tile in tiles and tile != JOKER]
        at = (*left, *right)[0]
        longer = (*tiles[:at], JOKER, *tiles[at:])
        ways = (way for part in table_without_wrong_sets((longer,), rules) for way in readings(part, rules))
        if any(stood_for & way.tiles for way in ways):
            yield _with_set(lying, index, longer)


def _as_it_was(old: Set, lying: Table, before: Table) -> Iterator[Table]:
    """Yield the table with the set laid again as it was, its tiles taken from new sets first, from old ones last."""
    left, rest = Counter(without_tiles(old, (JOKER,))), list(lying)
    near = [index for index, tiles in enumerate(rest) if not left.keys().isdisjoint(tiles)]
    lay_there = set(map(in_order, before)) if len(near) > 1 else set()
    for index in sorted(near, key=lambda i: (in_order(rest[i]) in lay_there, len(rest[i]))):
        taken = Counter(rest[index]) & left
        rest[index], left = without_tiles(rest[index], taken.elements()), left - taken
    if not left:
        yield (*filter(None, rest), old)


def _with_set(table: Table, index: int, tiles: Set) -> Table:
    return tuple(filter(None, (*table[:index], tiles, *table[index + 1 :])))
