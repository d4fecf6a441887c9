"""What somebody at a screen does before a match: look through the camera, try the panel, enrol the box, set, start.

Start held three times in a row before a match gives the page another PIN, whatever else is going on then. Whoever has
a PIN that leaked can test the panel or begin an enrolment, and presses mean something else meanwhile. The holds are
counted before all that, so that those at the table are never kept from another one.

While the panel is tried, lamps and tones go on as asked for; presses are shown and mean nothing else.
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
"""So often in a row start is held."""
LASTS_S = 90.0
"""How long after somebody has tried something presses have no other meaning."""


class AtAScreen:
    """Takes the requests that are about the preparations; each of them comes only before a match."""

    def __init__(
        self, pins: PinMap, worker: Worker, presenter: Presenter, out: Surroundings, enrolment: Enrolment,
        names: Sequence[str],
    ) -> None:  # fmt: skip
        """`names` are those on the buttons."""
        self._worker, self._presenter, self._out = worker, presenter, out
        self._enrolment = enrolment
        self.lens = LensCalibration(out.optician, worker, presenter)
        self._test = PanelTest(pins, names, presenter, out.monotonic)
        self._view: CameraView | None = None
        self._looked = -math.inf
        self._views = 0
        self._told = Prepared()

    def configure(self, request: Configure | TryAgain) -> Notice | None:
        """Have all of it built anew, with other settings or the same; return why that cannot be."""
        configure, changes = self._out.configure, request.changes if isinstance(request, Configure) else None
        return NOT_HERE if configure is None else configure(changes)

    def look_through_camera(self) -> Notice | None:
        """Show the camera's picture once more; return why that cannot be."""
        now, inspect = self._out.monotonic(), self._out.inspect
        if inspect is None:
            return NOT_HERE
        if now - self._looked >= EVERY_S and not self._worker.has_errand:
            self._looked = now
            self._worker.send(lambda: look_through(self._worker.any_picture, inspect))
        return None

    def try_panel(self, name: str) -> Notice | None:
        """Try the part of the panel with this name, or with an empty one see presses; return why that cannot be."""
        return None if self._test.try_part(name) else NO_PART

    def end_panel_test(self) -> None:
        """Let presses mean again what they do."""
        self._test.end()

    def calibrate_lens(self, step: LensStep) -> Notice | None:
        """Do a step of a calibration of the lens; return why that cannot be."""
        return ENROLLING if self._enrolment.under_way else self.lens.take_step(step)

    def handle_contact(self, contact: Told) -> bool:
        """Show a press as part of a test of the panel; return False if none is under way."""
        return self._test.handle_contact(contact)

    def show_view(self, viewed: Viewed) -> None:
        """Keep what the worker has seen through the camera."""
        self._views += 1
        self._view = CameraView(self._views, viewed.seen)

    def show(self, *, lobby: bool) -> None:
        """Tell what there is to be seen, where that is something else than before."""
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
    """Whether an enrolment shows something else; its pictures are not compared, they have a number."""
    if now.box is None or before.box is None:
        return now.box is not before.box
    one, other = now.box, before.box
    return (one.sheet, one.tiles, one.told, one.busy, one.under_way, one.left) != (
        other.sheet, other.tiles, other.told, other.busy, other.under_way, other.left
    )  # fmt: skip


class AnotherPin:
    """Counts how often start was held in a row."""

    def __init__(self, pin: PinOfPage | None, presenter: Presenter, now: Callable[[], float]) -> None:
        self._pin, self._presenter, self._now = pin, presenter, now
        self._times, self._last = 0, -math.inf

    @property
    def possible(self) -> bool:
        """Whether the page asks for one."""
        return self._pin is not None and self._pin.on_display() is not None

    def handle_contact(self, contact: Told) -> bool:
        """Count a hold of start; return whether it was the third one, so that there is another PIN."""
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
