"""Illegal turns: the mistakes and the mischief of people at the table."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping

import numpy as np

from referee.game.table import Table
from referee.sim.players import wrong_jokers, wrong_sets, wrong_turns
from referee.sim.players.turn_in_progress import Situation

__all__ = ["OUTSIDE", "Situation", "Slip", "illegal_turn"]


class Slip(enum.StrEnum):
    """What a player does wrong."""

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
    """At the end of a round; the others are turns."""


OUTSIDE = frozenset({Slip.FOREIGN, Slip.MORE_THAN_HAND, Slip.LAST_TILE})
"""Slips with tiles that are not the player's own."""

Maker = Callable[[Situation, np.random.Generator], Table | None]


def illegal_turn(
    seen: Situation, rng: np.random.Generator, kind: Slip | None = None, *, late: bool = False
) -> tuple[Slip, Table] | None:
    """An illegal table and what is wrong with it; None where nothing (of this `kind`) can go wrong here.

    Each is illegal by the way it is made, whatever the judge thinks of it. `late` leaves out those that nobody would
    carry out when the time is up.
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
    Slip.OPENING_TOO_LOW: wrong_turns.opening_too_low,
    Slip.NOT_OPENED: wrong_turns.not_opened,
    Slip.OPENING_USES_TABLE: wrong_turns.opening_uses_table,
    Slip.STRICTLY_BROKEN: wrong_turns.strictly_broken,
    Slip.JOKER_TAKEN: wrong_jokers.joker_taken,
    Slip.JOKER_KEPT: wrong_jokers.joker_kept,
    Slip.JOKER_FOR_OTHER_END: wrong_jokers.joker_for_its_other_end,
    Slip.UNDECLARED: wrong_jokers.undeclared_joker,
    Slip.JOKERS_ALONE: wrong_jokers.jokers_alone,
    Slip.TOO_MANY: wrong_turns.too_many,
    Slip.MORE_THAN_HAND: wrong_turns.more_than_hand,
    Slip.NOTHING_LAID: wrong_turns.nothing_laid,
    Slip.LAST_TILE: wrong_turns.last_tile_left,
    Slip.LAST_SET: wrong_turns.last_set_wrong,
}
