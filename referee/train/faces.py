"""Printed faces of tiles: type faces, inks, marks, suits, jokers, and how a box combines them.

A *style* is what one box shares: type face, inks, where the number stands, which mark tells 6 from 9, the body.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from referee.game.tiles import Colour, Tile
from referee.train.surfaces import Floats, Rng, tile_body

FONT_ROOT = Path("/usr/share/fonts")
# Families that stand in the path-traced development tables: never trained on, so that those tables measure.
HELD_OUT = ("Play", "Lato", "Andika", "URWBookman", "P052", "NimbusSansNarrow")
_SKIP = ("Emoji", "Symbol", "Math", "Icons", "Oblique", "Italic", "Cond-Ita", "It.", "Obl.", "ecolier", "Barcode",
    "-Thin", "Hairline", "ExtraLight", "UltraLight", "Braille", "Sketch", "LobsterTwo", "Ancient", "Z003", "Chancery",
    "Extraligh", "D050000L", "StandardSymbols", "Fallback", "qzc", "texgyrechorus", "rsfs")  # fmt: skip
_HEAVY = ("Bold", "Black", "Heavy", "Semi", "Demi", "Medium", "ExtraB", "-bol", "bold", "black")

_INKS: dict[Colour, tuple[tuple[float, float, float, float, float, float], ...]] = {
    # hue low, hue high (degrees), saturation low, high, value low, high
    Colour.BLACK: ((0, 360, 0.0, 0.25, 0.06, 0.26),),
    Colour.BLUE: ((204, 238, 0.55, 1.0, 0.42, 0.95),),
    Colour.RED: ((343, 368, 0.62, 0.97, 0.55, 0.95),),
    Colour.YELLOW: ((37, 56, 0.68, 1.0, 0.78, 1.0),),
    Colour.ORANGE: ((15, 35, 0.58, 1.0, 0.85, 1.0),),
    Colour.GREEN: ((125, 168, 0.45, 1.0, 0.30, 0.72), (95, 125, 0.5, 0.9, 0.35, 0.65)),
}
_SUITS = {Colour.RED: "♥", Colour.YELLOW: "♦", Colour.ORANGE: "♦", Colour.GREEN: "♦", Colour.BLUE: "♠",
    Colour.BLACK: "♣"}  # fmt: skip
_LETTERS = (
    {1: "A", 11: "J", 12: "Q", 13: "K"},
    {1: "A", 11: "B", 12: "D", 13: "K"},
    {1: "A", 11: "V", 12: "D", 13: "R"},
)
_WORDS = ("Rummy", "RUMMY", "Original", "Rummi", "TILES", "Deluxe", "Spiel", "Classic", "Joker")


def ink(rng: Rng, colour: Colour) -> Floats:
    """An ink of that name, (3,) RGB 0-255, from the range people call by it."""
    ranges = _INKS[colour]
    h0, h1, s0, s1, v0, v1 = ranges[int(rng.integers(len(ranges)))]
    hue, sat, val = rng.uniform(h0, h1) % 360, rng.uniform(s0, s1), rng.uniform(v0, v1)
    pixel = np.asarray([[[hue, sat, val]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0] * 255, np.float32)


@dataclass(frozen=True)
class Faces:
    """Type face files, split by family into training and held-out-for-calibration."""

    training: tuple[Path, ...]
    validation: tuple[Path, ...]
    symbols: Path


def _family(path: Path) -> str:
    return path.stem.split("-")[0].split("_")[0].rstrip("0123456789")


def _draws_digits(path: Path) -> bool:
    """True if the face draws ten different digits (and not ten empty boxes)."""
    try:
        font = ImageFont.truetype(str(path), 40)
        masks = [font.getmask(c) for c in "0123456789ABDEJKOQRV"]
    except (OSError, ValueError):
        return False
    return all(m.size[0] > 4 and m.size[1] > 15 for m in masks) and len({bytes(m) for m in masks}) == len(masks)


def find_faces(root: Path = FONT_ROOT) -> Faces:
    """Collect usable type faces below `root`; every tenth family is kept for calibration.

    Raises FileNotFoundError if there are fewer than twenty faces: a model that knows three faces reads only three.
    """
    seen: set[str] = set()
    found: dict[str, list[Path]] = {}
    for path in sorted(root.rglob("*.[to]tf")):
        if path.name in seen or any(s in path.name for s in _SKIP) or path.name.startswith(HELD_OUT):
            continue
        seen.add(path.name)
        found.setdefault(_family(path), []).append(path)
    groups = [[p for p in sorted(paths)[:14] if _draws_digits(p)] for _, paths in sorted(found.items())]
    groups = [g for g in groups if g]
    if len(groups) < 20:
        raise FileNotFoundError(f"expected at least 20 families of type faces under {root}, found {len(groups)}")
    symbols = next(iter(root.rglob("DejaVuSans.ttf")), None)
    if symbols is None:
        raise FileNotFoundError(f"expected DejaVuSans.ttf (suits, crowns, smileys) under {root}, found none")
    training = [g for i, g in enumerate(groups) if i % 10 != 3]
    validation = [g for i, g in enumerate(groups) if i % 10 == 3]
    return Faces(tuple(p for g in training for p in g), tuple(p for g in validation for p in g), symbols)


def _choose_face(rng: Rng, paths: tuple[Path, ...]) -> Path:
    families = sorted({_family(p) for p in paths})
    family = families[int(rng.integers(len(families)))]
    own = [p for p in paths if _family(p) == family]
    heavy = [p for p in own if any(h in p.name for h in _HEAVY)]
    pool = heavy if heavy and rng.random() < 0.85 else own
    return pool[int(rng.integers(len(pool)))]


@dataclass
class Style:
    """What one box shares. Lengths are fractions of the tile's height unless said otherwise."""

    face: Path
    symbols: Path
    wooden: bool
    body: Floats
    width_px: int
    height_px: int
    number_height: float
    number_y: float
    letters: dict[int, str]
    mark: str
    mark_y: float
    underline: bool
    dot_after: bool
    embolden: int
    squeeze: float
    inks: dict[Colour, Floats]
    relief: str
    engraved: float
    opacity: float
    joker: str
    bevel: float
    masks: dict[str, Floats] = field(default_factory=dict)


