"""A picture in the making: the pixels, with the camera and the light they are seen by."""

from __future__ import annotations

from dataclasses import dataclass

from referee.sim.scene.arrays import Floats, Image, fill
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import Lighting

BGR = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Canvas:
    """An image (h, w, 3), BGR, that is drawn upon in place."""

    image: Image
    camera: Camera
    light: Lighting

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.image.shape[0], self.image.shape[1]

    def fill(self, outline: Floats, height_mm: float, colour: BGR) -> None:
        """Fill a level convex polygon, (N, 2) mm, that lies `height_mm` above the table."""
        fill(self.image, self.camera.project_flat(outline, height_mm), colour)
