"""The tops of the virtual tiles: body, print and relief, slightly different for each tile.

Suits, jokers and orientation marks are drawn here as ink masks; `glyphs` draws digits and letters.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from referee.errors import BadInput
from referee.game.tiles import Colour, Tile, TileSet
from referee.sim.scene.arrays import SHIFT, Floats, Image, blur, fixed_point, floats, resize
from referee.sim.scene.glyphs import FACES, text_mask
from referee.sim.scene.scene import TileMake

_CANVAS = 512  # pixels; a symbol is drawn in the square from -1 to 1, y down
_Point = tuple[float, float]
SUITS = {Colour.RED: "heart", Colour.YELLOW: "diamond", Colour.BLUE: "spade", Colour.BLACK: "club"}
"""The suit of each colour in a tile set with card faces."""
_PX_PER_MM = 8.0
_LETTERS = {1: "A", 11: "B", 12: "D", 13: "K"}
_CORNER_MM = 1.6
_BEVEL_MM = 1.1
_BODIES = {  # BGR
    "cream": (212.0, 232.0, 240.0),
    "white": (236.0, 240.0, 241.0),
    "beech": (142.0, 190.0, 226.0),
    "maple": (168.0, 210.0, 236.0),
}
_WOODEN = frozenset({"beech", "maple"})


def _to_canvas(points: Iterable[_Point]) -> Floats:
    return floats((np.array(list(points)) + 1.0) * (_CANVAS / 2))


def _solid(canvas: Image, points: Iterable[_Point], ink: int = 255) -> None:
    cv2.fillPoly(canvas, [fixed_point(_to_canvas(points))], (ink,), cv2.LINE_AA, SHIFT)


def _disc(canvas: Image, x: float, y: float, radius: float, ink: int = 255) -> None:
    centre = fixed_point(_to_canvas([(x, y)]))[0]
    cv2.circle(canvas, (int(centre[0]), int(centre[1])), int(radius * _CANVAS * 8), (ink,), -1, cv2.LINE_AA, SHIFT)


def _ring(canvas: Image, x: float, y: float, radius: float, width: float) -> None:
    _disc(canvas, x, y, radius)
    _disc(canvas, x, y, radius - width, 0)


def _curve(canvas: Image, centre: _Point, radii: _Point, span: tuple[int, int], width: float) -> None:
    """Draw a part of an ellipse with a round pen; degrees are clockwise from the right."""
    for angle in np.radians(np.arange(span[0], span[1] + 1, 2.0)):
        _disc(canvas, centre[0] + radii[0] * math.cos(angle), centre[1] + radii[1] * math.sin(angle), width / 2)


def _star(points: int, outer: float, inner: float) -> list[_Point]:
    turns = (math.pi * (k / points - 0.5) for k in range(2 * points))
    return [(r * math.cos(a), r * math.sin(a)) for a, r in zip(turns, [outer, inner] * points, strict=True)]


def _smile(canvas: Image) -> None:
    _ring(canvas, 0, 0, 0.98, 0.13)
    _disc(canvas, -0.34, -0.25, 0.13)
    _disc(canvas, 0.34, -0.25, 0.13)
    _curve(canvas, (-0.34, -0.36), (0.20, 0.16), (200, 340), 0.07)
    _curve(canvas, (0.34, -0.36), (0.20, 0.16), (200, 340), 0.07)
    _curve(canvas, (0, 0.02), (0.10, 0.16), (20, 160), 0.07)
    _curve(canvas, (0, 0.12), (0.56, 0.46), (15, 165), 0.12)


def _star_joker(canvas: Image) -> None:
    _solid(canvas, _star(5, 1.0, 0.42))
    _disc(canvas, 0, 0.03, 0.20, 0)


def _jester(canvas: Image) -> None:
    hat = [(-0.62, 0.45), (-0.98, -0.35), (-0.42, 0.0), (0.0, -0.82), (0.42, 0.0), (0.98, -0.35), (0.62, 0.45)]
    _solid(canvas, hat)
    for x, y in ((-0.93, -0.42), (0.0, -0.85), (0.93, -0.42)):
        _disc(canvas, x, y, 0.14)
    _solid(canvas, [(-0.62, 0.54), (0.62, 0.54), (0.62, 0.76), (-0.62, 0.76)])


def _heart(canvas: Image) -> None:
    _disc(canvas, -0.42, -0.35, 0.46)
    _disc(canvas, 0.42, -0.35, 0.46)
    _solid(canvas, [(-0.83, -0.14), (-0.40, -0.30), (0.40, -0.30), (0.83, -0.14), (0.0, 0.92)])


def _diamond(canvas: Image) -> None:
    _solid(canvas, [(0, -0.98), (0.70, 0), (0, 0.98), (-0.70, 0)])


def _foot(canvas: Image) -> None:
    _solid(canvas, [(-0.08, 0.2), (0.08, 0.2), (0.34, 0.95), (-0.34, 0.95)])


def _spade(canvas: Image) -> None:
    _disc(canvas, -0.42, 0.22, 0.44)
    _disc(canvas, 0.42, 0.22, 0.44)
    _solid(canvas, [(-0.81, 0.04), (0.0, -0.98), (0.81, 0.04), (0.0, 0.4)])
    _foot(canvas)


def _club(canvas: Image) -> None:
    for x, y in ((-0.46, 0.18), (0.46, 0.18), (0.0, -0.50)):
        _disc(canvas, x, y, 0.42)
    _disc(canvas, 0, 0, 0.3)
    _foot(canvas)


_SYMBOLS: dict[str, Callable[[Image], None]] = {
    "smile": _smile,
    "star": _star_joker,
    "jester": _jester,
    "ring": lambda canvas: _ring(canvas, 0, 0, 0.98, 0.32),
    "dot": lambda canvas: _disc(canvas, 0, 0, 0.6),
    "heart": _heart,
    "diamond": _diamond,
    "spade": _spade,
    "club": _club,
}


@lru_cache(maxsize=64)
def symbol_mask(name: str, side_px: int) -> Floats:
    """Return the ink of a symbol: (side_px, side_px), 0-1; the array is read-only."""
    if name not in _SYMBOLS:
        raise BadInput(f"expected a symbol out of {', '.join(_SYMBOLS)}, got {name!r}")
    canvas = np.zeros((_CANVAS, _CANVAS), np.uint8)
    _SYMBOLS[name](canvas)
    mask = resize(canvas.astype(np.float32) / 255.0, side_px, side_px, cv2.INTER_AREA)
    mask.setflags(write=False)
    return mask


@dataclass(frozen=True, slots=True)
class Top:
    """The top of one tile as seen from directly above, with upright digits.

    `albedo` (h, w, 3) is BGR, 0-255. `alpha` (h, w), 0-1, is the rounded outline. `slope` (h, w, 2) is the slope of
    the surface to the right and downwards.
    """

    albedo: Floats
    alpha: Floats
    slope: Floats

    def shade(self, light_x: float, light_y: float, slant: float) -> Floats:
        """Return the colours under light from (`light_x`, `light_y`) in the tile's frame: (h, w, 3), premultiplied."""
        shade = 1.0 - slant * (self.slope[..., 0] * light_x + self.slope[..., 1] * light_y)
        return floats(self.albedo * (np.clip(shade, 0.3, 1.3) * self.alpha)[..., None])


