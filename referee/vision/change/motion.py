"""Whether anything moves on the table, judged by small pictures, and whether the camera has moved.

The camera has moved if the corners of the play area appear elsewhere in the picture. Reads and views from above are in
millimetres of the table, so they stay valid if the camera is bumped; but a picture taken while it swings must not be
judged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.sighting import Floats, Image, Sighting

Gray = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Area = tuple[float, float, float, float]
"""A part of a picture: left, top, width and height, as fractions of the picture's width and height."""

# Unless a comment names a source, these values were chosen by hand, not fitted. They must exceed camera noise and yet
# not miss a moved tile; tests/vision/change checks both on rendered pictures.
STEP = 18.0
"""Grey levels by which a pixel must differ; noise is below this."""
BRIGHT = 120.0
"""In pictures whose white is darker than this level, the step is proportionally smaller,"""
NOISE = 5.0
"""but it is at least this many times the picture's noise."""
LEAST_STEP = 5.0
"""The least step in any picture, however dark."""
BLOCK_PX = 11
"""Side of the blocks in which differing pixels are counted, in pixels: about a tile's width in the small picture."""
PIXELS = 12
"""The least number of differing pixels in a block that makes a change: a tile moved by half a digit's height."""
CLOSE_PX = 1152
"""Width in pixels of the colour pictures for the closer comparison. Exchanging two tiles, even two of one number,
makes three times as much difference there."""
AREAS = 12
"""More changed areas than this are not told apart; a hand over the table is one or two."""
MARGIN_MM = 65.0
"""Millimetres outside the markers' centres up to which tiles of the table may reach."""
MOVED = 3.5 / 2304
"""In picture widths: more than noise moves a marker while another is hidden; two millimetres on the table."""
STEADY = 1.5 / 2304
"""In picture widths: the camera is at rest if two successive pictures differ by less than this."""


def close(picture: Image) -> Image:
    """Return a picture (H, W, 3) reduced for a quick comparison in which two tiles can still be told apart."""
    size = (CLOSE_PX, max(1, round(picture.shape[0] * CLOSE_PX / picture.shape[1])))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def differs(before: Gray | Image, after: Gray | Image, within: Mask | None = None) -> bool:
    """Return whether something on the table changed between two pictures of one size, (h, w) or (h, w, 3).

    A change of light that is the same everywhere does not count, nor does anything outside the mask `within` (h, w).
    """
    return before.shape != after.shape or bool(_counts(before, after, within).max() >= PIXELS)


def changed_areas(before: Gray, after: Gray, within: Mask | None = None) -> tuple[Area, ...]:
    """Return where two grey pictures (h, w) of one size differ, the largest area first, at most `AREAS` of them.

    Areas that touch are one. Changes count as in `differs`; for pictures of different sizes there are no areas.
    """
    if before.shape != after.shape:
        return ()
    changed = np.asarray(_counts(before, after, within) >= PIXELS, np.uint8)
    joined = cv2.dilate(changed, np.ones((BLOCK_PX, BLOCK_PX), np.uint8))
    found = cv2.connectedComponentsWithStats(joined)[2][1:]  # the first is what has not changed
    boxes = sorted(([int(edge) for edge in box[:4]] for box in found), key=lambda box: -box[2] * box[3])
    height, width = before.shape
    return tuple((x / width, y / height, w / width, h / height) for x, y, w, h in boxes[:AREAS])


def _counts(before: Gray | Image, after: Gray | Image, within: Mask | None) -> Gray:
    """Return for each pixel how many in its block differ between two pictures of one size."""
    difference = cv2.subtract(after, before, dtype=cv2.CV_16S)
    light = np.atleast_1d(np.median(difference[::4, ::4], axis=(0, 1))).astype(np.float64)
    step = _step(before, difference, light)
    within_light = np.asarray(cv2.inRange(difference, tuple(light - step), tuple(light + step)), np.uint8)
    beyond = np.asarray(within_light == 0, np.uint8)
    if within is not None and within.shape == before.shape[:2]:
        beyond *= within
    # A block has fewer pixels than a byte can count.
    return np.asarray(cv2.boxFilter(beyond, -1, (BLOCK_PX, BLOCK_PX), normalize=False), np.uint8)


def _step(
    before: Gray | Image, difference: npt.NDArray[np.integer | np.floating], light: npt.NDArray[np.float64]
) -> float:
    """Return by how many levels pixels must differ in a picture as bright as this one."""
    white = float(np.quantile(before[::8, ::8], 0.99))
    if white >= BRIGHT:
        return STEP
    # What people change is less than half of a picture, so the median is noise.
    noise = 1.5 * float(np.median(np.abs(difference[::8, ::8] - light)))
    return float(np.clip(NOISE * noise, max(LEAST_STEP, STEP * white / BRIGHT), STEP))


def play_area(outline: Floats, full: tuple[int, int], small: tuple[int, int], table_mm: tuple[float, float]) -> Mask:
    """Return the mask (h, w) of where tiles of the table may lie.

    `outline` (4, 2) are the corners of the play area in the full picture, top left first. Sizes are (height, width).
    """
    width, height = table_mm
    corners = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    outwards = np.sign(corners - corners.mean(axis=0)) * np.float32(MARGIN_MM)
    view = cv2.getPerspectiveTransform(corners, np.asarray(outline, np.float32))
    wider = cv2.perspectiveTransform((corners + outwards)[None], view)[0]
    scale = np.asarray([small[1] / full[1], small[0] / full[0]], np.float32)
    mask = np.zeros(small, np.uint8)
    cv2.fillConvexPoly(mask, np.round(wider * scale).astype(np.int32), 1)
    return mask.astype(bool)


@dataclass(frozen=True, slots=True)
class Stillness:
    """The state after each small picture: the picture, and since when nothing has moved (monotonic seconds)."""

    latest: Gray | None = None
    since: float = 0.0
    changes: int = 0
    """How often something has moved; the table is unchanged as long as this number is."""

    def after_picture(self, picture: Gray, t: float, within: Mask | None = None) -> Stillness:
        """Return the state after a picture taken at `t` (monotonic seconds)."""
        if self.latest is not None and not differs(self.latest, picture, within):
            return replace(self, latest=picture)
        return Stillness(picture, t, self.changes + 1)

    def still_for(self, t: float) -> float:
        """Return the seconds without a change up to `t`; 0 before the first picture."""
        return 0.0 if self.latest is None else max(0.0, t - self.since)


@dataclass(frozen=True, slots=True)
class Stand:
    """Where the play area appears: its corners (4, 2) in pictures of `size` (height, width)."""

    outline: Floats
    size: tuple[int, int]

    @classmethod
    def from_sighting(cls, sighting: Sighting, size: tuple[int, int]) -> Stand | None:
        """Return the stand in a sighting; None if it shows no marked table."""
        return None if sighting.outline_px is None else cls(sighting.outline_px, size)

    def differs(self, other: Stand, by: float = MOVED) -> bool:
        """Return whether any corner of two stands differs by more than `by` picture widths."""
        if self.size != other.size:
            return True
        way = np.linalg.norm(self.outline - other.outline, axis=1)
        return bool(not np.isfinite(way).all() or way.max() > by * max(self.size))
