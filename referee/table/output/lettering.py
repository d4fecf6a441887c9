"""Text in pictures: the letters of the pages' font, drawn by OpenCV.

OpenCV's own `putText` has neither umlauts nor this font, and Pillow is only there where an extra needs it. The
outlines of all letters therefore lie beside this module as polygons (`tools/letters.py` makes them of Manrope): Latin,
Greek and Cyrillic with all accents. ★, ✓ and ✗ are added here. What is missing is drawn without its accents, as an
empty box, or, like an emoji, not at all. Colours are blue, green, red. Sizes are in pixels; as in CSS, capitals have
0.72 of the size.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources

import cv2
import numpy as np

from referee.vision.sighting import Floats, Image

UNITS = 2000.0
"""The size of a letter in the units of the outlines."""
TALL, DEEP = 0.9, 0.28
"""How far letters reach above and below the line they stand on, as parts of their size, accents included."""
FINER = 6
"""Letters are filled this many times as large and then made smaller, which makes their edges smooth."""
TABULAR = 0xE030
"""Figures of equal width stand from this code point on."""
TABLE_FIGURES = {ord("0") + number: TABULAR + number for number in range(10)} | {ord("-"): "\N{MINUS SIGN}"}
"""For `str.translate`: the figures of a table, which stand below each other."""
BOX, CUT = "\N{WHITE SQUARE}", "\N{HORIZONTAL ELLIPSIS}"
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Letter:
    """The width of a letter and its contours, the largest first, each with whether it is filled or a hole."""

    width: float
    contours: tuple[tuple[Floats, bool], ...]


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text in pixels."""
    return sum(letter.width for letter in _letters(text, bold)) * size / UNITS


def draw_text(
    image: Image, text: str, place: tuple[float, float], size: float, colour: Colour, *, bold: bool = False,
    align: float = 0.0,
) -> None:  # fmt: skip
    """Draw a line of text into the image; `place` is where its line begins, or, with `align` 1, where it ends."""
    width = text_width(text, size, bold=bold)
    x, y = place[0] - align * width, place[1]
    left, top = int(np.floor(x)) - 1, int(np.floor(y - TALL * size)) - 1
    right, bottom = int(np.ceil(x + width)) + 2, int(np.ceil(y + DEEP * size)) + 1
    mask = np.zeros(((bottom - top) * FINER, (right - left) * FINER), np.uint8)
    scale, pen = size / UNITS * FINER, (x - left) * FINER
    for letter in _letters(text, bold):
        for points, filled in letter.contours:
            there = points * _pair(scale, -scale) + _pair(pen, (y - top) * FINER)
            cv2.fillPoly(mask, [np.round(there * 16).astype(np.int32)], 255 if filled else 0, shift=4)
        pen += letter.width * scale
    shape = right - left, bottom - top
    smooth = np.asarray(cv2.resize(mask, shape, interpolation=cv2.INTER_AREA), np.uint8)
    _mix(image, smooth, (left, top), colour)


def fit_text(text: str, size: float, width: float, smallest: float, *, bold: bool = False) -> tuple[str, float]:
    """Return the text and a size in which it fits into `width`; text too wide for the smallest size is cut."""
    wide = text_width(text, size, bold=bold)
    if wide <= width:
        return text, size
    if wide * smallest / size <= width:
        return text, size * width / wide
    while text and text_width(text + CUT, smallest, bold=bold) > width:
        text = text[:-1].rstrip()
    return text + CUT, smallest


def wrap_text(text: str, size: float, width: float, most: int, *, bold: bool = False) -> list[str]:
    """Return a text in lines of at most this width; what does not fit into `most` lines is cut."""
    lines, words = [""], text.split()
    for place, word in enumerate(words):
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or text_width(longer, size, bold=bold) <= width:
            lines[-1] = longer
        elif len(lines) == most:
            lines[-1] = " ".join([lines[-1], *words[place:]])
            break
        else:
            lines.append(word)
    return [fit_text(line, size, width, size, bold=bold)[0] for line in lines]


def draw_area(image: Image, area: tuple[float, float, float, float], colour: Colour, corner: float = 0.0) -> None:
    """Fill an area (left, top, right, bottom) with rounded corners."""
    left, top, right, bottom = area
    x, y = int(np.floor(left)), int(np.floor(top))
    wide, high = int(np.ceil(right)) - x + 1, int(np.ceil(bottom)) - y + 1
    mask = np.zeros((high, wide), np.uint8)
    polygon = _rounded(left - x, top - y, right - x, bottom - y, max(0.01, corner))
    cv2.fillPoly(mask, [np.round(polygon * 16).astype(np.int32)], 255, cv2.LINE_AA, shift=4)
    _mix(image, mask, (x, y), colour)


