"""The printed sheets for calibrating a lens, and finding them in pictures.

There are two: the ChArUco sheet (calibration/charuco-a4.svg), and the page of the four table markers before it is cut.
Places on a sheet are in millimetres, x right and y down, as `make_charuco.py` and `make_markers.py` draw them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.geometry.markers import IDS, NEEDED, SQUARE_MM, align_marker, find_markers
from referee.vision.sighting import Doubles, Image

CHARUCO, PAGE = "charuco", "markers"
COLUMNS, ROWS = 7, 10
"""The number of squares of the ChArUco sheet, across and down."""
CELL_MM, CODE_MM = 25.0, 18.0
"""The sides of its squares, and of the codes in the white ones."""
# Chosen by hand, not fitted; the printed sizes are those of the sheets.
FEWEST_CORNERS = 12
"""The least number of its 54 corners that a view must show."""
PAGE_PLACES_MM = ((45.0, 55.0), (125.0, 55.0), (125.0, 135.0), (45.0, 135.0))
"""The top left corners of the four black squares on the uncut page."""
CARD_MM, CARD_OFF = 40.0, 0.015
"""The side of a table marker beside a sheet, and the part by which it may seem to differ."""
FLAT_PX = 4.0
"""If a marker is farther than this from its place on the page, the four are not on one page but on a table."""


@dataclass(frozen=True, slots=True)
class DetectedSheet:
    """A sheet found in a picture: its name, and points (n, 2) on it in mm with their pixels (n, 2)."""

    sheet: str
    points_mm: Doubles
    pixels: Doubles

    @property
    def to_sheet(self) -> Doubles:
        """The homography (3, 3) from pixels to millimetres of the sheet, for anything in its plane."""
        return np.asarray(cv2.findHomography(self.pixels, self.points_mm)[0], np.float64)


def board() -> cv2.aruco.CharucoBoard:
    """Return the ChArUco sheet; its dictionary is not that of the table's markers, so they are not confused."""
    codes = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), CELL_MM, CODE_MM, codes)


def find_sheet(picture: Image) -> DetectedSheet | None:
    """Return the sheet in a BGR picture (H, W, 3); None if no sheet is seen well enough."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return _charuco(grey) or _page(picture, grey)


def _charuco(grey: Image) -> DetectedSheet | None:
    drawn = board()
    corners, ids, _, _ = cv2.aruco.CharucoDetector(drawn).detectBoard(grey)
    if ids is None or len(ids) < FEWEST_CORNERS:
        return None
    places = np.asarray(drawn.getChessboardCorners(), np.float64)[ids.ravel(), :2]
    if len(np.unique(places[:, 0])) < 3 or len(np.unique(places[:, 1])) < 3:
        return None
    return DetectedSheet(CHARUCO, places, np.asarray(corners, np.float64).reshape(-1, 2))


def _page(picture: Image, grey: Image) -> DetectedSheet | None:
    found = {i: align_marker(grey, c, i) for i, c in find_markers(picture).items() if i in IDS}
    if len(found) < NEEDED:
        return None
    unit = np.asarray([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * SQUARE_MM
    points = np.concatenate([unit + PAGE_PLACES_MM[i] for i in found])
    seen = DetectedSheet(PAGE, points, np.concatenate([np.asarray(c, np.float64) for c in found.values()]))
    turn = np.asarray(cv2.findHomography(points, seen.pixels)[0])
    if turn.shape != (3, 3):
        return None
    off = cv2.perspectiveTransform(points[:, None], turn)[:, 0] - seen.pixels
    return seen if float(np.abs(off).max()) < FLAT_PX else None


def cards_mm(picture: Image, seen: DetectedSheet) -> tuple[float, ...]:
    """Return the sides of table markers that lie in the sheet's plane, measured in the sheet's millimetres.

    The markers are really 40 mm wide, so this tells the scale at which the sheet was printed. Empty if no marker lies
    beside the sheet.
    """
    if seen.sheet == PAGE:
        return ()
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    sides = []
    for i, corners in find_markers(picture).items():
        if i not in IDS:
            continue
        better = align_marker(grey, corners, i).astype(np.float64)
        flat = cv2.perspectiveTransform(better[:, None], seen.to_sheet)[:, 0]
        four = np.linalg.norm(flat - np.roll(flat, -1, 0), axis=1)
        if np.ptp(four) < 0.015 * four.mean():  # a marker in another plane is not square
            sides.append(float(four.mean()))
    return tuple(sides)


def printed_scale(sides_mm: tuple[float, ...]) -> float | None:
    """Return the scale of a printed sheet, measured by the markers beside it; None if it is right or not known."""
    if not sides_mm:
        return None
    scale = CARD_MM / (sum(sides_mm) / len(sides_mm))
    return scale if abs(scale - 1) > CARD_OFF else None
