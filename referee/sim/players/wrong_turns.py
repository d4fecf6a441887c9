"""Illegal turns: mistakes and cheating.

This module has those after which only valid sets lie on the table, but which break a rule of the book in use. The
others are in `wrong_sets`.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np

from referee.game.rulebooks.model import Extended, Finish
from referee.game.sets import SMALLEST, is_set, shape
from referee.game.table import Set, Table, in_order, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Tile
from referee.sim.players import wrong_sets
from referee.sim.players.legal_turns import laying_of, open_meld
from referee.sim.players.moves import rearrange
from referee.sim.players.set_finding import extensions, sets_in, sets_with_joker, without_jokers
from referee.sim.players.turn_in_progress import Laying, Situation
from referee.sim.players.wrong_sets import one_of, replace_set, with_row

_TRIES = 6
Maker = Callable[[Situation, np.random.Generator], Table | None]


def most_worth(tiles: Set, seen: Situation) -> int:
    """Return the most points that a set can count in a first meld."""
    return shape(tiles, seen.rules.wraps).value(seen.rules.opening.joker)


def might_open(seen: Situation, tiles: Iterable[Tile]) -> bool:
    """Return whether these tiles, in whatever way they are laid, might count as a first meld that uses the table."""
    extended, wraps, tiles = seen.rules.opening.extended, seen.rules.wraps, tuple(tiles)
    own = sum(HIGHEST if tile.is_joker else tile.number for tile in tiles)
    if extended is not Extended.WHOLE:
        return extended is Extended.ADDED and own >= seen.rules.opening.minimum
    some = [part for length in range(1, len(tiles) + 1) for part in combinations(tiles, length)]
    longer = [old for old in seen.table if any(is_set((*old, *part), wraps) for part in some)]
    if seen.rules.opening.exchange_counts and any(
        JOKER in old and set(tiles) & shape(old, wraps).roles for old in seen.table
    ):
        return True  # the exchanged joker could extend yet another set
    best = sorted((most_worth(old, seen) for old in longer), reverse=True)[: len(tiles)]
    return (1 + len(best)) * own + sum(best) >= seen.rules.opening.minimum


def opening_too_low(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Lay a first meld of one set that is worth too little."""
    if seen.opened:
        return None
    rows = [*sets_in(without_jokers(seen.rack), seen.rules.wraps)]
    rows += sets_with_joker(seen.rack, seen.rules.wraps) if seen.rack[JOKER] else []
    low = [row for row in rows if most_worth(row, seen) < seen.rules.opening.minimum]
    return with_row(seen, one_of(rng, [row for row in low if not might_open(seen, row)]))


