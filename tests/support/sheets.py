"""Views of the calibration sheets through a known lens: as points, and as pictures."""

import cv2
import numpy as np

from referee.vision.geometry.calibration_sheet import CELL_MM, CHARUCO, COLUMNS, ROWS, DetectedSheet, board
from referee.vision.geometry.pose import Lens, Pose

SIZE = (1152, 648)
LENS = Lens(0.77 * 1152, (577.0, 325.5), -0.05, (0.02, 0.0006, -0.0004, 0.0), 0.0)
MIDDLE_MM = np.asarray([COLUMNS * CELL_MM / 2, ROWS * CELL_MM / 2])

PLACES = [(0, 0), (-270, -110), (0, -110), (270, -110), (270, 0), (270, 110), (0, 110), (-270, 110), (-270, 0)]
TILTS = [(25, 0), (-25, 0), (0, 25), (0, -25)]


def pose(at=(0.0, 0.0), tilt=(0.0, 0.0), turn=90.0, far=700.0, lens=LENS):
    """The sheet's middle `at` mm beside the camera's axis, leaning by two angles, turned in its plane; degrees."""
    lean = cv2.Rodrigues(np.radians([tilt[0], tilt[1], 0.0]))[0]
    spin = cv2.Rodrigues(np.radians([0.0, 0.0, float(turn)]))[0]
    rotation = lean @ spin
    shift = np.asarray([*at, far]) - rotation @ np.asarray([*MIDDLE_MM, 0.0])
    return Pose(lens, cv2.Rodrigues(rotation)[0].ravel(), shift)


def poses(lens=LENS):
    """A good series: nine places, four tilts; each turned a little differently."""
    flat = [pose(at, (3, -2), 90 + 4 * i, lens=lens) for i, at in enumerate(PLACES)]
    return flat + [pose((20 * i, 10), tilt, 88 + 3 * i, lens=lens) for i, tilt in enumerate(TILTS)]


def seen(view, noise=0.08, seed=0, size=SIZE, lift=None):
    """What of the sheet is in the picture; `lift` (mm, from points) bends the sheet out of its plane."""
    points = np.asarray(board().getChessboardCorners(), np.float64)[:, :2]
    heights = np.zeros(len(points)) if lift is None else lift(points)
    pixels = view.project(np.column_stack([points, heights]))
    pixels += np.random.default_rng(seed).normal(0, noise, pixels.shape)
    inside = ((pixels > 2) & (pixels < np.asarray(size) - 3)).all(axis=1)
    return DetectedSheet(CHARUCO, points[inside], pixels[inside])


def series(lens=LENS, noise=0.08, lift=None):
    return [seen(view, noise, i, lift=lift) for i, view in enumerate(poses(lens))]


def sheet_picture(margin_mm=15.0, px_per_mm=4.0):
    """The ChArUco sheet on white paper, and where its first corner lies in that picture."""
    width, height = round(COLUMNS * CELL_MM * px_per_mm), round(ROWS * CELL_MM * px_per_mm)
    drawn = board().generateImage((width, height), marginSize=0)
    edge = round(margin_mm * px_per_mm)
    return cv2.copyMakeBorder(drawn, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=255), margin_mm, px_per_mm


def grown(coarse, times):
    """A smooth map (h, w, 2), `times` as fine; its rim goes on as it went, which cv2.resize alone does not do."""
    for axis in (0, 1):
        first, last = (np.take(coarse, [i], axis) for i in (0, -1))
        second, before = (np.take(coarse, [i], axis) for i in (1, -2))
        coarse = np.concatenate([2 * first - second, coarse, 2 * last - before], axis)
    fine = cv2.resize(coarse, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR)
    return fine[times:-times, times:-times]


def photograph(view, sheet=None, size=SIZE, ground=90):
    """A BGR picture (H, W, 3) of a sheet (picture, margin, pixels per mm) lying in its plane, through a lens."""
    picture, margin, scale = sheet or sheet_picture()
    fine, step = 2, 8  # the lens is smooth: every eighth pixel tells where the others look
    x, y = np.meshgrid(
        (np.arange(size[0] // step) + 0.5) * step - 0.5, (np.arange(size[1] // step) + 0.5) * step - 0.5
    )
    plane = view.to_plane(np.stack([x.ravel(), y.ravel()], 1), 0.0)
    coarse = ((plane + margin) * scale - 0.5).astype(np.float32).reshape(*x.shape, 2)
    at = grown(coarse, fine * step)
    large = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderValue=ground)
    small = cv2.GaussianBlur(cv2.resize(large, size, interpolation=cv2.INTER_AREA), (0, 0), 0.6)
    noisy = small + np.random.default_rng(1).normal(0, 1.5, small.shape)
    return cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)
