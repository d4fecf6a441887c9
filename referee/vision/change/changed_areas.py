"""Where a rectified view of the table has changed since an earlier one, and the parts of it to search again."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.sighting import Floats, Image

Mask = npt.NDArray[np.bool_]

BRIGHT = 0.9
"""The part of a view that is darker than paper and tiles, which show the light best."""
LIGHT = 0.05
"""The part by which light may differ in any channel and still count as the same."""
LEAST, MOST = 4.0, 8.0
"""Levels by which 3 x 3 pixels must differ where something has changed, at least and at most; between them"""
NOISE = 4.0
"""it is this many times their average difference, to which no pixel contributes more than MOST."""
AROUND_PX = 14
"""Pixels around a change within which tiles are searched anew: half a tile;"""
CONTEXT_PX = 32
"""pixels around that which the finder looks at as well;"""
CELL_PX = 16
"""the finder's cells begin at multiples of this."""
WHOLE = 0.6
"""If the parts of a view come to this share of it, all of it is searched."""


def changed_mask(before: Image, now: Image) -> Mask | None:
    """Where (h, w) a view (h, w, 3) differs from an earlier one of its size; None where the light does."""
    gain = _light(before[::3, ::3].reshape(-1, 3), now[::3, ::3].reshape(-1, 3))
    if np.abs(gain - 1).max() > LIGHT:
        return None
    levels = np.arange(256, dtype=np.float32)[:, None] * gain
    told = cv2.LUT(before, np.clip(np.rint(levels), 0, 255).astype(np.uint8)[None])
    apart = cv2.split(cv2.absdiff(cv2.blur(now, (3, 3)), cv2.blur(told, (3, 3))))
    most = cv2.max(cv2.max(apart[0], apart[1]), apart[2])
    step = float(np.clip(NOISE * np.minimum(most[::4, ::4], MOST).mean(), LEAST, MOST))
    return np.asarray(most > step, bool)


def _light(then: Image, now: Image) -> Floats:
    """Return the factor (3,) by which light changed between pixels (n, 3): the usual one among bright pixels."""
    green = then[:, 1]
    bright = green >= np.partition(green, int(BRIGHT * len(green)))[int(BRIGHT * len(green))]
    return np.asarray(np.median((now[bright] + np.float32(1)) / (then[bright] + np.float32(1)), axis=0), np.float32)


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a view: rows `top` to `bottom`, columns `left` to `right`, the last ones not included."""

    top: int
    bottom: int
    left: int
    right: int

    def cut(self, view: Image) -> Image:
        """That part of a view."""
        return np.ascontiguousarray(view[self.top : self.bottom, self.left : self.right])

    @property
    def offset(self) -> Floats:
        """Where it begins (x, y)."""
        return np.asarray([self.left, self.top], np.float32)

    @property
    def size(self) -> int:
        """Its pixels."""
        return (self.bottom - self.top) * (self.right - self.left)


def area_to_search(mask: Mask) -> Mask:
    """Return where tiles must be searched again: around everything that has changed."""
    return cv2.dilate(mask.astype(np.uint8), np.ones((2 * AROUND_PX + 1,) * 2, np.uint8)).astype(bool)


def windows(mask: Mask) -> list[Window]:
    """Return the parts of a view that show all of `mask` (h, w) and what the finder looks at around it.

    Parts that would overlap are joined; it is the whole view where they come to most of it.
    """
    height, width = mask.shape
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    parts: list[Window] = []
    for left, top, wide, tall, _ in stats[1:count].tolist():
        part = Window(*_cells(top, top + tall, height), *_cells(left, left + wide, width))
        while beside := [other for other in parts if _overlap(part, other)]:
            parts = [other for other in parts if other not in beside]
            part = _around(part, *beside)
        parts.append(part)
    whole = Window(0, height, 0, width)
    return [whole] if sum(part.size for part in parts) > WHOLE * whole.size else parts


def _cells(low: int, high: int, size: int) -> tuple[int, int]:
    return max(0, (low - CONTEXT_PX) // CELL_PX * CELL_PX), min(size, -(-(high + CONTEXT_PX) // CELL_PX) * CELL_PX)


def _overlap(one: Window, other: Window) -> bool:
    return one.top < other.bottom and other.top < one.bottom and one.left < other.right and other.left < one.right


def _around(*parts: Window) -> Window:
    return Window(
        min(part.top for part in parts),
        max(part.bottom for part in parts),
        min(part.left for part in parts),
        max(part.right for part in parts),
    )
