"""Printed faces of tiles: type faces, inks, marks, suits, jokers, and their combination in a box.

A *style* is what all tiles of one box have in common: type face, inks, place of the number, the mark that
distinguishes 6 from 9, the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from referee.game.tiles import Colour, Tile
from referee.train.pictures.distortion import Distortion, choose_distortion
from referee.train.pictures.printing import draw_joker, ring, stamp, text_mask
from referee.train.pictures.surfaces import Floats, Rng, tile_body
from referee.train.pictures.typefaces import PRINTED_SUITS, Faces, choose_face
from referee.vision.reading.glyphs import GLYPHS, STYLES, SUITS, FaceStyle

# hue low, hue high (degrees), saturation low, high, value low, high; the first of each is the usual one
_INKS: dict[Colour, tuple[tuple[float, float, float, float, float, float], ...]] = {
    Colour.BLACK: ((0, 360, 0.0, 0.25, 0.04, 0.24), (15, 40, 0.2, 0.5, 0.08, 0.24), (0, 360, 0.0, 0.12, 0.2, 0.36)),
    Colour.BLUE: (
        (204, 238, 0.55, 1.0, 0.42, 0.95), (180, 204, 0.5, 1.0, 0.28, 0.62), (186, 208, 0.45, 0.95, 0.6, 0.95),
        (212, 246, 0.5, 0.95, 0.24, 0.45), (200, 240, 0.35, 0.6, 0.5, 0.85),
    ),
    Colour.RED: (
        (343, 368, 0.62, 0.97, 0.55, 0.95), (332, 358, 0.5, 0.9, 0.3, 0.56), (363, 372, 0.55, 0.9, 0.5, 0.85),
        (342, 365, 0.42, 0.65, 0.65, 0.92),
    ),
    Colour.YELLOW: ((37, 56, 0.68, 1.0, 0.78, 1.0), (34, 48, 0.5, 0.9, 0.55, 0.8), (46, 60, 0.45, 1.0, 0.82, 1.0)),
    Colour.ORANGE: ((15, 35, 0.58, 1.0, 0.85, 1.0), (16, 32, 0.55, 0.95, 0.58, 0.86), (14, 30, 0.42, 0.65, 0.8, 0.97)),
    Colour.GREEN: (
        (125, 168, 0.45, 1.0, 0.30, 0.72), (95, 125, 0.5, 0.9, 0.35, 0.65), (120, 165, 0.45, 0.95, 0.18, 0.34),
        (76, 100, 0.4, 0.8, 0.3, 0.6), (138, 166, 0.32, 0.6, 0.5, 0.82),
    ),
}  # fmt: skip
BOXES = (
    (Colour.BLACK, Colour.ORANGE, Colour.BLUE, Colour.RED),
    (Colour.YELLOW, Colour.GREEN, Colour.BLUE, Colour.RED),
    (Colour.BLACK, Colour.YELLOW, Colour.BLUE, Colour.RED),
)
"""The colours of the kinds of box that are sold."""
APART = 22.0
"""Two inks of one box differ by at least this much in CIE L*a*b*, so that players can distinguish them."""

DISTORTED = 0.5
"""The share of the boxes for training whose digits are distorted, as if they were of another type face."""


def ink(rng: Rng, colour: Colour, usual_share: float = 0.5) -> Floats:
    """Return an ink, (3,) RGB 0-255, from the range that people call by this colour."""
    ranges = _INKS[colour]
    usual = rng.random() < usual_share
    h0, h1, s0, s1, v0, v1 = ranges[0 if usual else int(rng.integers(1, len(ranges)))]
    hue, sat, val = rng.uniform(h0, h1) % 360, rng.uniform(s0, s1), rng.uniform(v0, v1)
    pixel = np.asarray([[[hue, sat, val]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0] * 255, np.float32)


def least_apart(colours: Sequence[Floats]) -> float:
    """Return the distance in CIE L*a*b* of the two nearest of some colours (3,), RGB 0-255."""
    lab = cv2.cvtColor(np.asarray(colours, np.float32)[None] / 255, cv2.COLOR_RGB2LAB)[0]
    return float((np.linalg.norm(lab[:, None] - lab[None], axis=2) + 1e3 * np.eye(len(colours))).min())


def box_inks(
    rng: Rng, colours: tuple[Colour, ...], fading: float = 0.0, usual_share: float = 0.5, body: Floats | None = None
) -> dict[Colour, Floats]:
    """Return the inks of one box, which people can all distinguish; `fading` (0-1) pales them towards white.

    With a `body` (3,) RGB they can be distinguished from that as well.
    """
    for _ in range(60):
        inks = {c: ink(rng, c, usual_share) * (1 - fading) + 235.0 * fading for c in colours}
        if least_apart([*(inks[c] for c in colours), *([] if body is None else [body])]) >= APART:
            break
    return {c: np.asarray(v, np.float32) for c, v in inks.items()}


_SIGNS = {Colour.RED: "heart", Colour.YELLOW: "diamond", Colour.ORANGE: "diamond", Colour.GREEN: "diamond",
    Colour.BLUE: "spade", Colour.BLACK: "club"}  # fmt: skip
_WORDS = ("Rummy", "RUMMY", "Original", "Rummi", "TILES", "Deluxe", "Spiel", "Classic", "Joker")


@dataclass
class Style:
    """What all tiles of one box have in common. Lengths are parts of the tile's height unless they are in pixels."""

    face: Path
    symbols: Path
    suit_face: Path
    wooden: bool
    body: Floats
    width_px: int
    height_px: int
    number_height: float
    number_y: float
    signs: FaceStyle
    mark: str
    mark_y: float
    mark_height: float
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
    distortion: Distortion | None = None
    masks: dict[str, Floats] = field(default_factory=dict)

    def glyph_of(self, tile: Tile) -> int:
        """Return the index of the glyph printed on a tile with a number."""
        return self.signs.glyphs[tile.number - 1]

    def suit_of(self, tile: Tile | None) -> int:
        """Return the index of the suit printed on a tile; 0 for none."""
        if self.mark != "suit" or tile is None or tile.colour is None:
            return 0
        return SUITS.index(_SIGNS[tile.colour])


