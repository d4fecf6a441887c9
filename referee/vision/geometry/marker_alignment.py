"""A marker's corners measured again, by all of its pattern instead of its outline alone.

The outline gives a corner to 0.3 pixels, and blur shifts it outwards or inwards. The whole pattern, laid over the
picture (an affine registration), gives the middle to 0.05 pixels. Light is compared, not the levels of a picture,
whose tone curve makes blurred black squares smaller by one percent.
"""

from __future__ import annotations

import functools

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.sighting import Floats, Image

SQUARE_MM = 40.0
WHITE_MM = 6.0
"""Width of the white paper around the square that is compared as well."""
CELLS = 6
LEAST = 0.9
"""The correlation from which the pattern counts as seen."""
FARTHEST = 0.06
"""The largest move of a corner, in sides; one that moves more follows something else."""
_FINENESS = 4
_BLUR_PX = 1.0
_LIGHT = np.asarray((np.arange(256) / 255.0) ** 2.2 * 255.0, np.float32)
_STOP = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 25, 1e-5)


def align_marker(grey: Image, corners: npt.NDArray[np.float32], number: int) -> npt.NDArray[np.float32]:
    """Return better corners (4, 2) of marker `number` of DICT_4X4_50 in a grey picture (H, W).

    `corners` themselves are returned where the pattern is not seen well enough: half covered, or mirroring a lamp.
    """
    side = float(np.mean(np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)))
    margin = round(0.4 * side)
    low = np.floor(corners.min(axis=0)).astype(int) - margin
    high = np.ceil(corners.max(axis=0)).astype(int) + margin
    low, high = np.maximum(low, 0), np.minimum(high, [grey.shape[1], grey.shape[0]])
    light = np.asarray(cv2.LUT(grey[low[1] : high[1], low[0] : high[0]], _LIGHT), np.float32)
    pattern, own = _pattern(number, max(12, round(side)))
    start = np.asarray(cv2.estimateAffine2D(own, np.asarray(corners - low, np.float32))[0], np.float32)
    everywhere = np.full(light.shape, 255, np.uint8)
    try:
        seen, turn = cv2.findTransformECC(pattern, light, start, cv2.MOTION_AFFINE, _STOP, everywhere, 1)
    except cv2.error:  # nothing there that could be compared
        return corners
    better = np.asarray(own @ turn[:, :2].T + turn[:, 2] + low, np.float32)
    if seen < LEAST or float(np.linalg.norm(better - corners, axis=1).max()) > FARTHEST * side:
        return corners
    return better


@functools.lru_cache(maxsize=64)
def _pattern(number: int, side_px: int) -> tuple[Floats, Floats]:
    """The marker on white paper, its square `side_px` wide (h, w) float32, and its corners (4, 2) in that picture."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = cv2.aruco.generateImageMarker(dictionary, number, CELLS)
    white = WHITE_MM / SQUARE_MM * side_px
    size = round(side_px + 2 * white)
    at = (np.arange(size * _FINENESS) + 0.5) / _FINENESS
    cell = np.floor((at - white) / side_px * CELLS).astype(int)
    inside = (cell >= 0) & (cell < CELLS)
    fine = np.full((len(at), len(at)), 255, np.float32)
    fine[np.ix_(inside, inside)] = cells[np.ix_(cell[inside], cell[inside])]
    drawn = cv2.resize(fine, (size, size), interpolation=cv2.INTER_AREA)
    low, high = white - 0.5, white + side_px - 0.5
    corners = np.asarray([[low, low], [high, low], [high, high], [low, high]], np.float32)
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), _BLUR_PX), np.float32), corners