def body_colour(look: TileMake) -> tuple[float, float, float]:
    """Return the mean colour (BGR) of a tile's body."""
    if look.body not in _BODIES:
        raise BadInput(f"expected a tile body out of {', '.join(_BODIES)}, got {look.body!r}")
    return _BODIES[look.body]


@lru_cache(maxsize=1024)
def tile_top(tile: Tile | None, copy: int, tileset: TileSet, look: TileMake, px_per_mm: float) -> Top:
    """Return the top of a tile at a scale of `px_per_mm`; None is a back. The result must not be changed."""
    name = f"{tile}/{copy}/{look.body}"
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    shape = (round(tileset.size_mm[1] * _PX_PER_MM), round(tileset.size_mm[0] * _PX_PER_MM))
    albedo = _body(rng, shape, look)
    relief, alpha = _outline(shape)
    albedo = floats(albedo * (1 - 0.25 * np.clip(-relief / 0.4, 0, 1))[..., None])  # edges are darker
    if tile is not None:
        if look.dish:
            relief = floats(relief + _dish(shape, look))
        ink = _ink_mask(rng, shape, tile, tileset, look)
        albedo = _print_ink(albedo, ink, look.ink(tile, copy), look)
        relief = floats(relief - 0.06 * blur(ink, 1.0))
    slope = np.stack([cv2.Sobel(relief, -1, 1, 0, ksize=3), cv2.Sobel(relief, -1, 0, 1, ksize=3)], axis=-1)
    slope = floats(slope * (_PX_PER_MM / 8.0))
    width, height = (max(round(side * px_per_mm), 4) for side in tileset.size_mm[:2])
    parts = (resize(floats(part), width, height, cv2.INTER_AREA) for part in (albedo, alpha, slope))
    return Top(*parts)


