"""What happens in a tournament of the hall beside its own events: where tables are, and which matches count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.club.tournament import Event, stored
from referee.journal.codec import from_text, to_text


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the tables of the round under way are played: names of the hall's tables in the order of the draw."""

    places: tuple[str | None, ...]
    t: float


@dataclass(frozen=True, slots=True)
class SetOut:
    """What was there when a round began, or when a table was moved: it is told from what begins then."""

    matches: tuple[tuple[str, str], ...]
    """Every match known: its table, and when it began."""
    clocks: tuple[tuple[str, float], ...]
    """What the clocks of the tables said, as far as that is known."""
    t: float
    named: bool = True
    """Whether tables are told who plays."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A match is what was played at a table of the draw, and it has come to these totals, in the order of the draw."""

    round: int
    table: int
    at: str
    begun: str
    points: tuple[int, ...]
    t: float


HostedEvent = Event | Placed | SetOut | Taken
_OWN: Mapping[str, type[Any]] = {"placed": Placed, "set-out": SetOut, "taken": Taken}
_NAMES = {event: kind for kind, event in _OWN.items()}


def event_to_text(event: HostedEvent) -> tuple[str, str]:
    """The kind of an event, and its fields as one line of JSON."""
    if isinstance(event, Placed | SetOut | Taken):
        return _NAMES[type(event)], to_text(event, type(event))
    return stored.event_to_text(event)


def event_from_text(kind: str, body: str) -> HostedEvent:
    """The event written as `kind` and `body`; raises Unknown for what only a newer version may know."""
    if kind in _OWN:
        event: HostedEvent = from_text(body, _OWN[kind])
        return event
    return stored.event_from_text(kind, body)
