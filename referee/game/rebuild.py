"""The strict reading of rebuilding: of a set that loses only some of its tiles, three stay together.

Which of two identical tiles went where was not seen; so the sets were kept as they should be if the tiles can be told
apart in some way that makes it true for all sets at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from referee.game.matching import unmatched
from referee.game.sets import SMALLEST
from referee.game.table import Change, Set, Table, tiles_on
from referee.game.tiles import Tile

Claim = frozenset[tuple[int, Tile]]
"""Tiles of sets after the turn, by index, that a set from before must have for itself; only those that others want."""


def broken_up(change: Change) -> tuple[Set, ...]:
    """The old sets that neither kept three tiles together nor were taken apart altogether, as few as can be.

    Taken apart means that every tile of the set can be found in a set of its own.
    """
    if not change.old:
        return ()
    twice = frozenset(tile for tile, times in tiles_on(change.before).items() if times > 1)
    ways = [set(_claims(old, change.after, twice)) for old in change.before]
    broken = [i for i, some in enumerate(ways) if not some and change.before[i]]
    tight = [i for i, some in enumerate(ways) if some and frozenset() not in some]
    lost = next(
        lost
        for size in range(len(tight) + 1)
        for lost in combinations(tight, size)
        if _together([ways[i] for i in tight if i not in lost], Counter(), change.after)
    )
    return tuple(change.before[i] for i in sorted((*broken, *lost)))


def _claims(old: Set, after: Table, twice: frozenset[Tile]) -> Iterator[Claim]:
    """Every way in which the set can have been treated as it should."""
    for index, tiles in enumerate(after):
        shared = list((Counter(old) & Counter(tiles)).elements())
        sought = [tile for tile in shared if tile in twice]
        if len(shared) >= SMALLEST:
            needed = max(0, SMALLEST - (len(shared) - len(sought)))
            yield from (frozenset((index, tile) for tile in some) for some in combinations(sought, needed))
    if not unmatched([[tile in tiles for tiles in after] for tile in old]):
        yield from _apart(old, after, twice, ())


def _apart(old: Sequence[Tile], after: Table, twice: frozenset[Tile], homes: tuple[int, ...]) -> Iterator[Claim]:
    """Every way to find each tile in a set of its own."""
    if len(homes) == len(old):
        yield frozenset((home, tile) for home, tile in zip(homes, old, strict=True) if tile in twice)
        return
    for index, tiles in enumerate(after):
        if index not in homes and old[len(homes)] in tiles:
            yield from _apart(old, after, twice, (*homes, index))


def _together(ways: Sequence[set[Claim]], taken: Counter[tuple[int, Tile]], after: Table) -> bool:
    """Whether every set can have its way without taking a tile from another."""
    if not ways:
        return True
    for claim in ways[0]:
        then = taken + Counter(claim)
        if all(then[index, tile] <= after[index].count(tile) for index, tile in claim) and _together(
            ways[1:], then, after
        ):
            return True
    return False
