"""What the camera sees of the table, measured once: markers and their cards, the camera's pose, light, glare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.doctor.measure import Patch, Spot, patch, spots
from referee.errors import CannotJudge
from referee.game.notice import Notice, told_by
from referee.vision.geometry.markers import IDS, NEEDED, SQUARE_MM, find_markers, locate, marker_centre
from referee.vision.geometry.pose import Lens, Pose, fit_squares, homography_pose
from referee.vision.sighting import Image

CORNERS = (
    Notice("doctor.corner_top_left"),
    Notice("doctor.corner_top_right"),
    Notice("doctor.corner_bottom_right"),
    Notice("doctor.corner_bottom_left"),
)
"""The corners at which the markers lie, by their numbers."""

SIZE_OFF, SIZE_WRONG = 0.04, 0.08
"""Fractions by which the table may differ from the settings. Its size is measured by the markers' own size: to 1.5 %,
or to 3.7 % through a lens with as much distortion as those of cheap USB cameras (k1 of -0.1)."""


CAUGHT_WRONGLY = 0.08
"""Fraction by which a marker may differ in size from the others, seen from straight above."""


@dataclass(frozen=True, slots=True)
class View:
    """One picture of the table, measured; `pose` is None without three markers in their places."""

    size_px: tuple[int, int]
    table_mm: tuple[float, float]
    markers: Mapping[int, npt.NDArray[np.float32]]
    trouble: Notice | None = None
    pose: Pose | None = None
    found_mm: tuple[float, float] | None = None
    """The table's size as measured by the markers; None if fewer than four are seen."""
    turned_deg: Mapping[int, float] | None = None
    patches: Mapping[int, Patch] | None = None
    spots: tuple[Spot, ...] = ()

    @property
    def missing_markers(self) -> tuple[int, ...]:
        """The markers that are not seen."""
        return tuple(i for i in IDS if i not in self.markers)


def measure_view(picture: Image, table_mm: tuple[float, float], lens: Lens | None = None) -> View:
    """Measure what one picture (H, W, 3) BGR shows about camera and light; `lens` is the lens, if it is known."""
    size = picture.shape[1], picture.shape[0]
    ours = {i: corners for i, corners in sorted(find_markers(picture).items()) if i in IDS}
    patches = {i: one for i, corners in ours.items() if (one := patch(picture, corners)) is not None}
    if len(ours) < NEEDED or markers_are_swapped(ours):
        return View(size, table_mm, ours, _trouble(picture, table_mm, ours), patches=patches)
    turned, found, poor = _cards(ours, table_mm)
    patches = {i: one for i, one in patches.items() if i not in poor}
    actual = found if found is not None and off_by(found, table_mm) > SIZE_OFF else table_mm
    pose = _pose(ours, actual, lens or Lens.usual(*size))
    bright = {i: one.white for i, one in patches.items()}
    seen = () if pose is None or not bright else spots(picture, pose, actual, bright)
    return View(size, table_mm, ours, None, pose, found, turned, patches, seen)


def off_by(found: tuple[float, float], wanted: tuple[float, float]) -> float:
    """Return by what fraction two sizes differ, in the direction in which they differ more."""
    return max(abs(a / b - 1) for a, b in zip(found, wanted, strict=True))


def _trouble(
    picture: Image, table_mm: tuple[float, float], ours: Mapping[int, npt.NDArray[np.float32]]
) -> Notice | None:
    if len(ours) >= NEEDED:
        return None
    try:
        locate(picture, table_mm)
    except CannotJudge as error:
        return told_by(error) if not ours else None
    return None


def markers_are_swapped(ours: Mapping[int, npt.NDArray[np.float32]]) -> bool:
    """Return whether the markers do not follow each other clockwise, so that two must have changed places."""
    centres = [marker_centre(corners) for _, corners in sorted(ours.items())]
    ahead = [b - a for a, b in zip(centres, centres[1:] + centres[:1], strict=True)]
    return any(float(a[0] * b[1] - a[1] * b[0]) <= 0 for a, b in zip(ahead, ahead[1:] + ahead[:1], strict=True))


def places_of(table_mm: tuple[float, float]) -> list[tuple[float, float]]:
    """Return where the centres of the markers belong, mm."""
    width, height = table_mm
    return [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]


def _pose(ours: Mapping[int, npt.NDArray[np.float32]], table_mm: tuple[float, float], lens: Lens) -> Pose | None:
    order = sorted(ours)
    places = [places_of(table_mm)[i] for i in order]
    try:
        pose = homography_pose(lens, places, [marker_centre(ours[i]) for i in order])
        return fit_squares(pose, places, [ours[i] for i in order], SQUARE_MM)
    except (ValueError, cv2.error):
        return None


def _cards(
    ours: Mapping[int, npt.NDArray[np.float32]], table_mm: tuple[float, float]
) -> tuple[dict[int, float], tuple[float, float] | None, frozenset[int]]:
    """Return each marker's turn in degrees, the table's size by the markers, and the markers outlined wrongly.

    The distortion of the lens is left out: what the markers show of it depends on the very size that is measured.
    """
    order = sorted(ours)
    places = np.asarray([places_of(table_mm)[i] for i in order], np.float32)
    centres = np.asarray([marker_centre(ours[i]) for i in order], np.float32)
    if len(order) == len(IDS):
        flat = cv2.getPerspectiveTransform(centres, places)
    else:
        flat = np.vstack([cv2.getAffineTransform(centres, places), [0, 0, 1]])
    turned, sides = {}, []
    for i in order:
        square = cv2.perspectiveTransform(ours[i].reshape(-1, 1, 2).astype(np.float64), flat)[:, 0]
        right = (square[1] + square[2] - square[0] - square[3]) / 2
        below = (square[2] + square[3] - square[0] - square[1]) / 2
        turned[i] = float(np.degrees(np.arctan2(right[1], right[0])))
        lengths = [float(np.hypot(*right)), float(np.hypot(*below))]
        sides.append(lengths[::-1] if round(turned[i] / 90) % 2 else lengths)
    # Sometimes the inner rim of a blurred marker is outlined, which is a sixth smaller; all cards are of one size.
    usual = np.median(sides, axis=0)
    off = np.abs(np.asarray(sides) / usual - 1).max(axis=1)
    poor = frozenset(i for i, by in zip(order, off, strict=True) if by > CAUGHT_WRONGLY)
    if len(order) < len(IDS):
        return turned, None, poor
    width, height = (side * SQUARE_MM / float(seen) for side, seen in zip(table_mm, usual, strict=True))
    return turned, (width, height), poor
