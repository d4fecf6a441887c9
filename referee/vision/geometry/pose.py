"""The camera's geometry: lens, pose, and the planes above the table.

Table frame (docs/architecture.md): millimetres, x right, y down towards the bottom side. In a right-handed frame, z
thus points *into* the table; a tile's top lies at z = -thickness.

For people, places on the play area are described in words ("top left").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from referee.game.notice import Notice
from referee.vision.sighting import Doubles, Floats

FOCAL_PER_WIDTH = 0.77  # Camera Module 3: 66 degrees across
K1_DEVIATION = 0.05
"""Standard deviation of the radial term around the usual one, for a camera that has not been calibrated."""
_UNBENDING = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-9)
_SIZE_DEVIATION = 0.02  # prior standard deviation of the squares' size, as a share: blur shifts edges
_CORNER_PX = 0.3  # precision of a marker's corner
_POSE, _K1 = slice(0, 6), 10  # columns of cv2.projectPoints' slopes
_STEPS = 40
"""Three steps are usual; more are needed if markers are so blurred that many corners were located wrongly."""
_ENOUGH = 1e-9
"""The fit ends if the next step would lower the cost by less than this part."""
_UNIT = np.asarray([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
_ACROSS, _ALONG = ("left", "", "right"), ("top", "", "bottom")


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole camera with distortion (Brown-Conrady); `focal_px` and `centre_px` in pixels.

    `k1` is estimated again from the markers of each picture, with the standard deviation `k1_deviation` around the
    given value. That is 0 for a calibrated lens, whose other terms (k2, p1, p2, k3) are known as well.
    """

    focal_px: float
    centre_px: tuple[float, float]
    k1: float = 0.0
    others: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    k1_deviation: float = K1_DEVIATION

    @classmethod
    def usual(cls, width: int, height: int) -> Lens:
        """Return the lens assumed for a picture of that size until the camera has been calibrated."""
        return cls(FOCAL_PER_WIDTH * max(width, height), ((width - 1) / 2, (height - 1) / 2))

    @property
    def matrix(self) -> Doubles:
        """The camera matrix (3, 3)."""
        cx, cy = self.centre_px
        return np.asarray([[self.focal_px, 0, cx], [0, self.focal_px, cy], [0, 0, 1]], np.float64)

    @property
    def distortion(self) -> Doubles:
        """OpenCV's distortion coefficients (5,)."""
        return np.asarray([self.k1, *self.others], np.float64)

    def bend(self, x: Doubles, y: Doubles) -> Doubles:
        """Return the pixels (n, 2) of rays with the slopes `x` and `y` (n,)."""
        k2, p1, p2, k3 = self.others
        far = x * x + y * y
        radial = 1 + far * (self.k1 + far * (k2 + far * k3))
        across = x * radial + 2 * p1 * x * y + p2 * (far + 2 * x * x)
        along = y * radial + 2 * p2 * x * y + p1 * (far + 2 * y * y)
        return np.asarray(np.stack([across, along], axis=1) * self.focal_px + np.asarray(self.centre_px), np.float64)


@dataclass(frozen=True, slots=True)
class Pose:
    """The camera's pose: `rotation` (3,) Rodrigues and `translation` (3,) mm, from the table frame to the camera."""

    lens: Lens
    rotation: Doubles
    translation: Doubles

    def project(self, points_mm: npt.ArrayLike) -> Doubles:
        """Return the pixels (n, 2) of points (n, 3) in the table frame."""
        # OpenCV's function also computes the slopes of all points, and so takes longer for many of them.
        points = np.asarray(points_mm, np.float64).reshape(-1, 3)
        x, y, depth = cv2.Rodrigues(self.rotation)[0] @ points.T + self.translation[:, None]
        return self.lens.bend(x / depth, y / depth)

    def on_plane(self, points_mm: npt.ArrayLike, height_mm: float) -> Doubles:
        """Return the pixels (n, 2) of points (n, 2) in mm that lie `height_mm` above the table."""
        flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return self.project(np.column_stack([flat, np.full(len(flat), -height_mm)]))

    def to_plane(self, points_px: npt.ArrayLike, height_mm: float) -> Doubles:
        """Return the points (n, 2) in mm on the plane `height_mm` above the table that pixels (n, 2) show."""
        pixels = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        if not len(pixels):
            return np.zeros((0, 2))
        lens, plain = self.lens, np.eye(3)
        rays = cv2.undistortPointsIter(pixels, lens.matrix, lens.distortion, plain, plain, _UNBENDING)[:, 0]
        turn = cv2.Rodrigues(self.rotation)[0]
        directions = np.column_stack([rays, np.ones(len(rays))]) @ turn
        centre = -turn.T @ self.translation
        reach = (-height_mm - centre[2]) / directions[:, 2]
        return np.asarray(centre[:2] + directions[:, :2] * reach[:, None])


