"""What view of the calibration sheet is wanted next: pure, from the views so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.game.notice import Notice
from referee.vision.geometry.calibration_sheet import DetectedSheet
from referee.vision.geometry.lens_calibration import TILTED_DEG, Size, tilt_deg

STILL = 0.7 / 2304
"""In picture widths: a sheet that moved less between two pictures is held still."""
NEAR = 0.17
"""The sheet's middle must come so near to where it is wanted, in parts of the picture."""
LEAN_DEG = TILTED_DEG + 4.0


@dataclass(frozen=True, slots=True)
class TargetView:
    """A view: where the sheet's middle is to lie, in parts of the picture, and whether it is to lean."""

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
    """Asks for one view after the other; takes a view once the sheet is there and held still."""

    def __init__(self, size_px: Size, focal: float | None = None, wanted: tuple[TargetView, ...] = WANTED) -> None:
        self.views: list[DetectedSheet] = []
        self._size_px, self._focal, self._wanted = size_px, focal, wanted
        self._before: DetectedSheet | None = None

    @property
    def done(self) -> bool:
        """Whether all views were taken."""
        return len(self.views) == len(self._wanted)

    @property
    def asks(self) -> Notice:
        """What asks for the next view."""
        number = len(self.views) + 1
        return Notice("box.show_view", number=number, total=len(self._wanted), where=self._wanted[number - 1].where)

    def offer(self, seen: DetectedSheet | None) -> Notice | None:
        """What is still wrong with a picture's view; None where it was taken."""
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
    """How far the points that both views show have moved, in pixels (median)."""
    earlier = {tuple(p): px for p, px in zip(before.points_mm.tolist(), before.pixels, strict=True)}
    ways = [
        np.linalg.norm(px - earlier[tuple(p)])
        for p, px in zip(now.points_mm.tolist(), now.pixels, strict=True)
        if tuple(p) in earlier
    ]
    return float(np.median(ways)) if ways else np.inf
