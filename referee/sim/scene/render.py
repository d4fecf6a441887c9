"""Renders a picture of the virtual table as the overhead camera would take it, and returns where the tiles are in it.

The picture also shows racks, cups and hands.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from referee.sim.scene.arrays import Floats, Image, blend, floats
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import Lighting
from referee.sim.scene.scene import MARKER_MM, SHEET_MM, Cup, Hand, Rack, Scene
from referee.sim.scene.solids import (
    BGR,
    Canvas,
    cast_shadows,
    draw_tile,
    draw_walls,
    far_first,
    lay_flat,
    wall_dimming,
)
from referee.sim.scene.surface import table_top
from referee.sim.scene.texture import body_colour

_RACK_DEEP, _RACK_HIGH, _TILE_HIGH = 62.0, 16.0, 46.0

_PARTS = 64
"""Fractions of a grey level in the calculation. Rounding to whole levels before adding noise would leave visible lines
on a plain surface, which a sensor does not have."""
_MARKERS = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def _bgr(rgb: tuple[int, int, int], bright: float = 1.0) -> BGR:
    return rgb[2] * bright, rgb[1] * bright, rgb[0] * bright


def _block(x: float, y: float, angle: float, across: tuple[float, float], down: tuple[float, float]) -> Floats:
    """Return a turned rectangle, (4, 2) in mm; `across` and `down` are its extents in a frame at (x, y)."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    box = floats([[across[0], down[0]], [across[1], down[0]], [across[1], down[1]], [across[0], down[1]]])
    return floats(box @ floats([[c, s], [-s, c]]) + [x, y])


def _circle(x: float, y: float, radius: float) -> Floats:
    turn = np.radians(np.arange(0, 360, 10))
    return floats(np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1))


def prop_shadows(props: Sequence[Rack | Cup]) -> tuple[list[Floats], list[float]]:
    """Return the base outlines and heights, in mm, of racks and cups, for their shadows."""
    outlines, heights = [], []
    for prop in props:
        if isinstance(prop, Rack):
            half = prop.length_mm / 2
            outlines.append(
                _block(prop.x_mm, prop.y_mm, prop.angle_deg, (-half, half), (-_RACK_DEEP / 2, _RACK_DEEP / 2))
            )
            heights.append(_TILE_HIGH)
        else:
            outlines.append(_circle(prop.x_mm, prop.y_mm, prop.radius_mm * 1.7))
            heights.append(6.0)
    return outlines, heights


def draw_props(canvas: Canvas, scene: Scene) -> None:
    """Draw racks and cups."""
    for i in far_first(canvas.camera, floats([(p.x_mm, p.y_mm) for p in scene.props])):
        prop = scene.props[i]
        if isinstance(prop, Rack):
            _draw_rack(canvas, prop, body_colour(scene.look))
        else:
            _draw_cup(canvas, prop)


def _box(canvas: Canvas, outline: Floats, heights: tuple[float, float], colour: BGR) -> None:
    draw_walls(canvas, outline, heights, colour, np.ones(len(outline), np.float32))
    canvas.fill(outline, heights[1], colour)