def choose_style(rng: Rng, faces: Faces, short_px: float, *, validation: bool = False) -> Style:
    """A random box whose tiles are drawn about `short_px` pixels wide."""
    wooden = bool(rng.random() < 0.45)
    aspect = rng.uniform(1.32, 1.58)
    width = max(28, round(short_px * 1.15))
    face = _choose_face(rng, faces.validation if validation else faces.training)
    centred = rng.random() < 0.3
    mark = str(rng.choice(["none", "dot", "ring", "suit", "line", "circle"], p=[0.34, 0.16, 0.16, 0.2, 0.04, 0.1]))
    number_height = rng.uniform(0.24, 0.42) * (1.12 if mark == "none" else 1.0)
    number_y = rng.uniform(0.44, 0.52) if centred and mark == "none" else rng.uniform(0.27, 0.40)
    relief = (
        str(_WORDS[rng.integers(len(_WORDS))])
        if not wooden and mark in ("none", "circle") and rng.random() < 0.5
        else ""
    )
    letters = _LETTERS[int(rng.integers(3))] if mark == "suit" or rng.random() < 0.1 else {}
    joker = str(rng.choice(["sun", "smile", "glyph", "star", "word", "crown", "letter"]))
    if letters and joker == "letter":  # a J would be a jack
        joker = "crown"
    centred_blind = number_y > 0.42 and not relief
    return Style(
        face=face, symbols=faces.symbols, wooden=wooden,
        body=tile_body(rng, wooden, width * 5, width),
        width_px=width, height_px=round(width * aspect),
        number_height=number_height, number_y=number_y,
        letters=letters,
        mark=mark, mark_y=rng.uniform(0.68, 0.8),
        underline=bool(rng.random() < (0.85 if centred_blind else 0.45)),
        dot_after=bool(rng.random() < 0.07),
        embolden=int(rng.random() < 0.25), squeeze=rng.uniform(0.8, 1.1),
        inks={c: ink(rng, c) for c in Colour},
        relief=relief, engraved=rng.uniform(0, 0.25) if rng.random() < 0.4 else 0.0,
        opacity=rng.uniform(0.78, 1.0), joker=joker,
        bevel=rng.uniform(0.0, 0.25),
    )  # fmt: skip


def _text(text: str, face: Path, height_px: float, *, embolden: int = 0, squeeze: float = 1.0) -> Floats:
    """A tight ink mask (h, w), 0-1, whose capital digits are `height_px` high."""
    font = ImageFont.truetype(str(face), max(6, round(height_px * 1.4)))
    left, top, right, bottom = font.getbbox(text, stroke_width=embolden)
    canvas = Image.new("L", (max(1, int(right - left) + 4), max(1, int(bottom - top) + 4)))
    ImageDraw.Draw(canvas).text((2 - left, 2 - top), text, font=font, fill=255, stroke_width=embolden)
    mask = np.asarray(canvas, np.float32) / 255
    scale = height_px / max(1, mask.shape[0] - 4)
    size = (max(1, round(mask.shape[1] * scale * squeeze)), max(1, round(mask.shape[0] * scale)))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.float32)


