"""Suit signs, jokers and orientation marks of the virtual tiles, as ink masks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache

import cv2
import numpy as np

from referee.errors import BadInput
from referee.game.tiles import Colour
from referee.sim.scene.arrays import SHIFT, Floats, Image, fixed_point, floats, resize

_CANVAS = 512  # pixels; a symbol is drawn in the square from -1 to 1, y down
_Point = tuple[float, float]


def _at(points: Iterable[_Point]) -> Floats:
    return floats((np.array(list(points)) + 1.0) * (_CANVAS / 2))


def _solid(canvas: Image, points: Iterable[_Point], ink: int = 255) -> None:
    cv2.fillPoly(canvas, [fixed_point(_at(points))], (ink,), cv2.LINE_AA, SHIFT)


def _disc(canvas: Image, x: float, y: float, radius: float, ink: int = 255) -> None:
    centre = fixed_point(_at([(x, y)]))[0]
    cv2.circle(canvas, (int(centre[0]), int(centre[1])), int(radius * _CANVAS * 8), (ink,), -1, cv2.LINE_AA, SHIFT)


def _ring(canvas: Image, x: float, y: float, radius: float, width: float) -> None:
    _disc(canvas, x, y, radius)
    _disc(canvas, x, y, radius - width, 0)


def _curve(canvas: Image, centre: _Point, radii: _Point, span: tuple[int, int], width: float) -> None:
    """A piece of an ellipse drawn with a round pen; degrees clockwise from the right."""
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
SUITS = {Colour.RED: "heart", Colour.YELLOW: "diamond", Colour.BLUE: "spade", Colour.BLACK: "club"}
"""The suit sign of each colour of a set with card faces."""


@lru_cache(maxsize=64)
def symbol_mask(name: str, side_px: int) -> Floats:
    """The ink of a symbol: (side_px, side_px), 0-1; treat it as read-only."""
    if name not in _SYMBOLS:
        raise BadInput(f"expected a symbol out of {', '.join(_SYMBOLS)}, got {name!r}")
    canvas = np.zeros((_CANVAS, _CANVAS), np.uint8)
    _SYMBOLS[name](canvas)
    mask = resize(canvas.astype(np.float32) / 255.0, side_px, side_px, cv2.INTER_AREA)
    mask.setflags(write=False)
    return mask