def _draw_rack(canvas: Canvas, rack: Rack, tile: BGR) -> None:
    """Draw a long board with rows of tiles, which face the player, away from the play area."""
    half, back = rack.length_mm / 2, -_RACK_DEEP / 2
    place = (rack.x_mm, rack.y_mm, rack.angle_deg)
    _box(canvas, _block(*place, (-half, half), (back, -back)), (0.0, _RACK_HIGH * 0.6), _bgr(rack.colour))
    columns = max(int(rack.length_mm // 27), 1)
    blocks = []
    for k in range(min(rack.tiles, 2 * columns)):
        row, column = divmod(k, columns)
        left = -half + 6 + 26.7 * column
        near = back + 4 + 24 * row
        blocks.append((_block(*place, (left, left + 26), (near, near + 9.5)), 8.0 + 22.0 * (1 - row)))
    middles = floats([b.mean(axis=0) for b, _ in blocks])
    for i in far_first(canvas.camera, middles):
        outline, foot = blocks[i]
        _box(canvas, outline, (foot, foot + _TILE_HIGH - 14), tile)


def _draw_cup(canvas: Canvas, cup: Cup) -> None:
    white = _bgr(cup.colour)
    saucer = _circle(cup.x_mm, cup.y_mm, cup.radius_mm * 1.7)
    _box(canvas, saucer, (0.0, 5.0), white)
    canvas.fill(_circle(cup.x_mm, cup.y_mm, cup.radius_mm * 1.15), 5.5, _bgr(cup.colour, 0.9))
    _box(canvas, _circle(cup.x_mm, cup.y_mm, cup.radius_mm), (6.0, cup.height_mm), white)
    inner = _circle(cup.x_mm, cup.y_mm, cup.radius_mm - 3.0)
    canvas.fill(inner, cup.height_mm, _bgr(cup.colour, 0.72))
    coffee = _circle(cup.x_mm, cup.y_mm, cup.radius_mm - 4.0)
    canvas.fill(coffee, cup.height_mm - 12, _bgr((58, 34, 20)))


def draw_hands(canvas: Canvas, hands: Sequence[Hand]) -> None:
    """Draw hands with forearms, and their shadows."""
    for hand in hands:
        _draw_hand(canvas, hand)


def _limbs(hand: Hand) -> list[tuple[float, float, float, float, float]]:
    """Return the parts of a hand as capsules (x, y, x, y, radius), mm, in its own frame: fingers point to -y."""
    k = hand.size
    palm = [(-14, 8, 14, 8, 34), (-12, -22, 16, -22, 26), (0, 40, 0, 60, 30)]
    fingers = [(-30, -35, -40, -92, 9.5), (-11, -42, -13, -112, 10), (10, -42, 12, -107, 10), (29, -36, 36, -88, 8.5)]
    thumb = [(-36, 12, -68, -30, 11.5)]
    return [(a * k, b * k, c * k, d * k, r * k) for a, b, c, d, r in palm + fingers + thumb]


def _capsules(canvas: Canvas, hand: Hand, limbs: Sequence[tuple[float, ...]], lift: float) -> Image:
    """Return a mask (h, w) of limbs that are `lift` mm above the table."""
    mask, camera = np.zeros(canvas.size, np.uint8), canvas.camera
    c, s = np.cos(np.radians(hand.pointing_deg)), np.sin(np.radians(hand.pointing_deg))
    for x0, y0, x1, y1, radius in limbs:
        ends = floats([[x0, y0], [x1, y1]]) @ floats([[c, s], [-s, c]]) + floats([hand.x_mm, hand.y_mm])
        (u0, v0), (u1, v1) = (tuple(int(n * 16) for n in p) for p in camera.project_flat(floats(ends), lift))
        thick = round(2 * radius * camera.focal_px / (camera.height_mm - lift))
        cv2.line(mask, (u0, v0), (u1, v1), (255,), max(thick, 1), cv2.LINE_AA, 4)
    return mask


def _draw_hand(canvas: Canvas, hand: Hand) -> None:
    light = canvas.light
    x, y = light.direction_to_light
    below = Hand(hand.x_mm - 30 * x * light.slant, hand.y_mm - 30 * y * light.slant, hand.pointing_deg, size=hand.size)
    arm = [(0.0, 95.0 * hand.size, 0.0, 700.0, 44.0 * hand.size)]
    shadow = _capsules(canvas, below, [*_limbs(hand), *arm], 0.0)
    shadow = np.asarray(cv2.blur(shadow, (31, 31)), dtype=np.uint8)
    dark = 255 - (shadow * (0.8 * light.shadow)).astype(np.uint8)
    cv2.multiply(canvas.image, cv2.merge([dark, dark, dark]), dst=canvas.image, scale=1 / 255)
    for limbs, rgb, lift in ((arm, hand.sleeve, 45.0), (_limbs(hand), hand.skin, 35.0)):
        _paint(canvas, _capsules(canvas, hand, limbs, lift), rgb)


def _paint(canvas: Canvas, mask: Image, rgb: tuple[int, int, int]) -> None:
    """Paint the area of a mask as a rounded body: bright towards the light, dark at its edge."""
    found = cv2.boundingRect(mask)
    left, top, width, height = found
    if not width:
        return
    alpha = mask[top : top + height, left : left + width].astype(np.float32) / 255.0
    depth = cv2.distanceTransform((alpha > 0.5).astype(np.uint8), cv2.DIST_L2, 3)
    dome = floats(np.sqrt(np.clip(depth / 26.0, 0, 1)))
    dome = floats(cv2.GaussianBlur(dome, (0, 0), 4.0))
    x, y = canvas.light.direction_to_light
    slope = cv2.Sobel(dome, -1, 1, 0) * x + cv2.Sobel(dome, -1, 0, 1) * y
    shade = 0.70 + 0.30 * dome - 1.2 * slope
    colour = shade[..., None] * floats(_bgr(rgb))
    blend(canvas.image, floats(np.clip(colour, 0, 255) * alpha[..., None]), alpha, left, top)


def render(
    scene: Scene,
    camera: Camera,
    light: Lighting,
    rng: np.random.Generator,
    *,
    blur_px: float = 0.65,
    jpeg_quality: int | None = None,
) -> Image:
    """Return the picture of `scene`: (height_px, width_px, 3) uint8 BGR.

    `rng` is used only for the sensor's noise, so two pictures of the same scene differ only in that.
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
    """Return the corners of the tops of the tiles in the picture: (N, 4, 2) pixels.

    The top left corner of the print is the first; the others follow clockwise.
    """
    width, height, thick = scene.tileset.size_mm
    seen = [camera.project_flat(tile.corners((width, height)), thick) for tile in scene.tiles]
    return floats(seen).reshape(-1, 4, 2)


def lay_marker(canvas: Canvas, scene: Scene, marker: int) -> None:
    """Draw the sheet of one marker on the table."""
    cell = max(round(canvas.camera.px_per_mm * 2 * MARKER_MM / 6), 2)
    code = cv2.aruco.generateImageMarker(_MARKERS, marker, 6 * cell)
    edge = round(cell * 6 * (SHEET_MM / MARKER_MM - 1) / 2)
    sheet = cv2.copyMakeBorder(code, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(255,))
    paper = 26.0 + sheet.astype(np.float32) * (215.0 / 255.0)
    side = sheet.shape[0] * MARKER_MM / (6 * cell)
    lay_flat(canvas, floats(np.repeat(paper[..., None], 3, axis=2)), scene.marker_corners(marker, side))


def _expose(canvas: Canvas, rng: np.random.Generator, blur_px: float) -> Image:
    """Return the scene as seen through lens and sensor, with light, blur and noise."""
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
    """Return sensor noise, (h, w, 3) int16, in units of 1/`_PARTS` of a level.

    It is made of one patch that is repeated with random shifts.
    """
    side = 512
    patch = rng.standard_normal((side, side, 3), dtype=np.float32) * deviation
    patch += rng.standard_normal((side, side, 1), dtype=np.float32) * (0.5 * deviation)
    grain = np.round(cv2.blur(patch, (2, 2)) * (1.6 * _PARTS)).astype(np.int16)
    rows, columns = -(-shape[0] // side), -(-shape[1] // side)
    tiles = [
        [np.roll(grain, tuple(rng.integers(0, side, 2)), axis=(0, 1)) for _ in range(columns)] for _ in range(rows)
    ]
    return np.vstack([np.hstack(row) for row in tiles])[: shape[0], : shape[1]]
