"""The state of a match: everything that the referee knows, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.game.clock import TurnClock
from referee.game.gin.round import GinRound
from referee.game.judge.judge import Turn
from referee.game.judge.time_up import Consequence
from referee.game.match.events import Effect, Word
from referee.game.match.phases import Phase
from referee.game.rulebooks.model import Ruleset
from referee.game.scoring import ScoreSheet
from referee.game.table import Set, Table
from referee.game.tiles import Tile


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: name, number of tiles in the hand, and whether the first meld has been made."""

    name: str
    hand: int = 0
    opened: bool = False
    jokers: int | None = None
    """How many of the tiles in the hand are jokers; None if that cannot be known."""
    shown: tuple[Tile, ...] | None = None
    """The hand at the end of the round, laid on the table or entered; None before."""
    handicap: float = 0.0
    """Seconds added to every turn."""
    bank: float | None = None
    """The seconds left for all turns of the round, as of the beginning of a turn; None: there is no such clock."""

    @property
    def tiles_left(self) -> int:
        """How many tiles the player holds, or held at the end of the round: once shown, they lie on the table."""
        return self.hand if self.shown is None else len(self.shown)


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match. `current` is the seat whose turn it is, or who shows the hand."""

    rules: Ruleset
    clock: TurnClock
    sheet: ScoreSheet
    phase: Phase = Phase.LOBBY
    seats: tuple[Seat, ...] = ()
    table: Table = ()
    stock: int = 0
    current: int = 0
    rounds: int = 1
    began: float = 0.0
    """The moment at which the match began."""
    closing: bool = False
    """Whether the time in which rounds may begin is over."""
    first: int = 0
    """The seat that began the round."""
    aside: Tile | None = None
    """The tile that lies open aside, until somebody goes out with it."""
    passes: int = 0
    """How many players in a row have laid nothing since the stock is empty."""
    drew: bool = False
    """Whether the current player has drawn, and the turn goes on."""
    declared: bool = False
    """Whether the current player said what jokers in a set of their own stand for."""
    asked: bool = False
    """Whether a doubt awaits an answer, or a press and another look."""
    called: bool = False
    """Whether the current player has said that this turn lays the last tile, or insists that the hand is complete."""
    in_question: Table | None = None
    """The table of a turn, or of a hand laid open, that does not agree with the count; the player was told."""
    winner: int | None = None
    """The seat that laid the last tile of the round, or had the lowest hand."""
    in_one_turn: bool = False
    """Whether the winner had laid nothing before the last turn of the round."""
    due: Consequence | None = None
    """What must be put right after the time was up."""
    before: State | None = None
    """The state at the press that has just ended a turn; that turn may still be taken back."""
    gin: GinRound | None = None
    """What is known of a round of Gin; None by other rules."""
    words: tuple[Word, ...] = ()
    """Words of players about tiles on the table."""
    refused: bool = False
    """Whether the last look of this turn was refused."""
    agreed: tuple[Set, ...] = ()
    """Sets on the table, with sorted tiles, that are invalid by the rules but agreed to."""
    coach: bool = False
    """Whether all players have agreed, before the match, that anybody may ask what can be laid."""
    coached: tuple[int | None, ...] = ()
    """For each time that was asked in this match: the seat whose turn it was, None between two rounds."""

    @property
    def seat(self) -> Seat:
        """The seat of the current player."""
        return self.seats[self.current]

    @property
    def turn(self) -> Turn:
        """What the judge must know about the current player."""
        seat = self.seat
        return Turn(seat.opened, seat.hand, seat.jokers, self.aside, self.declared, self.agreed)

    @property
    def next_seat(self) -> int:
        """The seat after the current one."""
        return (self.current + 1) % len(self.seats)

    def with_seat(self, seat: Seat) -> State:
        """Return the state with the current player's seat replaced."""
        return replace(self, seats=(*self.seats[: self.current], seat, *self.seats[self.current + 1 :]))


Transition = tuple[State, tuple[Effect, ...]]
"""The next state, and the effects in the order they are due."""


def without_aside(state: State, table: Table) -> Table:
    """Return the table without the tile set aside, if the camera sees it alone there."""
    where = next((index for index, tiles in enumerate(table) if tiles == (state.aside,)), len(table))
    return (*table[:where], *table[where + 1 :])
