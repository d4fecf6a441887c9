"""Small pictures of the last seconds before a press, so that players can see whether somebody moved a tile.

They are the small grey pictures in which motion is detected anyway, so the camera takes none for this. They are kept
in memory only, as JPEGs of about 20 kB each, and nothing writes or sends them but the page that players ask.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.change.motion import Area, Gray, changed_areas
from referee.vision.geometry.table_view import to_unit
from referee.vision.sighting import Floats

EVERY_S = 2.0
"""Seconds between two pictures: a tile is moved and put back in no less. Chosen by hand."""
MOST = 10
"""As many pictures are kept, of the last `EVERY_S * MOST` seconds."""
WIDEST_PX = 1280
JPEG_QUALITY = 80
_SINCE_S = EVERY_S * MOST + 0.5
"""Older pictures are not shown; a little more than `MOST` pictures last, as none comes exactly on time."""


@dataclass(frozen=True, slots=True)
class PictureBefore:
    """A small grey picture as JPEG, taken `seconds` before the press.

    `areas` is where it differs from the picture before it.
    """

    jpeg: bytes
    seconds: float
    areas: tuple[Area, ...] = ()


@dataclass(frozen=True, slots=True)
class _Kept:
    jpeg: bytes
    t: float
    areas: tuple[Area, ...]


class PicturesBefore:
    """The ring buffer of one table; must not be used by two threads at once, except `keep`."""

    def __init__(self, table_mm: tuple[float, float]) -> None:
        """`table_mm`: width and depth of the play area, to show it as the page shows the picture of a look."""
        self._table_mm = table_mm
        self._kept: deque[_Kept] = deque(maxlen=MOST)
        self._last: Gray | None = None
        self._on = False

    def keep(self, on: bool) -> None:
        """Set whether pictures are kept; may be called in any thread. The next `add` deletes them if they are not."""
        self._on = on

    def add(self, picture: Gray, t: float, outline: tuple[Floats, tuple[int, int]] | None) -> None:
        """Keep a small picture that was taken up to `t` (monotonic seconds), if it is time for one.

        `outline` are the corners (4, 2) of the play area in a full picture, and the size (height, width) of that one.
        None if they are not known: then nothing is kept, because racks and people beside the table might be seen.
        """
        if not self._on:
            self.clear()
            return
        if outline is None or (self._kept and t - self._kept[-1].t < EVERY_S):
            return
        shown = self._rectify(picture, outline)
        areas = () if self._last is None else changed_areas(self._last, shown)
        self._kept.append(_Kept(_encode(shown), t, areas))
        self._last = shown

    def before(self, t: float) -> tuple[PictureBefore, ...]:
        """Return the pictures of the last seconds before the moment `t`, the oldest first."""
        kept = [one for one in self._kept if t - _SINCE_S <= one.t <= t]
        # The first has nothing to be compared with that could be shown.
        return tuple(PictureBefore(one.jpeg, t - one.t, one.areas if n else ()) for n, one in enumerate(kept))

    def clear(self) -> None:
        """Delete all pictures."""
        self._kept.clear()
        self._last = None

    @property
    def size(self) -> int:
        """The memory that is taken, in bytes."""
        return sum(len(one.jpeg) for one in self._kept) + (0 if self._last is None else self._last.nbytes)

    def _rectify(self, picture: Gray, outline: tuple[Floats, tuple[int, int]]) -> Gray:
        """Return the play area from above, no wider than WIDEST_PX."""
        high, wide = picture.shape
        corners, (full_high, full_wide) = outline
        width = min(WIDEST_PX, wide)
        height = max(1, round(width * self._table_mm[1] / self._table_mm[0]))
        here = np.asarray(corners * (wide / full_wide, high / full_high), np.float32)
        view = np.diag([width, height, 1.0]) @ to_unit(here)
        return np.asarray(cv2.warpPerspective(picture, view, (width, height), flags=cv2.INTER_LINEAR), np.uint8)


def _encode(picture: Gray) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
