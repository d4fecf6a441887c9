"""The virtual overhead camera: projects points of the table into the picture, with lens distortion."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from referee.sim.scene.arrays import Floats, floats, resize


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera above the table.

    `x_mm`, `y_mm` is the point of the table below the lens, and `height_mm` the height of the lens above the table.
    `tilt_deg` tilts the view towards the bottom side, `pan_deg` towards the right, and `roll_deg` turns it clockwise.
    `focal` is the focal length in widths of the picture; 0.77 gives a view 66 degrees wide. `k1` is the radial
    distortion; negative values give barrel distortion.
    """

    width_px: int = 2304
    height_px: int = 1296
    x_mm: float = 450.0
    y_mm: float = 300.0
    height_mm: float = 1000.0
    tilt_deg: float = 0.0
    pan_deg: float = 0.0
    roll_deg: float = 0.0
    focal: float = 0.77
    k1: float = -0.02
    _turn: Floats = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tilt, pan, roll = np.radians([self.tilt_deg, self.pan_deg, self.roll_deg])
        object.__setattr__(
            self, "_turn", floats(_rotation_matrix(2, -roll) @ _rotation_matrix(1, -pan) @ _rotation_matrix(0, tilt))
        )

    @property
    def focal_px(self) -> float:
        """The focal length in pixels."""
        return self.focal * self.width_px

    @property
    def px_per_mm(self) -> float:
        """The scale of the picture at the point of the table below the camera."""
        return self.focal_px / self.height_mm

    def project(self, points: Floats) -> Floats:
        """Return picture pixels (N, 2) of table points (N, 3): x, y and height above the table, in mm.

        The centres of pixels have whole numbers.
        """
        seen = np.asarray(points, dtype=np.float64) - [self.x_mm, self.y_mm, self.height_mm]
        seen[:, 2] *= -1.0
        seen = seen @ self._turn.T.astype(np.float64)
        flat = seen[:, :2] / seen[:, 2:]
        bent = flat * (1.0 + self.k1 * np.sum(flat * flat, axis=1, keepdims=True))
        return floats(bent * self.focal_px + self._centre)

    def project_flat(self, points: Floats, height_mm: float = 0.0) -> Floats:
        """Return picture pixels (N, 2) of table points (N, 2) in mm that all lie `height_mm` above the table."""
        level = np.full((len(points), 1), height_mm, np.float32)
        return self.project(np.concatenate([floats(points), level], axis=1))

    def ground(self, pixels: Floats, height_mm: float = 0.0) -> Floats:
        """Return table points (N, 2) in mm that are seen at `pixels` (N, 2); the inverse of `project_flat`."""
        bent = (np.asarray(pixels, dtype=np.float64) - self._centre) / self.focal_px
        flat = bent.copy()
        for _ in range(6):
            flat = bent / (1.0 + self.k1 * np.sum(flat * flat, axis=1, keepdims=True))
        rays = np.concatenate([flat, np.ones((len(flat), 1))], axis=1) @ self._turn.astype(np.float64)
        reach = (self.height_mm - height_mm) / rays[:, 2:]
        return floats(rays[:, :2] * reach + [self.x_mm, self.y_mm])

    def ground_map(self) -> tuple[Floats, Floats]:
        """Return x and y on the table, in mm, for every pixel: two arrays (height_px, width_px)."""
        step = 16
        columns, rows = -(-self.width_px // step) + 1, -(-self.height_px // step) + 1
        # The coarse grid is interpolated correctly if its points are where cv2.resize puts the centres of cells.
        u = (np.arange(columns) + 0.5) * step - 0.5
        v = (np.arange(rows) + 0.5) * step - 0.5
        grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
        table = self.ground(floats(grid)).reshape(rows, columns, 2)
        full = resize(table, columns * step, rows * step)[: self.height_px, : self.width_px]
        x, y = cv2.split(full)
        return floats(x), floats(y)

    @property
    def _centre(self) -> list[float]:
        return [(self.width_px - 1) / 2, (self.height_px - 1) / 2]


def _rotation_matrix(axis: int, angle: float) -> Floats:
    vector = np.zeros(3)
    vector[axis] = angle
    return floats(cv2.Rodrigues(vector)[0])
