"""What somebody wants who presses a button, once it is clear which kind of press it was."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.match.phases import Phase
from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class EndTurn:
    """A player's button was pressed, felt at `t` (monotonic); `seat` None: nobody's button in this match."""

    contact: str
    seat: int | None
    t: float
    long: bool


@dataclass(frozen=True, slots=True)
class SitDown:
    """Somebody joins or leaves before the match; long: joins and asks to begin."""

    button: int
    long: bool


@dataclass(frozen=True, slots=True)
class Begins:
    """Somebody tells that they begin, felt at `t` (monotonic); `button` None: the one for everybody."""

    button: int | None
    t: float
    long: bool


@dataclass(frozen=True, slots=True)
class Start:
    """The start/pause button, or a long press where there is none; `phase` None: nobody's, noise is undone."""

    t: float
    long: bool
    phase: Phase | None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A player wants the last press back, since `t`."""

    seat: int
    t: float


@dataclass(frozen=True, slots=True)
class NotNow:
    """A press that does not count, and what is said about it."""

    told: Notice


@dataclass(frozen=True, slots=True)
class Trouble:
    """A contact that is ignored, and what is said about it; None: it counts again."""

    contact: str
    told: Notice | None


@dataclass(frozen=True, slots=True)
class Call:
    """The press with which a player has ended the turn is held: "Rummy!"."""

    seat: int


@dataclass(frozen=True, slots=True)
class Insist:
    """A player holds the button while the count is in question."""

    seat: int
    t: float


Command = EndTurn | SitDown | Begins | Start | TakeBack | Call | Insist | NotNow | Trouble