def _choose_body(rng: Rng, width: int, *, plain: bool) -> tuple[bool, Floats]:
    wooden = bool(rng.random() < 0.45)
    return wooden, tile_body(rng, wooden, width * 5, width, plain=plain)


def _choose_signs(rng: Rng, mark: str) -> FaceStyle:
    """Return plain numbers in about three boxes of five; letters mostly with suits, or in one other box of five."""
    if (mark == "suit" and rng.random() < 0.9) or rng.random() < 0.2:
        return STYLES[1 + int(rng.integers(len(STYLES) - 1))]
    return STYLES[0]


def _draw_fading(rng: Rng, *, plain: bool) -> float:
    """Return how much the inks of a box have faded; a quarter of the boxes have lain in the sun."""
    return float(rng.choice([0.0, rng.uniform(0.0, 0.12 if plain else 0.35)], p=[0.75, 0.25]))


def choose_style(
    rng: Rng, faces: Faces, short_px: float, *, validation: bool = False, plain: bool = False,
    signs: FaceStyle | None = None,
) -> Style:  # fmt: skip
    """Return a random box with tiles about `short_px` pixels wide; `plain`: nothing about it is hard to see.

    With `signs`, it prints these glyphs.
    """
    width = max(28, round(short_px * 1.15))
    wooden, body = _choose_body(rng, width, plain=plain)
    aspect = rng.uniform(1.32, 1.58)
    face = choose_face(rng, faces.validation if validation else faces.training, always_heavy=plain)
    centred = rng.random() < 0.3
    mark = str(rng.choice(["none", "dot", "ring", "suit", "line", "circle"], p=[0.3, 0.13, 0.13, 0.3, 0.04, 0.1]))
    number_height = rng.uniform(0.22, 0.42) * (1.12 if mark == "none" else 1.0)
    number_y = rng.uniform(0.44, 0.52) if centred and mark == "none" else rng.uniform(0.27, 0.40)
    relief = (
        str(_WORDS[rng.integers(len(_WORDS))])
        if not wooden and mark in ("none", "circle") and rng.random() < 0.8
        else ""
    )
    signs = signs or _choose_signs(rng, mark)
    joker = str(rng.choice(faces.jokers))
    if joker == "letter" and (signs.cards or rng.random() < 0.7):  # a J would be a jack; otherwise it resembles a 1
        joker = "crown"
    centred_blind = number_y > 0.42 and not relief
    colours = BOXES[int(rng.integers(len(BOXES)))]
    return Style(
        face=face, symbols=faces.symbols, suit_face=faces.suits[int(rng.integers(len(faces.suits)))],
        wooden=wooden, body=body, width_px=width, height_px=round(width * aspect),
        number_height=number_height, number_y=number_y, signs=signs,
        mark=mark, mark_y=rng.uniform(0.68, 0.8), mark_height=rng.uniform(0.14, 0.26),
        underline=bool(rng.random() < (0.85 if centred_blind else 0.45)),
        dot_after=bool(rng.random() < 0.07),
        embolden=int(rng.random() < 0.25), squeeze=rng.uniform(0.8, 1.1),
        inks=box_inks(rng, colours, _draw_fading(rng, plain=plain), body=body.mean((0, 1)) if plain else None),
        relief=relief, engraved=rng.uniform(0, 0.25) if rng.random() < 0.4 else 0.0,
        opacity=rng.uniform(0.85 if plain else 0.72, 1.0), joker=joker,
        bevel=rng.uniform(0.0, 0.25),
        distortion=choose_distortion(rng) if not validation and rng.random() < DISTORTED else None,
    )  # fmt: skip