def _stamp(sheet: Floats, mask: Floats, x: float, y: float) -> None:
    """Lay `mask` on `sheet` with its centre at (x, y), in place; what hangs over is cut off."""
    height, width = sheet.shape
    x0, y0 = round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2)
    left, top = max(0, x0), max(0, y0)
    right, bottom = min(width, x0 + mask.shape[1]), min(height, y0 + mask.shape[0])
    if right > left and bottom > top:
        part = sheet[top:bottom, left:right]
        np.maximum(part, mask[top - y0 : bottom - y0, left - x0 : right - x0], out=part)


def _ring(sheet: Floats, x: float, y: float, radius: float, thick: float) -> None:
    """Draw a circle; `thick` < 0 fills it."""
    canvas = np.zeros(sheet.shape, np.uint8)
    cv2.circle(canvas, (round(x * 16), round(y * 16)), round(radius * 16), 255,
               -1 if thick < 0 else max(1, round(thick)), cv2.LINE_AA, 4)  # fmt: skip
    np.maximum(sheet, canvas.astype(np.float32) / 255, out=sheet)


def _star(sheet: Floats, x: float, y: float, radius: float, points: int, inner: float) -> None:
    angles = np.arange(points * 2) * math.pi / points - math.pi / 2
    radii = np.where(np.arange(points * 2) % 2 == 0, radius, radius * inner)
    outline = np.stack([x + radii * np.cos(angles), y + radii * np.sin(angles)], 1)
    canvas = np.zeros(sheet.shape, np.uint8)
    cv2.fillPoly(canvas, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    np.maximum(sheet, canvas.astype(np.float32) / 255, out=sheet)


def _joker(rng: Rng, style: Style, sheet: Floats) -> None:
    height, width = sheet.shape
    x, y, r = width / 2, height * style.number_y, min(width * 0.36, height * style.number_height * 0.62)
    line = max(1.0, r * 0.14)
    if style.joker in ("sun", "smile"):
        _ring(sheet, x, y, r, line)
        for side in (-1, 1):
            _ring(sheet, x + side * r * 0.38, y - r * 0.2, max(1.0, r * 0.13), -1)
        canvas = np.zeros(sheet.shape, np.uint8)
        cv2.ellipse(canvas, (round(x), round(y + r * 0.1)), (round(r * 0.5), round(r * 0.45)), 0, 20, 160, 255,
                    max(1, round(line)), cv2.LINE_AA)  # fmt: skip
        np.maximum(sheet, canvas.astype(np.float32) / 255, out=sheet)
        if style.joker == "sun":  # a face with hair, brows and cheeks, as many boxes have
            for side in (-1, 1):
                _ring(sheet, x + side * r * 0.55, y + r * 0.15, r * 0.13, max(1.0, line * 0.6))
                _stamp(sheet, np.ones((max(1, round(line)), max(2, round(r * 0.4))), np.float32), x + side * r * 0.38,
                       y - r * 0.48)  # fmt: skip
            _stamp(sheet, np.ones((round(r * 0.35) + 1, max(1, round(line))), np.float32), x, y + r * 0.05)
            for a in np.linspace(-2.6, -0.5, 7):
                _ring(sheet, x + r * 0.8 * math.cos(a), y + r * 0.8 * math.sin(a), max(1.0, r * 0.12), -1)
    elif style.joker == "star":
        _star(sheet, x, y, r * 1.1, 5 if rng.random() < 0.7 else int(rng.integers(4, 9)), 0.42)
    elif style.joker == "word":
        _stamp(sheet, _text("JOKER", style.face, width * 0.2, squeeze=0.9), x, y)
    elif style.joker == "letter":
        _stamp(sheet, _text("J", style.face, r * 1.8, embolden=style.embolden), x, y)
        _ring(sheet, x, y, r * 1.25, line)
    else:
        glyph = "♛" if style.joker == "crown" else "☺☻♔♕★✪❂☀♚"[int(rng.integers(9))]
        _stamp(sheet, _text(glyph, style.symbols, r * 1.9), x, y)
    if style.joker != "word" and rng.random() < 0.3:
        _stamp(sheet, _text("JOKER", style.face, width * 0.13, squeeze=0.9), x, height * 0.75)


def _number(style: Style, tile: Tile, sheet: Floats) -> None:
    height, width = sheet.shape
    text = style.letters.get(tile.number, str(tile.number))
    if style.dot_after and tile.number in (6, 9):
        text += "."
    key = f"{text}"
    if key not in style.masks:
        high = height * style.number_height
        mask = _text(text, style.face, high, embolden=style.embolden, squeeze=style.squeeze)
        if mask.shape[1] > width * 0.86:
            mask = cv2.resize(mask, (round(width * 0.86), mask.shape[0]), interpolation=cv2.INTER_AREA)
        style.masks[key] = np.asarray(mask, np.float32)
    mask = style.masks[key]
    x, y = width / 2, height * style.number_y
    _stamp(sheet, mask, x, y)
    if style.underline and tile.number in (6, 9):
        bar = np.ones((max(1, round(height * 0.022)), round(width * 0.3)), np.float32)
        _stamp(sheet, bar, x, y + mask.shape[0] / 2 + height * 0.05)


def _mark(style: Style, tile: Tile, sheet: Floats) -> None:
    height, width = sheet.shape
    x, y, r = width / 2, height * style.mark_y, height * 0.07
    if style.mark == "dot":
        _ring(sheet, x, y, r * 0.45, -1)
    elif style.mark == "ring":
        _ring(sheet, x, y, r, max(1.0, r * 0.2))
    elif style.mark == "line":
        _stamp(sheet, np.ones((max(1, round(height * 0.02)), round(width * 0.6)), np.float32), x, y)
    elif style.mark == "circle":
        _ring(
            sheet,
            x,
            height * style.number_y,
            min(width * 0.44, height * style.number_height * 0.85),
            max(1.0, r * 0.15),
        )
    elif style.mark == "suit" and tile.colour is not None:
        key = _SUITS[tile.colour]
        if key not in style.masks:
            style.masks[key] = _text(key, style.symbols, height * 0.17)
        _stamp(sheet, style.masks[key], x, y)


def _relief(rng: Rng, style: Style, picture: Floats) -> None:
    """Raised lettering and a round dimple: light on one flank, shade on the other, no ink."""
    height, width = picture.shape[:2]
    sheet = np.zeros((height, width), np.float32)
    _stamp(sheet, _text(style.relief, style.symbols, width * 0.17, squeeze=0.85), width / 2, height * 0.8)
    _ring(sheet, width / 2, height * style.number_y, width * 0.42, -1)
    step = cv2.GaussianBlur(sheet, (0, 0), 0.7)
    flank = np.roll(step, 1, 0) - np.roll(step, -1, 0) + 0.5 * (np.roll(step, 1, 1) - np.roll(step, -1, 1))
    picture *= 1 + np.float32(rng.uniform(0.04, 0.16)) * flank[..., None]


def draw_face(rng: Rng, style: Style, tile: Tile | None) -> Floats:
    """The top of one tile as printed, (height_px, width_px, 3), RGB 0-255; None draws a bare back."""
    height, width = style.height_px, style.width_px
    size = style.body.shape[0]
    y0, x0 = int(rng.integers(size - height)), int(rng.integers(size - width))
    picture = style.body[y0 : y0 + height, x0 : x0 + width] * np.float32(rng.uniform(0.94, 1.06))
    sheet = np.zeros((height, width), np.float32)
    colour: Floats = style.inks[Colour.BLACK]
    if tile is not None:
        if style.relief:
            _relief(rng, style, picture)
        if tile.colour is None:
            colour = style.inks[(Colour.RED, Colour.BLACK)[int(rng.integers(2))]] if rng.random() < 0.8 else ink(
                rng, list(Colour)[int(rng.integers(6))])  # fmt: skip
            _joker(rng, style, sheet)
        else:
            colour = style.inks[tile.colour]
            _number(style, tile, sheet)
            _mark(style, tile, sheet)
        shift = np.asarray([[1, 0, rng.normal(0, 0.02) * width], [0, 1, rng.normal(0, 0.02) * height]], np.float32)
        sheet = np.asarray(cv2.warpAffine(sheet, shift, (width, height)), np.float32)
        if style.engraved:
            picture *= 1 + style.engraved * (np.roll(sheet, 1, 0) - np.roll(sheet, -1, 0))[..., None]
        alpha = (sheet * style.opacity * rng.uniform(0.92, 1.0))[..., None]
        if style.wooden:  # ink lets some grain through
            colour = colour * (0.75 + 0.25 * picture / picture.mean((0, 1), keepdims=True))
        picture = picture * (1 - alpha) + colour * alpha
    edge = max(1, round(width * 0.045))
    frame = np.ones((height, width), np.float32)
    frame[:edge] += style.bevel * 0.5
    frame[-edge:] -= style.bevel
    frame[:, :edge] += style.bevel * 0.3
    frame[:, -edge:] -= style.bevel * 0.7
    return np.asarray(picture * frame[..., None], np.float32)
