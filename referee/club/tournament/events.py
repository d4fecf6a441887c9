"""What happens in a tournament, as an append-only list: replayed with `apply` they give the tournament again.

Players are numbered from 1 as they enter, rounds from 1, and tables within a round from 1. `t` is the time of day in
seconds; nothing depends on it but what is told. `who` and `why` are the director's words.
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
    """The seats of a round: at every table the one who starts, then clockwise; and who has a bye."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """A tournament begins."""

    name: str
    rules: Rules
    t: float


@dataclass(frozen=True, slots=True)
class Entered:
    """A player is on the list, and gets the next number; to be seated they must check in."""

    name: str
    t: float


@dataclass(frozen=True, slots=True)
class Renamed:
    """A name was spelt wrongly."""

    player: int
    name: str
    t: float


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """A player is here, at the beginning, late, or again: seated from the next draw on."""

    player: int
    t: float


@dataclass(frozen=True, slots=True)
class Left:
    """A player has left: not seated from the next draw on; what they won stays."""

    player: int
    t: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class RoundsAgreed:
    """There are to be more rounds, or fewer, than was agreed before."""

    rounds: int
    t: float


@dataclass(frozen=True, slots=True)
class Planned:
    """The seats of the rounds to come, for as long as nobody comes or goes."""

    draws: tuple[Draw, ...]
    t: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """The seats of the next round, as everybody is told."""

    draw: Draw
    t: float


@dataclass(frozen=True, slots=True)
class DrawWithdrawn:
    """The draw of a round is void; none of its tables has a result yet."""

    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two players change places in the round under way: seats, tables, or a seat for a bye."""

    one: int
    other: int
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """The round starts at all tables."""

    t: float


@dataclass(frozen=True, slots=True)
class ResultTold:
    """What a table's match came to: the total of every seat, in the order of the draw."""

    table: int
    points: tuple[int, ...]
    t: float


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """What was written down for a table was wrong."""

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
"""Every event by its stored name, which stays though its class be renamed."""
_NAMES = {event: kind for kind, event in EVENTS.items()}


def event_to_text(event: Event) -> tuple[str, str]:
    """The kind of an event, and its fields as one line of JSON."""
    return _NAMES[type(event)], to_text(event, type(event))


def event_from_text(kind: str, body: str) -> Event:
    """The event written as `kind` and `body`; raises Unknown for what only a newer version may know."""
    if kind not in EVENTS:
        raise Unknown(f"expected an event out of {', '.join(EVENTS)}, found {kind!r}: a newer referee wrote it")
    event: Event = from_text(body, EVENTS[kind])
    return event
