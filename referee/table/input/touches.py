"""Buttons of the panel that are pressed on screens, in addition to the real ones. Pure: callers pass in the time.

A screen reports when a finger goes down, at intervals that it is still down, and when it is lifted. Each report has
the time of the event by the clock of this machine. These rules limit what is believed:

1. No moment is in the future, and a press that is older than `OLDEST_S` on arrival does not count.
2. A press is dated after everything that was handled before it arrived, so it never overtakes a real press.
3. A finger without a report for `LOST_S` was lifted at its last report, so a lost connection never makes a long press.
4. A tap lasts at least `SHORTEST_S`, however soon the finger was lifted, since screens do not bounce.

A contact is closed while anything holds it, its real button or a finger on any screen.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact closed or opened at `t` (monotonic); `known`: the moment until which it is known to stay closed."""

    contact: str
    closed: bool
    t: float
    known: float = math.inf


OLDEST_S = 2.0
"""A press that is older than this many seconds on arrival does not count. This and the next three: chosen by hand."""
LOST_S = 0.5
"""Seconds without a report from its page after which a finger counts as lifted."""
SHORTEST_S = 0.1
"""The shortest length of a tap, in seconds."""
MOST_FINGERS = 20
"""The most fingers at once; more cannot come from people at a table."""
NO_BUTTON = Notice("buttons.none_here")
TOO_OLD = Notice("buttons.too_old")
LOST = Notice("buttons.lost")
TOO_MANY = Notice("buttons.too_many")


class Stroke(enum.StrEnum):
    """What a screen reports about a finger."""

    DOWN = "down"
    STILL = "still"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Touch:
    """A finger on a button of a screen, at the monotonic moment `t`.

    `finger` identifies the press, `came` is when the report arrived, `doubt` the uncertainty of `t`, in seconds.
    """

    contact: str
    stroke: Stroke
    finger: str
    t: float
    came: float
    doubt: float = 0.0


@dataclass(frozen=True, slots=True)
class _Finger:
    """A finger on a contact, known to be down from `down` until at least `known`.

    Its last report arrived at `came`. If it was already lifted, but a tap must last longer, `leaves` is when it ends.
    """

    contact: str
    down: float
    known: float
    came: float
    leaves: float | None = None

    @property
    def expires_at(self) -> float:
        """The moment at which the finger counts as lifted if no other report arrives."""
        return self.came + LOST_S if self.leaves is None else self.leaves


class Touches:
    """Keeps track of which contacts are held, on screens and on the real panel."""

    def __init__(self, contacts: Iterable[str] = (), held: Iterable[str] = ()) -> None:
        """`contacts` are those that may be pressed on a screen; `held` are those whose real buttons are closed now."""
        self._contacts, self._real = frozenset(contacts), set(held)
        self._fingers: dict[str, _Finger] = {}
        self._earliest = -math.inf

    def set_earliest(self, t: float) -> None:
        """Ensure that no press on a screen is dated before `t`, a moment at which something has happened."""
        self._earliest = max(self._earliest, t)

    def real(self, edge: Edge) -> Edge:
        """Return the effective edge for a real one: a contact stays closed while a finger on a screen holds it."""
        self.set_earliest(edge.t)
        (self._real.add if edge.closed else self._real.discard)(edge.contact)
        return self._edge(edge.contact, edge.t)

    @property
    def held_contacts(self) -> frozenset[str]:
        """The contacts that are held on any screen."""
        return frozenset(finger.contact for finger in self._fingers.values())

    def touch(self, touch: Touch) -> tuple[tuple[Edge, ...], Notice | None]:
        """Handle a report of a screen; return the resulting edges, and the reason if the touch does not count."""
        finger = self._fingers.get(touch.finger)
        if touch.stroke is Stroke.DOWN:
            return ((), None) if finger is not None else self._touch_down(touch)
        if finger is None or finger.leaves is not None:
            return (), LOST if touch.stroke is Stroke.STILL else None
        known = max(finger.known, min(touch.t, touch.came))
        self._fingers[touch.finger] = replace(finger, known=known, came=max(finger.came, touch.came))
        still = self._edge(finger.contact, known)
        if touch.stroke is Stroke.STILL:
            return (still,), None
        shortest = finger.down + SHORTEST_S
        if known < shortest and touch.came < shortest:
            self._fingers[touch.finger] = replace(finger, known=known, leaves=shortest)
            return (still,), None
        del self._fingers[touch.finger]
        return (still, self._edge(finger.contact, max(known, shortest))), None

    def release_expired(self, now: float) -> Iterator[Edge]:
        """Yield the edges of fingers that have expired, dated at their last report or at the end of a shortest tap."""
        for name, finger in list(self._fingers.items()):
            if now >= finger.expires_at:
                del self._fingers[name]
                yield self._edge(finger.contact, max(finger.known, finger.leaves or finger.known))

    def next_due(self) -> float | None:
        """Return when `release_expired` next has something to do; None while no finger is down."""
        return min((finger.expires_at for finger in self._fingers.values()), default=None)

    def _touch_down(self, touch: Touch) -> tuple[tuple[Edge, ...], Notice | None]:
        if touch.contact not in self._contacts:
            return (), NO_BUTTON
        if touch.came - touch.t > OLDEST_S + touch.doubt:
            return (), TOO_OLD
        if len(self._fingers) >= MOST_FINGERS:
            return (), TOO_MANY
        t = max(min(touch.t, touch.came), math.nextafter(self._earliest, math.inf))
        self.set_earliest(t)
        self._fingers[touch.finger] = _Finger(touch.contact, t, t, touch.came)
        return (self._edge(touch.contact, t),), None

    def _edge(self, contact: str, t: float) -> Edge:
        """Return the state of a contact at `t` as an edge, with the moment until which it is known to stay closed."""
        if contact in self._real:
            return Edge(contact, True, t)
        known = max((one.known for one in self._fingers.values() if one.contact == contact), default=None)
        return Edge(contact, False, t) if known is None else Edge(contact, True, t, known)
