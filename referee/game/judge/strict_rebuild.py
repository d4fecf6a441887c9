"""The strict reading of rebuilding: of a set that loses only some of its tiles, three stay together.

A tile that takes a joker's place stays there for it: exchanging a joker is not breaking its set up.

Which of two identical tiles went where was not seen; so the sets were kept as they should be if the tiles can be told
apart in some way that makes it true for all sets at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from referee.game.judge.assignment import unmatched
from referee.game.judge.jokers.values import readings
from referee.game.rulebooks.model import Ruleset
from referee.game.sets import SMALLEST
from referee.game.table import Change, Set, Table, in_order, tiles_on
from referee.game.tiles import JOKER, Tile

Slot = tuple[int, Tile]
Claim = tuple[Slot, ...]
"""Tiles of sets after the turn, by index, that a set from before must have for itself; only those that others want."""


_PATIENCE = 150
"""So many ways are tried; a player gets the benefit of what would take longer to find out."""


def broken_up(change: Change, rules: Ruleset) -> tuple[Set, ...]:
    """The old sets that neither kept three tiles together nor were taken apart altogether, as few as can be.

    Taken apart means that every tile of the set can be found in a set of its own.
    """
    twice = frozenset(tile for tile, times in tiles_on(change.before).items() if times > 1)
    torn = [old for old in change.old if next(_claims(old, change.after, twice, rules), None) is None]
    moved = [old for old in change.old if old not in torn]
    same = [tiles for tiles in change.before if tiles not in change.old]
    search = _RemnantSearch(change.after, twice, tiles_in_sets(change.after), rules)
    lost = next(
        lost
        for size in range(len(moved) + 1)
        for lost in combinations(range(len(moved)), size)
        if search.possible([old for i, old in enumerate(moved) if i not in lost], same)
    )
    return (*torn, *(moved[i] for i in lost))


def tiles_in_sets(table: Table) -> Counter[Slot]:
    """How many of each tile lie in each set."""
    return Counter((index, tile) for index, tiles in enumerate(table) for tile in tiles)


def _claims(old: Set, after: Table, twice: frozenset[Tile], rules: Ruleset) -> Iterator[Claim]:
    """Every way in which the set can have been treated as it should."""
    for index, tiles in enumerate(after):
        shared = list((Counter(old) & Counter(tiles)).elements())
        sought = [tile for tile in shared if tile in twice]
        stands_in = _replaced(old, tiles, rules) if JOKER in old else 0
        if len(shared) + stands_in >= SMALLEST:
            needed = max(0, SMALLEST - stands_in - (len(shared) - len(sought)))
            yield from (tuple((index, tile) for tile in some) for some in combinations(sought, needed))
    if not unmatched([[tile in tiles for tiles in after] for tile in old]):
        yield from _apart(old, after, twice, ())


def _replaced(old: Set, new: Set, rules: Ruleset) -> int:
    """How many jokers of the old set have a tile in their place in the new one."""
    gone = (Counter(old) - Counter(new))[JOKER]
    return min(gone, max((len(way.tiles.intersection(new)) for way in readings(old, rules)), default=0))


def _apart(old: Sequence[Tile], after: Table, twice: frozenset[Tile], homes: tuple[int, ...]) -> Iterator[Claim]:
    """Every way to find each tile in a set of its own."""
    if len(homes) == len(old):
        yield tuple((home, tile) for home, tile in zip(homes, old, strict=True) if tile in twice)
        return
    for index, tiles in enumerate(after):
        if index not in homes and old[len(homes)] in tiles:
            yield from _apart(old, after, twice, (*homes, index))


@dataclass(slots=True)
class _RemnantSearch:
    """Gives every set three of its tiles back, one set after the other, and takes back what does not fit."""

    after: Table
    twice: frozenset[Tile]
    free: Counter[Slot]
    """The tiles that no set has claimed yet."""
    rules: Ruleset
    tried: int = 0

    def possible(self, moved: Sequence[Set], same: Sequence[Set]) -> bool:
        """Whether all these sets can have their way; most often those that lie as before were not touched."""
        lying = Counter(map(in_order, same))
        kept = []
        for index, tiles in enumerate(self.after):
            if lying[in_order(tiles)]:
                lying[in_order(tiles)] -= 1
                kept += [(index, tile) for tile in tiles]
        self.free.subtract(kept)
        easily = self.together(moved)
        self.free.update(kept)
        return easily or self.together([*moved, *same])

    def together(self, sets: Sequence[Set]) -> bool:
        """Whether every set can keep three tiles without taking one from another."""
        if not sets:
            return True
        for claim in _claims(sets[0], self.after, self.twice, self.rules):
            self.tried += 1
            self.free.subtract(claim)
            found = self.tried > _PATIENCE or (all(self.free[slot] >= 0 for slot in claim) and self.together(sets[1:]))
            self.free.update(claim)
            if found:
                return True
        return False
