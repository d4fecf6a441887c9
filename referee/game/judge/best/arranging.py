"""Where the tiles of a turn lie in the end: as many sets of the table as possible stay as they are."""

from __future__ import annotations

from collections import Counter

from referee.game.judge.best.parts import Part
from referee.game.judge.jokers.rows import lay_rows
from referee.game.rulebooks.model import Ruleset
from referee.game.sets import is_set
from referee.game.solver import partition
from referee.game.table import Set, Table, in_order
from referee.game.tiles import JOKER, Tile


def lay_out(part: Part, sets: Table, rules: Ruleset) -> Table:
    """Return the table after a turn of which the solver has found the sets that are not settled."""
    return (*part.done, *lay_rows(sets, part.kept, rules))


def keep_sets(table: Table, part: Part, sets: Table, rules: Ruleset, *, joker_sets: bool = True) -> Table:
    """Return the same tiles laid so that sets of the table stay as they are, beginning with the smallest."""
    left = Counter(tile for tiles in sets for tile in tiles)
    kept, stay = part.kept, []
    for index in sorted(range(len(table)), key=lambda i: len(table[i])):
        plan, tiles = part.plans[index], table[index]
        if not is_set(tiles, rules.wraps) or (plan is not None and plan.stays):
            continue
        bound = Counter(() if plan is None else plan.kept)
        meant = _meant(tiles, bound)
        if not (meant <= left and bound <= kept):
            continue
        found = partition(in_order((left - meant).elements()), wraps=rules.wraps, joker_sets=joker_sets)
        if found is not None:
            left, kept, sets = left - meant, kept - bound, found
            stay.append(index)
    return (*part.done, *(table[index] for index in sorted(stay)), *lay_rows(sets, kept, rules))


def _meant(tiles: Set, bound: Counter[tuple[Tile, bool]]) -> Counter[Tile]:
    """Return the tiles of a set, with its bound jokers as the tiles that they stand for."""
    stood = Counter(tile for tile, _ in bound.elements())
    return Counter(tiles) - Counter({JOKER: stood.total()}) + stood
