"""Legal turns: what a player with this rack could lay on this table.

Every turn is put together from steps that the rule book allows; nobody asks the judge.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from referee.game.rulebooks.model import Finish
from referee.game.sets import SMALLEST
from referee.game.table import Table
from referee.game.tiles import JOKER
from referee.sim.players.first_melds import open_meld
from referee.sim.players.moves import (
    exchange_joker,
    lay_jokers,
    lay_on,
    lay_own_sets,
    lay_with_spares,
    rebuild,
    split_run,
)
from referee.sim.players.turn_in_progress import Laying, Situation

_CLEVER = (lay_with_spares, split_run, exchange_joker)
_THINKS = 0.12  # how often somebody takes sets apart to lay more
_THINKS_AT_LAST = 0.6
_JOKERS_TOGETHER = 0.2
_FEW = 6
_WAYS_OUT = 3


def legal_turn(seen: Situation, rng: np.random.Generator) -> Table | None:
    """The table after a legal turn that lays at least one tile, or None where the player finds none."""
    finish = seen.rules.finish
    if seen.aside is not None and (out := _way_out(seen, rng)) is not None:
        return out
    laying = laying_of(seen, rng)
    if laying is not None and not laying.rack and not _may_finish(laying, finish):
        laying = laying_of(_keeping_one(seen, rng), rng)
    return None if laying is None else laying.table


def laying_of(seen: Situation, rng: np.random.Generator) -> Laying | None:
    """A turn without a thought of the round's end; None where nothing is laid."""
    laying = Laying.begin(seen)
    if seen.opened or (open_meld(laying, rng) and seen.rules.opening.same_turn and rng.random() < 0.6):
        _go_on(laying, rng)
    return laying if laying.laid else None


def _go_on(laying: Laying, rng: np.random.Generator) -> None:
    """Lay what the rack gives once the first meld lies."""
    lay_own_sets(laying, rng)
    lay_on(laying, rng)
    if laying.rack[JOKER] >= SMALLEST and laying.room >= SMALLEST and rng.random() < _JOKERS_TOGETHER:
        lay_jokers(laying)
    few = laying.rack.total() <= _FEW
    for step in _CLEVER:
        if laying.rack and rng.random() < 0.7 and step(laying, rng) and rng.random() < 0.5:
            lay_on(laying, rng)
    while laying.rack and rng.random() < (_THINKS_AT_LAST if few else _THINKS):
        if rebuild(laying, rng):
            lay_on(laying, rng)


def _may_finish(laying: Laying, finish: Finish) -> bool:
    """Whether the round may end with this turn, where the tile that lay aside was not at hand."""
    if finish.last_tile:
        return False
    if finish.set_value is None:
        return True
    values = [sum(tile.number for tile in tiles) for tiles in laying.own if all(not tile.is_joker for tile in tiles)]
    return any(value == finish.set_value or (finish.at_least and value > finish.set_value) for value in values)


def _keeping_one(seen: Situation, rng: np.random.Generator) -> Situation:
    """The same with one tile left out of the rack."""
    tiles = list(seen.rack.elements())
    kept = tiles[int(rng.integers(len(tiles)))]
    return replace(seen, rack=seen.rack - Counter((kept,)))


def _way_out(seen: Situation, rng: np.random.Generator) -> Table | None:
    """A turn that lays the whole rack and the tile that lies aside."""
    if seen.aside is None or seen.rack.total() > 2 * _FEW:
        return None
    for _ in range(_WAYS_OUT):
        laying = Laying.begin(seen)
        if not seen.opened and not (open_meld(laying, rng) and seen.rules.opening.same_turn):
            return None
        laying.rack[seen.aside] += 1
        _go_on(laying, rng)
        if not laying.rack and _may_finish(laying, replace(seen.rules.finish, last_tile=False)):
            return laying.table
    return None
