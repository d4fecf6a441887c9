"""Computing a camera's lens from several views of one flat sheet, and checking the views. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.errors import BadInput
from referee.game.notice import Notice, as_notice
from referee.vision.geometry.calibration_sheet import DetectedSheet
from referee.vision.geometry.pose import Lens, Pose, homography_pose
from referee.vision.sighting import Doubles

Size = tuple[int, int]

# Chosen by hand, not fitted: no real camera has been calibrated yet. Tests check on rendered views that good series of
# views pass these limits and poor ones do not.
FEWEST_VIEWS = 8
GRID = (6, 4)
"""The fields into which the picture is divided to measure coverage: across and down."""
COVERED = 0.6
"""A point of a sheet must have been seen in at least this share of the fields."""
APART = 0.06
"""Two views differ if the middles of the sheet are this far apart, in parts of the picture's width,"""
TURNED_DEG = 6.0
"""or if the sheet is tilted or turned by this much."""
TILTED_DEG = 12.0
"""At least one view must be tilted by this much: sheets that face the camera do not determine the focal length."""
RESIDUAL = 0.5 / 2304
"""The largest residual, in picture widths; bent or blurred sheets have more."""
STRAY = 3.0
"""A view is reported if its residual is more than this many times the others'."""
FOCAL_OFF = 0.01
"""The largest standard deviation of the focal length, as a share of it."""
WIDE = 0.55
"""Lenses with a shorter focal length than this, in picture widths, distort so much that they need another term."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A lens, and how well it is known: residual (rms), share of the picture covered, number of views."""

    lens: Lens
    size_px: Size
    residual_px: float
    residual_mm: float
    coverage: float
    views: int
    focal_deviation: float
    """Standard deviation of the focal length, as a share of it."""


class StrayView(BadInput):
    """One view has a far larger residual than the others, which may be sufficient without it."""

    def __init__(self, told: Notice, index: int) -> None:
        """`index` is the index of that view."""
        super().__init__(told)
        self.index = index


def calibrate_lens(
    views: Sequence[DetectedSheet], size_px: Size, names: Sequence[str] = (), focal: float | None = None
) -> Calibration:
    """Compute the lens from views of one sheet in pictures of `size_px` (width, height).

    `names` are the names of the pictures, for messages; `focal` is the expected focal length in picture widths. Raises
    BadInput with a notice if the views are not good enough, or StrayView if that is due to one of them.
    """
    named = [*map(as_notice, names), *(Notice("lens.view", number=i + 1) for i in range(len(names), len(views)))]
    start = _start(size_px, focal)
    poses = [homography_pose(start, view.points_mm, view.pixels) for view in views]
    _enough(views, poses, size_px)
    objects = [np.column_stack([v.points_mm, np.zeros(len(v.points_mm))]).astype(np.float32) for v in views]
    pixels = [v.pixels.astype(np.float32) for v in views]
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO
    flags |= 0 if start.focal_px < WIDE * max(size_px) else cv2.CALIB_FIX_K3
    try:
        rms, matrix, bent, _, _, known, _, misses = cv2.calibrateCameraExtended(
            objects, pixels, size_px, start.matrix, np.zeros(5), flags=flags
        )
    except cv2.error as error:
        raise BadInput(Notice("lens.no_lens")) from error
    missed = np.asarray(misses, np.float64).ravel()
    _flat(float(rms), missed, named, size_px[0])
    k1, k2, p1, p2, k3 = (float(k) for k in np.asarray(bent).ravel()[:5])
    lens = Lens(float(matrix[0, 0]), (float(matrix[0, 2]), float(matrix[1, 2])), k1, (k2, p1, p2, k3), 0.0)
    deviation = float(np.asarray(known).ravel()[0]) / lens.focal_px
    if deviation > FOCAL_OFF:
        raise BadInput(Notice("lens.loose", wanted=round(100 * FOCAL_OFF), found=100 * deviation))
    _check_no_fold(lens, size_px)
    scale = float(np.median([_px_per_mm(view) for view in views]))
    return Calibration(lens, size_px, float(rms), float(rms) / scale, coverage(views, size_px), len(views), deviation)


def coverage(views: Sequence[DetectedSheet], size_px: Size) -> float:
    """Return the share of the picture's fields in which a point of a sheet was seen."""
    return float(fields(views, size_px).mean())


