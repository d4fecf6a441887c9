"""Finding the four corner markers, and the pose of the camera from them.

A marker's corners are measured by its whole pattern. Its outline alone gives a corner to 0.3 pixels, and blur moves it
outwards or inwards. Registering the whole pattern with the picture (by an affine transformation) gives the middle to
0.05 pixels. Linear light is compared, not pixel levels, because the tone curve of levels makes blurred black squares
look one percent smaller.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import CannotJudge
from referee.game.notice import Notice
from referee.vision.geometry.one_table import choose_markers
from referee.vision.geometry.pose import Lens, Pose, fit_squares, homography_pose
from referee.vision.sighting import Floats, Image
from referee.vision.threads import run_in_threads

# Chosen by hand, not fitted; models/METRICS.md has the precision of places that results from them.
WHITE_MM = 6.0
"""Width of the white paper around the square that is compared as well."""
CELLS = 6
"""Cells along the side of a marker, including its black border (DICT_4X4)."""
LEAST = 0.9
"""The pattern counts as seen from this correlation on."""
FARTHEST = 0.06
"""The largest correction of a corner, in sides of the marker; a larger one means that something else was followed."""
_FINENESS = 4
_BLUR_PX = 1.0
_LIGHT = np.asarray((np.arange(256) / 255.0) ** 2.2 * 255.0, np.float32)
_STOP = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 25, 1e-5)


def align_marker(grey: Image, corners: npt.NDArray[np.float32], number: int) -> npt.NDArray[np.float32]:
    """Return more exact corners (4, 2) of marker `number` of DICT_4X4_50 in a grey picture (H, W).

    `corners` themselves are returned if the pattern is not seen well enough, being half covered or mirroring a lamp.
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
    except cv2.error:  # nothing was found that could be compared
        return corners
    better = np.asarray(own @ turn[:, :2].T + turn[:, 2] + low, np.float32)
    if seen < LEAST or float(np.linalg.norm(better - corners, axis=1).max()) > FARTHEST * side:
        return corners
    return better


@functools.lru_cache(maxsize=64)
def _pattern(number: int, side_px: int) -> tuple[Floats, Floats]:
    """Return a marker on white paper, its square `side_px` wide, as (h, w) float32, and its corners (4, 2) in that."""
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


IDS = (0, 1, 2, 3)
"""The ids of the corner markers: top left, then clockwise."""
NEEDED = 3
"""How many of them must be seen: three points of a plane determine the pose."""
SQUARE_MM = 40.0
"""The side of a marker's black square, as `referee print` draws it."""
_OTHERS = {
    "DICT_5X5_250": cv2.aruco.DICT_5X5_250,
    "DICT_6X6_250": cv2.aruco.DICT_6X6_250,
    "DICT_7X7_250": cv2.aruco.DICT_7X7_250,
    "DICT_ARUCO_ORIGINAL": cv2.aruco.DICT_ARUCO_ORIGINAL,
    "DICT_APRILTAG_36h11": cv2.aruco.DICT_APRILTAG_36h11,
}


@dataclass(frozen=True, slots=True)
class Located:
    """The pose of the camera, and the markers in the picture: id to corners (4, 2) in pixels, top left first."""

    pose: Pose
    corners: dict[int, npt.NDArray[np.float32]]


