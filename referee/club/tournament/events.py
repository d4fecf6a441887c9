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
class Ended:
    """The tournament is over; results may still be corrected."""

    t: float


Event = (
    Opened
    | Entered
    | Renamed
    | CheckedIn
    | Left
    | RoundsAgreed
    | Planned
    | Drawn
    | DrawWithdrawn
    | Swapped
    | RoundBegun
    | ResultTold
    | ResultCorrected
    | Ended
)


EVENTS: Mapping[str, type[Any]] = {
    "opened": Opened,
    "entered": Entered,
    "renamed": Renamed,
    "checked-in": CheckedIn,
    "left": Left,
    "rounds-agreed": RoundsAgreed,
    "planned": Planned,
    "drawn": Drawn,
    "draw-withdrawn": DrawWithdrawn,
    "swapped": Swapped,
    "round-begun": RoundBegun,
    "result-told": ResultTold,
    "result-corrected": ResultCorrected,
    "ended": Ended,
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
