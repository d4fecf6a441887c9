"""The judge's answer: accepted, or refused with every fault found."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from referee.game.notice import Notice
from referee.game.tiles import Tile


class FaultKind(enum.StrEnum):
    """What can be wrong with a turn."""

    NOT_A_SET = "not-a-set"
    TILE_VANISHED = "tile-vanished"
    IMPOSSIBLE_TILE = "impossible-tile"
    OPENING_TOO_LOW = "opening-too-low"
    OPENING_USES_TABLE = "opening-uses-table"
    NOT_OPENED = "not-opened"
    ORIGINAL_BROKEN_UP = "original-broken-up"
    JOKER_NOT_REPLACED = "joker-not-replaced"
    JOKER_NOT_REUSED = "joker-not-reused"
    JOKER_UNDECLARED = "joker-undeclared"
    JOKER_PLACE = "joker-place"
    """Comes with other faults, all of which disappear once the joker lies where it belongs."""
    TOO_MANY_TILES = "too-many-tiles"
    MORE_THAN_HAND = "more-than-hand"
    LAST_TILE_RULE = "last-tile-rule"
    LAST_SET_RULE = "last-set-rule"
    NOTHING_LAID = "nothing-laid"
    WRONG_NUMBER = "wrong-number"
    KNOCK_TOO_HIGH = "knock-too-high"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: its tiles, the indices of its sets in the table after the turn, and its notice."""

    kind: FaultKind
    tiles: tuple[Tile, ...]
    sets: tuple[int, ...]
    notice: Notice


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one turn.

    `laid` are the tiles laid, `from_hand` how many of them left the hand (the tile that lay aside did not). `points`
    is what the first meld counts, in later turns what the tiles laid count. `opens` says that this turn is the
    player's first meld. Accepted with nothing laid means that the player draws a tile. `explanation` says how the turn
    came about, where that is not obvious.
    """

    accepted: bool
    laid: tuple[Tile, ...] = ()
    points: int = 0
    faults: tuple[Fault, ...] = ()
    opens: bool = False
    explanation: tuple[Notice, ...] = ()
    aside_used: bool = False
    """Whether the tile that lay aside is among those laid."""

    @property
    def from_hand(self) -> int:
        """How many tiles left the hand."""
        return len(self.laid) - self.aside_used

    @property
    def told_faults(self) -> tuple[Fault, ...]:
        """The faults that players are told.

        While a set is invalid they are not told that the first meld counts too little: that set counts nothing yet.
        """
        if all(fault.kind is not FaultKind.NOT_A_SET for fault in self.faults):
            return self.faults
        return tuple(fault for fault in self.faults if fault.kind is not FaultKind.OPENING_TOO_LOW)
