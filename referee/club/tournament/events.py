"""The events of a tournament. Replaying a list of them with `apply` restores the tournament.

Players are numbered from 1 in the order of entering, rounds from 1, and tables within a round from 1. `t` is the time
of day in seconds; it is only shown. `who` and `why` are entered by the director.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.club.tournament.rules import Rules
from referee.errors import BadInput
from referee.journal.codec import from_text, to_text
from referee.journal.errors import Unknown

CUT = "cut"
"""Why a player left who does not play on after a cut; it is stored, not shown."""


class OutOfOrder(BadInput):
    """An event that cannot happen now; the tournament stays as it was."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The seats of a round: for every table its players clockwise, the first one starts; and the players with byes."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """A tournament was opened."""

    name: str
    rules: Rules
    t: float


@dataclass(frozen=True, slots=True)
class Entered:
    """A player was entered, with the next number; to be seated, the player must also check in."""

    name: str
    t: float


@dataclass(frozen=True, slots=True)
class Described:
    """What a list of players says of one of them: the club, and the rating there; the seats do not depend on it.

    It is an event of its own so that earlier versions can read tournaments in which nobody was described.
    """

    player: int
    t: float
    club: str = ""
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class TeamGiven:
    """A player was put in a team; with an empty name, taken out of it."""

    player: int
    team: str
    t: float


@dataclass(frozen=True, slots=True)
class Renamed:
    """The name of a player was corrected."""

    player: int
    name: str
    t: float


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """A player has come, or has come back, and will be seated from the next draw on."""

    player: int
    t: float


@dataclass(frozen=True, slots=True)
class Left:
    """A player has left, and will not be seated from the next draw on; earlier results stay."""

    player: int
    t: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class RoundsAgreed:
    """The number of rounds was changed."""

    rounds: int
    t: float


@dataclass(frozen=True, slots=True)
class GroupsFormed:
    """The players were divided into groups, or those who have come since were added, before a draw.

    What was found is stored, not found again in a replay: a later version may find something else.
    """

    groups: tuple[tuple[int, ...], ...]
    rounds: int
    """The number of rounds in groups, with those that were drawn."""
    t: float


@dataclass(frozen=True, slots=True)
class FinalBegun:
    """The groups are over: these players play the final, and all others have left and keep their points."""

    players: tuple[int, ...]
    rounds: int
    """The number of rounds of the final."""
    t: float


@dataclass(frozen=True, slots=True)
class FinalWithdrawn:
    """The beginning of the final was undone, before its first round was drawn."""

    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """The seats of the remaining rounds were planned; the plan is valid until a player comes or leaves."""

    draws: tuple[Draw, ...]
    t: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """The seats of the next round were drawn."""

    draw: Draw
    t: float


@dataclass(frozen=True, slots=True)
class DrawWithdrawn:
    """The last draw was withdrawn, before any of its tables had a result."""

    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two players exchanged places in the round under way: seats, or a seat for a bye."""

    one: int
    other: int
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """The round has begun at all tables."""

    t: float


@dataclass(frozen=True, slots=True)
class ResultTold:
    """The result of a table: the totals of its match, in the order of the draw."""

    table: int
    points: tuple[int, ...]
    t: float


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """The result of a table was corrected."""

    round: int
    table: int
    points: tuple[int, ...]
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class ResultReported:
    """A player at a table without a referee entered its result; it counts once somebody else at the table confirms it.

    A later report of the same table replaces it.
    """

    table: int
    points: tuple[int, ...]
    player: int
    t: float


@dataclass(frozen=True, slots=True)
class ReportConfirmed:
    """The reported result of a table was confirmed, and is its result: by a player there, or by the director."""

    table: int
    t: float
    player: int | None = None
    """The player who confirmed it; None: the director did."""
    who: str = ""


@dataclass(frozen=True, slots=True)
class ReportDisputed:
    """A player at the table says that the reported result is wrong."""

    table: int
    player: int
    t: float
    points: tuple[int, ...] | None = None
    """The result that this player entered; None if they entered none."""


@dataclass(frozen=True, slots=True)
class ReportRejected:
    """The director discarded the reported result of a table."""

    table: int
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class ReportDecided:
    """The director decided which result a table has at which a player had entered one: the disputer's or a third one.

    It is an event of its own so that earlier versions can read tournaments in which nobody had to decide.
    """

    table: int
    points: tuple[int, ...]
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class RulingMade:
    """The director warned a player, or added points to their total in the standings, or took some away."""

    player: int
    points: int
    """The points added in the standings, negative for a deduction; 0 for a warning."""
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class RulingWithdrawn:
    """A ruling was withdrawn; rulings are numbered from 1."""

    ruling: int
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """The tournament is over; results may still be corrected."""

    t: float


@dataclass(frozen=True, slots=True)
class Reopened:
    """The end of the tournament was undone, and it goes on where it was."""

    t: float
    who: str = ""
    why: str = ""


Event = (
    Opened
    | Entered
    | Described
    | TeamGiven
    | Renamed
    | CheckedIn
    | Left
    | RoundsAgreed
    | GroupsFormed
    | FinalBegun
    | FinalWithdrawn
    | Planned
    | Drawn
    | DrawWithdrawn
    | Swapped
    | RoundBegun
    | ResultTold
    | ResultCorrected
    | ResultReported
    | ReportConfirmed
    | ReportDisputed
    | ReportRejected
    | ReportDecided
    | RulingMade
    | RulingWithdrawn
    | Ended
    | Reopened
)


EVENTS: Mapping[str, type[Any]] = {
    "opened": Opened,
    "entered": Entered,
    "described": Described,
    "team-given": TeamGiven,
    "renamed": Renamed,
    "checked-in": CheckedIn,
    "left": Left,
    "rounds-agreed": RoundsAgreed,
    "groups-formed": GroupsFormed,
    "final-begun": FinalBegun,
    "final-withdrawn": FinalWithdrawn,
    "planned": Planned,
    "drawn": Drawn,
    "draw-withdrawn": DrawWithdrawn,
    "swapped": Swapped,
    "round-begun": RoundBegun,
    "result-told": ResultTold,
    "result-corrected": ResultCorrected,
    "result-reported": ResultReported,
    "report-confirmed": ReportConfirmed,
    "report-disputed": ReportDisputed,
    "report-rejected": ReportRejected,
    "report-decided": ReportDecided,
    "ruling-made": RulingMade,
    "ruling-withdrawn": RulingWithdrawn,
    "ended": Ended,
    "reopened": Reopened,
}
"""Every event by the name under which it is stored, which must never change, even if the class is renamed."""
_NAMES = {event: kind for kind, event in EVENTS.items()}


def event_to_text(event: Event) -> tuple[str, str]:
    """Return the kind of an event, and its fields as one line of JSON."""
    return _NAMES[type(event)], to_text(event, type(event))


def event_from_text(kind: str, body: str) -> Event:
    """Return the event of `kind` and `body`; raises Unknown if only a newer version may know it."""
    if kind not in EVENTS:
        raise Unknown(f"expected an event out of {', '.join(EVENTS)}, found {kind!r}: a newer referee wrote it")
    event: Event = from_text(body, EVENTS[kind])
    return event
