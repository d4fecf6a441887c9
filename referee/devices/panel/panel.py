"""The interface of a panel: buttons that report their edges, and lamps and a buzzer that are switched.

A panel has no thread and no timer of its own. Blinking lamps and the notes of a tune change only in `tick()`, and
`next_due()` says when to call it. The turn clock and the debouncer work in the same way, so that the event loop needs
only one timer, and tests need not wait. gpiozero's own blinking would start a thread for each lamp.
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
    """A device with buttons, lamps and a buzzer."""

    def closed_contacts(self) -> frozenset[str]:
        """Return the names of the contacts that are closed now."""

    def show(self, lights: Lights) -> None:
        """Show these lamps from now on."""

    def play(self, tune: Tune) -> None:
        """Play a tune in place of the present one; `SILENCE` ends it."""

    def next_due(self) -> float | None:
        """Return the next moment at which `tick` has something to do; None while nothing blinks or sounds."""

    def tick(self) -> None:
        """Bring lamps and buzzer up to date."""

    def close(self) -> None:
        """Switch everything off and release the pins; no edge is reported after that."""


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
    """The base of all panels: it turns lamps and a tune into moments, and passes on each moment that differs."""

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
        """Play a tune in place of the present one."""
        self._playing = Playing(tune, self._now())
        self.tick()

    def next_due(self) -> float | None:
        """Return the next moment at which `tick` has something to do; None while nothing blinks or sounds."""
        t = self._now()
        if self._moment(t) != self._shown:
            return t
        changes = (self._lights.next_change(t), self._playing.next_change(t))
        return min((change for change in changes if change is not None), default=None)

    def tick(self) -> None:
        """Bring lamps and buzzer up to date."""
        before, self._shown = self._shown, self._moment(self._now())
        if self._shown != before:
            self._show_moment(before, self._shown)

    def _moment(self, t: float) -> Moment:
        return Moment(self._lights.lit_lamps(t), self._lights.bar, self._lights.text, self._playing.note(t))

    def _show_moment(self, before: Moment, now: Moment) -> None:
        """Show the moment `now`, which differs from the previous moment `before`."""
        raise NotImplementedError


class RecordingPanel(Timed):
    """A panel without hardware. It keeps its last moments, and writes each as a line if `write` is given.

    Its buttons are pressed by `edge`.
    """

    def __init__(self, pins: PinMap, now: Now, on_edge: OnEdge, write: Callable[[str], None] | None = None) -> None:
        super().__init__(now)
        self._contacts, self._on_edge, self._write = pins.contacts, on_edge, write
        self._closed: set[str] = set()
        self._over = False
        self.history: deque[tuple[float, Moment]] = deque([(now(), Moment())], maxlen=HISTORY)
        """The latest moments shown, each with the time since when."""

    def edge(self, contact: str, closed: bool, ago_s: float = 0.0) -> None:
        """Close or open a contact, as if a finger had done that `ago_s` seconds ago.

        Raises KeyError if there is no contact of that name.
        """
        if contact not in self._contacts:
            raise KeyError(contact)
        if self._over:
            return
        (self._closed.add if closed else self._closed.discard)(contact)
        self._on_edge(contact, closed, self._now() - ago_s)

    def closed_contacts(self) -> frozenset[str]:
        """Return the names of the contacts that are closed now."""
        return frozenset(self._closed)

    def close(self) -> None:
        """Switch everything off; no edge is reported after that."""
        self.play(SILENCE)
        self.show(Lights())
        self._closed.clear()
        self._over = True

    def _show_moment(self, before: Moment, now: Moment) -> None:
        self.history.append((self._now(), now))
        # If only the clock changes, nothing is written: that would be a line every second.
        if self._write is not None and (before.lit, before.hertz) != (now.lit, now.hertz):
            self._write(str(now))
