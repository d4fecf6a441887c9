"""Legal turns: what a player with a given rack could lay on a given table.

Every turn consists of steps that the rule book allows; the judge is not asked.

A first meld consists of the player's own sets and, if the book allows it, of sets on the table that are extended.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from referee.game.rulebooks.model import Extended, Finish
from referee.game.sets import SMALLEST
from referee.game.solver.solve import best_sets, face_value
from referee.game.table import Set, Table
from referee.game.tiles import JOKER, Tile
from referee.sim.players.moves import (
    exchange_joker,
    lay_jokers,
    lay_on,
    lay_own_sets,
    lay_with_spares,
    rebuild,
    split_run,
    stands_for,
)
from referee.sim.players.set_finding import neat, sets_in, sets_with_joker, value_as_laid, without_jokers
from referee.sim.players.turn_in_progress import Laying, Situation

_SOLVED = 0.05  # how often a player finds the best sets


def open_meld(laying: Laying, rng: np.random.Generator) -> bool:
    """Lay a first meld; return False, and lay nothing, if the player finds none."""
    minimum = laying.rules.opening.minimum
    for with_jokers in (False, True):
        sets = _own_sets(laying, with_jokers, rng)
        points = 0
        trial = laying.copy()
        for tiles in sorted(sets, key=lambda tiles: -worth(tiles, laying)):
            if len(tiles) <= trial.room and (points < minimum or rng.random() < 0.5):
                trial.lay(tiles)
                points += worth(tiles, laying)
        if points < minimum:
            points += _lean_on_table(trial, minimum - points, with_jokers, rng)
        if points >= minimum:
            laying.become(trial)
            return True
    return False


def worth(tiles: Set, laying: Laying) -> int:
    """Return the points of a set in a first meld, as it lies."""
    return value_as_laid(tiles, laying.rules.opening.joker, laying.wraps)


def _own_sets(laying: Laying, with_jokers: bool, rng: np.random.Generator) -> list[Set]:
    """Return sets that can be laid from the rack together."""
    rack = laying.rack if with_jokers else without_jokers(laying.rack)
    sets: list[Set] = []
    if rng.random() < _SOLVED:
        sets = [neat(tiles, laying.wraps) for tiles in best_sets(rack.elements(), face_value, wraps=laying.wraps).sets]
        return [tiles for tiles in sets if set(tiles) != {JOKER}]
    rack = Counter(rack)
    sets = []
    while True:
        found = sets_in(rack, laying.wraps)
        if not found and rack[JOKER]:
            rows = sets_with_joker(rack, laying.wraps)
            found = sorted(rows, key=lambda tiles: -worth(tiles, laying))[:1]
        if not found:
            return sets
        tiles = found[int(rng.integers(len(found)))]
        sets.append(tiles)
        rack -= Counter(tiles)


def _lean_on_table(laying: Laying, lacking: int, with_jokers: bool, rng: np.random.Generator) -> int:
    """Extend sets on the table until the `lacking` points are reached; return the points that this counts."""
    opening = laying.rules.opening
    if opening.extended is Extended.NOTHING:
        return 0
    theirs = len(laying.sets) - len(laying.own)
    whole = opening.extended is Extended.WHOLE
    counted: dict[int, int] = {}
    if opening.exchange_counts:
        _exchange(laying, theirs, counted)
    while sum(counted.values()) < lacking:
        rack = laying.rack if with_jokers else without_jokers(laying.rack)
        ways = laying.extensions()
        fits = [(tile, index, longer) for tile in rack for index, longer in ways.get(tile, ()) if index < theirs]
        if not fits or not laying.room:
            break
        tile, index, longer = fits[int(rng.integers(len(fits)))]
        added = worth(longer, laying) - worth(laying.sets[index], laying)
        counted[index] = worth(longer, laying) if whole else counted.get(index, 0) + added
        laying.add(index, tile, longer)
    return sum(counted.values())


def _exchange(laying: Laying, theirs: int, counted: dict[int, int]) -> None:
    """Exchange one joker of a set on the table, and lay it in a set of the player's own."""
    for index in range(theirs):
        old = laying.sets[index]
        tile = next((tile for tile in _roles(old, laying) if laying.rack[tile]), None)
        homes = sets_with_joker(laying.rack - Counter((tile,)), laying.wraps) if tile else []
        if tile is None or not homes or laying.room < SMALLEST:
            continue
        place = old.index(JOKER)
        laying.take(Counter((tile,)))
        laying.replace(index, (*old[:place], tile, *old[place + 1 :]))
        home = max(homes, key=lambda tiles: worth(tiles, laying))
        laying.take(Counter(home) - Counter((JOKER,)))
        laying.sets.append(home)
        whole = laying.rules.opening.extended is Extended.WHOLE
        counted[index] = worth(laying.sets[index], laying) if whole else tile.number
        counted[len(laying.sets) - 1] = worth(home, laying)
        return


def _roles(tiles: Set, laying: Laying) -> tuple[Tile, ...]:
    return stands_for(tiles, laying.rules) if JOKER in tiles else ()


_CLEVER = (lay_with_spares, split_run, exchange_joker)
_THINKS = 0.12  # how often a player takes sets apart to lay more
_THINKS_AT_LAST = 0.6
_JOKERS_TOGETHER = 0.2
_FEW = 6
_WAYS_OUT = 3


def legal_turn(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Return the table after a legal turn that lays at least one tile; None if the player finds none."""
    finish = seen.rules.finish
    if seen.aside is not None and (out := _way_out(seen, rng)) is not None:
        return out
    laying = laying_of(seen, rng)
    if laying is not None and not laying.rack and not _may_finish(laying, finish):
        laying = laying_of(_keeping_one(seen, rng), rng)
    return None if laying is None else laying.table


def laying_of(seen: Situation, rng: np.random.Generator) -> Laying | None:
    """Return a turn that ignores the rules for the end of a round; None if nothing is laid."""
    laying = Laying.begin(seen)
    if seen.opened or (open_meld(laying, rng) and seen.rules.opening.same_turn and rng.random() < 0.6):
        _go_on(laying, rng)
    return laying if laying.laid else None


def _go_on(laying: Laying, rng: np.random.Generator) -> None:
    """Lay tiles from the rack after the first meld."""
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
    """Return whether the round may end with this turn, in which the tile aside was not used."""
    if finish.last_tile:
        return False
    if finish.set_value is None:
        return True
    values = [sum(tile.number for tile in tiles) for tiles in laying.own if all(not tile.is_joker for tile in tiles)]
    return any(value == finish.set_value or (finish.at_least and value > finish.set_value) for value in values)


def _keeping_one(seen: Situation, rng: np.random.Generator) -> Situation:
    """Return the situation with one tile less in the rack, so that the player keeps it."""
    tiles = list(seen.rack.elements())
    kept = tiles[int(rng.integers(len(tiles)))]
    return replace(seen, rack=seen.rack - Counter((kept,)))


def _way_out(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Return a turn that lays the whole rack and the tile aside; None if the player finds none."""
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
