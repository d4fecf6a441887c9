"""The panel tried from a screen, before a match: lamps and tones as asked for, presses seen and without meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.devices.panel.debounce import Down, Press, Told
from referee.devices.panel.lights import Lights
from referee.devices.panel.self_test import screen_test_steps, self_test_steps
from referee.devices.wiring.pins import PinMap
from referee.table.output.presenter import Presenter
from referee.table.preparation.prepared import PanelTried

LASTS_S = 90.0
"""How long after somebody has tried something presses have no other meaning."""


class PanelTest:
    """At most one test at a time."""

    def __init__(self, pins: PinMap, names: Sequence[str], presenter: Presenter, now: Callable[[], float]) -> None:
        """`names` are those on the buttons."""
        self._steps = screen_test_steps(pins, names) if pins.kind == "page" else self_test_steps(pins)
        self._kind = pins.kind
        self._presenter, self._now = presenter, now
        self._until: float | None = None
        self.shown: PanelTried | None = None
        """None while nothing is tested."""

    def try_part(self, name: str) -> bool:
        """Light a lamp, sound a tone, or with an empty name wait for presses; return whether there is such a part."""
        step = next((one for one in self._steps if one.name == name), None)
        if step is None and name:
            return False
        before = self.shown
        pressed = frozenset[str]() if before is None else before.pressed
        self.shown = PanelTried(self._steps, name or None, pressed, self._kind)
        self._until = self._now() + LASTS_S
        self._presenter.tried = Lights() if step is None else step.lights
        self._presenter.panel.play(() if step is None else step.tune)
        return True

    def end(self) -> bool:
        """Let presses mean again what they do; return whether anything was tested."""
        tested, self.shown, self._until = self.shown is not None, None, None
        if tested:
            self._presenter.tried = None
            self._presenter.panel.play(())
        return tested

    def handle_contact(self, contact: Told) -> bool:
        """Show a press; return False if no test is under way, or for a loose wire, which is reported all the same."""
        if self.shown is None or not isinstance(contact, Down | Press):
            return False
        if isinstance(contact, Down):
            self.shown = replace(self.shown, pressed=self.shown.pressed | {contact.contact})
        return True

    def end_if_idle(self) -> bool:
        """End the test if nobody has tried anything for a while; return whether it has ended so."""
        return self._until is not None and self._now() >= self._until and self.end()
