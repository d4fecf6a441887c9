"""From the raw edges of a contact to presses: pure, on time stamps that are passed in.

A closing contact bounces for some milliseconds, a loose wire chatters, a button jams. What is told, and when:

- `Down` as soon as a contact has stayed closed for `glitch` seconds. It carries the moment of the *first* edge, which
  is when the turn clock stops.
- `Press` once it is clear which kind it was: a long one the moment it is long enough, a short one when the button is
  let go. Both carry the moment of the first edge, too.
- `Broken` for a contact that stays closed too long or chatters. Whatever `Down` a chattering one told shortly before
  was no press: who has acted on it takes that back. Only a press that was held steadily before the noise stays one, as
  by a worn button that chatters whenever it is let go. The contact is ignored until it opens, or is quiet again, which
  `Mended` tells.

Several buttons at once are all reported; what is due at the same time comes in the order of the first edges, equal
ones in the order of the seats. The moment at which something would be told is `due()`; the caller sets a timer, and
before asking `at` for a moment gives it all edges from before that moment: a press is as long as its edges say, not as
the caller was busy. An edge may still be on its way from the kernel. So before time alone makes a press of a closed
contact, or its end of an open one, `at` asks whether its wire is as the last edge has left it; if not, it waits for
the next one, which says how long that lasted.

A button on a screen is closed only as far as its screen has said so: `known`. What it takes longer to tell, a long
press or one that is stuck, waits for the screen's next word.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.game.notice import Notice

FOUND_S = 1.2
"""How long after its first edge a loose wire is found out at the latest, as `DebounceTiming` has it."""


@dataclass(frozen=True, slots=True)
class DebounceTiming:
    """Seconds that tell a press from noise.

    Makers of push-buttons state up to 5 ms of bounce, worn ones reach 20 ms; nobody presses more than about eight
    times a second.
    """

    glitch: float = 0.005
    """Closed for less is no press."""
    bounce: float = 0.020
    """Open for less is no release."""
    long: float = 0.8
    stuck: float = 10.0
    train: float = 0.1
    """Edges that go on for longer without a pause of `bounce` come from a loose wire."""
    burst: float = 0.025
    """Edges within this time are one burst; a bounce fits in, and two edges of chatter in each are still too many."""
    steady: float = 0.060
    """Closed for this long from the beginning, without an edge, is a finger, where the contact was quiet before."""
    fresh: float = 0.2
    """A contact that has given no edge for this long was quiet."""
    bursts: int = 18
    """More bursts in a second come from a loose wire."""
    quiet: float = 1.0
    """A loose wire that gives no edge for this long holds again."""
    again: float = 0.005
    """A wire that is not as its last edge has left it is looked at again after this long;"""
    lost: float = 1.0
    """and after this long its edge was lost: a kernel drops edges that nobody fetches."""


class Ailment(enum.StrEnum):
    """What is wrong with a contact."""

    STUCK = "stuck"
    LOOSE = "loose"


@dataclass(frozen=True, slots=True)
class Down:
    """A button went down at `t`; what kind of press it becomes is told later."""

    contact: str
    t: float


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed at `t`, the moment of its first edge."""

    contact: str
    t: float
    long: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """A contact is ignored since `t`."""

    contact: str
    t: float
    ailment: Ailment
    good: float = -math.inf
    """The first edge of the last press that was held steadily; what a loose wire has told since then was noise."""

    @property
    def notice(self) -> Notice:
        """What is wrong, and what to do."""
        stuck = self.ailment is Ailment.STUCK
        return Notice("panel.stuck" if stuck else "panel.loose", contact=self.contact)


@dataclass(frozen=True, slots=True)
class Mended:
    """A contact that was ignored counts again since `t`."""

    contact: str
    t: float


Told = Down | Press | Broken | Mended


class _Phase(enum.Enum):
    OPEN = enum.auto()
    CLOSING = enum.auto()
    DOWN = enum.auto()
    HELD = enum.auto()
    """Down, and nothing more is to be told of this press."""
    STUCK = enum.auto()
    LOOSE = enum.auto()


