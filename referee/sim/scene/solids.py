"""Draws tiles and other boxes: their walls, tops and shadows, those farthest from the camera first.

They are drawn on a `Canvas`: an image with the camera and the light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.sim.scene.arrays import Floats, Image, blend, fill, floats, resize
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import Lighting
from referee.sim.scene.scene import Placed, Scene
from referee.sim.scene.texture import body_colour, tile_top

BGR = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Canvas:
    """An image (h, w, 3), BGR, that is drawn on in place, with the camera and the light."""

    image: Image
    camera: Camera
    light: Lighting

    @property
    def size(self) -> tuple[int, int]:
        """The number of rows and columns."""
        return self.image.shape[0], self.image.shape[1]

    def fill(self, outline: Floats, height_mm: float, colour: BGR) -> None:
        """Fill a horizontal convex polygon, (N, 2) in mm, at `height_mm` above the table."""
        fill(self.image, self.camera.project_flat(outline, height_mm), colour)


_FINER = 2  # tops are warped at twice the picture's resolution


def far_first(camera: Camera, middles: Floats) -> list[int]:
    """Return the indices of things at `middles`, (N, 2) in mm, in drawing order: the farthest comes first."""
    if not len(middles):
        return []
    far = np.hypot(middles[:, 0] - camera.x_mm, middles[:, 1] - camera.y_mm)
    return [int(i) for i in np.argsort(-far, kind="stable")]


def draw_walls(canvas: Canvas, outline: Floats, heights: tuple[float, float], colour: BGR, dim: Floats) -> None:
    """Draw the vertical walls of a prism that face the camera.

    `outline`, (N, 2) in mm, is clockwise as seen from above. `heights` are those of its lower and upper edge, in mm.
    `dim` (N,) has a brightness factor for each wall.
    """
    camera = canvas.camera
    following = np.roll(outline, -1, axis=0)
    along = following - outline
    outwards = np.stack([along[:, 1], -along[:, 0]], axis=1)
    outwards /= np.maximum(np.hypot(outwards[:, 0], outwards[:, 1]), 1e-6)[:, None]
    seen = np.sum(outwards * (floats([camera.x_mm, camera.y_mm]) - outline), axis=1) > 0
    levels = [camera.project_flat(outline, h) for h in (heights[0], 0.6 * heights[0] + 0.4 * heights[1], heights[1])]
    for i in np.flatnonzero(seen):
        j = (i + 1) % len(outline)
        bright = canvas.light.wall_brightness(float(outwards[i, 0]), float(outwards[i, 1])) * float(dim[i])
        for low, high, depth in ((levels[0], levels[1], 0.82), (levels[1], levels[2], 1.0)):
            fill(canvas.image, floats([low[i], low[j], high[j], high[i]]), [c * bright * depth for c in colour])


def wall_dimming(tiles: Sequence[Placed], size_mm: tuple[float, float, float]) -> Floats:
    """Return how much light reaches each wall of each tile: (N, 4), less if another tile is close."""
    if not tiles:
        return np.ones((0, 4), np.float32)
    corners = np.stack([t.corners(size_mm[:2]) for t in tiles])
    edges = (corners + np.roll(corners, -1, axis=1)) / 2
    middles = corners.mean(axis=1)
    outside = edges + (edges - middles[:, None]) * (3.0 / np.hypot(*size_mm[:2]) * 2)
    angles = np.radians([t.angle_deg for t in tiles])
    turned = outside[:, :, None] - middles[None, None]
    u = turned[..., 0] * np.cos(angles) + turned[..., 1] * np.sin(angles)
    v = turned[..., 1] * np.cos(angles) - turned[..., 0] * np.sin(angles)
    inside = (np.abs(u) < size_mm[0] / 2) & (np.abs(v) < size_mm[1] / 2)
    return floats(np.where(inside.any(axis=2), 0.5, 1.0))


def draw_tile(canvas: Canvas, scene: Scene, tile: Placed, dim: Floats) -> None:
    """Draw one tile; `dim` (4,) has a brightness factor for each of its walls."""
    camera, light = canvas.camera, canvas.light
    width, height, thick = scene.tileset.size_mm
    outline = tile.corners((width - 0.5, height - 0.5))
    tint = body_colour(scene.look)
    draw_walls(canvas, outline, (0.0, thick - 0.4), tint, dim)
    density = round(camera.px_per_mm * _FINER * camera.height_mm / (camera.height_mm - thick), 1)
    top = tile_top(tile.tile, tile.copy, scene.tileset, scene.look, density)
    angle = np.radians(tile.angle_deg)
    x, y = light.direction_to_light
    own_x, own_y = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    colours = top.shade(float(own_x), float(own_y), 0.5 * light.slant + 0.1)
    if light.touches_glare(tile.x_mm, tile.y_mm, float(np.hypot(width, height)) / 2):
        colours = _add_reflection(colours, top.alpha, light, tile, scene.tileset.size_mm)
    _lay(canvas, np.dstack([colours, top.alpha * 255.0]), tile.corners((width, height)), thick)


def _add_reflection(
    colours: Floats, alpha: Floats, light: Lighting, tile: Placed, size_mm: tuple[float, float, float]
) -> Floats:
    rows, columns = alpha.shape
    u = (np.arange(columns) + 0.5) / columns * 2 - 1
    v = (np.arange(rows) + 0.5) / rows * 2 - 1
    corners = tile.corners(size_mm[:2])
    middle, right, down = corners.mean(axis=0), (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
    points = floats(middle + u[None, :, None] * right + v[:, None, None] * down)
    glare = light.glare_at(points)[..., None]
    return floats(colours * (1 - glare) + 255.0 * glare * alpha[..., None])


def _lay(canvas: Canvas, layers: Floats, corners: Floats, level_mm: float) -> None:
    """Warp a flat patch (h, w, 4), premultiplied, onto the quadrilateral `corners`, (4, 2) in mm, at `level_mm`."""
    image = canvas.image
    seen = canvas.camera.project_flat(corners, level_mm)
    low, high = np.floor(seen.min(axis=0)).astype(int) - 1, np.ceil(seen.max(axis=0)).astype(int) + 2
    if (high <= 0).any() or low[0] >= image.shape[1] or low[1] >= image.shape[0]:
        return
    width, height = int(high[0] - low[0]), int(high[1] - low[1])
    rows, columns = layers.shape[:2]
    source = floats([[-0.5, -0.5], [columns - 0.5, -0.5], [columns - 0.5, rows - 0.5], [-0.5, rows - 0.5]])
    target = floats((seen - low) * _FINER + (_FINER - 1) / 2)
    matrix = cv2.getPerspectiveTransform(source, target)
    warped = cv2.warpPerspective(floats(layers), matrix, (width * _FINER, height * _FINER), flags=cv2.INTER_LINEAR)
    small = resize(floats(warped), width, height, cv2.INTER_AREA)
    blend(image, small[..., :3], small[..., 3] / 255.0, int(low[0]), int(low[1]))


def lay_flat(canvas: Canvas, picture: Floats, corners: Floats, level_mm: float = 0.3) -> None:
    """Draw a flat thing, such as a sheet of paper, with the texture `picture` (h, w, 3).

    `corners`: its corners, (4, 2) in mm. `level_mm`: its height above the table.
    """
    _lay(canvas, np.dstack([picture, np.full(picture.shape[:2], 255.0)]), corners, level_mm)


def cast_shadows(canvas: Canvas, outlines: Sequence[Floats], heights: Sequence[float]) -> None:
    """Darken the table around boxes with the given base outlines, (N, 2) in mm, and heights in mm."""
    image, camera, light = canvas.image, canvas.camera, canvas.light
    shrink = 3
    size = (-(-image.shape[0] // shrink), -(-image.shape[1] // shrink))
    cast, contact = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    x, y = light.direction_to_light
    for outline, height in zip(outlines, heights, strict=True):
        away = floats([-x, -y]) * (height * (0.35 + 0.9 * light.slant))
        both = cv2.convexHull(np.concatenate([outline, outline + away]))[:, 0]
        fill(cast, floats(camera.project_flat(floats(both)) / shrink), (255,))
        fill(contact, floats(camera.project_flat(outline) / shrink), (255,))
    scale = camera.px_per_mm / shrink
    wide = floats(cv2.GaussianBlur(cast, (0, 0), max(light.softness_mm * scale * 0.6, 0.5)))
    near = floats(cv2.GaussianBlur(contact, (0, 0), max(2.2 * scale, 0.5)))
    dark = 1 - light.shadow * wide / 255.0
    dark *= 1 - 0.45 * near / 255.0
    full = cv2.resize((dark * 255).astype(np.uint8), (size[1] * shrink, size[0] * shrink))
    full = full[: image.shape[0], : image.shape[1]]
    cv2.multiply(image, cv2.merge([full, full, full]), dst=image, scale=1 / 255)
