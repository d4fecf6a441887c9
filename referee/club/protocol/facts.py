"""What happened at a table, said in facts: each with its kind, its seats counted from 0, and its notices."""

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
"""By seat."""
Seats = Annotated[tuple[Seat, ...], Limits(most=SEATS)]
Draw = Annotated[str, Limits(most=64, pattern="[a-z0-9-]{1,64}")]
"""The hall's word for one table of one round of a tournament: `spring-cup-r3-t2`. No table reads anything into it."""
Tiles = Annotated[str, Limits(most=1000)]
"""Tiles in notation: `R7 B7 K7`."""
Notices = Annotated[tuple[Told, ...], Limits(most=40)]
Count = Annotated[int, Limits(largest=10**6)]


class Outcome(enum.StrEnum):
    """What a turn came to."""

    ACCEPTED = "accepted"
    DRAWN = "drawn"
    """Nothing laid, a tile drawn."""
    PASSED = "passed"
    """Nothing laid, and none drawn."""
    AGREED = "agreed"
    """Refused by the rules, and counted by agreement of all."""
    REFUSED = "refused"
    """The turn goes on, or something must be put right."""
    TIME_UP = "time-up"
    """The time was up, and what was wrong has been put right."""


@dataclass(frozen=True, slots=True)
class FaultTold:
    """One thing that is wrong; `fault` is None where it has no kind of its own."""

    fault: Short | None
    told: Told


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match has begun."""

    rules: Short
    players: Annotated[tuple[Text | None, ...], Limits(most=SEATS)]
    """Names in the order of the seats, each None unless names are told."""
    rounds: Count
    draw: Draw | None = None
    """Which draw of the hall the match belongs to; None where the table began it by itself."""
    kind: Literal["match-started"] = "match-started"


@dataclass(frozen=True, slots=True)
class RoundHasStarted:
    """A round has begun; `first` plays first, or deals where the book has it so."""

    round: Count
    first: Seat
    kind: Literal["round-started"] = "round-started"


@dataclass(frozen=True, slots=True)
class TurnJudged:
    """A turn was judged, or ended after the time was up; `current` is whose turn it is now."""

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
    """The referee asks about something that it cannot read."""

    seat: Seat
    about: Notices
    kind: Literal["question"] = "question"


@dataclass(frozen=True, slots=True)
class Answered:
    """Somebody said what a tile is; None: face down, or no tile. `seat` is None where nobody knows who it was."""

    seat: Seat | None
    tile: Short | None
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A press was taken back: what was accepted by it, if anything, is so no more."""

    seat: Seat
    kind: Literal["taken-back"] = "taken-back"


@dataclass(frozen=True, slots=True)
class HasPaused:
    """The clock stands."""

    kind: Literal["paused"] = "paused"


@dataclass(frozen=True, slots=True)
class HasResumed:
    """The game goes on."""

    kind: Literal["resumed"] = "resumed"


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round was written down: what each seat gets, what was left in the hands, and the totals since."""

    round: Count
    winner: Seat | None
    points: Points
    hands: Points
    ending: Short
    totals: Points
    kind: Literal["round"] = "round"


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; several winners share it."""

    winners: Seats
    totals: Points
    kind: Literal["match-over"] = "match-over"


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """A round was written down anew. `over` tells whether the match is over as the sheet stands now.

    `who` and `why` are None unless names are told.
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
