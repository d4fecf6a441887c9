"""Illegal turns: the mistakes and the mischief of people at the table."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from referee.game.judge import Turn, judge
from referee.game.rulesets import Ruleset
from referee.game.sets import is_set, shape
from referee.game.table import Set, Table
from referee.game.tiles import JOKER, Colour, Tile
from referee.sim.turns import Rack, legal_turn


class Slip(enum.StrEnum):
    """What a player does wrong."""

    TOO_SHORT = "two tiles as a set"
    WRONG_NUMBER = "a run with a wrong number"
    SAME_COLOUR = "a group with a colour twice"
    PAST_THIRTEEN = "a run that goes on from 13 to 1"
    WRONG_TILE_ADDED = "a tile added where it does not fit"
    OPENING_TOO_LOW = "a first meld worth too little"
    NOT_OPENED = "a tile added before the first meld"
    VANISHED = "a tile of the table back in the hand"
    BROKEN_UP = "a set taken apart and left"
    JOKER_TAKEN = "a joker taken without a tile in its place"


@dataclass(frozen=True, slots=True)
class Situation:
    """What a player sees: the table, the own rack, whether the own first meld lies, and the rules."""

    table: Table
    rack: Rack
    opened: bool
    rules: Ruleset

    @property
    def turn(self) -> Turn:
        """The same for the judge."""
        return Turn(self.opened, self.rack.total())


Maker = Callable[[Situation, np.random.Generator], Table | None]


def illegal_turn(seen: Situation, rng: np.random.Generator, kind: Slip | None = None) -> tuple[Slip, Table] | None:
    """An illegal table and what is wrong with it; None where nothing (of this `kind`) can go wrong here."""
    kinds = list(_MAKERS) if kind is None else [kind]
    for i in rng.permutation(len(kinds)):
        after = _MAKERS[kinds[i]](seen, rng)
        if after is not None and not judge(seen.table, after, seen.turn, seen.rules).accepted:
            return kinds[i], after
    return None


def _pick(rng: np.random.Generator, choices: list[Set]) -> Set | None:
    return choices[int(rng.integers(len(choices)))] if choices else None


def _numbers(rack: Rack) -> list[Tile]:
    return sorted({tile for tile in rack if not tile.is_joker}, key=lambda tile: (tile.colour or "", tile.number))


def _with(seen: Situation, tiles: Set | None) -> Table | None:
    return None if tiles is None else (*seen.table, tiles)


def _too_short(seen: Situation, rng: np.random.Generator) -> Table | None:
    tiles = _numbers(seen.rack)
    pairs = [
        (a, b)
        for a in tiles
        for b in tiles
        if (a.colour == b.colour and b.number == a.number + 1)
        or (a.number == b.number and str(a.colour) < str(b.colour))
    ]
    return _with(seen, _pick(rng, list(pairs)))


def _wrong_number(seen: Situation, rng: np.random.Generator) -> Table | None:
    tiles = _numbers(seen.rack)
    rows = [
        (a, b, c)
        for a in tiles
        for b in tiles
        for c in tiles
        if a.colour == b.colour == c.colour and a.number < b.number < c.number <= a.number + 4
    ]
    return _with(seen, _pick(rng, [row for row in rows if not is_set(row)]))


def _same_colour(seen: Situation, rng: np.random.Generator) -> Table | None:
    doubled = [tile for tile in _numbers(seen.rack) if seen.rack[tile] > 1]
    rows = [(a, b, a) for a in doubled for b in _numbers(seen.rack) if b.number == a.number and b != a]
    return _with(seen, _pick(rng, list(rows)))


def _past_thirteen(seen: Situation, rng: np.random.Generator) -> Table | None:
    rows = [
        row
        for colour in Colour
        for row in (
            (Tile(12, colour), Tile(13, colour), Tile(1, colour)),
            (Tile(13, colour), Tile(1, colour), Tile(2, colour)),
        )
        if not Counter(row) - seen.rack
    ]
    return _with(seen, _pick(rng, list(rows)))


def _wrong_tile_added(seen: Situation, rng: np.random.Generator) -> Table | None:
    tiles = _numbers(seen.rack)
    ways = [(i, tile) for i, old in enumerate(seen.table) for tile in tiles if not is_set((*old, tile))]
    return _added(seen, ways, rng) if seen.opened else None


def _not_opened(seen: Situation, rng: np.random.Generator) -> Table | None:
    tiles = _numbers(seen.rack)
    ways = [(i, tile) for i, old in enumerate(seen.table) for tile in tiles if is_set((*old, tile))]
    return None if seen.opened else _added(seen, ways, rng)


def _added(seen: Situation, ways: list[tuple[int, Tile]], rng: np.random.Generator) -> Table | None:
    if not ways:
        return None
    index, tile = ways[int(rng.integers(len(ways)))]
    return (*seen.table[:index], (*seen.table[index], tile), *seen.table[index + 1 :])


def _opening_too_low(seen: Situation, rng: np.random.Generator) -> Table | None:
    if seen.opened:
        return None
    tiles = _numbers(seen.rack)
    rows = [(a, b, c) for a in tiles for b in tiles for c in tiles if str(a) < str(b) and is_set((a, b, c))]
    opening = seen.rules.opening
    low = [row for row in rows if row[0] != row[2] and shape(row).value(opening.joker) < opening.minimum]
    rising = [row for row in low if row[0].number <= row[1].number <= row[2].number]
    return _with(seen, _pick(rng, list(rising)))


def _vanished(seen: Situation, rng: np.random.Generator) -> Table | None:
    """An otherwise legal turn, or none, in which one tile of the table disappears: at the end of a long set if any."""
    after = legal_turn(seen.table, seen.rack, seen.opened, seen.rules, rng) or seen.table
    ends = [i for i, tiles in enumerate(seen.table) if len(tiles) > 3 and tiles in after]
    loose = ends or [i for i, tiles in enumerate(seen.table) if tiles in after]
    if not loose:
        return None
    short = seen.table[loose[int(rng.integers(len(loose)))]]
    where = after.index(short)
    return (*after[:where], short[:-1], *after[where + 1 :])


def _broken_up(seen: Situation, rng: np.random.Generator) -> Table | None:
    """A tile taken out of the middle of a set and laid with a tile of the rack, both left lying so."""
    tiles = _numbers(seen.rack)
    ways = [
        (i, k, tile)
        for i, old in enumerate(seen.table)
        for k, taken in enumerate(old)
        for tile in tiles
        if tile.number == taken.number and tile.colour != taken.colour
    ]
    if not ways or not seen.opened:
        return None
    index, place, tile = ways[int(rng.integers(len(ways)))]
    old = seen.table[index]
    left = (*old[:place], *old[place + 1 :])
    return (*seen.table[:index], left, *seen.table[index + 1 :], (old[place], tile))


def _joker_taken(seen: Situation, rng: np.random.Generator) -> Table | None:
    """A joker out of a set on the table, used in a set of the player's own."""
    if not seen.opened:
        return None
    tiles = _numbers(seen.rack)
    pairs = [(a, b) for a in tiles for b in tiles if str(a) < str(b) and is_set((a, b, JOKER))]
    homes = [i for i, old in enumerate(seen.table) if JOKER in old]
    pair = _pick(rng, list(pairs))
    if pair is None or not homes:
        return None
    index = homes[int(rng.integers(len(homes)))]
    left = list(seen.table[index])
    left.remove(JOKER)
    return (*seen.table[:index], tuple(left), *seen.table[index + 1 :], (*pair, JOKER))


_MAKERS: dict[Slip, Maker] = {
    Slip.TOO_SHORT: _too_short,
    Slip.WRONG_NUMBER: _wrong_number,
    Slip.SAME_COLOUR: _same_colour,
    Slip.PAST_THIRTEEN: _past_thirteen,
    Slip.WRONG_TILE_ADDED: _wrong_tile_added,
    Slip.OPENING_TOO_LOW: _opening_too_low,
    Slip.NOT_OPENED: _not_opened,
    Slip.VANISHED: _vanished,
    Slip.BROKEN_UP: _broken_up,
    Slip.JOKER_TAKEN: _joker_taken,
}
