"""Events of a tournament as text and back, for whoever stores them; what a newer version wrote is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.club.tournament import events
from referee.club.tournament.events import Event
from referee.journal.codec import from_text, to_text
from referee.journal.errors import Unknown

EVENTS: Mapping[str, type[Any]] = {
    "opened": events.Opened,
    "entered": events.Entered,
    "renamed": events.Renamed,
    "checked-in": events.CheckedIn,
    "left": events.Left,
    "rounds-agreed": events.RoundsAgreed,
    "planned": events.Planned,
    "drawn": events.Drawn,
    "draw-withdrawn": events.DrawWithdrawn,
    "swapped": events.Swapped,
    "round-begun": events.RoundBegun,
    "result-told": events.ResultTold,
    "result-corrected": events.ResultCorrected,
    "ended": events.Ended,
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
