"""What view of the calibration sheet is wanted next: pure, from the views so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.vision.geometry.calibration_sheet import Seen
from referee.vision.geometry.lens_calibration import TILTED_DEG, Size, tilt_deg

STILL = 0.7 / 2304
"""In picture widths: a sheet that moved less between two pictures is held still."""
NEAR = 0.17
"""The sheet's middle must come so near to where it is wanted, in parts of the picture."""
LEAN_DEG = TILTED_DEG + 4.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """A view: where the sheet's middle is to lie, in parts of the picture, and whether it is to lean."""

    words: str
    x: float
    y: float
    leans: bool = False


WANTED = (
    Wanted("in the middle of the picture, flat", 0.5, 0.5),
    Wanted("in the top left corner", 0.18, 0.25),
    Wanted("at the top edge", 0.5, 0.25),
    Wanted("in the top right corner", 0.82, 0.25),
    Wanted("at the right edge", 0.82, 0.5),
    Wanted("in the bottom right corner", 0.82, 0.75),
    Wanted("at the bottom edge", 0.5, 0.75),
    Wanted("in the bottom left corner", 0.18, 0.75),
    Wanted("at the left edge", 0.18, 0.5),
    Wanted("in the middle, its left edge lifted by a hand's breadth", 0.5, 0.5, leans=True),
    Wanted("in the middle, its right edge lifted by a hand's breadth", 0.5, 0.5, leans=True),
    Wanted("in the middle, its far edge lifted by a hand's breadth", 0.5, 0.5, leans=True),
    Wanted("in the middle, its near edge lifted by a hand's breadth", 0.5, 0.5, leans=True),
)


class Guide:
    """Asks for one view after the other; takes a view once the sheet is there and held still."""

    def __init__(self, size_px: Size, focal: float | None = None, wanted: tuple[Wanted, ...] = WANTED) -> None:
        self.views: list[Seen] = []
        self._size_px, self._focal, self._wanted = size_px, focal, wanted
        self._before: Seen | None = None

    @property
    def done(self) -> bool:
        """Whether all views were taken."""
        return len(self.views) == len(self._wanted)

    @property
    def asks(self) -> str:
        """The sentence that asks for the next view."""
        number = len(self.views) + 1
        return f"View {number} of {len(self._wanted)}: show the sheet {self._wanted[number - 1].words}."

    def offer(self, seen: Seen | None) -> str | None:
        """What is still wrong with a picture's view, in one sentence; None where it was taken."""
        before, self._before = self._before, seen
        if seen is None:
            return "I do not see the sheet, or not enough of it."
        if hint := self._elsewhere(seen):
            return hint
        if before is None or _moved(before, seen) > STILL * max(self._size_px):
            return "Hold it still."
        self.views.append(seen)
        self._before = None
        return None

    def _elsewhere(self, seen: Seen) -> str:
        wanted = self._wanted[len(self.views)]
        x, y = seen.pixels.mean(axis=0) / np.asarray(self._size_px) - (wanted.x, wanted.y)
        ways = []
        if abs(x) > NEAR:
            ways.append("left" if x > 0 else "right")
        if abs(y) > NEAR * 1.3:
            ways.append("up" if y > 0 else "down")
        if ways:
            return f"Move it {' and '.join(ways)} in the picture."
        if wanted.leans and tilt_deg(seen, self._size_px, self._focal) < LEAN_DEG:
            return "Lift that edge more."
        return ""


def _moved(before: Seen, now: Seen) -> float:
    """How far the points that both views show have moved, in pixels (median)."""
    earlier = {tuple(p): px for p, px in zip(before.points_mm.tolist(), before.pixels, strict=True)}
    ways = [
        np.linalg.norm(px - earlier[tuple(p)])
        for p, px in zip(now.points_mm.tolist(), now.pixels, strict=True)
        if tuple(p) in earlier
    ]
    return float(np.median(ways)) if ways else np.inf
