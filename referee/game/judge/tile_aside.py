"""The tile that may lie open aside until somebody goes out with it (Piatnik's variant of the last tile)."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.table import Table, laid, tiles_on
from referee.game.tiles import Tile


@dataclass(frozen=True, slots=True)
class Apart:
    """Two tables without the tile aside, and what became of it: used among the tiles laid, or gone altogether."""

    before: Table
    after: Table
    used: bool = False
    gone: bool = False


def set_apart(before: Table, after: Table, aside: Tile | None, hand: int | None, copies: int) -> Apart:
    """Take the tile aside, lying alone, from both tables; the indices of the other sets stay as they are.

    Where it was not seen lying aside it may lie out of sight. A tile like it that was laid then counts as another one
    from the hand, unless the hand held too few tiles, or all `copies` of it lie on the table.
    """
    if aside is None:
        return Apart(before, after)
    old, new = without(before, aside), without(after, aside)
    came = laid(old, new)
    if new != after:
        return Apart(old, new)
    if old != before:
        return Apart(old, new, used=came[aside] > 0, gone=not came[aside])
    all_there = tiles_on(new)[aside] >= copies or (hand is not None and came.total() > hand)
    return Apart(old, new, used=came[aside] > 0 and all_there)


def without(table: Table, aside: Tile) -> Table:
    """The table with an empty place where that tile lies alone."""
    if (aside,) not in table:
        return table
    place = table.index((aside,))
    return (*table[:place], (), *table[place + 1 :])