def fields(views: Sequence[DetectedSheet], size_px: Size) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return for each field of the picture (rows, columns) whether a point of a sheet was seen there."""
    seen = np.zeros(GRID[::-1], bool)
    for view in views:
        cells = np.floor(view.pixels / np.asarray(size_px) * GRID).astype(int)
        inside = ((cells >= 0) & (cells < GRID)).all(axis=1)
        seen[cells[inside, 1], cells[inside, 0]] = True
    return seen


def tilt_deg(view: DetectedSheet, size_px: Size, focal: float | None = None) -> float:
    """Return the angle in degrees by which the sheet is tilted from facing the camera."""
    turn = _turn(homography_pose(_start(size_px, focal), view.points_mm, view.pixels))
    return float(np.degrees(np.arccos(np.clip(turn[2, 2], -1, 1))))


def alike(one: DetectedSheet, other: DetectedSheet, size_px: Size, focal: float | None = None) -> bool:
    """Return whether two views have the same place, tilt and turn, so that one of them adds nothing."""
    start = _start(size_px, focal)
    turns = [_turn(homography_pose(start, v.points_mm, v.pixels)) for v in (one, other)]
    return _alike(turns, [v.pixels.mean(axis=0) for v in (one, other)], size_px)


def _turn(pose: Pose) -> Doubles:
    return np.asarray(cv2.Rodrigues(pose.rotation)[0], np.float64)


def _alike(turns: Sequence[Doubles], middles: Sequence[Doubles], size_px: Size) -> bool:
    between = float(np.linalg.norm(cv2.Rodrigues(turns[0] @ turns[1].T)[0]))
    way = float(np.linalg.norm(middles[0] - middles[1]))
    return way < APART * max(size_px) and np.degrees(between) < TURNED_DEG


def _start(size_px: Size, focal: float | None) -> Lens:
    usual = Lens.usual(*size_px)
    return usual if focal is None else Lens(focal * max(size_px), usual.centre_px)


def _enough(views: Sequence[DetectedSheet], poses: Sequence[Pose], size_px: Size) -> None:
    """Raise BadInput if the views cannot determine a lens, before anything is computed from them."""
    if len(views) < FEWEST_VIEWS:
        raise BadInput(Notice("lens.few", least=FEWEST_VIEWS, found=len(views)))
    turns = [_turn(pose) for pose in poses]
    middles = [view.pixels.mean(axis=0) for view in views]
    differing: list[int] = []
    for i in range(len(views)):
        if not any(_alike((turns[i], turns[j]), (middles[i], middles[j]), size_px) for j in differing):
            differing.append(i)
    if len(differing) < FEWEST_VIEWS:
        raise BadInput(Notice("lens.all_alike", least=FEWEST_VIEWS, found=len(differing), total=len(views)))
    share = coverage(views, size_px)
    if share < COVERED:
        raise BadInput(Notice("lens.uncovered", wanted=round(100 * COVERED), found=round(100 * share)))
    leaning = max(float(np.degrees(np.arccos(np.clip(turn[2, 2], -1, 1)))) for turn in turns)
    if leaning < TILTED_DEG:
        raise BadInput(Notice("lens.flat", wanted=round(TILTED_DEG), found=round(leaning)))


def _flat(rms: float, missed: Doubles, names: Sequence[Notice], width: int) -> None:
    limit = RESIDUAL * width
    worst = int(missed.argmax())
    others = float(np.median(missed))
    if rms <= limit and missed[worst] <= max(limit, STRAY * others):
        return
    if missed[worst] > STRAY * others:
        raise StrayView(Notice("lens.stray", wanted=limit, found=rms, picture=names[worst]), worst)
    raise BadInput(Notice("lens.bent", wanted=limit, found=rms))


def _check_no_fold(lens: Lens, size_px: Size) -> None:
    """Raise BadInput if the lens folds the picture over itself, because too little of the picture was covered."""
    centre = np.asarray(lens.centre_px)
    corners = np.asarray([(0, 0), (size_px[0], 0), size_px, (0, size_px[1])], np.float64)
    reach = float(np.linalg.norm(corners - centre, axis=1).max()) / lens.focal_px
    r2 = np.linspace(0, 1.1 * reach, 60) ** 2
    k2, _, _, k3 = lens.others
    if (1 + 3 * lens.k1 * r2 + 5 * k2 * r2**2 + 7 * k3 * r2**3).min() <= 0.2:
        raise BadInput(Notice("lens.folded"))


def _px_per_mm(view: DetectedSheet) -> float:
    turn = np.linalg.inv(view.to_sheet)
    middle = view.points_mm.mean(axis=0)
    near = cv2.perspectiveTransform(np.asarray([[middle], middle + np.asarray([[10.0, 0.0]])], np.float64), turn)[:, 0]
    return float(np.linalg.norm(near[1] - near[0])) / 10.0