def not_opened(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Add a tile to a set before the first meld; even if the rules count that, it is worth too little."""
    if seen.opened:
        return None
    ways = [
        (index, longer)
        for index, old in enumerate(seen.table)
        for tile, longer in extensions(old, seen.rules.wraps)
        if seen.rack[tile] and not might_open(seen, (tile,))
    ]
    if not ways:
        return None
    index, longer = ways[int(rng.integers(len(ways)))]
    return replace_set(seen.table, index, longer)


def opening_uses_table(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Lay a sufficient first meld, and in the same turn add a tile to a set on the table."""
    if seen.opened or seen.rules.opening.same_turn:
        return None
    laying = Laying.begin(seen)
    if not open_meld(laying, rng) or not laying.room:
        return None
    fits = laying.extensions()
    known = {in_order(tiles) for tiles in laying.own}
    for tile in laying.rack:
        for index, longer in fits.get(tile, ()):
            # If the player's own meld is the same as the set on the table, that set could seem untouched.
            if index < len(seen.table) and in_order(seen.table[index]) not in known:
                laying.add(index, tile, longer)
                return laying.table
    return None


def strictly_broken(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Split a run into pieces of one or two tiles, and complete each to a set with tiles from the rack."""
    if not seen.rules.meld_rules.strict_rebuild or not seen.opened:
        return None
    lying = tiles_on(seen.table)
    ways = [
        replace_set(seen.table, index, left, right)
        for index, old in enumerate(seen.table)
        if SMALLEST <= len(old) < 2 * SMALLEST - 1 and len({tile.number for tile in old}) > 1 and JOKER not in old
        if all(lying[tile] == 1 for tile in old)  # of two equal tiles nobody knows which was moved
        for cut in range(len(old) - SMALLEST + 1, SMALLEST)
        for left, right in _complete_pieces(old[:cut], old[cut:], seen)
    ]
    return ways[int(rng.integers(len(ways)))] if ways else None


def _complete_pieces(left: Set, right: Set, seen: Situation) -> list[tuple[Set, Set]]:
    """Return two pieces of a run, each extended to a set in the direction away from the other piece."""
    colour = left[0].colour
    low = [left[0].number - step for step in range(1, SMALLEST - len(left) + 1)]
    high = [right[-1].number + step for step in range(1, SMALLEST - len(right) + 1)]
    if min(low, default=1) < 1 or max(high, default=1) > HIGHEST:
        return []
    before, after = ([Tile(number, colour) for number in row] for row in (low, high))
    if Counter((*before, *after)) - seen.rack:
        return []
    return [((*before[::-1], *left), (*right, *after))]


def too_many(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Lay more tiles than may be laid in one turn."""
    cap = seen.rules.cap
    if cap is None or seen.rack.total() <= cap:
        return None
    laying = laying_of(replace(seen, rules=replace(seen.rules, cap=None)), rng)
    return laying.table if laying is not None and laying.laid.total() > cap else None


def more_than_hand(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Draw tiles secretly, and lay them with the rack, so that more tiles are laid than the hand has."""
    held = seen.rack.total()
    if not seen.opened or not 0 < held <= 3 or len(seen.stock) < 2:
        return None
    for _ in range(_TRIES):
        stolen = Counter(seen.stock[int(i)] for i in rng.choice(len(seen.stock), 2, replace=False))
        if seen.aside in stolen:
            continue  # it could be mistaken for the tile aside
        laying = laying_of(replace(seen, rack=seen.rack + stolen), rng)
        if laying is not None and laying.laid.total() > held:
            return laying.table
    return None


def nothing_laid(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Rebuild the table without laying a tile, if the rules require that to be put back."""
    return rearrange(seen.table, rng) if seen.rules.meld_rules.put_back and seen.opened else None


def last_tile_left(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Lay all tiles without using the tile aside, or use that tile too early."""
    if seen.aside is None or not seen.opened:
        return None
    laying = laying_of(seen, rng) if seen.rack.total() <= 2 * SMALLEST else None
    if laying is not None and not laying.rack:
        return laying.table
    # As long as its twin may be in the hand, the tile aside can be mistaken for that.
    twins = seen.rules.box.copies - tiles_on(seen.table)[seen.aside]
    if seen.rack.total() < 2 * SMALLEST or twins > 1:
        return None
    ways = Laying.begin(seen).extensions().get(seen.aside, [])
    if ways:
        index, longer = ways[int(rng.integers(len(ways)))]
        return replace_set(seen.table, index, longer)
    rows = [
        row
        for row in sets_in(without_jokers(seen.rack) | Counter((seen.aside,)), seen.rules.wraps)
        if seen.aside in row
    ]
    return with_row(seen, one_of(rng, rows))


def last_set_wrong(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Lay all tiles without a set of the agreed value."""
    value = seen.rules.finish.set_value
    if value is None or not seen.opened or seen.rack.total() > SMALLEST or seen.aside is not None:
        return None
    laying = laying_of(replace(seen, rules=replace(seen.rules, finish=Finish())), rng)
    if laying is None or laying.rack:
        return None
    own = shape(tuple(laying.laid.elements()), seen.rules.wraps)
    values = [sum(run) for run in own.runs] + ([own.group * SMALLEST] if own.group is not None else [])
    if any(worth == value or (seen.rules.finish.at_least and worth > value) for worth in values) or own.all_jokers:
        return None
    return laying.table


class Slip(enum.StrEnum):
    """The mistakes that players make."""

    TOO_SHORT = "two tiles as a set"
    WRONG_NUMBER = "a run with a wrong number"
    SAME_COLOUR = "a group with a colour twice"
    PAST_THIRTEEN = "a run that goes on from 13 to 1"
    WRONG_TILE_ADDED = "a tile added where it does not fit"
    OPENING_TOO_LOW = "a first meld worth too little"
    NOT_OPENED = "a tile added before the first meld"
    OPENING_USES_TABLE = "a first meld and a tile added in the same turn"
    VANISHED = "a tile of the table back in the hand"
    BROKEN_UP = "a set taken apart and left"
    STRICTLY_BROKEN = "a run parted so that no three of its tiles stay together"
    JOKER_TAKEN = "a joker taken without a tile in its place"
    JOKER_KEPT = "a joker exchanged and kept"
    JOKER_FOR_OTHER_END = "a joker exchanged for the tile of its other end"
    UNDECLARED = "a joker that may stand for two tiles"
    JOKERS_ALONE = "jokers alone as a set"
    TOO_MANY = "more tiles than one turn allows"
    MORE_THAN_HAND = "tiles drawn secretly"
    FOREIGN = "a tile of another box"
    NOTHING_LAID = "the table rebuilt and nothing laid"
    LAST_TILE = "the tile that lies aside, used wrongly"
    LAST_SET = "the last tiles without the agreed set"
    HAND_SHORT = "a hand shown without one of its tiles"
    """This happens at the end of a round; the others are turns."""


OUTSIDE = frozenset({Slip.FOREIGN, Slip.MORE_THAN_HAND, Slip.LAST_TILE})
"""Slips with tiles that are not the player's own."""


def illegal_turn(
    seen: Situation, rng: np.random.Generator, kind: Slip | None = None, *, late: bool = False
) -> tuple[Slip, Table] | None:
    """Return a slip and the table that it leaves, of this `kind` if given; None if none is possible.

    The turn is illegal by construction; the judge is not asked. `late` leaves out slips that nobody would make after
    the time is up.
    """
    kinds = [slip for slip in _MAKERS if (kind is None or slip is kind) and not (late and slip in OUTSIDE)]
    for i in rng.permutation(len(kinds)):
        after = _MAKERS[kinds[i]](seen, rng)
        if after is not None:
            return kinds[i], after
    return None


_MAKERS: Mapping[Slip, Maker] = {
    Slip.TOO_SHORT: wrong_sets.too_short,
    Slip.WRONG_NUMBER: wrong_sets.wrong_number,
    Slip.SAME_COLOUR: wrong_sets.same_colour,
    Slip.PAST_THIRTEEN: wrong_sets.past_thirteen,
    Slip.WRONG_TILE_ADDED: wrong_sets.wrong_tile_added,
    Slip.VANISHED: wrong_sets.vanished_tile,
    Slip.BROKEN_UP: wrong_sets.broken_up,
    Slip.FOREIGN: wrong_sets.foreign,
    Slip.OPENING_TOO_LOW: opening_too_low,
    Slip.NOT_OPENED: not_opened,
    Slip.OPENING_USES_TABLE: opening_uses_table,
    Slip.STRICTLY_BROKEN: strictly_broken,
    Slip.JOKER_TAKEN: wrong_sets.joker_taken,
    Slip.JOKER_KEPT: wrong_sets.joker_kept,
    Slip.JOKER_FOR_OTHER_END: wrong_sets.joker_for_its_other_end,
    Slip.UNDECLARED: wrong_sets.undeclared_joker,
    Slip.JOKERS_ALONE: wrong_sets.jokers_alone,
    Slip.TOO_MANY: too_many,
    Slip.MORE_THAN_HAND: more_than_hand,
    Slip.NOTHING_LAID: nothing_laid,
    Slip.LAST_TILE: last_tile_left,
    Slip.LAST_SET: last_set_wrong,
}
