"""Connects a calibration of the lens with a screen, the worker and the presenter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.errors import RefereeError
from referee.game.notice import Notice, told_by
from referee.table.input.requests import LensStep
from referee.table.looking.vision_worker import Worker
from referee.table.output.presenter import Presenter
from referee.table.preparation.enrol_steps import Instruction, Wanted
from referee.table.preparation.lens_steps import (
    BEGIN,
    STILL,
    STOPPED,
    LensLearnt,
    Measuring,
    Optician,
    SheetSeen,
    shift_between,
)
from referee.table.preparation.prepared import LensShown
from referee.vision.geometry.calibration_sheet import DetectedSheet, cards_mm, find_sheet, printed_scale
from referee.vision.geometry.lens_calibration import Size, StrayView
from referee.vision.sighting import Image

NOT_HERE = Notice("setup.not_here")
NONE_BEGUN = Notice("lens.none_begun")


class LensCalibration:
    """Runs calibrations of the lens, at most one at a time."""

    def __init__(self, optician: Optician | None, worker: Worker, presenter: Presenter) -> None:
        self._optician, self._worker, self._presenter = optician, worker, presenter
        self._under_way: Measuring | None = None
        self._last: Measuring | None = None
        """The last calibration that ended well."""
        self._told: Instruction | None = None

    @property
    def screen_view(self) -> LensShown | None:
        """What a screen shows of the calibration; None if there is none."""
        one = self._under_way or self._last
        if one is None:
            return None
        under_way, told = self._under_way is not None, self._told or Instruction(None)
        left = one.remaining_notice if under_way else None
        return LensShown(under_way, one.busy, len(one.views), told.told, told.well, left, one.grid)

    def take_step(self, step: LensStep) -> Notice | None:
        """Take a step that somebody on a screen requests; return why that is impossible."""
        optician, one = self._optician, self._under_way
        if optician is None:
            return NOT_HERE
        if step is LensStep.BEGIN:
            self._under_way, self._last = Measuring(optician.focal), None
            self._say(Instruction(BEGIN))
            return None
        if one is None:
            return NONE_BEGUN
        if step is LensStep.STOP:
            self.stop()
            self._presenter.say(STOPPED)
            return None
        steps = {LensStep.PICTURE: one.picture, LensStep.BACK: one.undo_last_picture, LensStep.LEARN: one.learns}
        done = steps[step]()
        self._do(one, done, optician)
        return None if done.well else done.told

    def take_result(self, result: SheetSeen | LensLearnt) -> None:
        """Continue a calibration with the result of an errand."""
        one, optician = self._under_way, self._optician
        if one is not None and optician is not None and one.busy:
            self._do(
                one, one.take_picture(result) if isinstance(result, SheetSeen) else one.handle_lens(result), optician
            )

    def stop(self) -> None:
        """Stop the calibration without a result."""
        self._under_way = self._last = None

    def _do(self, one: Measuring, instruction: Instruction, optician: Optician) -> None:
        self._say(instruction)
        if instruction.wanted is Wanted.END:
            self._under_way, self._last = None, one
        elif instruction.wanted is Wanted.PICTURE:
            self._worker.send(lambda: find_still_sheet(self._worker.any_picture))
        elif instruction.wanted is Wanted.LEARN:
            views, size_px = tuple(one.views), one.size_px
            self._worker.send(lambda: compute_lens(optician, views, size_px))

    def _say(self, instruction: Instruction) -> None:
        if instruction.told is not None:
            (self._presenter.say if instruction.well else self._presenter.not_now)(instruction.told)
            self._told = instruction


def find_still_sheet(frame: Callable[[], Image]) -> SheetSeen:
    """Find the sheet in two successive pictures; it must have been held still.

    To be called in the worker's thread. Raises nothing: what is wrong is in the result.
    """
    try:
        before, picture = find_sheet(frame()), frame()
        seen, size_px = find_sheet(picture), (picture.shape[1], picture.shape[0])
        if seen is None:
            return SheetSeen(None)
        if before is None or shift_between(before, seen) > STILL * max(size_px):
            return SheetSeen(None, size_px, Notice("box.hold_still"))
        scale = printed_scale(cards_mm(picture, seen))
        return SheetSeen(seen, size_px, None if scale is None else Notice("lens.scale", percent=round(100 * scale)))
    except RefereeError as error:
        return SheetSeen(None, wrong=told_by(error))
    except Exception as error:  # noqa: BLE001 - a picture of a sheet must not end the program
        return SheetSeen(None, wrong=_failure_notice(error))


def compute_lens(optician: Optician, views: Sequence[DetectedSheet], size_px: Size) -> LensLearnt:
    """Compute the lens from these views; to be called in the worker's thread. Raises nothing."""
    try:
        return LensLearnt(optician.learn(views, size_px))
    except StrayView as error:
        return LensLearnt(None, told_by(error), error.index)
    except RefereeError as error:
        return LensLearnt(None, told_by(error))
    except Exception as error:  # noqa: BLE001 - as above
        return LensLearnt(None, _failure_notice(error))


def _failure_notice(error: Exception) -> Notice:
    return Notice("play.stumbled_over", error=f"{type(error).__name__}: {error}")
