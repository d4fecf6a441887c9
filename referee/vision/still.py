"""Whether anything moves on the table, told from small grey pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

Gray = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

STEP = 18
"""Grey levels by which a pixel must differ; noise of a dim picture stays below."""
BLOCK_PX = 11
PIXELS = 12
"""Differing pixels within one block that make a change: a tile shifted by half a digit's height."""


def differs(before: Gray, after: Gray, within: Mask | None = None) -> bool:
    """Whether something on the table has changed between two grey pictures (h, w) of the same size.

    Light that grows or fades all over is no change, nor is what happens outside the mask `within` (h, w).
    """
    if before.shape != after.shape:
        return True
    difference = cv2.subtract(after.astype(np.int16), before.astype(np.int16))
    difference -= np.int16(np.median(difference[::4, ::4]))
    beyond = (np.abs(difference) > STEP).astype(np.float32)
    if within is not None and within.shape == before.shape:
        beyond *= within
    return bool(cv2.boxFilter(beyond, -1, (BLOCK_PX, BLOCK_PX), normalize=False).max() >= PIXELS)


def play_area(corners: npt.NDArray[np.float32], full: tuple[int, int], small: tuple[int, int]) -> Mask:
    """The mask (h, w) of what lies between the markers: their centres (n, 2) in the full picture, sizes as (h, w)."""
    scale = np.asarray([small[1] / full[1], small[0] / full[0]], np.float32)
    hull = cv2.convexHull((corners * scale).astype(np.float32)).astype(np.int32)
    mask = np.zeros(small, np.uint8)
    cv2.fillConvexPoly(mask, hull, 1)
    return mask.astype(bool)


@dataclass(frozen=True, slots=True)
class Stillness:
    """What is known after each small picture: the latest one, and since when nothing has moved (monotonic s)."""

    latest: Gray | None = None
    since: float = 0.0
    changes: int = 0
    """How often something has moved; two moments with the same number show the same table."""

    def seen(self, picture: Gray, t: float, within: Mask | None = None) -> Stillness:
        """After a picture taken at `t`."""
        if self.latest is not None and not differs(self.latest, picture, within):
            return replace(self, latest=picture)
        return Stillness(picture, t, self.changes + 1)

    def still_for(self, t: float) -> float:
        """Seconds without a change up to `t`; 0 before the first picture."""
        return 0.0 if self.latest is None else max(0.0, t - self.since)