def _rounded(left: float, top: float, right: float, bottom: float, corner: float) -> Floats:
    centres = ((right - corner, bottom - corner), (left + corner, bottom - corner), (left + corner, top + corner),
               (right - corner, top + corner))  # fmt: skip
    turns = np.linspace(0, np.pi / 2, 13)
    arcs = [
        np.stack([x + corner * np.cos(turns + quarter), y + corner * np.sin(turns + quarter)], axis=1)
        for (x, y), quarter in zip(centres, np.arange(4) * np.pi / 2, strict=True)
    ]
    return np.concatenate(arcs).astype(np.float32)


def _mix(image: Image, mask: Image, place: tuple[int, int], colour: Colour) -> None:
    """Paint the colour into the image where the mask covers it; what lies outside of the image is left out."""
    left, top = place
    height, width = image.shape[:2]
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(width, left + mask.shape[1]), min(height, top + mask.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    covers = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
    there = image[y0:y1, x0:x1]
    there[:] = np.round(there + (np.asarray(colour, np.float32) - there) * covers).astype(np.uint8)


def _letters(text: str, bold: bool) -> Iterator[_Letter]:
    known = _outlines(bold)
    for character in unicodedata.normalize("NFC", text):
        found = known.get(character)
        if found is not None:
            yield found
            continue
        base = [known[one] for one in unicodedata.normalize("NFKD", character) if one in known]
        if base:
            yield from base
        elif unicodedata.category(character)[0] in "LN":
            yield known[BOX]


@functools.cache
def _outlines(bold: bool) -> dict[str, _Letter]:
    name = "bold" if bold else "medium"
    with resources.files(__name__.rpartition(".")[0]).joinpath("manrope.npz").open("rb") as file:
        arrays = np.load(file)
        codes, widths, contours = arrays["codes"], arrays[f"{name}_widths"], arrays[f"{name}_contours"]
        lengths, points = arrays[f"{name}_lengths"], arrays[f"{name}_points"].astype(np.float32)
    polygons = np.split(points, np.cumsum(lengths)[:-1])
    found, first = dict[str, _Letter](), 0
    for code, width, count in zip(codes, widths, contours.tolist(), strict=True):
        found[chr(code)] = _letter(float(width), polygons[first : first + count])
        first += count
    return found | _shapes()


def _shapes() -> dict[str, _Letter]:
    """Return the signs that the font lacks but the design has: an empty box, a star, a tick and a cross."""
    turns = np.arange(10) * np.pi / 5 + np.pi / 2
    far = np.where(np.arange(10) % 2, 370, 880)
    star = np.stack([900 + far * np.cos(turns), 700 + far * np.sin(turns)], axis=1).astype(np.float32)
    tick = _points((120, 640), (320, 840), (620, 520), (1260, 1300), (1480, 1110), (640, 80))
    stroke = _points((150, 170), (310, 10), (1350, 1270), (1190, 1430))
    mirrored = np.asarray([1500, 0], np.float32) + stroke * _pair(-1, 1)
    box, hole = _points((150, 0), (1150, 0), (1150, 1440), (150, 1440)), _points((250, 100), (1050, 100), (1050, 1340),
                                                                                 (250, 1340))  # fmt: skip
    return {
        BOX: _Letter(1300.0, ((box, True), (hole, False))),
        "\N{BLACK STAR}": _Letter(1800.0, ((star, True),)),
        "\N{CHECK MARK}": _Letter(1600.0, ((tick, True),)),
        "\N{BALLOT X}": _Letter(1500.0, ((stroke, True), (mirrored, True))),
    }


def _points(*points: tuple[float, float]) -> Floats:
    return np.asarray(points, np.float32)


def _pair(x: float, y: float) -> Floats:
    return np.asarray([x, y], np.float32)


def _letter(width: float, polygons: Sequence[Floats]) -> _Letter:
    """Return a letter; in a TrueType font outer contours run clockwise, and holes the other way."""
    areas = [(cv2.contourArea(polygon, oriented=True), polygon) for polygon in polygons]
    largest = sorted(areas, key=lambda one: -abs(one[0]))
    outer = largest[0][0] > 0 if largest else False
    return _Letter(width, tuple((polygon, (area > 0) == outer) for area, polygon in largest))
