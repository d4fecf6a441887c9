"""Writes `referee/table/output/manrope.npz`: the outlines of the letters that the referee draws into pictures.

Run `python -m tools.letters FILE`, with the variable font `Manrope[wght].ttf` (SIL Open Font License; the licence is
`referee/page/static/manrope-licence.txt`). This needs fonttools, which nothing else here does; the file changes
only if the font does. Curves become polygons here, so that whoever draws letters needs nothing but `cv2.fillPoly`.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

TARGET = Path(__file__).parents[1] / "referee" / "table" / "output" / "manrope.npz"
WEIGHTS = {"medium": 500, "bold": 800}
"""The two weights of the design (`docs/design.md`)."""
TABULAR = 0xE030
"""Figures of equal width stand from this code point of the private area on, 0 to 9."""
FLAT = 5.0
"""The most, in units of a 2000th of the letters' size, that a polygon's edge lies beside the curve; chosen by hand: a
fifth of a pixel in letters 80 pixels high."""


def main(path: str) -> None:
    """Write the outlines of all letters of this font."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    arrays: dict[str, Any] = {}
    for name, weight in WEIGHTS.items():
        font = instantiateVariableFont(TTFont(path), {"wght": weight})
        glyphs, widths, names = font.getGlyphSet(), font["hmtx"], dict(font.getBestCmap())
        figures = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
        names.update({TABULAR + number: f"{figure}.tf" for number, figure in enumerate(figures)})
        codes = sorted(code for code in names if code <= 0xFFFF)
        points, lengths, contours = list[tuple[int, int]](), list[int](), list[int]()
        for code in codes:
            pen = DecomposingRecordingPen(glyphs)
            glyphs[names[code]].draw(pen)
            outline = polygons(pen.value)
            contours.append(len(outline))
            lengths += [len(polygon) for polygon in outline]
            points += [point for polygon in outline for point in polygon]
        arrays |= {
            "codes": np.asarray(codes, np.uint16),
            f"{name}_widths": np.asarray([widths[names[code]][0] for code in codes], np.uint16),
            f"{name}_contours": np.asarray(contours, np.uint8),
            f"{name}_lengths": np.asarray(lengths, np.uint16),
            f"{name}_points": np.asarray(points, np.int16),
        }
    np.savez_compressed(TARGET, **arrays)
    print(f"{len(arrays['codes'])} letters: {TARGET.stat().st_size} bytes in {TARGET}")


def polygons(drawn: list[tuple[str, tuple[Any, ...]]]) -> list[list[tuple[int, int]]]:
    """Return the contours of a glyph, as a pen has recorded them, with its curves made straight."""
    found: list[list[tuple[float, float]]] = []
    for verb, places in drawn:
        match verb:
            case "moveTo":
                found.append([places[0]])
            case "lineTo":
                found[-1].append(places[0])
            case "qCurveTo":
                found[-1] += _flat(found[-1][-1], places)
            case _:
                pass
    return [[(round(x), round(y)) for x, y in polygon] for polygon in found if len(polygon) > 2]


def _flat(begin: Any, places: tuple[Any, ...]) -> list[tuple[float, float]]:
    """Return points along a chain of quadratic curves; between two control points lies a point of the curve."""
    if places[-1] is None:
        raise ValueError("expected contours that have a point on their curve, found one without")
    controls, ends = places[:-1], []
    for here, following in pairwise(controls):
        ends.append(((here[0] + following[0]) / 2, (here[1] + following[1]) / 2))
    ends.append(places[-1])
    points = []
    for control, end in zip(controls, ends, strict=True):
        bend = np.hypot(begin[0] - 2 * control[0] + end[0], begin[1] - 2 * control[1] + end[1]) / 4
        steps = max(1, int(np.ceil(np.sqrt(bend / FLAT))))
        for step in range(1, steps + 1):
            t = step / steps
            points.append(
                tuple(
                    (1 - t) ** 2 * begin[axis] + 2 * t * (1 - t) * control[axis] + t**2 * end[axis] for axis in (0, 1)
                )
            )
        begin = end
    return points


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("expected one argument, the file Manrope[wght].ttf")
    main(sys.argv[1])
