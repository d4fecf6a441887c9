"""The panel: buttons that report their edges, and lamps and a buzzer that are switched.

A panel has no thread and no timer of its own. What changes by itself, blinking lamps and the notes of a tune, changes
in `tick()`, and `next_due()` is the moment for that: the turn clock and the debouncer work the same way, so that the
loop has one timer for all, and tests need not wait. gpiozero's own blinking would start a thread for each lamp.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from referee.devices.panel.lights import Lights, Playing, Tune
from referee.devices.wiring.pins import PinMap

OnEdge = Callable[[str, bool, float], None]
"""Called with every raw edge: the contact's name, whether it closed, and when. May be called in another thread."""
Now = Callable[[], float]

HISTORY = 1000
SILENCE: Tune = ()


class Panel(Protocol):
    """Whatever has buttons, lamps and a buzzer."""

    def closed_contacts(self) -> frozenset[str]:
        """Names of the contacts that are closed now."""

    def show(self, lights: Lights) -> None:
        """Show these lamps from now on."""

    def play(self, tune: Tune) -> None:
        """Play a tune instead of whatever sounds; `SILENCE` ends it."""

    def next_due(self) -> float | None:
        """The moment at which `tick` has something to do; None while nothing blinks or sounds."""

    def tick(self) -> None:
        """Bring lamps and buzzer up to date."""

    def close(self) -> None:
        """Switch everything off and release the pins; no edge is reported any more."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a panel shows at one moment: the lit lamps, the lit part of the bar, the display, and the note in hertz."""

    lit: frozenset[str] = frozenset()
    bar: float = 0.0
    text: str = ""
    hertz: float | None = None

    def __str__(self) -> str:
        lamps = " ".join(sorted(self.lit)) or "dark"
        return f"[{lamps}]" + ("" if self.hertz is None else f" {self.hertz:.0f} Hz")


class Timed:
    """What all panels share: lamps and a tune over time, passed on as moments, each only when it differs."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self._lights = Lights()
        self._playing = Playing(SILENCE, 0.0)
        self._shown = Moment()

    def show(self, lights: Lights) -> None:
        """Show these lamps from now on."""
        self._lights = lights
        self.tick()

    def play(self, tune: Tune) -> None:
        """Play a tune instead of whatever sounds."""
        self._playing = Playing(tune, self._now())
        self.tick()

    def next_due(self) -> float | None:
        """The moment at which `tick` has something to do; None while nothing blinks or sounds."""
        t = self._now()
        if self._moment(t) != self._shown:
            return t
        changes = (self._lights.next_change(t), self._playing.next_change(t))
        return min((change for change in changes if change is not None), default=None)

    def tick(self) -> None:
        """Bring lamps and buzzer up to date."""
        before, self._shown = self._shown, self._moment(self._now())
        if self._shown != before:
            self._put(before, self._shown)

    def _moment(self, t: float) -> Moment:
        return Moment(self._lights.lit_lamps(t), self._lights.bar, self._lights.text, self._playing.note(t))

    def _put(self, before: Moment, now: Moment) -> None:
        """Show the moment `now`, which differs from the one `before`."""
        raise NotImplementedError


class RecordingPanel(Timed):
    """A panel without hardware that keeps its last moments, and writes each as a line if `write` is given.

    Its buttons are pressed by `edge`.
    """

    def __init__(self, pins: PinMap, now: Now, on_edge: OnEdge, write: Callable[[str], None] | None = None) -> None:
        super().__init__(now)
        self._contacts, self._on_edge, self._write = pins.contacts, on_edge, write
        self._closed: set[str] = set()
        self._over = False
        self.history: deque[tuple[float, Moment]] = deque([(now(), Moment())], maxlen=HISTORY)
        """Since when it showed what."""

    def edge(self, contact: str, closed: bool, ago_s: float = 0.0) -> None:
        """Close or open a contact, as a finger would, or did `ago_s` seconds ago.

        Raises KeyError where there is none of that name.
        """
        if contact not in self._contacts:
            raise KeyError(contact)
        if self._over:
            return
        (self._closed.add if closed else self._closed.discard)(contact)
        self._on_edge(contact, closed, self._now() - ago_s)

    def closed_contacts(self) -> frozenset[str]:
        """Names of the contacts that are closed now."""
        return frozenset(self._closed)

    def close(self) -> None:
        """Switch everything off; no edge is reported any more."""
        self.play(SILENCE)
        self.show(Lights())
        self._closed.clear()
        self._over = True

    def _put(self, before: Moment, now: Moment) -> None:
        self.history.append((self._now(), now))
        # The clock alone would be a line every second.
        if self._write is not None and (before.lit, before.hertz) != (now.lit, now.hertz):
            self._write(str(now))
