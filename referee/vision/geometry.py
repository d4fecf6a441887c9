"""The camera's geometry: lens, pose, and the planes above the table.

Table frame (DESIGN, the table frame): millimetres, x right, y down towards the bottom side, so that z points *into*
the table for a right-handed frame; a tile's top lies at z = -thickness.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

FOCAL_PER_WIDTH = 0.77  # Camera Module 3: 66 degrees across


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole with one radial term (Brown-Conrady k1); `focal_px` and `centre_px` in pixels."""

    focal_px: float
    centre_px: tuple[float, float]
    k1: float = 0.0

    @classmethod
    def usual(cls, width: int, height: int) -> Lens:
        """The lens assumed for a picture of that size until the camera has been calibrated."""
        return cls(FOCAL_PER_WIDTH * max(width, height), ((width - 1) / 2, (height - 1) / 2))

    @property
    def matrix(self) -> Doubles:
        """The camera matrix (3, 3)."""
        cx, cy = self.centre_px
        return np.asarray([[self.focal_px, 0, cx], [0, self.focal_px, cy], [0, 0, 1]], np.float64)

    @property
    def distortion(self) -> Doubles:
        """OpenCV's distortion coefficients (5,)."""
        return np.asarray([self.k1, 0, 0, 0, 0], np.float64)


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the camera is: `rotation` (3,) Rodrigues and `translation` (3,) mm, from the table frame to the camera."""

    lens: Lens
    rotation: Doubles
    translation: Doubles

    def project(self, points_mm: npt.ArrayLike) -> Doubles:
        """Points (n, 3) of the table frame to pixels (n, 2)."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 1, 3)
        pixels, _ = cv2.projectPoints(points, self.rotation, self.translation, self.lens.matrix, self.lens.distortion)
        return np.asarray(pixels[:, 0], np.float64)

    def on_plane(self, points_mm: npt.ArrayLike, height_mm: float) -> Doubles:
        """Points (n, 2) lying `height_mm` above the table to pixels (n, 2)."""
        flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return self.project(np.column_stack([flat, np.full(len(flat), -height_mm)]))

    def to_plane(self, points_px: npt.ArrayLike, height_mm: float) -> Doubles:
        """Pixels (n, 2) to points (n, 2), mm, of the plane `height_mm` above the table."""
        pixels = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(pixels, self.lens.matrix, self.lens.distortion)[:, 0]
        turn = cv2.Rodrigues(self.rotation)[0]
        directions = np.column_stack([rays, np.ones(len(rays))]) @ turn
        centre = -turn.T @ self.translation
        reach = (-height_mm - centre[2]) / directions[:, 2]
        return np.asarray(centre[:2] + directions[:, :2] * reach[:, None])


def rectifying_maps(
    pose: Pose, height_mm: float, origin_mm: tuple[float, float], size_px: tuple[int, int], px_per_mm: float
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Maps for cv2.remap that show the plane `height_mm` above the table from straight above.

    Pixel (0, 0) of the result lies at `origin_mm`; `size_px` is (width, height). The projection is computed on a
    coarse grid and interpolated, which is exact to hundredths of a pixel.
    """
    step = 8
    columns = np.arange(0, size_px[0] + step, step, dtype=np.float64)
    rows = np.arange(0, size_px[1] + step, step, dtype=np.float64)
    x, y = np.meshgrid(columns / px_per_mm + origin_mm[0], rows / px_per_mm + origin_mm[1])
    pixels = pose.on_plane(np.column_stack([x.ravel(), y.ravel()]), height_mm).reshape(len(rows), len(columns), 2)
    fine_x, fine_y = np.meshgrid(
        np.arange(size_px[0], dtype=np.float32) / step, np.arange(size_px[1], dtype=np.float32) / step
    )
    fine = cv2.remap(pixels.astype(np.float32), fine_x, fine_y, cv2.INTER_LINEAR)
    return np.ascontiguousarray(fine[..., 0]), np.ascontiguousarray(fine[..., 1])


def homography_pose(lens: Lens, points_mm: npt.ArrayLike, pixels: npt.ArrayLike) -> Pose:
    """The pose that shows planar points (n >= 3, 2), mm, at `pixels` (n, 2); raises ValueError if there is none.

    Three points leave up to four poses (P3P): the one that looks most straight down is taken.
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
