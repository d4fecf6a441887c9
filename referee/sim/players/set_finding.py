"""Finds sets among the tiles of a rack, tiles that fit a set, and tiles that can be taken from one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from referee.game.sets import LARGEST_GROUP, SMALLEST, Shape, as_laid, is_set, shape
from referee.game.table import Set, Table, in_order, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile

Rack = Counter[Tile]


class Spare(NamedTuple):
    """A tile that a set can spare, and what is left of the set without it."""

    tile: Tile
    left: Set


def neat(tiles: Iterable[Tile], wraps: bool = False) -> Set:
    """Return the tiles of a set in the order in which people lay them: runs rising, jokers in their places."""
    tiles = tuple(tiles)
    seen: Shape = shape(tiles, wraps)
    jokers = [tile for tile in tiles if tile.is_joker]
    if seen.runs and seen.group is None:
        by_number = {tile.number: tile for tile in tiles if not tile.is_joker}
        return tuple(by_number.get(number, JOKER) for number in max(seen.runs, key=sum))
    return (*in_order(tile for tile in tiles if not tile.is_joker), *jokers)


def without_jokers(rack: Rack) -> Rack:
    """Return the rack without its jokers."""
    return Counter({tile: count for tile, count in rack.items() if not tile.is_joker and count > 0})


def rest(rack: Rack, before: Table, after: Table) -> Rack:
    """Return the rack after the table has changed, if tiles moved only between rack and table."""
    left = rack + tiles_on(before)
    left.subtract(tiles_on(after))
    if any(count < 0 for count in left.values()):
        raise ValueError(f"expected tiles out of the rack and the table, got {+Counter(-left)} besides")
    return +left


def sets_in(rack: Rack, wraps: bool = False) -> list[Set]:
    """Return the sets that can be laid from a rack without jokers: every group, and every run at full length."""
    found: list[Set] = []
    colours: dict[int, list[Tile]] = {}
    rows: dict[Colour, dict[int, Tile]] = {}
    for tile in in_order(tile for tile, count in rack.items() if count > 0):
        if tile.colour is not None:
            colours.setdefault(tile.number, []).append(tile)
            rows.setdefault(tile.colour, {})[tile.number] = tile
    for same in colours.values():
        if len(same) >= SMALLEST:
            found += combinations(same, min(len(same), LARGEST_GROUP))
    for row in rows.values():
        found += (tuple(row[number] for number in run) for run in _stretches(row, wraps))
    return found


def _stretches(numbers: Iterable[int], wraps: bool) -> Iterator[list[int]]:
    """Yield the longest sequences of at least three consecutive numbers."""
    held = set(numbers)
    for start in sorted(held):
        before = start - 1 if start > 1 else HIGHEST if wraps else 0
        if before in held and not (start == 1 and len(held) == HIGHEST):
            continue
        run = [start]
        while (number := next_number(run[-1], wraps)) in held and number != start:
            run.append(number)
        if len(run) >= SMALLEST:
            yield run


def next_number(number: int, wraps: bool) -> int:
    """Return the next number in a run; HIGHEST + 1 if there is none."""
    return number % HIGHEST + 1 if wraps else number + 1


def sets_with_joker(rack: Rack, wraps: bool = False) -> list[Set]:
    """Return all sets of two tiles from the rack and one joker between or beside them."""
    tiles = in_order(tile for tile in rack if not tile.is_joker)
    pairs = ((*pair, JOKER) for pair in combinations(tiles, 2))
    return [neat(row, wraps) for row in pairs if is_set(row, wraps)]


def value_as_laid(tiles: Set, joker: int | None, wraps: bool = False) -> int:
    """Return the points of a set as it lies; a joker counts `joker` points, or if None, those of the missing tile."""
    if joker is not None:
        return sum(joker if tile.is_joker else tile.number for tile in tiles)
    return sum(tile.number for tile in as_laid(tiles, wraps))


@lru_cache(maxsize=1 << 14)
def extensions(tiles: Set, wraps: bool = False) -> tuple[tuple[Tile, Set], ...]:
    """Return the tiles that fit a set as it lies, each with the extended set. A joker fits wherever a tile does.

    Nothing fits a run whose tiles do not lie in order.
    """
    told = as_laid(tiles, wraps)
    numbers = [tile.number for tile in told]
    colours = {tile.colour for tile in told}
    if JOKER in told or not is_set(tiles, wraps):
        return ()
    if len(set(numbers)) == 1:
        missing = [Tile(numbers[0], colour) for colour in Colour if colour not in colours]
        return tuple((tile, (*tiles, tile)) for tile in (*missing, JOKER)) if len(tiles) < LARGEST_GROUP else ()
    if len(tiles) >= HIGHEST:
        return ()
    colour = told[0].colour
    rising = _rises(numbers, wraps)
    if not rising and not _rises(numbers[::-1], wraps):
        return ()
    low, high = (numbers[0], numbers[-1]) if rising else (numbers[-1], numbers[0])
    ways: list[tuple[Tile, Set]] = []
    for number, first in ((previous_number(low, wraps), rising), (next_number(high, wraps), not rising)):
        if 1 <= number <= HIGHEST:
            ways += ((t, (t, *tiles) if first else (*tiles, t)) for t in (Tile(number, colour), JOKER))
    return tuple(ways)


def in_sequence(tiles: Set, wraps: bool = False) -> bool:
    """Return whether a run lies in order, rising or falling, so that the place of a joker shows what it stands for."""
    numbers = [tile.number for tile in as_laid(tiles, wraps)]
    return _rises(numbers, wraps) or _rises(numbers[::-1], wraps)


def _rises(numbers: list[int], wraps: bool) -> bool:
    return all(next_number(one, wraps) == other for one, other in pairwise(numbers))


def previous_number(number: int, wraps: bool) -> int:
    """Return the previous number in a run; 0 if there is none."""
    return HIGHEST if number == 1 and wraps else number - 1


@lru_cache(maxsize=1 << 14)
def spares(tiles: Set, wraps: bool = False) -> tuple[Spare, ...]:
    """Return the numbered tiles that can be taken from a set without moving the others."""
    if len(tiles) <= SMALLEST or not is_set(tiles, wraps):
        return ()
    group = shape(tiles, wraps).group is not None
    if not group and not in_sequence(tiles, wraps):
        return ()
    places = range(len(tiles)) if group else (0, len(tiles) - 1)
    lefts = [Spare(tiles[i], (*tiles[:i], *tiles[i + 1 :])) for i in places if not tiles[i].is_joker]
    # A single numbered tile with jokers could also be a run, in which the jokers would stand for other tiles.
    least = 2 if group else 1
    return tuple(
        spare
        for spare in lefts
        if is_set(spare.left, wraps) and sum(not tile.is_joker for tile in spare.left) >= least
    )
