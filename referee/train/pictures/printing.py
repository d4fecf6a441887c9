"""Ink laid on sheets: text, rings, stars, as masks of 0-1."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from referee.train.pictures.surfaces import Floats


def text_mask(text: str, face: Path, height_px: float, *, embolden: int = 0, squeeze: float = 1.0) -> Floats:
    """A tight ink mask (h, w), 0-1, whose capital digits are `height_px` high."""
    font = ImageFont.truetype(str(face), max(6, round(height_px * 1.4)))
    left, top, right, bottom = font.getbbox(text, stroke_width=embolden)
    canvas = Image.new("L", (max(1, int(right - left) + 4), max(1, int(bottom - top) + 4)))
    ImageDraw.Draw(canvas).text((2 - left, 2 - top), text, font=font, fill=255, stroke_width=embolden)
    mask = np.asarray(canvas, np.float32) / 255
    scale = height_px / max(1, mask.shape[0] - 4)
    size = (max(1, round(mask.shape[1] * scale * squeeze)), max(1, round(mask.shape[0] * scale)))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.float32)


def stamp(sheet: Floats, mask: Floats, x: float, y: float) -> None:
    """Lay `mask` on `sheet` with its centre at (x, y), in place; what hangs over is cut off."""
    height, width = sheet.shape
    x0, y0 = round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2)
    left, top = max(0, x0), max(0, y0)
    right, bottom = min(width, x0 + mask.shape[1]), min(height, y0 + mask.shape[0])
    if right > left and bottom > top:
        part = sheet[top:bottom, left:right]
        np.maximum(part, mask[top - y0 : bottom - y0, left - x0 : right - x0], out=part)


def ring(sheet: Floats, x: float, y: float, radius: float, thick: float) -> None:
    """Draw a circle; `thick` < 0 fills it."""
    np.maximum(sheet, _disc(sheet, x, y, radius, -1 if thick < 0 else max(1, round(thick))), out=sheet)


def hole(sheet: Floats, x: float, y: float, radius: float) -> None:
    """Leave a disc without ink, in place."""
    sheet *= 1 - _disc(sheet, x, y, radius, -1)


def _disc(sheet: Floats, x: float, y: float, radius: float, thick: int) -> Floats:
    canvas = np.zeros(sheet.shape, np.uint8)
    cv2.circle(canvas, (round(x * 16), round(y * 16)), round(max(0.5, radius) * 16), 255, thick, cv2.LINE_AA, 4)
    return canvas.astype(np.float32) / 255


def arc(sheet: Floats, x: float, y: float, axes: tuple[float, float], thick: float, *, blank: bool = False) -> None:
    """A smile: the lower part of an ellipse; `blank` takes ink away instead."""
    canvas = np.zeros(sheet.shape, np.uint8)
    size = (max(1, round(axes[0])), max(1, round(axes[1])))
    cv2.ellipse(canvas, (round(x), round(y)), size, 0, 20, 160, 255, max(1, round(thick)), cv2.LINE_AA)
    part = canvas.astype(np.float32) / 255
    if blank:
        sheet *= 1 - part
    else:
        np.maximum(sheet, part, out=sheet)


def polygon(sheet: Floats, points: Floats) -> None:
    """Fill a polygon (n, 2) of pixels with ink."""
    canvas = np.zeros(sheet.shape, np.uint8)
    cv2.fillPoly(canvas, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    np.maximum(sheet, canvas.astype(np.float32) / 255, out=sheet)


def star(sheet: Floats, x: float, y: float, radius: float, points: int, inner: float) -> None:
    """A star of that many points; `inner` is the inner radius as a part of the outer one."""
    angles = np.arange(points * 2) * math.pi / points - math.pi / 2
    radii = np.where(np.arange(points * 2) % 2 == 0, radius, radius * inner)
    polygon(sheet, np.stack([x + radii * np.cos(angles), y + radii * np.sin(angles)], 1))
