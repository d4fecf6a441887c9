"""Masks of ink, 0-1: text, rings, stars and jokers' faces, of as many kinds as real boxes have."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from referee.train.pictures.portraits import draw_portrait
from referee.train.pictures.surfaces import Floats, Rng

JOKERS = ("sun", "smile", "mask", "glyph", "star", "word", "crown", "cap", "letter", "emblem")
MANY_JOKERS = (*JOKERS, *["portrait"] * 30)
"""Mostly faces, none of which is like another."""
_GLYPHS = "☺☻♔♕★✪❂☀♚☆✶❋"


def text_mask(text: str, face: Path, height_px: float, *, embolden: int = 0, squeeze: float = 1.0) -> Floats:
    """Return a cropped ink mask (h, w), 0-1, whose capital digits are `height_px` high."""
    font = ImageFont.truetype(str(face), max(6, round(height_px * 1.4)))
    left, top, right, bottom = font.getbbox(text, stroke_width=embolden)
    canvas = Image.new("L", (max(1, int(right - left) + 4), max(1, int(bottom - top) + 4)))
    ImageDraw.Draw(canvas).text((2 - left, 2 - top), text, font=font, fill=255, stroke_width=embolden)
    mask = np.asarray(canvas, np.float32) / 255
    scale = height_px / max(1, mask.shape[0] - 4)
    size = (max(1, round(mask.shape[1] * scale * squeeze)), max(1, round(mask.shape[0] * scale)))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.float32)


def stamp(sheet: Floats, mask: Floats, x: float, y: float) -> None:
    """Draw `mask` on `sheet` with its centre at (x, y), in place; it is cropped at the edges."""
    height, width = sheet.shape
    x0, y0 = round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2)
    left, top = max(0, x0), max(0, y0)
    right, bottom = min(width, x0 + mask.shape[1]), min(height, y0 + mask.shape[0])
    if right > left and bottom > top:
        part = sheet[top:bottom, left:right]
        np.maximum(part, mask[top - y0 : bottom - y0, left - x0 : right - x0], out=part)


def ring(sheet: Floats, x: float, y: float, radius: float, thick: float) -> None:
    """Draw a circle, in place; `thick` < 0 fills it."""
    np.maximum(sheet, _disc(sheet, x, y, radius, -1 if thick < 0 else max(1, round(thick))), out=sheet)


def hole(sheet: Floats, x: float, y: float, radius: float) -> None:
    """Remove the ink of a disc, in place."""
    sheet *= 1 - _disc(sheet, x, y, radius, -1)


def _disc(sheet: Floats, x: float, y: float, radius: float, thick: int) -> Floats:
    canvas = np.zeros(sheet.shape, np.uint8)
    cv2.circle(canvas, (round(x * 16), round(y * 16)), round(max(0.5, radius) * 16), 255, thick, cv2.LINE_AA, 4)
    return canvas.astype(np.float32) / 255


def arc(sheet: Floats, x: float, y: float, axes: tuple[float, float], thick: float, *, blank: bool = False) -> None:
    """Draw a smile, the lower part of an ellipse, in place; `blank` removes ink instead."""
    canvas = np.zeros(sheet.shape, np.uint8)
    size = (max(1, round(axes[0])), max(1, round(axes[1])))
    cv2.ellipse(canvas, (round(x), round(y)), size, 0, 20, 160, 255, max(1, round(thick)), cv2.LINE_AA)
    part = canvas.astype(np.float32) / 255
    if blank:
        sheet *= 1 - part
    else:
        np.maximum(sheet, part, out=sheet)


def polygon(sheet: Floats, points: Floats) -> None:
    """Fill a polygon (n, 2), in pixels, with ink, in place."""
    canvas = np.zeros(sheet.shape, np.uint8)
    cv2.fillPoly(canvas, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    np.maximum(sheet, canvas.astype(np.float32) / 255, out=sheet)


def star(sheet: Floats, x: float, y: float, radius: float, points: int, inner: float) -> None:
    """Draw a star with this many points; `inner` is the inner radius as a part of the outer one."""
    angles = np.arange(points * 2) * math.pi / points - math.pi / 2
    radii = np.where(np.arange(points * 2) % 2 == 0, radius, radius * inner)
    polygon(sheet, np.stack([x + radii * np.cos(angles), y + radii * np.sin(angles)], 1))


def draw_joker(rng: Rng, kind: str, sheet: Floats, face: Path, symbols: Path, centre_y: float, radius: float) -> None:
    """Draw a joker on `sheet`, in place.

    `rng`: decides about details.
    `kind`: one of `MANY_JOKERS`.
    `sheet`: the ink on a tile, (h, w) from 0 to 1.
    `face`: the type face file for words and letters.
    `symbols`: the type face file for symbols.
    `centre_y`: the middle of the figure below the upper edge, in pixels.
    `radius`: the size of the figure from its middle, in pixels.
    """
    height, width = sheet.shape
    x, y, r = width / 2, centre_y, radius
    if kind in ("sun", "smile"):
        _smile(sheet, x, y, r, hair=kind == "sun")
    elif kind == "portrait":
        draw_portrait(rng, sheet, x, y, r)
    elif kind == "mask":
        _mask(sheet, x, y, r)
    elif kind == "star":
        star(sheet, x, y, r * 1.1, 5 if rng.random() < 0.7 else int(rng.integers(4, 9)), rng.uniform(0.36, 0.6))
    elif kind == "word":
        _word(rng, sheet, face)
        return
    elif kind == "letter":
        stamp(sheet, text_mask("J", face, r * 1.8), x, y)
        ring(sheet, x, y, r * 1.25, max(1.0, r * 0.14))
    elif kind == "cap":
        _cap(sheet, x, y, r)
    elif kind == "emblem":
        ring(sheet, x, y, r, max(1.0, r * rng.uniform(0.08, 0.3)))
        star(sheet, x, y, r * 0.7, int(rng.integers(4, 8)), 0.45)
    else:
        glyph = "♛" if kind == "crown" else _GLYPHS[int(rng.integers(len(_GLYPHS)))]
        stamp(sheet, text_mask(glyph, symbols, r * 1.9), x, y)
    if rng.random() < 0.3:
        stamp(sheet, text_mask("JOKER", face, width * 0.13, squeeze=0.9), x, height * 0.75)


def _smile(sheet: Floats, x: float, y: float, r: float, *, hair: bool) -> None:
    line = max(1.0, r * 0.14)
    ring(sheet, x, y, r, line)
    for side in (-1, 1):
        ring(sheet, x + side * r * 0.38, y - r * 0.2, max(1.0, r * 0.13), -1)
    arc(sheet, x, y + r * 0.1, (r * 0.5, r * 0.45), line)
    if not hair:
        return
    for side in (-1, 1):  # brows and cheeks, as many boxes have
        ring(sheet, x + side * r * 0.55, y + r * 0.15, r * 0.13, max(1.0, line * 0.6))
        brow = np.ones((max(1, round(line)), max(2, round(r * 0.4))), np.float32)
        stamp(sheet, brow, x + side * r * 0.38, y - r * 0.48)
    stamp(sheet, np.ones((round(r * 0.35) + 1, max(1, round(line))), np.float32), x, y + r * 0.05)
    for a in np.linspace(-2.6, -0.5, 7):
        ring(sheet, x + r * 0.8 * math.cos(a), y + r * 0.8 * math.sin(a), max(1.0, r * 0.12), -1)


def _mask(sheet: Floats, x: float, y: float, r: float) -> None:
    """Draw a disc of ink with eyes and mouth left blank."""
    ring(sheet, x, y, r, -1)
    for side in (-1, 1):
        hole(sheet, x + side * r * 0.38, y - r * 0.22, max(1.0, r * 0.16))
    arc(sheet, x, y + r * 0.1, (r * 0.55, r * 0.5), max(1.0, r * 0.16), blank=True)


def _cap(sheet: Floats, x: float, y: float, r: float) -> None:
    """Draw a fool's cap with three bells."""
    tips = [(-1.0, -0.1), (0.0, -1.0), (1.0, -0.1)]
    outline = [(-0.75, 0.7), tips[0], (-0.3, 0.05), tips[1], (0.3, 0.05), tips[2], (0.75, 0.7)]
    polygon(sheet, np.asarray([(x + a * r, y + b * r) for a, b in outline], np.float32))
    for a, b in tips:
        ring(sheet, x + a * r, y + b * r, max(1.0, r * 0.16), -1)


def _word(rng: Rng, sheet: Floats, face: Path) -> None:
    height, width = sheet.shape
    words = ("JOKER", "Joker", "JOLLY", "joker")
    mask = text_mask(words[int(rng.integers(len(words)))], face, width * rng.uniform(0.16, 0.24), squeeze=0.9)
    if rng.random() < 0.25:
        mask = np.ascontiguousarray(np.rot90(mask))
    mask = mask[: int(height * 0.9), :]
    stamp(sheet, mask, width / 2, height * rng.uniform(0.3, 0.5))
