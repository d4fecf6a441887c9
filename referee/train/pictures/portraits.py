"""Faces of jokers, each with other features, as the boxes of many makers have them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from referee.train.pictures.surfaces import Floats, Rng

FINER = 4
"""A face is drawn this many times larger, so that its lines may be narrower than a pixel."""
INK, BLANK = 255, 0
# The shares and sizes below were chosen by hand, so that faces differ in all that those of real boxes differ in.


def draw_portrait(rng: Rng, sheet: Floats, x: float, y: float, radius: float) -> None:
    """Draw a face with random features around (x, y) on `sheet` (h, w), the ink from 0 to 1, in place."""
    height, width = sheet.shape
    pen = _Pen((height * FINER, width * FINER), x * FINER, y * FINER, radius * FINER * rng.uniform(0.7, 1.1))
    tall = rng.uniform(0.9, 1.15)
    _draw_head(rng, pen, tall)
    line = rng.uniform(0.04, 0.14)
    _draw_eyes(rng, pen, line)
    _draw_nose(rng, pen, line)
    _draw_mouth(rng, pen, line)
    if rng.random() < 0.3:  # cheeks
        for side in (-1, 1):
            pen.oval(side * 0.6, 0.25, (0.12, 0.12), 0.7 * line)
    pen.ink = INK
    _draw_top(rng, pen, tall, line)
    drawn = cv2.resize(pen.canvas, (width, height), interpolation=cv2.INTER_AREA)
    np.maximum(sheet, drawn.astype(np.float32) / 255, out=sheet)


class _Pen:
    """Draws on a canvas of its own, in radii from the middle of the face; `ink` is INK or BLANK."""

    def __init__(self, shape: tuple[int, int], x: float, y: float, radius: float) -> None:
        self.canvas = np.zeros(shape, np.uint8)
        self.ink = INK
        self._middle, self._radius = np.asarray((x, y)), radius

    def oval(
        self, x: float, y: float, axes: tuple[float, float], line: float, span: tuple[int, int] = (0, 360)
    ) -> None:
        """Draw a part of an ellipse, from one angle to another in degrees; `line` < 0 fills it."""
        wide, high = (max(1, round(axis * self._radius)) for axis in axes)
        cv2.ellipse(self.canvas, self._place(x, y), (wide, high), 0, *span, self.ink, self._line(line), cv2.LINE_AA)

    def strokes(self, points: Sequence[tuple[float, float]], line: float) -> None:
        """Draw a line through the points; `line` < 0 fills what it surrounds."""
        corners = np.asarray([self._place(*point) for point in points], np.int32)
        if line < 0:
            cv2.fillPoly(self.canvas, [corners], self.ink, cv2.LINE_AA)
        else:
            cv2.polylines(self.canvas, [corners], False, self.ink, self._line(line), cv2.LINE_AA)

    def _place(self, x: float, y: float) -> tuple[int, int]:
        across, down = np.round(self._middle + np.asarray((x, y)) * self._radius).astype(int).tolist()
        return across, down

    def _line(self, line: float) -> int:
        return -1 if line < 0 else max(FINER // 2, round(line * self._radius))


def _draw_head(rng: Rng, pen: _Pen, tall: float) -> None:
    """Draw a ring, two rings, a disc of ink in which the features are left blank, or nothing."""
    if rng.random() < 0.2:
        pen.oval(0, 0, (1, tall), -1)
        pen.ink = BLANK
    elif rng.random() < 0.9:
        pen.oval(0, 0, (1, tall), rng.uniform(0.05, 0.2))
        if rng.random() < 0.15:
            pen.oval(0, 0, (0.82, 0.82 * tall), 0.05)


def _draw_eyes(rng: Rng, pen: _Pen, line: float) -> None:
    """Draw dots, eyes with pupils, closed eyes or dashes, often with brows."""
    apart, level, size = rng.uniform(0.28, 0.48), rng.uniform(-0.35, -0.05), rng.uniform(0.07, 0.2)
    kind, round_ = str(rng.choice(["dots", "pupils", "closed", "dashes"])), rng.uniform(0.8, 1.4)
    browed, lift, bow = rng.random() < 0.6, rng.uniform(0.1, 0.25), rng.uniform(0.05, 0.15)
    for x in (-apart, apart):
        if kind == "dots":
            pen.oval(x, level, (size, size * round_), -1)
        elif kind == "pupils":
            pen.oval(x, level, (1.3 * size, 0.8 * size), line)
            pen.oval(x, level, (0.5 * size, 0.5 * size), -1)
        elif kind == "closed":
            pen.oval(x, level + size, (1.2 * size, size), line, (190, 350))
        else:
            pen.strokes([(x - size, level), (x + size, level)], 1.5 * line)
        if browed:
            pen.oval(x, level - size - lift + bow, (1.6 * size, bow), line, (180, 360))


def _draw_nose(rng: Rng, pen: _Pen, line: float) -> None:
    kind, tip = str(rng.choice(["line", "profile", "dot", "none"])), rng.uniform(0.1, 0.3)
    if kind == "line":
        pen.strokes([(0, 0), (0, tip)], line)
    elif kind == "profile":
        pen.strokes([(0, 0), (-0.12, tip), (0.06, tip)], line)
    elif kind == "dot":
        pen.oval(0, tip - 0.05, (0.1, 0.08), -1)


def _draw_mouth(rng: Rng, pen: _Pen, line: float) -> None:
    kind, low = str(rng.choice(["smile", "lips", "laugh", "corners"])), rng.uniform(0.4, 0.6)
    wide, high = rng.uniform(0.25, 0.55), rng.uniform(0.06, 0.14)
    if kind == "smile":
        pen.oval(0, low - 0.2, (wide, 0.25), line, (15, 165))
    elif kind == "lips":
        pen.oval(0, low, (0.7 * wide, high), -1)
    elif kind == "laugh":
        pen.oval(0, low - 0.2, (wide, 0.3), -1, (0, 180))
    else:
        pen.strokes([(-0.8 * wide, low), (0, low + 0.06), (0.8 * wide, low)], 1.3 * line)


def _draw_top(rng: Rng, pen: _Pen, tall: float, line: float) -> None:
    """Draw curls, a cap with three points, the rays of a sun, or mostly nothing."""
    kind = str(rng.choice(["none", "curls", "cap", "rays"], p=[0.55, 0.2, 0.15, 0.1]))
    if kind == "curls":
        for angle in np.linspace(-2.7, -0.4, int(rng.integers(5, 10))):
            pen.oval(1.05 * math.cos(angle), 1.05 * tall * math.sin(angle), (0.13, 0.13), -1)
    elif kind == "cap":
        tips = [(-0.9, -0.5), (-1.1, -1.3), (-0.35, -0.85), (0, -1.6), (0.35, -0.85), (1.1, -1.3), (0.9, -0.5)]
        pen.strokes(tips, -1)
    elif kind == "rays":
        for angle in np.linspace(0, 2 * math.pi, int(rng.integers(8, 20)), endpoint=False):
            pen.strokes([(far * math.cos(angle), far * math.sin(angle)) for far in (1.1, 1.35)], line)
