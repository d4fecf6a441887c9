"""Steps of a calibration of the lens before a match. Pure: from pictures of the sheet to what is said and done next.

`Measuring` collects pictures on a screen's request. `Guide` asks for one given view after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from referee.game.notice import Notice
from referee.table.preparation.enrol_steps import BUSY, Instruction, Wanted
from referee.vision.geometry.calibration_sheet import DetectedSheet
from referee.vision.geometry.lens_calibration import (
    COVERED,
    FEWEST_VIEWS,
    GRID,
    TILTED_DEG,
    Calibration,
    Size,
    alike,
    fields,
    tilt_deg,
)

STILL = 0.7 / 2304
"""A sheet that moved less than this between two pictures was held still; in picture widths."""
NEAR = 0.17
"""The middle of the sheet must be this close to where it is wanted, as a part of the picture."""
LEAN_DEG = TILTED_DEG + 4.0
BEGIN = Notice("lens.begin")
STOPPED = Notice("lens.stopped")
NO_PICTURE = Notice("lens.no_picture")
MOST_PICTURES = 40
"""The most pictures of the sheet; a good series needs a dozen. Chosen by hand."""
PLACES = (
    ("top_left", slice(0, 1), slice(0, 2)),
    ("top", slice(0, 1), slice(2, 4)),
    ("top_right", slice(0, 1), slice(4, 6)),
    ("left", slice(1, 3), slice(0, 2)),
    ("right", slice(1, 3), slice(4, 6)),
    ("bottom_left", slice(3, 4), slice(0, 2)),
    ("bottom", slice(3, 4), slice(2, 4)),
    ("bottom_right", slice(3, 4), slice(4, 6)),
)
"""Parts of the picture by name: the rows and columns of fields that each consists of."""


@dataclass(frozen=True, slots=True)
class TargetView:
    """A view to show: where the sheet's middle must be, as parts of the picture, and whether it must be tilted."""

    where: Notice
    x: float
    y: float
    leans: bool = False


WANTED = (
    TargetView(Notice("box.view_flat"), 0.5, 0.5),
    TargetView(Notice("box.view_top_left"), 0.18, 0.25),
    TargetView(Notice("box.view_top"), 0.5, 0.25),
    TargetView(Notice("box.view_top_right"), 0.82, 0.25),
    TargetView(Notice("box.view_right"), 0.82, 0.5),
    TargetView(Notice("box.view_bottom_right"), 0.82, 0.75),
    TargetView(Notice("box.view_bottom"), 0.5, 0.75),
    TargetView(Notice("box.view_bottom_left"), 0.18, 0.75),
    TargetView(Notice("box.view_left"), 0.18, 0.5),
    TargetView(Notice("box.view_left_lifted"), 0.5, 0.5, leans=True),
    TargetView(Notice("box.view_right_lifted"), 0.5, 0.5, leans=True),
    TargetView(Notice("box.view_far_lifted"), 0.5, 0.5, leans=True),
    TargetView(Notice("box.view_near_lifted"), 0.5, 0.5, leans=True),
)


class Guide:
    """Asks for one view after the other, and takes each once the sheet is in place and held still."""

    def __init__(self, size_px: Size, focal: float | None = None, wanted: tuple[TargetView, ...] = WANTED) -> None:
        self.views: list[DetectedSheet] = []
        self._size_px, self._focal, self._wanted = size_px, focal, wanted
        self._before: DetectedSheet | None = None

    @property
    def is_done(self) -> bool:
        """Whether all views were taken."""
        return len(self.views) == len(self._wanted)

    @property
    def asks(self) -> Notice:
        """The notice that asks for the next view."""
        number = len(self.views) + 1
        return Notice("box.show_view", number=number, total=len(self._wanted), where=self._wanted[number - 1].where)

    def offer(self, seen: DetectedSheet | None) -> Notice | None:
        """Return what is still wrong with the view in a picture; None if the view was taken."""
        before, self._before = self._before, seen
        if seen is None:
            return Notice("box.no_sheet")
        if hint := self._elsewhere(seen):
            return hint
        if before is None or shift_between(before, seen) > STILL * max(self._size_px):
            return Notice("box.hold_still")
        self.views.append(seen)
        self._before = None
        return None

    def _elsewhere(self, seen: DetectedSheet) -> Notice | None:
        wanted = self._wanted[len(self.views)]
        x, y = seen.pixels.mean(axis=0) / np.asarray(self._size_px) - (wanted.x, wanted.y)
        ways = []
        if abs(x) > NEAR:
            ways.append(Notice("box.way_left" if x > 0 else "box.way_right"))
        if abs(y) > NEAR * 1.3:
            ways.append(Notice("box.way_up" if y > 0 else "box.way_down"))
        if ways:
            return Notice("box.move_sheet", ways=tuple(ways))
        if wanted.leans and tilt_deg(seen, self._size_px, self._focal) < LEAN_DEG:
            return Notice("box.lift_more")
        return None


