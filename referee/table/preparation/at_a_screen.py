"""What somebody on a screen does before a match: view the camera, test the panel, enrol the box, change settings.

If start is held three times in a row before a match, the page gets a new PIN, whatever else is going on. Somebody who
knows the old PIN could test the panel or begin an enrolment, during which presses mean something else. The holds are
therefore counted first, so that the people at the table can always set a new PIN.

During a test of the panel, lamps are lit and tones are played on request; presses are only shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.devices.panel.debounce import Down, Press, Told
from referee.devices.panel.lights import Lights
from referee.devices.panel.self_test import screen_test_steps, self_test_steps
from referee.devices.wiring.pins import PAUSE, PinMap
from referee.game.notice import Notice
from referee.table.input.buttons import ONCE_MORE_S
from referee.table.input.requests import Configure, LensStep, TryAgain
from referee.table.looking.vision_worker import Worker
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue
from referee.table.preparation.enrolment import Enrolment
from referee.table.preparation.lens_at_a_screen import LensCalibration
from referee.table.preparation.prepared import EVERY_S, CameraView, PanelTried, Prepared, Viewed, look_through
from referee.table.surroundings import PinOfPage, Surroundings

NOT_HERE = Notice("setup.not_here")
ENROLLING = Notice("setup.enrolling")
NO_PART = Notice("setup.no_part")
TIMES = 3
"""How many times in a row start must be held."""
LASTS_S = 90.0
"""Seconds after the last request of a test of the panel in which presses are only shown."""


class AtAScreen:
    """Handles the requests for preparations, which come only before a match."""

    def __init__(
        self, pins: PinMap, worker: Worker, presenter: Presenter, out: Surroundings, enrolment: Enrolment,
        names: Sequence[str],
    ) -> None:  # fmt: skip
        """`names` are the names at the buttons."""
        self._worker, self._presenter, self._out = worker, presenter, out
        self._enrolment = enrolment
        self.lens = LensCalibration(out.optician, worker, presenter)
        self._test = PanelTest(pins, names, presenter, out.monotonic)
        self._view: CameraView | None = None
        self._looked = -math.inf
        self._views = 0
        self._told = Prepared()

    def configure(self, request: Configure | TryAgain) -> Notice | None:
        """Have the table built anew, with other settings or the same; return why that is impossible."""
        configure, changes = self._out.configure, request.changes if isinstance(request, Configure) else None
        return NOT_HERE if configure is None else configure(changes)

    def look_through_camera(self) -> Notice | None:
        """Show a new picture of the camera; return why that is impossible."""
        now, inspect = self._out.monotonic(), self._out.inspect
        if inspect is None:
            return NOT_HERE
        if now - self._looked >= EVERY_S and not self._worker.has_errand:
            self._looked = now
            self._worker.send(lambda: look_through(self._worker.any_picture, inspect))
        return None

    def try_panel(self, name: str) -> Notice | None:
        """Test the part of the panel with this name, or show presses if it is empty; return why that is impossible."""
        return None if self._test.try_part(name) else NO_PART

    def end_panel_test(self) -> None:
        """End the test of the panel, so that presses have their usual meanings again."""
        self._test.end()

    def calibrate_lens(self, step: LensStep) -> Notice | None:
        """Take a step of a calibration of the lens; return why that is impossible."""
        return ENROLLING if self._enrolment.under_way else self.lens.take_step(step)

    def handle_contact(self, contact: Told) -> bool:
        """Show a press as part of a test of the panel; return False if none is under way."""
        return self._test.handle_contact(contact)

    def show_view(self, viewed: Viewed) -> None:
        """Keep the result of a view through the camera."""
        self._views += 1
        self._view = CameraView(self._views, viewed.seen)

    def show(self, *, lobby: bool) -> None:
        """Show the preparations if anything about them has changed; `lobby`: whether the table waits for a match."""
        if not lobby:
            self._test.end()
            if not self._enrolment.under_way:
                self._enrolment.forget()
            self.lens.stop()
            self._view = None
        self._test.end_if_idle()
        now = Prepared(self._view, self._test.shown, self._enrolment.screen_view, self.lens.screen_view)
        before = self._told
        if (
            now.view is not before.view
            or (now.panel, now.lens) != (before.panel, before.lens)
            or _differs(now, before)
        ):
            self._told = now
            self._presenter.prepares(now)


def _differs(now: Prepared, before: Prepared) -> bool:
    """Return whether an enrolment shows something else. Its pictures are not compared, only their number `sheet`."""
    if now.box is None or before.box is None:
        return now.box is not before.box
    one, other = now.box, before.box
    return (one.sheet, one.tiles, one.told, one.busy, one.under_way, one.left) != (
        other.sheet, other.tiles, other.told, other.busy, other.under_way, other.left
    )  # fmt: skip


class AnotherPin:
    """Sets a new PIN for the page after start was held several times in a row."""

    def __init__(self, pin: PinOfPage | None, presenter: Presenter, now: Callable[[], float]) -> None:
        self._pin, self._presenter, self._now = pin, presenter, now
        self._times, self._last = 0, -math.inf

    @property
    def possible(self) -> bool:
        """Whether the page has a PIN."""
        return self._pin is not None and self._pin.on_display() is not None

    def handle_contact(self, contact: Told) -> bool:
        """Count start being held; return whether this was the third time in a row and a new PIN was set."""
        if self._pin is None or not isinstance(contact, Press) or contact.contact != PAUSE:
            return False
        now = self._now()
        soon, self._last = now - self._last <= ONCE_MORE_S, now
        self._times = (self._times if soon else 0) + 1 if contact.long else 0
        new = self._pin.new_pin() if self._times >= TIMES else None
        if new is None:
            return False
        self._times = 0
        self._presenter.confide(new)
        self._presenter.play(Cue.LONG)
        self._presenter.display(self._pin.on_display())
        return True


class PanelTest:
    """The test of the panel; at most one is under way."""

    def __init__(self, pins: PinMap, names: Sequence[str], presenter: Presenter, now: Callable[[], float]) -> None:
        """`names` are the names at the buttons."""
        self._steps = screen_test_steps(pins, names) if pins.kind == "page" else self_test_steps(pins)
        self._kind = pins.kind
        self._presenter, self._now = presenter, now
        self._until: float | None = None
        self.shown: PanelTried | None = None
        """What the test shows; None if no test is under way."""

    def try_part(self, name: str) -> bool:
        """Light a lamp or sound a tone, or with an empty name wait for presses; return whether that part exists."""
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
        """End the test, so that presses have their usual meanings again; return whether one was under way."""
        tested, self.shown, self._until = self.shown is not None, None, None
        if tested:
            self._presenter.tried = None
            self._presenter.panel.play(())
        return tested

    def handle_contact(self, contact: Told) -> bool:
        """Show a press; return False if no test is under way, or if the event is about a loose wire."""
        if self.shown is None or not isinstance(contact, Down | Press):
            return False
        if isinstance(contact, Down):
            self.shown = replace(self.shown, pressed=self.shown.pressed | {contact.contact})
        return True

    def end_if_idle(self) -> bool:
        """End the test if nothing was requested for `LASTS_S` seconds; return whether it has ended for that reason."""
        return self._until is not None and self._now() >= self._until and self.end()