def rectifying_maps(
    pose: Pose, height_mm: float, origin_mm: tuple[float, float], size_px: tuple[int, int], px_per_mm: float
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return maps for cv2.remap that show the plane `height_mm` above the table from straight above.

    Pixel (0, 0) of the result lies at `origin_mm`; `size_px` is (width, height). The projection is computed on a
    coarse grid and interpolated, which is exact to hundredths of a pixel.
    """
    step = 8
    columns = np.arange(0, size_px[0] + step, step, dtype=np.float64)
    rows = np.arange(0, size_px[1] + step, step, dtype=np.float64)
    x, y = np.meshgrid(columns / px_per_mm + origin_mm[0], rows / px_per_mm + origin_mm[1])
    pixels = pose.on_plane(np.column_stack([x.ravel(), y.ravel()]), height_mm).reshape(len(rows), len(columns), 2)
    finer = np.asarray([[1 / step, 0, 0], [0, 1 / step, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    maps = [cv2.warpAffine(part, finer, size_px, flags=flags) for part in cv2.split(pixels.astype(np.float32))]
    return np.asarray(maps[0], np.float32), np.asarray(maps[1], np.float32)


def homography_pose(lens: Lens, points_mm: npt.ArrayLike, pixels: npt.ArrayLike) -> Pose:
    """Return the pose in which planar points (n >= 3, 2), in mm, appear at `pixels` (n, 2); ValueError if none does.

    Three points allow up to four poses (P3P); the one that looks most straight down is taken.
    """
    flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
    seen = np.asarray(pixels, np.float64).reshape(-1, 2)
    points = np.column_stack([flat, np.zeros(len(flat))])
    if len(flat) == 3:
        count, rotations, translations = cv2.solveP3P(
            points, seen, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_AP3P
        )
    else:
        count, rotations, translations, _ = cv2.solvePnPGeneric(
            points, seen, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_SQPNP
        )
    if not count:
        raise ValueError(f"expected {len(flat)} points of one plane, found no pose that shows them")
    straight = [cv2.Rodrigues(r)[0][2, 2] for r in rotations]
    best = int(np.argmax(straight))
    rotation, translation = rotations[best], translations[best]
    if len(flat) > 3:
        rotation, translation = cv2.solvePnPRefineLM(points, seen, lens.matrix, lens.distortion, rotation, translation)
    return Pose(lens, np.asarray(rotation, np.float64).ravel(), np.asarray(translation, np.float64).ravel())


@dataclass(frozen=True)
class _Squares:
    """Squares as they appear in a picture, and the prior of the lens.

    The unknowns are six numbers for the pose, k1, a common factor of size, and a turn for each square.
    """

    lens: Lens
    places: Doubles
    unit: Doubles
    seen: Doubles

    def view(self, unknowns: Doubles) -> Pose:
        """Return the pose, with its lens, for these unknowns."""
        return Pose(replace(self.lens, k1=float(unknowns[6])), unknowns[:3], unknowns[3:6])

    def misses(self, unknowns: Doubles) -> tuple[Doubles, Doubles]:
        """Return the residuals in standard deviations (m,), and their derivatives (m, u) for u unknowns."""
        view, size, turns = self.view(unknowns), 1 + unknowns[7], unknowns[8:]
        c, s = np.cos(turns), np.sin(turns)
        turned = self.unit @ np.asarray([[c, s], [-s, c]]).transpose(2, 0, 1)
        ahead = self.unit @ np.asarray([[-s, c], [-c, -s]]).transpose(2, 0, 1) * size  # derivative by the turn
        flat = (self.places[:, None] + turned * size).reshape(-1, 2)
        points = np.column_stack([flat, np.zeros(len(flat))])
        lens = view.lens
        pixels, bends = cv2.projectPoints(points, view.rotation, view.translation, lens.matrix, lens.distortion)
        moves = bends[:, 3:6] @ cv2.Rodrigues(view.rotation)[0][:, :2]  # derivative by a point's place on the table
        slopes = np.zeros((2 * len(flat), len(unknowns)))
        slopes[:, _POSE], slopes[:, 6] = bends[:, _POSE], bends[:, _K1]
        pairs = moves.reshape(-1, 2, 2)
        slopes[:, 7] = np.einsum("pij,pj->pi", pairs, turned.reshape(-1, 2)).ravel()
        turning = np.einsum("pij,pj->pi", pairs, ahead.reshape(-1, 2)).reshape(len(turns), -1)
        for i, column in enumerate(turning):
            slopes[i * turning.shape[1] : (i + 1) * turning.shape[1], 8 + i] = column
        error, steepness = _huber(((pixels[:, 0] - self.seen) / _CORNER_PX).ravel())
        believed = np.zeros((2, len(unknowns)))
        deviation = max(self.lens.k1_deviation, 1e-7)
        believed[0, 6], believed[1, 7] = 1 / deviation, 1 / _SIZE_DEVIATION
        known = [(unknowns[6] - self.lens.k1) / deviation, unknowns[7] / _SIZE_DEVIATION]
        slopes *= (steepness / _CORNER_PX)[:, None]
        return np.concatenate([error, known]), np.concatenate([slopes, believed])


def _huber(error: Doubles) -> tuple[Doubles, Doubles]:
    """Return errors in which large ones have less weight, and their slopes, so that a bad corner does no harm."""
    far = np.abs(error) >= 3
    root = np.sqrt(np.maximum(6 * np.abs(error) - 9, 9))
    return np.where(far, np.sign(error) * root, error), np.where(far, 3 / root, 1.0)


def fit_squares(
    pose: Pose, places_mm: Sequence[tuple[float, float]], corners: Sequence[npt.NDArray[np.float32]], side_mm: float
) -> Pose:
    """Improve a pose and the radial term of its lens by squares that lie at known places in unknown small turns.

    `corners` has (4, 2) pixels, top left first, for each place. The size of the squares says nothing about the radial
    term, because blur shifts all edges; their shape does, because distortion stretches them along the radius. The fit
    is by Gauss-Newton on pose, k1, one common size and a turn for each square.
    """
    unit = np.asarray([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * side_mm
    seen = np.concatenate([np.asarray(c, np.float64) for c in corners])
    squares = _Squares(pose.lens, np.asarray(places_mm, np.float64), unit, seen)
    unknowns = np.concatenate([pose.rotation, pose.translation, [pose.lens.k1, 0.0], np.zeros(len(places_mm))])
    error, slopes = squares.misses(unknowns)
    for _ in range(_STEPS):
        change = np.linalg.lstsq(slopes, -error, rcond=None)[0]
        cost = float(error @ error)
        if cost - float(((error + slopes @ change) ** 2).sum()) < _ENOUGH * cost:
            break
        # With a strong lens a whole step may lead past the best fit: take a shorter step then.
        for share in (1.0, 0.5, 0.25, 0.1):
            tried, steeper = squares.misses(unknowns + share * change)
            if float(tried @ tried) < cost:
                unknowns, error, slopes = unknowns + share * change, tried, steeper
                break
        else:
            break
    return squares.view(unknowns)


def in_parts(points_px: Floats, outline_px: Floats) -> Floats:
    """Return points (n, 2) of a picture as parts of the play area (n, 2): 0 to 1 from its top left.

    `outline_px` (4, 2) are the play area's corners in the picture, top left first.
    """
    if not len(points_px):
        return np.zeros((0, 2), np.float32)
    view = cv2.getPerspectiveTransform(np.asarray(outline_px, np.float32), _UNIT)
    return np.asarray(cv2.perspectiveTransform(np.asarray(points_px, np.float32)[None], view)[0], np.float32)


def place_of(x: float, y: float) -> Notice:
    """Return the name of a place as seen from the bottom side; `x` and `y` are parts of the play area, 0 to 1."""
    across, along = (0 if part < 1 / 3 else 2 if part > 2 / 3 else 1 for part in (x, y))
    named = "_".join(filter(None, (_ALONG[along], _ACROSS[across])))
    return Notice(f"place.{named or 'middle'}")
