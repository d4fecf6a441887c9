"""What somebody at a screen does before a match: look through the camera, try the panel, enrol the box, set, start."""

from __future__ import annotations

import math
from collections.abc import Sequence

from referee.devices.panel.debounce import Told
from referee.devices.wiring.pins import PinMap
from referee.game.notice import Notice
from referee.table.input.requests import Configure, LensStep, TryAgain
from referee.table.looking.vision_worker import Worker
from referee.table.output.presenter import Presenter
from referee.table.preparation.camera_view import EVERY_S, Viewed, look_through
from referee.table.preparation.enrolment import Enrolment
from referee.table.preparation.lens_at_a_screen import LensCalibration
from referee.table.preparation.panel_test import PanelTest
from referee.table.preparation.prepared import CameraView, Prepared
from referee.table.surroundings import Surroundings

NOT_HERE = Notice("setup.not_here")
ENROLLING = Notice("setup.enrolling")
NO_PART = Notice("setup.no_part")


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
        if now - self._looked >= EVERY_S and not self._worker.sent:
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
        now = Prepared(self._view, self._test.shown, self._enrolment.shown, self.lens.shown)
        before = self._told
        if now.view is not before.view or (now.panel, now.lens) != (before.panel, before.lens) or _other(now, before):
            self._told = now
            self._presenter.prepares(now)


def _other(now: Prepared, before: Prepared) -> bool:
    """Whether an enrolment shows something else; its pictures are not compared, they have a number."""
    if now.box is None or before.box is None:
        return now.box is not before.box
    one, other = now.box, before.box
    return (one.sheet, one.tiles, one.told, one.busy, one.under_way, one.left) != (
        other.sheet, other.tiles, other.told, other.busy, other.under_way, other.left
    )  # fmt: skip