_COUNTING = (_Phase.CLOSING, _Phase.DOWN, _Phase.HELD)
"""Phases in which a contact that stays as it is becomes something by time alone, and by an edge something else."""


@dataclass(frozen=True, slots=True)
class _Contact:
    """One contact: its raw level `closed` since the edge at `since`, and the first edge of the press under way."""

    name: str
    phase: _Phase = _Phase.OPEN
    closed: bool = False
    since: float = -math.inf
    first: float = -math.inf
    train: float = -math.inf
    """The first of the edges that came without a pause."""
    bursts: tuple[float, ...] = ()
    """Beginnings of the bursts of edges within the last second."""
    fresh: bool = False
    """Whether the contact was quiet before the press under way."""
    good: float = -math.inf
    """The first edge of the last press that was held steadily."""
    known: float = math.inf
    """Up to when it is known that the contact has stayed closed."""
    missed: float = math.inf
    """Since when its wire is known to be otherwise than its last edge has left it;"""
    again: float = -math.inf
    """and when that is asked again."""


class Debouncer:
    """All contacts of a panel, named in the order of the seats.

    `held` are those found closed at the start: they make no press, and are told as stuck if they stay so.
    """

    def __init__(
        self, contacts: Sequence[str], held: Iterable[str] = (), t: float = 0.0, timing: DebounceTiming | None = None
    ) -> None:
        self._timing = timing or DebounceTiming()
        self._contacts = {name: _Contact(name) for name in contacts}
        for name in held:
            self._contacts[name] = _Contact(name, _Phase.HELD, closed=True, since=t, first=t, train=t)
        self._seats = {name: seat for seat, name in enumerate(contacts)}

    def edge(self, contact: str, closed: bool, t: float, known: float = math.inf) -> tuple[Told, ...]:
        """The contact closed or opened at `t`; what there is to be told by then.

        An edge that arrives later than one that came after it counts as simultaneous with that. `known`: up to when a
        closed contact is known to be so; told again for one that is closed already it moves on.
        """
        self._contacts[contact] = replace(self._contacts[contact], missed=math.inf, again=-math.inf)
        told = list(self.at(t))
        now, more = _edge(self._contacts[contact], closed, t, self._timing)
        self._contacts[contact] = replace(now, known=known if closed else math.inf)
        return (*told, *more, *self.at(t))

    def at(self, t: float, closed: Callable[[], Collection[str]] | None = None) -> tuple[Told, ...]:
        """What has become due by `t`.

        `closed` gives the contacts that are closed now. It is asked only where a contact has been closed, or open, for
        long enough to count; one that is not as its last edge has left it waits for the next.
        """
        told: list[tuple[float, float, int, Told]] = []
        for name, contact in self._contacts.items():
            while (due := _next_change(contact, self._timing)) <= t:
                if contact.phase in _COUNTING and closed is not None and (name in closed()) is not contact.closed:
                    if t - contact.missed < self._timing.lost:
                        again = t + self._timing.again
                        contact = replace(contact, missed=min(t, contact.missed), again=again)  # noqa: PLW2901 - as above
                        continue
                    if contact.closed:
                        contact = replace(contact, closed=False, missed=math.inf, again=-math.inf)  # noqa: PLW2901
                        continue
                    # The edge of a contact that has closed again was lost: so is that press, and this one has ended.
                contact, more = _advance(contact, due)  # noqa: PLW2901 - the contact as it goes on
                told += [(due, one.t, self._seats[name], one) for one in more]
            self._contacts[name] = contact
        return tuple(one for *_, one in sorted(told, key=lambda item: item[:3]))

    def due(self) -> float | None:
        """The next moment at which `at` has something to do; None while all is quiet."""
        soonest = min((_next_change(contact, self._timing) for contact in self._contacts.values()), default=math.inf)
        return None if soonest == math.inf else soonest

    @property
    def closing(self) -> float | None:
        """The earliest first edge of which it is not clear yet whether a button went down; soon it is."""
        return min((c.first for c in self._contacts.values() if c.phase is _Phase.CLOSING), default=None)

    @property
    def broken(self) -> tuple[str, ...]:
        """The contacts that are ignored now."""
        return tuple(c.name for c in self._contacts.values() if c.phase in (_Phase.STUCK, _Phase.LOOSE))