def grey_of(picture: Image) -> Image:
    """Return a BGR picture (H, W, 3) as grey (H, W); a grey picture is returned as it is."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _detector(dictionary: int, *, quick: bool = False) -> cv2.aruco.ArucoDetector:
    """Return a detector; a `quick` one uses one threshold instead of three, which is enough for most pictures."""
    parameters = cv2.aruco.DetectorParameters()
    if quick:
        parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax
    # A black square on a white sheet on a dark table is three nested squares: do not merge the last two.
    parameters.minMarkerDistanceRate = 0.02
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.25  # blurred cells: use only their middles
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary), parameters)


def _detect(grey: Image, detector: cv2.aruco.ArucoDetector) -> dict[int, list[npt.NDArray[np.float32]]]:
    """Return the corners (4, 2) of every marker by its id; one id may be found in several places."""
    corners, ids, _ = detector.detectMarkers(grey)
    found: dict[int, list[npt.NDArray[np.float32]]] = {}
    for i, c in zip([] if ids is None else ids.ravel(), corners, strict=False):
        found.setdefault(int(i), []).append(np.asarray(c[0], np.float32))
    return found


def find_markers(picture: Image) -> dict[int, npt.NDArray[np.float32]]:
    """Return the markers of our dictionary in a BGR or grey picture: id to corners (4, 2) in pixels.

    A reduced picture shows most of them and is four times as fast. Missing ones are then searched for more thoroughly,
    and at last in larger pictures.
    """
    return {i: min(spots, key=_skew) for i, spots in _search_markers(grey_of(picture)).items()}


def _search_markers(grey: Image) -> dict[int, list[npt.NDArray[np.float32]]]:
    """Return the markers in a grey picture: id to the corners (4, 2) in each place where it is found."""
    largest = max(grey.shape)
    scales = [s for s in (1152 / largest, 1613 / largest) if s < 0.8] + [min(1.0, 3000 / largest)]
    quick, whole = (_detector(cv2.aruco.DICT_4X4_50, quick=quick) for quick in (True, False))
    searches = [(scale, whole) for scale in scales]
    if len(scales) > 1:
        searches.insert(0, (scales[0], quick))
    found: dict[int, list[npt.NDArray[np.float32]]] = {}
    for scale, detector in searches:
        if scale == scales[-1] and len(scales) > 1 and not found:
            break  # smaller pictures showed no marker at all, so the slowest search would find none, either
        small = np.asarray(cv2.resize(grey, _scaled_size(grey, scale), interpolation=cv2.INTER_AREA), np.uint8)
        seen = _detect(small, detector)
        for i, corners in ((i, corners) for i, places in seen.items() for corners in _last_of_each(places)):
            sharp = _sharpen_corners(grey, np.asarray((corners + 0.5) / scale - 0.5, np.float32))
            spots = found.setdefault(i, [])
            same = next((k for k, other in enumerate(spots) if not _are_apart(sharp, other)), None)
            if same is None:
                spots.append(sharp)
            elif _skew(sharp) < _skew(spots[same]):
                spots[same] = sharp
        if set(IDS) <= set(found) and all(_skew(c) < 0.04 for spots in found.values() for c in spots):
            break
    return found


def _last_of_each(places: Sequence[npt.NDArray[np.float32]]) -> list[npt.NDArray[np.float32]]:
    """Return one square (4, 2) for each place, the last one of the inner and the outer edge of one marker."""
    found: list[npt.NDArray[np.float32]] = []
    for corners in places:
        found = [*(other for other in found if _are_apart(corners, other)), corners]
    return found


def _are_apart(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> bool:
    """Return whether two squares (4, 2) lie in different places, unlike the inner and the outer edge of one marker."""
    side = float(np.linalg.norm(one[1] - one[0]))
    return float(np.linalg.norm(other.mean(axis=0) - one.mean(axis=0))) > side


def _skew(corners: npt.NDArray[np.float32]) -> float:
    """Return how far a quad is from a parallelogram, in sides; large if a corner was located wrongly."""
    a, b, c, d = corners
    return float(np.linalg.norm(a + c - b - d) / max(1e-6, float(np.linalg.norm(c - a))))


def _sharpen_corners(grey: Image, corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return corners (4, 2) as intersections of lines that are fitted to the black square's edges at full resolution.

    This corrects a corner that the detector located wrongly by a tenth of a side. If an edge cannot be seen, the
    corners stay as they are.
    """
    reach = max(4.5, 0.11 * float(np.linalg.norm(corners[2] - corners[0])) / np.sqrt(2))
    steps = np.arange(-reach, reach + 0.25, 0.5, dtype=np.float32)
    along = np.roll(corners, -1, axis=0) - corners
    length = np.maximum(np.float32(1e-6), np.linalg.norm(along, axis=1, keepdims=True))
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1) / length
    inward = (outward * (corners.mean(axis=0) - corners)).sum(axis=1) > 0
    outward[inward] *= -1
    base = corners[:, None] + np.linspace(0.18, 0.82, 14, dtype=np.float32)[:, None] * along[:, None]
    spots = (base[:, :, None] + steps[:, None] * outward[:, None, None]).reshape(-1, len(steps), 2)
    x, y = cv2.split(spots)
    profile = cv2.remap(grey, x, y, cv2.INTER_LINEAR).astype(np.float32)
    rise = profile[:, 2:] - profile[:, :-2]
    peak = rise.argmax(axis=1)
    clear = (rise.max(axis=1) > 12) & (peak > 0) & (peak < rise.shape[1] - 1)
    if (clear.reshape(4, -1).sum(axis=1) < 6).any():
        return corners
    rows, inner = np.arange(len(peak)), np.clip(peak, 1, rise.shape[1] - 2)
    left, middle, right = (rise[rows, inner + k] for k in (-1, 0, 1))
    shift = 0.5 * (left - right) / np.minimum(left - 2 * middle + right, np.float32(-1e-3))
    edge = base + (steps[inner + 1] + 0.5 * shift).reshape(4, -1, 1) * outward[:, None]
    parts = (points[seen] for points, seen in zip(edge, clear.reshape(4, -1), strict=True))
    lines = np.asarray([cv2.fitLine(part, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel() for part in parts], np.float64)
    moved = _intersections(np.roll(lines, 1, axis=0), lines).astype(np.float32)
    return moved if np.abs(moved - corners).max() < 1.6 * reach else corners


def _intersections(ones: npt.NDArray[np.float64], others: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the intersections (n, 2) of pairs of lines (n, 4), each given by direction x and y and point x and y."""
    turn = ones[:, 0] * others[:, 1] - ones[:, 1] * others[:, 0]
    turn = np.where(np.abs(turn) < 1e-6, np.nan, turn)  # parallel lines meet nowhere, which is not near anything
    apart = others[:, 2:] - ones[:, 2:]
    reach = (apart[:, 0] * others[:, 1] - apart[:, 1] * others[:, 0]) / turn
    return np.asarray(ones[:, 2:] + reach[:, None] * ones[:, :2])


def marker_centre(corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Return the intersection of a marker's diagonals, given its corners (4, 2): its centre, even in perspective."""
    a, b, c, d = corners.astype(np.float64)
    matrix = np.stack([c - a, b - d], 1)
    return np.asarray(a + (c - a) * np.linalg.solve(matrix, b - a)[0])


def locate(picture: Image, table_mm: tuple[float, float], lens: Lens | None = None) -> Located | None:
    """Return the pose from the markers around a play area of `table_mm` (width, depth), in a BGR or grey picture.

    Returns None for a picture without any markers. Raises CannotJudge if there are markers, but not three of ours, or
    if they show two tables.
    """
    grey = grey_of(picture)
    found = _search_markers(grey)
    spots = {i: places for i, places in found.items() if i in IDS}
    if not spots:
        foreign = _foreign(grey, found)
        if foreign is not None:
            raise CannotJudge(foreign)
        return None
    if len(spots) < NEEDED:
        listed = ", ".join(map(str, sorted(spots)))
        raise CannotJudge(Notice("reading.too_few_markers", needed=NEEDED, found=len(spots), markers=listed))
    width, height = table_mm
    places = {0: (0.0, 0.0), 1: (width, 0.0), 2: (width, height), 3: (0.0, height)}
    repeated = sorted(i for i, there in spots.items() if len(there) > 1)
    chosen = None if len(repeated) >= NEEDED else choose_markers(spots, places, SQUARE_MM, NEEDED)
    if chosen is None and repeated:
        raise CannotJudge(Notice("reading.two_tables", markers=", ".join(map(str, repeated))))
    if chosen is None:
        raise CannotJudge(Notice("reading.odd_markers", width=width, height=height))
    lens = lens or Lens.usual(picture.shape[1], picture.shape[0])
    order = sorted(chosen)
    ours = dict(zip(order, run_in_threads(lambda i: align_marker(grey, chosen[i], i), order), strict=True))
    try:
        pose = homography_pose(lens, [places[i] for i in order], [marker_centre(ours[i]) for i in order])
        pose = fit_squares(pose, [places[i] for i in order], [ours[i] for i in order], SQUARE_MM)
    except (ValueError, cv2.error) as error:
        raise CannotJudge(Notice("reading.odd_markers", width=width, height=height)) from error
    return Located(pose, ours)


def _scaled_size(grey: Image, scale: float) -> tuple[int, int]:
    """Return width and height of a smaller picture, each at least one pixel."""
    return max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale))


def _foreign(grey: Image, found: Collection[int]) -> Notice | None:
    """Return a notice if there are at least two other markers; a single one may be a pattern found by chance."""
    if len(found) >= 2:
        return Notice("reading.foreign_ids", found=", ".join(map(str, sorted(found))))
    scale = min(1.0, 1600 / max(grey.shape))
    small = np.asarray(cv2.resize(grey, _scaled_size(grey, scale), interpolation=cv2.INTER_AREA), np.uint8)
    for name, dictionary in _OTHERS.items():
        others = _detect(small, _detector(dictionary))
        if len(others) >= 2:
            return Notice("reading.foreign_markers", found=name)
    return None