def _number(style: Style, tile: Tile, sheet: Floats) -> None:
    height, width = sheet.shape
    text = GLYPHS[style.glyph_of(tile)]
    if style.dot_after and tile.number in (6, 9):
        text += "."
    if text not in style.masks:
        high = height * style.number_height
        mask = text_mask(text, style.face, high, embolden=style.embolden, squeeze=style.squeeze)
        if style.distortion is not None:
            mask = style.distortion.apply(mask, style.glyph_of(tile))
        if mask.shape[1] > width * 0.86:
            mask = cv2.resize(mask, (round(width * 0.86), mask.shape[0]), interpolation=cv2.INTER_AREA)
        style.masks[text] = np.asarray(mask, np.float32)
    mask = style.masks[text]
    x, y = width / 2, height * style.number_y
    stamp(sheet, mask, x, y)
    if style.underline and tile.number in (6, 9):
        bar = np.ones((max(1, round(height * 0.022)), round(width * 0.3)), np.float32)
        stamp(sheet, bar, x, y + mask.shape[0] / 2 + height * 0.05)


def _mark(style: Style, tile: Tile, sheet: Floats) -> None:
    height, width = sheet.shape
    x, y, r = width / 2, height * style.mark_y, height * 0.07
    if style.mark == "dot":
        ring(sheet, x, y, r * 0.45, -1)
    elif style.mark == "ring":
        ring(sheet, x, y, r, max(1.0, r * 0.2))
    elif style.mark == "line":
        stamp(sheet, np.ones((max(1, round(height * 0.02)), round(width * 0.6)), np.float32), x, y)
    elif style.mark == "circle":
        ring(
            sheet,
            x,
            height * style.number_y,
            min(width * 0.44, height * style.number_height * 0.85),
            max(1.0, r * 0.15),
        )
    elif style.mark == "suit" and tile.colour is not None:
        key = PRINTED_SUITS[_SIGNS[tile.colour]]
        if key not in style.masks:
            style.masks[key] = text_mask(key, style.suit_face, height * style.mark_height)
        stamp(sheet, style.masks[key], x, y)