def _edge(contact: _Contact, closed: bool, t: float, timing: DebounceTiming) -> tuple[_Contact, tuple[Told, ...]]:
    """The contact after an edge; nothing is due before `t` any more."""
    if closed == contact.closed:  # one edge was lost: what lay between was too short to matter
        return contact, ()
    t = max(t, contact.since)
    quiet = t - contact.since
    train = t if quiet >= timing.bounce else contact.train
    bursts = tuple(_within_a_second(contact.bursts, t, timing.burst))
    good = contact.first if _steady(contact, t, timing) else contact.good
    contact = replace(contact, closed=closed, since=t, train=train, bursts=bursts, good=good)
    if contact.phase in (_Phase.STUCK, _Phase.LOOSE):
        return contact, ()
    if t - train > timing.train or len(bursts) > timing.bursts:
        return _found_loose(contact, t)
    if contact.phase is _Phase.OPEN:
        contact = replace(contact, phase=_Phase.CLOSING, first=t, fresh=quiet >= timing.fresh)
    return contact, ()


def _steady(contact: _Contact, t: float, timing: DebounceTiming) -> bool:
    """Whether the contact, at the edge at `t`, has been held by a finger since soon after its first edge."""
    down = contact.closed and contact.fresh and contact.phase in (_Phase.DOWN, _Phase.HELD)
    return down and contact.since - contact.first <= timing.burst and t - contact.since >= timing.steady


def _found_loose(contact: _Contact, t: float) -> tuple[_Contact, tuple[Told, ...]]:
    """The contact chatters; a press that was held steadily before, and is not told yet, ends here."""
    name, good = contact.name, contact.good
    press = (Press(name, good),) if contact.phase is _Phase.DOWN and good == contact.first else ()
    return replace(contact, phase=_Phase.LOOSE), (*press, Broken(name, t, Ailment.LOOSE, good))


def _within_a_second(bursts: tuple[float, ...], t: float, length: float) -> Iterator[float]:
    yield from (burst for burst in bursts if t - burst < 1.0)
    if not bursts or t - bursts[-1] > length:
        yield t


def _next_change(contact: _Contact, timing: DebounceTiming) -> float:
    """When the contact goes on by itself; infinity: only an edge can change it."""
    match contact.phase, contact.closed:
        case _Phase.CLOSING, True:
            return max(contact.since + timing.glitch, contact.again)
        case _Phase.DOWN, True:
            return _if_known(contact, contact.first + timing.long)
        case _Phase.HELD, True:
            return _if_known(contact, contact.first + timing.stuck)
        case ((_Phase.CLOSING | _Phase.DOWN | _Phase.HELD | _Phase.STUCK), False):
            return max(contact.since + timing.bounce, contact.again)
        case _Phase.LOOSE, _:
            return contact.since + timing.quiet
    return math.inf


def _if_known(contact: _Contact, due: float) -> float:
    """When it has been closed for long enough; infinity as long as it is not known that it stays closed until then."""
    return max(contact.since, due, contact.again) if due <= contact.known else math.inf


def _advance(contact: _Contact, t: float) -> tuple[_Contact, tuple[Told, ...]]:
    """The contact once it has been left alone until `t`, the moment that was due."""
    name, first = contact.name, contact.first
    told: Told | None = None
    phase = _Phase.OPEN
    match contact.phase, contact.closed:
        case _Phase.CLOSING, True:
            phase, told = _Phase.DOWN, Down(name, first)
        case _Phase.DOWN, closed:
            phase, told = _Phase.HELD if closed else _Phase.OPEN, Press(name, first, long=closed)
        case _Phase.HELD, True:
            phase, told = _Phase.STUCK, Broken(name, t, Ailment.STUCK)
        case _Phase.LOOSE, closed:
            # Closed since it became quiet: no press, but it may turn out to be stuck.
            phase, told = _Phase.HELD if closed else _Phase.OPEN, Mended(name, t)
            contact = replace(contact, first=contact.since, bursts=())
        case _Phase.STUCK, False:
            told = Mended(name, t)
    return replace(contact, phase=phase), () if told is None else (told,)
