"""Digits and letters of the virtual tiles, drawn as strokes of a broad pen, so that no font file is needed.

A glyph is drawn in a box of height 1 and the width of the face, with y pointing down. The pen is an ellipse, so that
vertical stems can be heavier than horizontal bars. Depending on the face, strokes have round or flat ends, with or
without slab serifs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from referee.sim.scene.arrays import SHIFT, Floats, Image, fixed_point, floats, resize

Strokes = list[Floats]
_OVERSAMPLING = 4


@dataclass(frozen=True, slots=True)
class Face:
    """A style of digits. Lengths are fractions of the height of a digit.

    `power` is the exponent of round parts, which are superellipses: 2 gives an ellipse, larger values squarer forms.
    """

    name: str
    width: float
    stem: float
    bar: float
    rounded: bool = False
    slab: bool = False
    power: float = 2.0


FACES = {
    face.name: face
    for face in (
        Face("bold", 0.64, 0.190, 0.155, power=2.15),
        Face("rounded", 0.62, 0.150, 0.140, rounded=True, power=2.25),
        Face("slab", 0.60, 0.165, 0.095, slab=True, power=2.05),
    )
}


def _line(*points: tuple[float, float]) -> Floats:
    return floats(points)


def _arc(centre: tuple[float, float], radii: tuple[float, float], start: float, stop: float, power: float) -> Floats:
    """Return a part of a superellipse; degrees are clockwise from the right."""
    angles = np.radians(np.linspace(start, stop, max(int(abs(stop - start) / 6), 2) + 1))
    bend = 2.0 / power
    x = np.sign(np.cos(angles)) * np.abs(np.cos(angles)) ** bend
    y = np.sign(np.sin(angles)) * np.abs(np.sin(angles)) ** bend
    return floats(np.stack([centre[0] + radii[0] * x, centre[1] + radii[1] * y], axis=1))


def _bezier(*control: tuple[float, float]) -> Floats:
    t = np.linspace(0.0, 1.0, 16)[:, None]
    a, b, c, d = np.asarray(control, dtype=np.float64)
    return floats((1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t * t * (1 - t) * c + t**3 * d)


def _evenly(stroke: Floats) -> Floats:
    """Return the stroke with evenly spaced points, so that its tangents can be computed."""
    steps = np.hypot(*np.diff(stroke, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.linspace(0.0, along[-1], max(int(along[-1] / 0.025), 1) + 1)
    return floats(np.stack([np.interp(at, along, stroke[:, k]) for k in (0, 1)], axis=1))


def _join_strokes(*parts: Floats) -> Floats:
    return np.concatenate([parts[0], *(p[1:] for p in parts[1:])])


class _Pen:
    """The lengths from which all glyphs of a face are built."""

    def __init__(self, face: Face) -> None:
        self.w, self.t, self.b, self.power = face.width, face.stem, face.bar, face.power
        self.slab = face.slab
        self.end = face.stem / 2 if face.rounded else 0.0  # where a stem starts, so that round ends stay in the box
        self.bar_end = face.bar / 2 if face.rounded else 0.0
        self.top, self.bottom = face.bar / 2, 1.0 - face.bar / 2

    def arc(self, centre: tuple[float, float], radii: tuple[float, float], start: float, stop: float) -> Floats:
        return _arc(centre, radii, start, stop, self.power)

    def bar(self, left: float, right: float, y: float) -> Floats:
        return _line((left + self.bar_end, y), (right - self.bar_end, y))

    def stem(self, x: float, top: float = 0.0, bottom: float = 1.0) -> Floats:
        return _line((x, top + self.end), (x, bottom - self.end))


def _zero(p: _Pen) -> Strokes:
    return [p.arc((p.w / 2, 0.5), ((p.w - p.t) / 2, (1 - p.b) / 2), 0, 375)]


def _one(p: _Pen) -> Strokes:
    x = 0.28 * p.w + p.t / 2
    strokes = [p.stem(x), _line((x, p.end + 0.01), (0.02 + p.end * 0.7, 0.25))]
    if p.slab:
        strokes.append(p.bar(x - 0.36 * p.w, x + 0.36 * p.w, p.bottom))
    return strokes


def _two(p: _Pen) -> Strokes:
    ry = 0.285
    bowl = p.arc((p.w * 0.49, p.top + ry), (p.w * 0.48 - p.t / 2, ry), 184, 386)
    x, y = float(bowl[-1, 0]), float(bowl[-1, 1])
    swing = _bezier((x, y), (x - 0.05, y + 0.11), (p.t * 0.75, 0.70), (p.t * 0.52, p.bottom - 0.02))
    strokes = [_join_strokes(bowl, swing), p.bar(0.0, p.w, p.bottom)]
    if p.slab:
        strokes.append(_line((p.w - p.t * 0.3, 0.80), (p.w - p.t * 0.3, 1.0)))
    return strokes


def _three(p: _Pen) -> Strokes:
    mid, x = 0.475, p.w * 0.46
    upper, lower = (mid - p.top) / 2, (p.bottom - mid) / 2
    return [
        p.arc((x, p.top + upper), (p.w * 0.95 - p.t / 2 - x, upper), 206, 450),
        p.arc((x, mid + lower), (p.w - p.t / 2 - x, lower), -90, 156),
        _line((x - 0.09, mid), (x + 0.01, mid)),
    ]


def _four(p: _Pen) -> Strokes:
    x, y = p.w * 0.92 - p.t * 0.75, 0.725
    strokes = [
        p.stem(x),
        _line((x - p.t * 0.08, p.end + p.b * 0.2), (p.t * 0.45, y)),
        p.bar(0.0, p.w, y),
    ]
    if p.slab:
        strokes.append(p.bar(x - 0.3 * p.w, x + 0.3 * p.w, p.bottom))
    return strokes


def _five(p: _Pen) -> Strokes:
    ry = 0.305
    bowl = p.arc((p.w * 0.48, p.bottom - ry), (p.w / 2 - p.t / 2 + 0.02 * p.w, ry), 232, 512)
    x = p.w * 0.10 + p.t * 0.42
    strokes = [bowl, _line((x, p.bar_end), (float(bowl[0, 0]), float(bowl[0, 1]) + 0.02))]
    strokes.append(p.bar(x - p.t * 0.5, p.w * 0.94, p.top))
    return strokes


def _six(p: _Pen) -> Strokes:
    ry = 0.285
    cy, left = p.bottom - ry, p.t / 2
    back = _bezier((left, cy), (left, cy - 0.34), (p.w * 0.26, p.top), (p.w * 0.56, p.top))
    hook = _bezier(
        (p.w * 0.56, p.top), (p.w * 0.70, p.top), (p.w * 0.82, p.top + 0.03), (p.w * 0.98 - p.t / 2, p.top + 0.11)
    )
    return [p.arc((p.w / 2, cy), ((p.w - p.t) / 2, ry), 0, 375), _join_strokes(back, hook)]


def _seven(p: _Pen) -> Strokes:
    slope = _bezier((p.w - p.t * 0.55, p.b * 0.6), (p.w * 0.62, 0.42), (p.w * 0.44, 0.68), (p.w * 0.40, 1.0 - p.end))
    strokes = [p.bar(0.0, p.w, p.top), slope]
    if p.slab:
        strokes.append(_line((p.t * 0.3, 0.0), (p.t * 0.3, 0.22)))
    return strokes


def _eight(p: _Pen) -> Strokes:
    span = p.bottom - p.top
    upper, lower = span * 0.235, span * 0.265
    return [
        p.arc((p.w / 2, p.top + upper), (p.w * 0.465 - p.t / 2, upper), 0, 375),
        p.arc((p.w / 2, p.bottom - lower), ((p.w - p.t) / 2, lower), 0, 375),
    ]


def _nine(p: _Pen) -> Strokes:
    return [floats([p.w, 1.0]) - s for s in _six(p)]


def _ace(p: _Pen) -> Strokes:
    w, e = p.w * 1.1, p.end
    foot = 1.05 if e == 0.0 else 1 - e  # flat ends extend beyond the box, which cuts them off horizontally
    left, right = _line((w / 2, e), (p.t * 0.5, foot)), _line((w / 2, e), (w - p.t * 0.5, foot))
    return [left, right, _line((w * 0.25, 0.68), (w * 0.75, 0.68))]


def _jack(p: _Pen) -> Strokes:
    mid, x = 0.48, p.w * 0.5
    upper, lower = (mid - p.top) / 2, (p.bottom - mid) / 2
    return [
        p.stem(p.t / 2),
        _join_strokes(
            _line((p.t / 2, p.top), (x, p.top)), p.arc((x, p.top + upper), (p.w * 0.94 - p.t / 2 - x, upper), -90, 90)
        ),
        _join_strokes(_line((x, mid), (x + 0.01, mid)), p.arc((x, mid + lower), (p.w - p.t / 2 - x, lower), -90, 90)),
        _line((p.t / 2, mid), (x, mid)),
        _line((p.t / 2, p.bottom), (x, p.bottom)),
    ]


def _queen(p: _Pen) -> Strokes:
    x = p.w * 0.42
    bowl = p.arc((x, 0.5), (p.w * 1.05 - p.t / 2 - x, (1 - p.b) / 2), -90, 90)
    return [p.stem(p.t / 2), _line((p.t / 2, p.top), (x, p.top)), bowl, _line((p.t / 2, p.bottom), (x, p.bottom))]


def _king(p: _Pen) -> Strokes:
    x, e = p.t / 2, p.end
    return [p.stem(x), _line((p.w - p.t * 0.4, e), (x, 0.58)), _line((p.w * 0.36, 0.42), (p.w - p.t * 0.3, 1 - e))]


_GLYPHS: dict[str, Callable[[_Pen], Strokes]] = {
    "0": _zero,
    "1": _one,
    "2": _two,
    "3": _three,
    "4": _four,
    "5": _five,
    "6": _six,
    "7": _seven,
    "8": _eight,
    "9": _nine,
    "A": _ace,
    "B": _jack,
    "D": _queen,
    "K": _king,
}
_WIDE = {"A": 1.1, "D": 1.05}


def _advance(letter: str, face: Face) -> float:
    if letter == "1":
        return face.width * (0.90 if face.slab else 0.30) + (0.0 if face.slab else face.stem)
    return face.width * _WIDE.get(letter, 1.0)


def _pull(canvas: Image, stroke: Floats, face: Face, scale: float) -> None:
    """Draw a stroke onto the oversampled canvas, piece by piece, so that overlapping parts stay filled."""
    stroke = _evenly(stroke)
    tangent = np.gradient(stroke, axis=0)
    tangent /= np.maximum(np.hypot(tangent[:, 0], tangent[:, 1]), 1e-6)[:, None]
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    half = np.hypot(normal[:, 0] * face.stem, normal[:, 1] * face.bar)[:, None] / 2
    left, right = (stroke + side * half * normal for side in (1, -1))
    for i in range(len(stroke) - 1):
        quad = floats([left[i], left[i + 1], right[i + 1], right[i]])
        cv2.fillConvexPoly(canvas, fixed_point(quad * scale), (255,), cv2.LINE_AA, SHIFT)
    if face.rounded:
        for x, y in (stroke[0] * scale, stroke[-1] * scale):
            centre = (round(float(x) * 16), round(float(y) * 16))
            axes = (round(face.stem * scale * 8), round(face.bar * scale * 8))
            cv2.ellipse(canvas, centre, axes, 0, 0, 360, (255,), -1, cv2.LINE_AA, SHIFT)


@lru_cache(maxsize=512)
def text_mask(text: str, face: Face, height_px: int) -> Floats:
    """Return the ink of `text` in `face`: (height_px, width of the text), 0-1; the array is read-only."""
    space = 0.105
    advances = [_advance(letter, face) for letter in text]
    width = sum(advances) + space * (len(text) - 1)
    scale = float(height_px * _OVERSAMPLING)
    columns = max(math.ceil(width * height_px), 1)
    canvas = np.zeros((height_px * _OVERSAMPLING, columns * _OVERSAMPLING), np.uint8)
    x = 0.0
    for letter, advance in zip(text, advances, strict=True):
        shift = 0.08 * face.width if letter == "1" and face.slab else 0.0
        for stroke in _GLYPHS[letter](_Pen(face)):
            _pull(canvas, stroke + floats([x + shift, 0.0]), face, scale)
        x += advance + space
    mask = resize(canvas.astype(np.float32) / 255.0, columns, height_px, cv2.INTER_AREA)
    mask.setflags(write=False)
    return mask
