"""The tile that may lie open aside until somebody goes out with it (Piatnik's variant of the last tile)."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.table import Table, laid
from referee.game.tiles import Tile


@dataclass(frozen=True, slots=True)
class Apart:
    """Two tables without the tile aside, and what became of it: used among the tiles laid, or gone altogether."""

    before: Table
    after: Table
    used: bool = False
    gone: bool = False


def set_apart(before: Table, after: Table, aside: Tile | None) -> Apart:
    """Take the tile aside, lying alone, from both tables; the places of the other sets stay as they are."""
    if aside is None:
        return Apart(before, after)
    before, rest = without(before, aside), without(after, aside)
    used = laid(before, rest)[aside] > 0
    return Apart(before, rest, rest == after and used, rest == after and not used)


def without(table: Table, aside: Tile) -> Table:
    """The table with an empty place where that tile lies alone."""
    if (aside,) not in table:
        return table
    place = table.index((aside,))
    return (*table[:place], (), *table[place + 1 :])
