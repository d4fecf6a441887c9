"""Legal turns: what a player with this rack could lay on this table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from referee.game.arrange import best_play, face_value
from referee.game.judge import Turn, judge
from referee.game.rulesets import Ruleset
from referee.game.sets import Shape, is_set, shape
from referee.game.table import Change, Set, Table, in_order, tiles_on
from referee.game.tiles import JOKER, Tile

Rack = Counter[Tile]
_REBUILDS = 14
_SPARE_JOKERS_ABOVE = 6  # a player with more tiles than this keeps the jokers


def neat(tiles: Set) -> Set:
    """The tiles of a set in the order people lay them: runs rising, jokers where they stand for something."""
    seen: Shape = shape(tiles)
    jokers = [tile for tile in tiles if tile.is_joker]
    if seen.runs and seen.group is None:
        by_number = {tile.number: tile for tile in tiles if not tile.is_joker}
        return tuple(by_number.get(number, JOKER) for number in seen.runs[-1])
    return (*in_order(tile for tile in tiles if not tile.is_joker), *jokers)


def legal_turn(table: Table, rack: Rack, opened: bool, rules: Ruleset, rng: np.random.Generator) -> Table | None:
    """The table after a legal turn that lays at least one tile, or None where the player finds none."""
    ways = _later_turns(table, rack, rules, rng) if opened else _openings(table, rack, rules, rng)
    for after in ways:
        verdict = judge(table, after, Turn(opened, rack.total()), rules)
        if verdict.accepted and verdict.laid:
            return after
    return None


def rest(rack: Rack, before: Table, after: Table) -> Rack:
    """The rack after the table has changed, for tiles go nowhere else."""
    left = rack + tiles_on(before)
    left.subtract(tiles_on(after))
    if any(count < 0 for count in left.values()):
        raise ValueError(f"expected tiles out of the rack and the table, got {+Counter(-left)} besides")
    return +left


def _openings(table: Table, rack: Rack, rules: Ruleset, rng: np.random.Generator) -> Iterator[Table]:
    """First melds: as few sets as will do, without jokers if possible."""
    for tiles in (_numbered(rack), rack):
        play = best_play((), tiles.elements(), face_value)
        sets = [neat(s) for s in play.sets] if play else []
        sets.sort(key=lambda s: -shape(s).value(rules.opening.joker))
        for count in range(1, len(sets) + 1):
            after = (*table, *sets[:count])
            if rules.opening.same_turn and rng.random() < 0.5:
                yield _laid_on(after, rest(rack, table, after), rng)
            yield after


def _later_turns(table: Table, rack: Rack, rules: Ruleset, rng: np.random.Generator) -> Iterator[Table]:
    usable = _numbered(rack) if rack.total() > _SPARE_JOKERS_ABOVE else rack
    own = best_play((), usable.elements())
    with_own = (*table, *(neat(s) for s in own.sets)) if own else table
    easy = _laid_on(with_own, rest(usable, table, with_own), rng)
    left = rest(rack, table, easy)
    if left and (easy == table or rng.random() < 0.3):
        yield from _rebuilt(easy, left, rules, rng)
    yield from (after for after in (easy, with_own) if after != table)


def _numbered(rack: Rack) -> Rack:
    return Counter({tile: count for tile, count in rack.items() if not tile.is_joker})


def _laid_on(table: Table, rack: Rack, rng: np.random.Generator) -> Table:
    """Single tiles laid on to sets, as many as fit; jokers are kept."""
    sets = list(table)
    tiles = list(_numbered(rack).elements())
    for i in rng.permutation(len(tiles)):
        for k, old in enumerate(sets):
            if is_set((*old, tiles[i])):
                sets[k] = _extended(old, tiles[i])
                break
    return tuple(sets)


def _extended(old: Set, tile: Tile) -> Set:
    """`old` with a tile at the end where it belongs."""
    if shape(old).group is not None:
        return (*old, tile)
    grown = neat((*old, tile))
    return grown if grown[1:] == old or grown[:-1] == old else neat(grown)


def _rebuilt(table: Table, rack: Rack, rules: Ruleset, rng: np.random.Generator) -> Iterator[Table]:
    """A few sets taken apart and laid anew together with tiles from the rack; the others are not touched."""
    hand = list((rack if rack.total() <= _SPARE_JOKERS_ABOVE else _numbered(rack)).elements())
    if not table or not hand:
        return
    for _ in range(_REBUILDS):
        touched = {int(i) for i in rng.choice(len(table), min(int(rng.integers(1, 4)), len(table)), replace=False)}
        play = best_play((t for i in touched for t in table[i]), hand)
        if play is None or not play.tiles:
            continue
        others = tuple(tiles for i, tiles in enumerate(table) if i not in touched)
        after = (*others, *_as_before(table, tuple(neat(s) for s in play.sets)))
        if not Change.between(table, after).vanished and judge(table, after, Turn(True), rules).accepted:
            yield after


def _as_before(table: Table, sets: Table) -> Table:
    """`sets`, where those that hold what an old set holds keep its order."""
    known = {in_order(tiles): tiles for tiles in table}
    return tuple(known.get(in_order(tiles), tiles) for tiles in sets)