def shift_between(before: DetectedSheet, now: DetectedSheet) -> float:
    """Return how far the points that both views show have moved: the median in pixels."""
    earlier = {tuple(p): px for p, px in zip(before.points_mm.tolist(), before.pixels, strict=True)}
    ways = [
        np.linalg.norm(px - earlier[tuple(p)])
        for p, px in zip(now.points_mm.tolist(), now.pixels, strict=True)
        if tuple(p) in earlier
    ]
    return float(np.median(ways)) if ways else np.inf


class Optician(Protocol):
    """Computes a lens and stores it."""

    @property
    def focal(self) -> float | None:
        """The focal length that the manufacturer states, in picture widths; None if unknown."""

    def learn(self, views: Sequence[DetectedSheet], size_px: Size) -> Calibration:
        """Compute the lens from these views and store it; to be called in the worker's thread.

        Raises BadInput if the views are not sufficient, or StrayView if one of them does not fit the others.
        """


@dataclass(frozen=True, slots=True)
class SheetSeen:
    """What one picture shows of the sheet; `wrong` is why it does not count."""

    seen: DetectedSheet | None
    size_px: Size = (0, 0)
    wrong: Notice | None = None


@dataclass(frozen=True, slots=True)
class LensLearnt:
    """The result of computing the lens; `stray` is the index of a view that does not fit the others."""

    found: Calibration | None
    wrong: Notice | None = None
    stray: int | None = None


@dataclass
class Measuring:
    """The state of one calibration under way."""

    focal: float | None = None
    views: list[DetectedSheet] = field(default_factory=list)
    size_px: Size = (0, 0)
    busy: bool = False

    def picture(self) -> Instruction:
        """Handle that somebody takes a picture."""
        if self.busy:
            return Instruction(BUSY, well=False)
        if len(self.views) >= MOST_PICTURES:
            return Instruction(Notice("lens.no_more_pictures", most=MOST_PICTURES), well=False)
        self.busy = True
        return Instruction(None, Wanted.PICTURE)

    def undo_last_picture(self) -> Instruction:
        """Remove the last picture."""
        if self.busy or not self.views:
            return Instruction(BUSY if self.busy else NO_PICTURE, well=False)
        self.views.pop()
        return Instruction(Notice("lens.taken_back"))

    def learns(self) -> Instruction:
        """Handle that somebody wants the lens to be computed."""
        if self.busy or not self.views:
            return Instruction(BUSY if self.busy else NO_PICTURE, well=False)
        self.busy = True
        return Instruction(None, Wanted.LEARN)

    def take_picture(self, came: SheetSeen) -> Instruction:
        """Handle the result of a picture."""
        self.busy = False
        wrong = self._wrong(came)
        if came.seen is None or wrong is not None:
            return Instruction(wrong or Notice("box.no_sheet"), well=False)
        self.views.append(came.seen)
        self.size_px = came.size_px
        return Instruction(Notice("lens.pictured", picture=len(self.views), corners=len(came.seen.pixels)))

    def handle_lens(self, came: LensLearnt) -> Instruction:
        """Handle the lens that was computed, or why it could not be."""
        self.busy = False
        if came.found is not None:
            share = round(100 * came.found.coverage)
            return Instruction(Notice("lens.known", share=share, found=came.found.residual_px), Wanted.END)
        why = came.wrong or Notice("lens.no_lens")
        if came.stray is None:
            return Instruction(why, well=False)
        del self.views[came.stray]
        return Instruction(Notice("lens.left_out", why=why), well=False)

    def _wrong(self, came: SheetSeen) -> Notice | None:
        """Return why a picture does not count; None if it does."""
        if came.wrong is not None or came.seen is None:
            return came.wrong
        if self.views and came.size_px != self.size_px:
            return Notice("lens.other_size")
        if any(alike(came.seen, one, came.size_px, self.focal) for one in self.views):
            return Notice("lens.alike")
        return None

    @property
    def grid(self) -> tuple[tuple[bool, ...], ...]:
        """For each field of the picture, row by row, whether the sheet was seen there."""
        if not self.views:
            return ((False,) * GRID[0],) * GRID[1]
        return tuple(tuple(bool(one) for one in row) for row in fields(self.views, self.size_px))

    @property
    def remaining_notice(self) -> Notice:
        """The notice of what is still missing before the lens can be computed."""
        wants = []
        if (number := FEWEST_VIEWS - len(self.views)) > 0:
            wants.append(Notice("lens.want_pictures", number=number))
        if bare := self._bare():
            wants.append(Notice("lens.want_places", places=bare))
        if max((tilt_deg(one, self.size_px, self.focal) for one in self.views), default=0.0) < TILTED_DEG:
            wants.append(Notice("lens.want_tilt"))
        return Notice("lens.left", wants=tuple(wants)) if wants else Notice("lens.enough")

    def _bare(self) -> tuple[Notice, ...]:
        """Return the parts of the picture in which no sheet was seen yet; none if enough of the picture is covered."""
        grid = self.grid
        if sum(map(sum, grid)) >= COVERED * GRID[0] * GRID[1]:
            return ()
        return tuple(
            Notice(f"box.view_{name}")
            for name, rows, columns in PLACES
            if not any(any(row[columns]) for row in grid[rows])
        )
