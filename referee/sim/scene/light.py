"""The light in the virtual room: its direction, colour, fall-off and glare."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from referee.sim.scene.arrays import Floats, floats


@dataclass(frozen=True, slots=True)
class Glare:
    """The reflection of a lamp: its place on the table and radius in mm, and how much it brightens tiles, 0-1."""

    x_mm: float
    y_mm: float
    radius_mm: float = 60.0
    strength: float = 0.6


@dataclass(frozen=True, slots=True)
class Lighting:
    """The light over the whole table.

    `from_deg` is the direction that it comes from, clockwise from the top side. `slant`, 0-1, is how far it is from
    overhead. `warmth` above 0 is lamp light, below 0 light of a window. `gradient`, 0-1, is how much darker the far
    end of the table is.
    """

    from_deg: float = 320.0
    slant: float = 0.5
    brightness: float = 1.0
    warmth: float = 0.0
    gradient: float = 0.15
    vignette: float = 0.12
    shadow: float = 0.55
    softness_mm: float = 7.0
    noise: float = 2.2
    glare: tuple[Glare, ...] = ()

    @property
    def direction_to_light(self) -> tuple[float, float]:
        """The unit vector on the table, x and y, that points towards the light."""
        angle = math.radians(self.from_deg)
        return math.sin(angle), -math.cos(angle)

    def wall_brightness(self, nx: float, ny: float) -> float:
        """Return the brightness of a vertical wall with the outward normal (nx, ny), relative to a horizontal top."""
        x, y = self.direction_to_light
        return 0.56 + 0.30 * self.slant * (nx * x + ny * y)

    def gain(self) -> Floats:
        """Return the factors for the picture: (27, 48, 3) BGR, to be scaled to its size."""
        rows, columns = 27, 48
        u, v = np.meshgrid(np.linspace(-1, 1, columns), np.linspace(-1, 1, rows))
        x, y = self.direction_to_light
        slope = (u * x + v * y) / math.hypot(1.0, 1.0)
        level = self.brightness * (1 + self.gradient * (slope - 0.35)) * (1 - self.vignette * (u * u + v * v) / 2)
        cast = np.array([1 - 0.26 * self.warmth, 1 - 0.05 * abs(self.warmth), 1 + 0.16 * self.warmth])
        return floats(level[..., None] * cast)

    def touches_glare(self, x_mm: float, y_mm: float, reach_mm: float) -> bool:
        """Return whether glare affects anything within `reach_mm` of a point."""
        return any(math.hypot(g.x_mm - x_mm, g.y_mm - y_mm) < 2.2 * g.radius_mm + reach_mm for g in self.glare)

    def glare_at(self, points: Floats) -> Floats:
        """Return the strength of glare, 0-1, at table points (..., 2) in mm."""
        total = np.zeros(points.shape[:-1], np.float32)
        for g in self.glare:
            far = np.hypot(points[..., 0] - g.x_mm, points[..., 1] - g.y_mm) / g.radius_mm
            total += g.strength * np.exp(-(far**2) * 1.4, dtype=np.float32)
        return np.minimum(total, 0.97)


LIGHTS = {
    "even": Lighting(gradient=0.08, warmth=0.0, slant=0.35, shadow=0.45, softness_mm=10.0),
    "lamp": Lighting(
        from_deg=20.0, warmth=0.55, gradient=0.30, slant=0.5, brightness=0.94, shadow=0.6, softness_mm=5.0
    ),
    "window": Lighting(from_deg=275.0, warmth=-0.35, gradient=0.38, slant=0.75, shadow=0.5, softness_mm=9.0),
    "evening": Lighting(from_deg=140.0, warmth=0.8, gradient=0.35, slant=0.6, brightness=0.74, noise=4.5),
    "glare": Lighting(
        from_deg=300.0,
        gradient=0.2,
        slant=0.55,
        glare=(Glare(300.0, 180.0, 45.0, 0.85), Glare(640.0, 420.0, 35.0, 0.6)),
    ),
}
