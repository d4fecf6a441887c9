"""Faces of jokers, as many kinds as boxes have: smiling, crowned, capped, written, starred."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from referee.train.pictures.printing import arc, hole, polygon, ring, stamp, star, text_mask
from referee.train.pictures.surfaces import Floats, Rng

JOKERS = ("sun", "smile", "mask", "glyph", "star", "word", "crown", "cap", "letter", "emblem")
_GLYPHS = "☺☻♔♕★✪❂☀♚☆✶❋"


def draw_joker(rng: Rng, kind: str, sheet: Floats, face: Path, symbols: Path, centre_y: float, radius: float) -> None:
    """Print a joker on `sheet`, in place.

    `rng`: decides about details.
    `kind`: one of `JOKERS`.
    `sheet`: the ink on a tile, (h, w) from 0 to 1.
    `face`: the type face file of words and letters.
    `symbols`: the type face file of symbols.
    `centre_y`: how far below the upper edge the picture's middle lies, in pixels.
    `radius`: the size of the picture, from its middle, in pixels.
    """
    height, width = sheet.shape
    x, y, r = width / 2, centre_y, radius
    if kind in ("sun", "smile"):
        _smile(sheet, x, y, r, hair=kind == "sun")
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
    """A disc of ink with eyes and mouth left blank."""
    ring(sheet, x, y, r, -1)
    for side in (-1, 1):
        hole(sheet, x + side * r * 0.38, y - r * 0.22, max(1.0, r * 0.16))
    arc(sheet, x, y + r * 0.1, (r * 0.55, r * 0.5), max(1.0, r * 0.16), blank=True)


def _cap(sheet: Floats, x: float, y: float, r: float) -> None:
    """A fool's cap with three bells."""
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
