"""Debouncing: turns the raw edges of contacts into presses. Pure: the times of the edges are passed in.

A closing contact bounces for some milliseconds, a loose wire chatters, a button jams. What is reported, and when:

- `Down` as soon as a contact has stayed closed for `glitch` seconds. It carries the moment of the *first* edge, which
  is when the turn clock stops.
- `Press` once it is clear whether the press is long or short: a long one is reported as soon as it is long enough, a
  short one when the button is released. Both carry the moment of the first edge, too.
- `Broken` for a contact that stays closed too long or chatters. If a chattering contact reported `Down` shortly
  before, that was not a press, and the caller undoes what followed from it. A press that was held steadily before the
  noise began still counts: worn buttons chatter whenever they are released. The contact is ignored until it opens or
  is quiet again, which `Mended` reports.

If several buttons are pressed at once, all are reported. Reports that are due at the same time are in the order of
the first edges, and those with equal first edges in the order of the seats.

The caller sets a timer for `next_due()` and then calls `poll` with a moment. It must first pass in all edges from
before that moment: then a press is as long as its edges say, however busy the caller was. An edge may still be on its
way from the kernel. So where the passing of time alone would make a closed contact a press, or an open contact the end
of one, `poll` first checks whether the contact is still as its last edge left it. If it is not, `poll` waits for the
next edge, which tells when the contact changed.

A button on a screen is known to be closed only until the moment `known`, up to which its screen has said so. A long
press or a jam that takes longer is reported after the screen's next message.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.game.notice import Notice

FOUND_S = 1.2
"""A loose wire is recognised within this many seconds after its first edge, by the times in `DebounceTiming`."""


@dataclass(frozen=True, slots=True)
class DebounceTiming:
    """The times, in seconds, that distinguish a press from noise.

    Makers of push-buttons state up to 5 ms of bounce; worn buttons reach 20 ms. Nobody presses more than about eight
    times a second.
    """

    glitch: float = 0.005
    """A contact that was closed for a shorter time was not pressed."""
    bounce: float = 0.020
    """A contact that was open for a shorter time was not released."""
    long: float = 0.8
    stuck: float = 10.0
    train: float = 0.1
    """Edges that go on for longer than this without a pause of `bounce` come from a loose wire."""
    burst: float = 0.025
    """Edges within this time are one burst. It is longer than a bounce, and so short that chatter makes too many."""
    steady: float = 0.060
    """A contact that was quiet, and then stays closed for this long without an edge, is held by a finger."""
    fresh: float = 0.2
    """A contact without an edge for this long was quiet."""
    bursts: int = 18
    """More bursts than this in a second come from a loose wire."""
    quiet: float = 1.0
    """A loose wire without an edge for this long counts as mended."""
    again: float = 0.005
    """If a contact is not as its last edge left it, it is checked again after this time."""
    lost: float = 1.0
    """If it is still different after this time, its edge is lost: the kernel drops edges that are not fetched in
    time."""


class Ailment(enum.StrEnum):
    """What is wrong with a contact."""

    STUCK = "stuck"
    LOOSE = "loose"


@dataclass(frozen=True, slots=True)
class Down:
    """A button went down at `t`; a later report says whether the press was long or short."""

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
    """A contact has been ignored since `t`."""

    contact: str
    t: float
    ailment: Ailment
    good: float = -math.inf
    """The first edge of the last press that was held steadily; everything reported since then was noise."""

    @property
    def notice(self) -> Notice:
        """What is wrong, and what to do."""
        stuck = self.ailment is Ailment.STUCK
        return Notice("panel.stuck" if stuck else "panel.loose", contact=self.contact)


@dataclass(frozen=True, slots=True)
class Mended:
    """A contact that was ignored counts again from `t` on."""

    contact: str
    t: float


Told = Down | Press | Broken | Mended


class _Phase(enum.Enum):
    OPEN = enum.auto()
    CLOSING = enum.auto()
    DOWN = enum.auto()
    HELD = enum.auto()
    """Down, and nothing more will be reported of this press."""
    STUCK = enum.auto()
    LOOSE = enum.auto()


_COUNTING = (_Phase.CLOSING, _Phase.DOWN, _Phase.HELD)
"""Phases in which the result depends on which comes first: the end of a time, or the next edge."""


@dataclass(frozen=True, slots=True)
class _Contact:
    """A contact.

    `closed` is its level since the edge at `since`, and `first` is the first edge of the present press.
    """

    name: str
    phase: _Phase = _Phase.OPEN
    closed: bool = False
    since: float = -math.inf
    first: float = -math.inf
    train: float = -math.inf
    """The first of the latest edges that followed one another without a pause of `bounce`."""
    bursts: tuple[float, ...] = ()
    """When each burst of edges within the last second began."""
    fresh: bool = False
    """Whether the contact was quiet before the present press."""
    good: float = -math.inf
    """The first edge of the last press that was held steadily."""
    known: float = math.inf
    """The moment up to which the contact is known to have stayed closed."""
    missed: float = math.inf
    """Since when the contact is known not to be as its last edge left it; infinity if it is."""
    again: float = -math.inf
    """When that is checked again."""


class Debouncer:
    """All contacts of a panel, named in the order of the seats.

    `held` are those found closed at the start: they do not count as pressed, and are reported as stuck if they stay
    closed.
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
        """Take an edge at `t`, at which the contact closed or opened; return what must be reported up to `t`.

        If edges arrive in the wrong order, the earlier one counts as simultaneous with the later one. `known` is the
        moment up to which a closed contact is known to stay closed; a second closing edge sets a later one.
        """
        self._contacts[contact] = replace(self._contacts[contact], missed=math.inf, again=-math.inf)
        told = list(self.poll(t))
        now, more = _edge(self._contacts[contact], closed, t, self._timing)
        self._contacts[contact] = replace(now, known=known if closed else math.inf)
        return (*told, *more, *self.poll(t))

    def poll(self, t: float, closed: Callable[[], Collection[str]] | None = None) -> tuple[Told, ...]:
        """Return what has become due by `t`.

        `closed` returns the contacts that are closed now. It is called only if a contact has been closed, or open, for
        long enough to matter. For a contact that is not as its last edge left it, nothing is reported until the next
        edge arrives, or counts as lost.
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
                    # The contact is closed, but the edge was lost: the press that it began is lost, and the one before
                    # has ended.
                contact, more = _advance(contact, due)  # noqa: PLW2901 - the contact as it goes on
                told += [(due, one.t, self._seats[name], one) for one in more]
            self._contacts[name] = contact
        return tuple(one for *_, one in sorted(told, key=lambda item: item[:3]))

    def next_due(self) -> float | None:
        """Return the next moment at which `poll` has something to do; None if there is none."""
        soonest = min((_next_change(contact, self._timing) for contact in self._contacts.values()), default=math.inf)
        return None if soonest == math.inf else soonest

    @property
    def undecided_since(self) -> float | None:
        """The earliest first edge of all contacts for which it is not clear yet whether a button went down."""
        return min((c.first for c in self._contacts.values() if c.phase is _Phase.CLOSING), default=None)

    @property
    def ignored_contacts(self) -> tuple[str, ...]:
        """The contacts that are ignored now."""
        return tuple(c.name for c in self._contacts.values() if c.phase in (_Phase.STUCK, _Phase.LOOSE))


def _edge(contact: _Contact, closed: bool, t: float, timing: DebounceTiming) -> tuple[_Contact, tuple[Told, ...]]:
    """Return the contact after an edge, and what to report; everything due before `t` was reported already."""
    if closed == contact.closed:  # an edge between the two was lost, so the contact changed too briefly to matter
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
        return _mark_as_loose(contact, t)
    if contact.phase is _Phase.OPEN:
        contact = replace(contact, phase=_Phase.CLOSING, first=t, fresh=quiet >= timing.fresh)
    return contact, ()


def _steady(contact: _Contact, t: float, timing: DebounceTiming) -> bool:
    """Return whether a finger held the contact until the edge at `t`: quiet before, little bounce, then no edge."""
    down = contact.closed and contact.fresh and contact.phase in (_Phase.DOWN, _Phase.HELD)
    return down and contact.since - contact.first <= timing.burst and t - contact.since >= timing.steady


def _mark_as_loose(contact: _Contact, t: float) -> tuple[_Contact, tuple[Told, ...]]:
    """Return the contact marked as loose. A press that was held steadily and not reported yet is reported first."""
    name, good = contact.name, contact.good
    press = (Press(name, good),) if contact.phase is _Phase.DOWN and good == contact.first else ()
    return replace(contact, phase=_Phase.LOOSE), (*press, Broken(name, t, Ailment.LOOSE, good))


def _within_a_second(bursts: tuple[float, ...], t: float, length: float) -> Iterator[float]:
    yield from (burst for burst in bursts if t - burst < 1.0)
    if not bursts or t - bursts[-1] > length:
        yield t


def _next_change(contact: _Contact, timing: DebounceTiming) -> float:
    """Return when the contact changes without another edge; infinity if only an edge can change it."""
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
    """Return when the contact will have been closed for long enough.

    Infinity if it is not known to stay closed until then.
    """
    return max(contact.since, due, contact.again) if due <= contact.known else math.inf


def _advance(contact: _Contact, t: float) -> tuple[_Contact, tuple[Told, ...]]:
    """Return the contact after its change at `t`, at which it was due without an edge, and what to report."""
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
            # If it has become quiet and is closed, that is not a press, but it may turn out to be stuck.
            phase, told = _Phase.HELD if closed else _Phase.OPEN, Mended(name, t)
            contact = replace(contact, first=contact.since, bursts=())
        case _Phase.STUCK, False:
            told = Mended(name, t)
    return replace(contact, phase=phase), () if told is None else (told,)
