"""Which tiles of a table are new, and which lie in another set than before.

Every tile exists at least twice, so tiles are told apart by their sets:

1. A set of the table before and one of the table after are the same set if they have most tiles in common. Each has at
   most one partner; if a set was cut in two, the larger part is that set, or the first if both are equally large.
2. The tiles that both have in common have stayed.
3. Of the other tiles, as many of each are new as there are more of them than before. The rest have moved.
"""

from __future__ import annotations

import enum
from collections import Counter

from referee.game.table import Set, Table, laid_tiles
from referee.game.tiles import Tile


class Mark(enum.StrEnum):
    """What became of a tile; the values are those in pages."""

    NONE = ""
    NEW = "new"
    MOVED = "moved"


Marks = tuple[tuple[Mark, ...], ...]
"""A mark for each tile of each set."""


def marks(before: Table, after: Table) -> Marks:
    """Return the marks of the table after."""
    stayed, new = _stayed_tiles(before, after), laid_tiles(before, after)
    return tuple(_marks_of_set(tiles, stayed.get(place, Counter()), new) for place, tiles in enumerate(after))


def _stayed_tiles(before: Table, after: Table) -> dict[int, Counter[Tile]]:
    """Return the tiles that have stayed in each set of the table after."""
    common = {
        (old, new): Counter[Tile](left) & Counter[Tile](tiles)
        for old, left in enumerate(before)
        for new, tiles in enumerate(after)
    }
    stayed: dict[int, Counter[Tile]] = {}
    taken = set[int]()
    for (old, new), tiles in sorted(common.items(), key=lambda one: (-one[1].total(), one[0])):
        if tiles and old not in taken and new not in stayed:
            stayed[new] = tiles
            taken.add(old)
    return stayed


def _marks_of_set(tiles: Set, stayed: Counter[Tile], new: Counter[Tile]) -> tuple[Mark, ...]:
    """Return the marks of a set; those tiles that are new are taken out of `new`."""
    left, found = Counter(stayed), []
    for tile in tiles:
        if left[tile]:
            left[tile] -= 1
            found.append(Mark.NONE)
        elif new[tile]:
            new[tile] -= 1
            found.append(Mark.NEW)
        else:
            found.append(Mark.MOVED)
    return tuple(found)
