"""What somebody at a screen does before a match: look through the camera, try the panel, enrol the box, set, start."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from referee.devices.panel.debounce import Told
from referee.devices.wiring.pins import PinMap
from referee.game.notice import Notice
from referee.table.input.requests import (
    AddTile,
    BeginMatch,
    CalibrateLens,
    Configure,
    Decide,
    EnrolBox,
    LookThrough,
    NameTile,
    TryAgain,
    TryPanel,
    Wish,
)
from referee.table.looking.vision_worker import Worker
from referee.table.output.presenter import Presenter
from referee.table.preparation.camera_view import EVERY_S, Viewed, look_through
from referee.table.preparation.enrolment import Enrolment
from referee.table.preparation.lens_at_a_screen import LensCalibration
from referee.table.preparation.panel_test import PanelTest, outside_test
from referee.table.preparation.prepared import CameraView, Prepared
from referee.table.surroundings import Surroundings

ONLY_BEFORE = Notice("setup.only_before")
NOT_HERE = Notice("setup.not_here")
ENROLLING = Notice("setup.enrolling")
NO_PART = Notice("setup.no_part")


class AtAScreen:
    """Takes wishes that are about the preparations; all of them only before a match."""

    def __init__(
        self, pins: PinMap, worker: Worker, presenter: Presenter, out: Surroundings, enrolment: Enrolment,
        start: Callable[[], Notice | None], names: Sequence[str],
    ) -> None:  # fmt: skip
        """`names` are those on the buttons; `start` does what the start button does, and gives why it cannot."""
        self._worker, self._presenter, self._out, self._start = worker, presenter, out, start
        self._enrolment = enrolment
        self.lens = LensCalibration(out.optician, worker, presenter)
        self._test = PanelTest(pins, names, presenter, out.monotonic)
        self._view: CameraView | None = None
        self._looked = -math.inf
        self._views = 0
        self._told = Prepared()

    def wished(self, wish: Wish, *, lobby: bool) -> Notice | None:
        """Somebody wants something; gives why that cannot be, None where it was done."""
        if not lobby:
            return ONLY_BEFORE
        told: Notice | None = None
        match wish:
            case Configure() | TryAgain() | BeginMatch() if self._enrolment.under_way:
                told = ENROLLING
            case Configure() | TryAgain():
                configure, changes = self._out.configure, wish.changes if isinstance(wish, Configure) else None
                told = NOT_HERE if configure is None else configure(changes)
            case Decide():
                told = NOT_HERE  # this table stands: nothing waits to be decided
            case LookThrough():
                told = self._look()
            case TryPanel(name):
                told = self._try(name)
            case EnrolBox(step):
                told = self._enrolment.wished(step, self._out.monotonic(), lobby=lobby)
            case NameTile():
                told = self._enrolment.named(wish, self._out.monotonic())
            case AddTile():
                told = self._enrolment.add_tile(wish, self._out.monotonic())
            case CalibrateLens(step):
                told = ENROLLING if self._enrolment.under_way else self.lens.wished(step)
            case BeginMatch():
                self._test.ends()
                told = self._start()
        return told

    def heard(self, tellings: Iterable[Told]) -> list[Told]:
        """What contacts tell that is no part of a test."""
        return outside_test(self._test, tellings)

    def stop(self) -> None:
        """Presses mean again what they do."""
        self._test.ends()

    def viewed(self, came: Viewed) -> None:
        """The worker has looked through the camera."""
        self._views += 1
        self._view = CameraView(self._views, came.seen)

    def show(self, *, lobby: bool) -> None:
        """Tell what there is to be seen, where that is something else than before."""
        if not lobby:
            self._test.ends()
            if not self._enrolment.under_way:
                self._enrolment.forget()
            self.lens.stop()
            self._view = None
        self._test.over()
        now = Prepared(self._view, self._test.shown, self._enrolment.shown, self.lens.shown)
        before = self._told
        if now.view is not before.view or (now.panel, now.lens) != (before.panel, before.lens) or _other(now, before):
            self._told = now
            self._presenter.prepares(now)

    def _look(self) -> Notice | None:
        now, inspect = self._out.monotonic(), self._out.inspect
        if inspect is None:
            return NOT_HERE
        if now - self._looked >= EVERY_S and not self._worker.sent:
            self._looked = now
            self._worker.send(lambda: look_through(self._worker.any_picture, inspect))
        return None

    def _try(self, name: str | None) -> Notice | None:
        if name is None:
            self._test.ends()
            return None
        return None if self._test.tries(name) else NO_PART


def _other(now: Prepared, before: Prepared) -> bool:
    """Whether an enrolment shows something else; its pictures are not compared, they have a number."""
    if now.box is None or before.box is None:
        return now.box is not before.box
    one, other = now.box, before.box
    return (one.sheet, one.tiles, one.told, one.busy, one.under_way, one.left) != (
        other.sheet, other.tiles, other.told, other.busy, other.under_way, other.left
    )  # fmt: skip