def _body(rng: np.random.Generator, shape: tuple[int, int], look: TileMake) -> Floats:
    tint = np.array(body_colour(look)) * (1 + rng.normal(0, 0.008) + rng.normal(0, 0.004, 3))
    if look.body not in _WOODEN:
        cloud = resize(floats(rng.standard_normal((8, 6))), shape[1], shape[0], cv2.INTER_CUBIC)
        return floats(tint * (1 + 0.006 * cloud[..., None]))
    tint = tint * (1 + rng.normal(0, 0.035))
    fibres = resize(floats(rng.standard_normal((9, shape[1] // 2))), shape[1], shape[0], cv2.INTER_CUBIC)
    bend = resize(floats(rng.standard_normal((4, 3))), shape[1], shape[0], cv2.INTER_CUBIC)
    across = np.arange(shape[1]) / _PX_PER_MM
    rings = np.sin((across + 1.5 * bend) * rng.uniform(1.2, 2.4) + rng.uniform(0, 6))
    flecks = np.clip(resize(floats(rng.standard_normal((30, 90))), shape[1], shape[0], cv2.INTER_CUBIC) - 1.6, 0, 1)
    tone = 1 + 0.022 * fibres + 0.026 * rings - 0.13 * flecks
    return floats(tint * (tone[..., None] ** np.array([1.35, 1.1, 0.9])))


def _outline(shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return the relief of the bevel in mm, and the rounded outline."""
    height, width = shape
    radius = _CORNER_MM * _PX_PER_MM
    x = np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - radius)
    y = np.abs(np.arange(height) + 0.5 - height / 2)[:, None] - (height / 2 - radius)
    out = np.hypot(np.maximum(x, 0), np.maximum(y, 0)) + np.minimum(np.maximum(x, y), 0)
    depth = (radius - out) / _PX_PER_MM  # mm inside the outline
    bevel = -(np.clip(_BEVEL_MM - depth, 0, _BEVEL_MM) ** 2) / (2 * _BEVEL_MM) * 0.8
    return floats(bevel), floats(np.clip(depth * _PX_PER_MM + 0.5, 0, 1))


def _dish(shape: tuple[int, int], look: TileMake) -> Floats:
    """Return the relief of the round hollow around the digits."""
    x = (np.arange(shape[1]) + 0.5 - shape[1] / 2) / _PX_PER_MM
    y = (np.arange(shape[0]) + 0.5 - shape[0] * look.centre)[:, None] / _PX_PER_MM
    return floats(-0.28 / (1 + np.exp((np.hypot(x, y) - 10.6) / 0.45)))


def _print_ink(albedo: Floats, ink: Floats, rgb: tuple[int, int, int], look: TileMake) -> Floats:
    cover = ink[..., None] * (0.93 if look.body in _WOODEN else 0.985)
    grain = albedo / np.mean(albedo, axis=(0, 1))
    return floats(albedo * (1 - cover) + np.array(rgb[::-1]) * (0.4 + 0.6 * grain) * cover)


def _ink_mask(
    rng: np.random.Generator, shape: tuple[int, int], tile: Tile, tileset: TileSet, look: TileMake
) -> Floats:
    mask = np.zeros(shape, np.float32)
    middle = np.array([shape[1] / 2, shape[0] * look.centre])
    if tile.is_joker:
        _stamp(mask, symbol_mask(look.joker, round(16.5 * _PX_PER_MM)), *middle)
    else:
        cards = tileset.faces == "cards"
        _number(mask, tile.number, middle, cards, look)
        if cards and tile.colour in SUITS:
            _stamp(mask, symbol_mask(SUITS[tile.colour], round(9.0 * _PX_PER_MM)), middle[0], shape[0] * 0.77)
        elif look.mark != "none":
            _stamp(mask, symbol_mask(look.mark, round(6.5 * _PX_PER_MM)), middle[0], shape[0] * 0.78)
    moved = cv2.getRotationMatrix2D((shape[1] / 2, shape[0] / 2), rng.normal(0, 0.7), 1.0)
    moved[:, 2:] = moved[:, 2:] + rng.normal(0, 0.25 * _PX_PER_MM, (2, 1))
    return blur(floats(cv2.warpAffine(mask, floats(moved), (shape[1], shape[0]))), 0.6)


def _number(mask: Floats, number: int, middle: Floats, cards: bool, look: TileMake) -> None:
    text = _LETTERS.get(number, str(number)) if cards else str(number)
    glyphs = text_mask(text, FACES[look.face], round(look.digit_mm * _PX_PER_MM))
    widest = 19.0 * _PX_PER_MM
    if glyphs.shape[1] > widest:
        glyphs = resize(glyphs, int(widest), glyphs.shape[0], cv2.INTER_AREA)
    _stamp(mask, glyphs, float(middle[0]), float(middle[1]))
    if look.underline and text in {"6", "9"}:
        bar = np.ones((round(1.3 * _PX_PER_MM), round(0.62 * look.digit_mm * _PX_PER_MM)), np.float32)
        _stamp(mask, bar, float(middle[0]), float(middle[1]) + (look.digit_mm / 2 + 1.9) * _PX_PER_MM)


def _stamp(mask: Floats, ink: Floats, x: float, y: float) -> None:
    """Add `ink` to `mask`, with its middle at (x, y) pixels, in place."""
    top, left = round(y - ink.shape[0] / 2), round(x - ink.shape[1] / 2)
    region = mask[max(top, 0) : top + ink.shape[0], max(left, 0) : left + ink.shape[1]]
    np.maximum(region, ink[: region.shape[0], : region.shape[1]], out=region)
