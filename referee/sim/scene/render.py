"""One picture of the virtual table, as the overhead camera would take it, and where the tiles lie in it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.sim.scene.arrays import Floats, Image, floats
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import Lighting
from referee.sim.scene.props import draw_hands, draw_props, prop_shadows
from referee.sim.scene.scene import MARKER_MM, SHEET_MM, Scene
from referee.sim.scene.solids import Canvas, cast_shadows, draw_tile, far_first, lay_flat, wall_dimming
from referee.sim.scene.surface import table_top

_PARTS = 64
"""Of a level: what is rounded before the noise leaves lines of its own on a plain surface, and a sensor has none."""
_MARKERS = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def render(
    scene: Scene,
    camera: Camera,
    light: Lighting,
    rng: np.random.Generator,
    *,
    blur_px: float = 0.65,
    jpeg_quality: int | None = None,
) -> Image:
    """The picture of `scene`: (height_px, width_px, 3) uint8 BGR.

    `rng` makes the sensor's noise and nothing else: the same scene seen twice differs in its noise only.
    """
    image = table_top(scene.surface, scene.seed, scene.table_mm, camera).copy()
    canvas = Canvas(image, camera, light)
    for marker in scene.markers:
        lay_marker(canvas, scene, marker)
    size = scene.tileset.size_mm
    outlines = [tile.corners(size[:2]) for tile in scene.tiles]
    walls, tops = prop_shadows(scene.props)
    cast_shadows(canvas, [*outlines, *walls], [size[2]] * len(outlines) + tops)
    draw_props(canvas, scene)
    dim = wall_dimming(scene.tiles, size)
    for i in far_first(camera, floats([(t.x_mm, t.y_mm) for t in scene.tiles])):
        draw_tile(canvas, scene, scene.tiles[i], dim[i])
    draw_hands(canvas, scene.hands)
    taken = _expose(canvas, rng, blur_px)
    return taken if jpeg_quality is None else _compress(taken, jpeg_quality)


def truth(scene: Scene, camera: Camera) -> Floats:
    """Where the tiles' tops lie in the picture: (N, 4, 2) pixels, top left as printed first, then clockwise."""
    width, height, thick = scene.tileset.size_mm
    seen = [camera.project_flat(tile.corners((width, height)), thick) for tile in scene.tiles]
    return floats(seen).reshape(-1, 4, 2)


def lay_marker(canvas: Canvas, scene: Scene, marker: int) -> None:
    """Lay the sheet of one marker on the table."""
    cell = max(round(canvas.camera.px_per_mm * 2 * MARKER_MM / 6), 2)
    code = cv2.aruco.generateImageMarker(_MARKERS, marker, 6 * cell)
    edge = round(cell * 6 * (SHEET_MM / MARKER_MM - 1) / 2)
    sheet = cv2.copyMakeBorder(code, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(255,))
    paper = 26.0 + sheet.astype(np.float32) * (215.0 / 255.0)
    side = sheet.shape[0] * MARKER_MM / (6 * cell)
    lay_flat(canvas, floats(np.repeat(paper[..., None], 3, axis=2)), scene.marker_corners(marker, side))


def _expose(canvas: Canvas, rng: np.random.Generator, blur_px: float) -> Image:
    """The scene through lens and sensor."""
    rows, columns = canvas.size
    gain = cv2.resize(canvas.light.gain(), (columns, rows), interpolation=cv2.INTER_LINEAR)
    lit = cv2.multiply(canvas.image, gain, scale=_PARTS, dtype=cv2.CV_16S)
    if blur_px > 0:
        lit = cv2.GaussianBlur(lit, (0, 0), blur_px)
    if canvas.light.noise > 0:
        lit = cv2.add(lit, _noise(rng, canvas.size, canvas.light.noise))
    return np.asarray(cv2.convertScaleAbs(np.maximum(lit, 0), alpha=1 / _PARTS), dtype=np.uint8)


def _compress(image: Image, quality: int) -> Image:
    _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)


def _noise(rng: np.random.Generator, shape: tuple[int, int], deviation: float) -> npt.NDArray[np.int16]:
    """Sensor noise (h, w, 3), int16, in parts of a level: a patch laid many times, each time from another corner."""
    side = 512
    patch = rng.standard_normal((side, side, 3), dtype=np.float32) * deviation
    patch += rng.standard_normal((side, side, 1), dtype=np.float32) * (0.5 * deviation)
    grain = np.round(cv2.blur(patch, (2, 2)) * (1.6 * _PARTS)).astype(np.int16)
    rows, columns = -(-shape[0] // side), -(-shape[1] // side)
    tiles = [
        [np.roll(grain, tuple(rng.integers(0, side, 2)), axis=(0, 1)) for _ in range(columns)] for _ in range(rows)
    ]
    return np.vstack([np.hstack(row) for row in tiles])[: shape[0], : shape[1]]