def _relief(rng: Rng, style: Style, picture: Floats) -> None:
    """Add raised lettering and a round dimple: lighter on one side, darker on the other, without ink."""
    height, width = picture.shape[:2]
    sheet = np.zeros((height, width), np.float32)
    stamp(sheet, text_mask(style.relief, style.symbols, width * 0.17, squeeze=0.85), width / 2, height * 0.8)
    ring(sheet, width / 2, height * style.number_y, width * 0.42, -1)
    step = cv2.GaussianBlur(sheet, (0, 0), 0.7)
    flank = np.roll(step, 1, 0) - np.roll(step, -1, 0) + 0.5 * (np.roll(step, 1, 1) - np.roll(step, -1, 1))
    picture *= 1 + np.float32(rng.uniform(0.04, 0.16)) * flank[..., None]


def draw_face(rng: Rng, style: Style, tile: Tile | None) -> tuple[Floats, Floats, Floats]:
    """Return the printed top of one tile (height_px, width_px, 3), RGB 0-255, its ink (3,) and its body's colour (3,).

    If `tile` is None, it is a bare back, with the body's colour as ink.
    """
    height, width = style.height_px, style.width_px
    size = style.body.shape[0]
    y0, x0 = int(rng.integers(size - height)), int(rng.integers(size - width))
    picture = style.body[y0 : y0 + height, x0 : x0 + width] * np.float32(rng.uniform(0.94, 1.06))
    sheet = np.zeros((height, width), np.float32)
    body = np.asarray(picture.mean((0, 1)), np.float32)
    pure = body
    if tile is not None:
        if style.relief:
            _relief(rng, style, picture)
        pure = _print(rng, style, tile, sheet)
        shift = np.asarray([[1, 0, rng.normal(0, 0.02) * width], [0, 1, rng.normal(0, 0.02) * height]], np.float32)
        sheet = np.asarray(cv2.warpAffine(sheet, shift, (width, height)), np.float32)
        if style.engraved:
            picture *= 1 + style.engraved * (np.roll(sheet, 1, 0) - np.roll(sheet, -1, 0))[..., None]
        opacity = style.opacity * rng.uniform(0.92, 1.0)
        alpha = (sheet * opacity)[..., None]
        colour: Floats = pure
        if style.wooden:  # ink lets some grain through
            colour = pure * (0.75 + 0.25 * picture / picture.mean((0, 1), keepdims=True))
        picture = picture * (1 - alpha) + colour * alpha
        pure = body * (1 - np.float32(opacity)) + pure * np.float32(opacity)
    return np.asarray(picture * _frame(style)[..., None], np.float32), np.asarray(pure, np.float32), body


def _print(rng: Rng, style: Style, tile: Tile, sheet: Floats) -> Floats:
    """Draw a tile's print on `sheet`, in place; return the ink (3,) RGB."""
    height, width = sheet.shape
    if tile.colour is not None:
        _number(style, tile, sheet)
        _mark(style, tile, sheet)
        return style.inks[tile.colour]
    radius = min(width * 0.36, height * style.number_height * 0.62)
    draw_joker(rng, style.joker, sheet, style.face, style.symbols, height * style.number_y, radius)
    inks = list(style.inks.values())
    if rng.random() < 0.8:
        return inks[int(rng.integers(len(inks)))]
    return ink(rng, list(Colour)[int(rng.integers(len(Colour)))])


def _frame(style: Style) -> Floats:
    """Return the light and shade of the bevelled edges, (height_px, width_px)."""
    edge = max(1, round(style.width_px * 0.045))
    frame = np.ones((style.height_px, style.width_px), np.float32)
    frame[:edge] += style.bevel * 0.5
    frame[-edge:] -= style.bevel
    frame[:, :edge] += style.bevel * 0.3
    frame[:, -edge:] -= style.bevel * 0.7
    return frame
