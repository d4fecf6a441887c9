"""The facts of a table's events. Each has its kind; seats are counted from 0."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Annotated, Literal

from referee.club.protocol.told import Told
from referee.journal.codec import Limits

SEATS = 8
Text = Annotated[str, Limits(most=200)]
Short = Annotated[str, Limits(most=64)]
Seat = Annotated[int, Limits(largest=SEATS - 1)]
Points = Annotated[tuple[Annotated[int, Limits(least=-(10**6), largest=10**6)], ...], Limits(most=SEATS)]
"""Points, by seat."""
Seats = Annotated[tuple[Seat, ...], Limits(most=SEATS)]
Draw = Annotated[str, Limits(most=64, pattern="[a-z0-9-]{1,64}")]
"""The hall's id for one table of one round of a tournament, such as `spring-cup-r3-t2`. Tables do not interpret it."""
Tiles = Annotated[str, Limits(most=1000)]
"""Tiles in notation: `R7 B7 K7`."""
Notices = Annotated[tuple[Told, ...], Limits(most=40)]
Count = Annotated[int, Limits(largest=10**6)]


class Outcome(enum.StrEnum):
    """The outcome of a turn."""

    ACCEPTED = "accepted"
    DRAWN = "drawn"
    """No tile was laid, and at least one was drawn."""
    PASSED = "passed"
    """No tile was laid, and none was drawn."""
    AGREED = "agreed"
    """The rules refused it, but it counts because all players agreed."""
    REFUSED = "refused"
    """It was refused: the turn goes on, or something must be put right."""
    TIME_UP = "time-up"
    """The time was up, and what was wrong has been put right."""


@dataclass(frozen=True, slots=True)
class FaultTold:
    """One fault; `fault` is its kind, or None if it has no kind of its own."""

    fault: Short | None
    told: Told


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match has begun."""

    rules: Short
    players: Annotated[tuple[Text | None, ...], Limits(most=SEATS)]
    """Names in the order of the seats; all None if the table does not send names."""
    rounds: Count
    draw: Draw | None = None
    """The draw of the hall that the match belongs to; None if the table began it by itself."""
    kind: Literal["match-started"] = "match-started"


@dataclass(frozen=True, slots=True)
class RoundHasStarted:
    """A round has begun; the seat `first` plays first, or deals if the rule book says so."""

    round: Count
    first: Seat
    kind: Literal["round-started"] = "round-started"


@dataclass(frozen=True, slots=True)
class TurnJudged:
    """A turn was judged, or ended after the time was up; `current` is the seat whose turn it is now."""

    seat: Seat
    outcome: Outcome
    laid: Tiles = ""
    points: Count = 0
    draws: Count = 0
    faults: Annotated[tuple[FaultTold, ...], Limits(most=40)] = ()
    current: Seat = 0
    kind: Literal["turn"] = "turn"


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """The turn clock has run out."""

    seat: Seat
    kind: Literal["time-up"] = "time-up"


@dataclass(frozen=True, slots=True)
class PutRightTold:
    """A player must change the table; the steps say how."""

    seat: Seat
    steps: Notices
    kind: Literal["put-right"] = "put-right"


@dataclass(frozen=True, slots=True)
class Asked:
    """The referee asks about something that it could not read reliably."""

    seat: Seat
    about: Notices
    kind: Literal["question"] = "question"


@dataclass(frozen=True, slots=True)
class Answered:
    """Somebody said what a tile is (None: face-down, or no tile). `seat` is None if it is unknown who said so."""

    seat: Seat | None
    tile: Short | None
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A press was taken back; if the turn had been accepted, it no longer is."""

    seat: Seat
    kind: Literal["taken-back"] = "taken-back"


@dataclass(frozen=True, slots=True)
class HasPaused:
    """The match was paused."""

    kind: Literal["paused"] = "paused"


@dataclass(frozen=True, slots=True)
class HasResumed:
    """The match was continued after a pause."""

    kind: Literal["resumed"] = "resumed"


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round was written on the score sheet: the points of each seat, the values of the hands, and the new totals."""

    round: Count
    winner: Seat | None
    points: Points
    hands: Points
    ending: Short
    totals: Points
    kind: Literal["round"] = "round"


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; several winners share the victory."""

    winners: Seats
    totals: Points
    kind: Literal["match-over"] = "match-over"


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """The score of a round was corrected. `over` is whether the match is over according to the corrected sheet.

    `who` made the correction, and `why` is the reason; both are None if the table does not send names.
    """

    round: Count
    before: Points
    after: Points
    totals: Points
    over: bool
    who: Text | None = None
    why: Text | None = None
    kind: Literal["corrected"] = "corrected"


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The players gave the match up."""

    kind: Literal["given-up"] = "given-up"


Fact = (
    MatchStarted
    | RoundHasStarted
    | TurnJudged
    | TimeRanOut
    | PutRightTold
    | Asked
    | Answered
    | TakenBack
    | HasPaused
    | HasResumed
    | RoundOver
    | MatchEnded
    | RoundCorrected
    | GivenUp
)
