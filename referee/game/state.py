"""Where a match stands: everything the referee knows, as one frozen value."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from referee.game.clock import TurnClock
from referee.game.judge import Turn
from referee.game.rulesets.base import Ruleset
from referee.game.scoring import ScoreSheet
from referee.game.table import Table
from referee.game.tiles import Tile
from referee.game.timeup import Consequence


class Phase(enum.StrEnum):
    """What the referee waits for."""

    LOBBY = "lobby"
    """A match to begin."""
    TURN = "turn"
    """The player's press; the clock runs."""
    PAUSED = "paused"
    """The game to go on."""
    LOOKING = "looking"
    """The look after a press."""
    ASKING = "asking"
    """An answer to a doubt."""
    TIME_UP = "time-up"
    """The look after the time was up."""
    PUTTING_RIGHT = "putting-right"
    """The player to put the table right and press."""
    CHECKING = "checking"
    """The look at the table that was put right."""
    SHOWING = "showing"
    """A loser to lay the hand open and press."""
    COUNTING = "counting"
    """The look at a hand laid open."""
    BETWEEN = "between"
    """The next round to begin."""
    OVER = "over"
    """Nothing: the match is over."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: name, how many tiles in hand, whether the first meld lies, and the hand once it was shown."""

    name: str
    hand: int = 0
    opened: bool = False
    shown: tuple[Tile, ...] | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A match. `current` is the seat whose turn it is, or who shows the hand."""

    rules: Ruleset
    clock: TurnClock
    sheet: ScoreSheet
    phase: Phase = Phase.LOBBY
    seats: tuple[Seat, ...] = ()
    table: Table = ()
    stock: int = 0
    current: int = 0
    rounds: int = 1
    first: int = 0
    """The seat that began the round."""
    passes: int = 0
    """How many players in a row could not draw."""
    winner: int | None = None
    """Who laid the last tile of the round."""
    due: Consequence | None = None
    """What must be put right after the time was up."""

    @property
    def seat(self) -> Seat:
        """The seat of the current player."""
        return self.seats[self.current]

    @property
    def turn(self) -> Turn:
        """What the judge must know about the current player."""
        return Turn(opened=self.seat.opened, hand=self.seat.hand)

    @property
    def following(self) -> int:
        """The seat after the current one."""
        return (self.current + 1) % len(self.seats)

    def with_seat(self, seat: Seat) -> State:
        """The state with the current player's seat replaced."""
        return replace(self, seats=(*self.seats[: self.current], seat, *self.seats[self.current + 1 :]))
