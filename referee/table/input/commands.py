"""Commands: what a press of a button asks for, once it is clear which kind of press it was."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.match.phases import Phase
from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class EndTurn:
    """A player's button was pressed at `t` (monotonic seconds); `seat` None: nobody in this match has that button."""

    contact: str
    seat: int | None
    t: float
    long: bool


@dataclass(frozen=True, slots=True)
class SitDown:
    """Somebody joins or leaves before the match; `long`: they join and ask to be the starting player."""

    button: int
    long: bool


@dataclass(frozen=True, slots=True)
class Begins:
    """A player presses to become the starting player, at `t` (monotonic seconds); `button` None: the shared button."""

    button: int | None
    t: float
    long: bool


@dataclass(frozen=True, slots=True)
class Start:
    """The start button, or a long press where there is no start button.

    `phase` is the phase in which it was pressed; None if nobody pressed and the command undoes noise.
    """

    t: float
    long: bool
    phase: Phase | None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A player takes the last press back; `t` is the moment of this press (monotonic seconds)."""

    seat: int
    t: float


@dataclass(frozen=True, slots=True)
class NotNow:
    """A press that does not count, and the notice that says why."""

    told: Notice


@dataclass(frozen=True, slots=True)
class Trouble:
    """A contact that is ignored from now on, and the notice that says so; None: the contact counts again."""

    contact: str
    told: Notice | None


@dataclass(frozen=True, slots=True)
class Call:
    """A player keeps holding the button after ending the turn, to call "Rummy!"."""

    seat: int


@dataclass(frozen=True, slots=True)
class Insist:
    """A player holds the button while the count is in question, to insist that no more tiles are on the rack."""

    seat: int
    t: float


Command = EndTurn | SitDown | Begins | Start | TakeBack | Call | Insist | NotNow | Trouble
