"""The strict reading of rebuilding: of a set that loses only some of its tiles, three stay together."""

from __future__ import annotations

from collections import Counter

from referee.game.matching import unmatched
from referee.game.sets import SMALLEST
from referee.game.table import Change, Set


def broken_up(change: Change) -> tuple[Set, ...]:
    """The old sets that neither kept three tiles together nor were taken apart altogether.

    Taken apart means that every tile of the set can be found in a new set of its own.
    """
    return tuple(tiles for tiles in change.old if not _kept(tiles, change) and not _taken_apart(tiles, change))


def _kept(old: Set, change: Change) -> bool:
    return any((Counter(old) & Counter(tiles)).total() >= SMALLEST for _, tiles in change.new)


def _taken_apart(old: Set, change: Change) -> bool:
    return not unmatched([[tile in tiles for _, tiles in change.new] for tile in old])
