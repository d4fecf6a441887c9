"""The table, as a tuple of sets, and the changes between two tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from referee.game.tiles import FACES, JOKER, Tile

Set = tuple[Tile, ...]
Table = tuple[Set, ...]
Alike = Callable[[Set, Set], bool]
"""Returns whether two sets with the same tiles count as the same set."""


def tile_key(tile: Tile) -> tuple[int, str]:
    """Sort key of a tile: by number, then colour; jokers come first."""
    return tile.number, tile.colour or ""


_PLACE = {tile: place for place, tile in enumerate(sorted(FACES, key=tile_key))}.__getitem__


def in_order(tiles: Iterable[Tile]) -> Set:
    """Return the tiles sorted, so that sets with the same tiles become equal."""
    return tuple(sorted(tiles, key=_PLACE))


def tiles_on(table: Iterable[Iterable[Tile]]) -> Counter[Tile]:
    """Return how many of each tile are on the table."""
    return Counter(tile for tiles in table for tile in tiles)


def laid_tiles(before: Table, after: Table) -> Counter[Tile]:
    """Return the tiles that are on the table after but were not before: they came from the hand."""
    return tiles_on(after) - tiles_on(before)


def vanished_tiles(before: Table, after: Table) -> Counter[Tile]:
    """Return the tiles that were on the table before and are missing after."""
    return tiles_on(before) - tiles_on(after)


def _unmatched_sets(before: Table, after: Table, likes: Iterable[Alike]) -> tuple[list[int], list[int]]:
    """Return the indexes of the sets of both tables that have no counterpart of their own on the other table."""
    waiting: dict[Set, list[int]] = {}
    for index, tiles in enumerate(before):
        waiting.setdefault(in_order(tiles), []).append(index)
    new = list(range(len(after)))
    for alike in likes:
        left = []
        for index in new:
            same = waiting.get(in_order(after[index]), [])
            found = next((old for old in same if alike(before[old], after[index])), None)
            if found is None:
                left.append(index)
            else:
                same.remove(found)
        new = left
    return sorted(index for same in waiting.values() for index in same), new


def _always(_: Set, __: Set) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Change:
    """The difference between two tables.

    `old` are the sets of `before` that are no longer there, and `new` the sets of `after` that were not there before,
    each with their indexes. Sets with the same tiles are the same set: identical tiles cannot be told apart, and it
    does not matter where a set lies. The order of its tiles matters only with `likes` that compare it (see
    `between()`). `laid` and `vanished` count the tiles that were added and removed.
    """

    before: Table
    after: Table
    old: Table
    new: tuple[tuple[int, Set], ...]
    laid: Counter[Tile]
    vanished: Counter[Tile]

    @classmethod
    def between(cls, before: Table, after: Table, *likes: Alike) -> Change:
        """Compare two tables.

        Two sets with the same tiles are the same set if a function of `likes` says so; sets that are alike by the
        first function are matched first. Without `likes` the tiles decide.
        """
        gone, come = _unmatched_sets(before, after, likes or (_always,))
        new = tuple((index, after[index]) for index in come if after[index])
        old = tuple(before[index] for index in gone if before[index])
        came, went = tiles_on(t for _, t in new), tiles_on(old)
        return cls(before, after, old, new, came - went, went - came)

    @property
    def nothing(self) -> bool:
        """Whether both tables hold the same sets."""
        return not self.old and not self.new

    @property
    def numbered_laid(self) -> Counter[Tile]:
        """The tiles laid, without jokers."""
        return Counter({tile: times for tile, times in self.laid.items() if not tile.is_joker})

    @property
    def reachable_tiles(self) -> Counter[Tile]:
        """Every numbered tile that was available during the turn: on the table before, or laid."""
        reach = tiles_on(self.before) | tiles_on(self.after)
        del reach[JOKER]
        return reach
