"""Draw the four table markers on one printable page: `python calibration/make_markers.py` rewrites markers-a4.svg."""

from __future__ import annotations

from pathlib import Path

import cv2

SQUARE_MM = 40.0
CARD_MM = 70.0
PAGE_MM = (210.0, 297.0)
RULER_MM = 100.0
CORNERS = ("top left", "top right", "bottom right", "bottom left")
FIRST_MM = ((30.0, 40.0), (110.0, 40.0), (110.0, 120.0), (30.0, 120.0))
OUTPUT = Path(__file__).with_name("markers-a4.svg")


def page() -> str:
    """The whole page as SVG, in millimetres."""
    width, height = PAGE_MM
    cards = [card(number, x, y) for number, (x, y) in enumerate(FIRST_MM)]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
        f' viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" text-anchor="middle">',
        f'<rect class="paper" width="{width:g}" height="{height:g}" fill="white"/>',
        text(width / 2, 22, 5, "Table markers: print at 100 %, cut along the thin lines"),
        *(line for lines in cards for line in lines),
        ruler(),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def card(number: int, x: float, y: float) -> list[str]:
    """One marker with its cutting lines and labels, its top left corner at x, y."""
    middle, margin = x + CARD_MM / 2, (CARD_MM - SQUARE_MM) / 2
    return [
        f'<g id="marker-{number}">',
        f'<rect class="cut" x="{x:g}" y="{y:g}" width="{CARD_MM:g}" height="{CARD_MM:g}" fill="none"'
        ' stroke="#bbb" stroke-width="0.2"/>',
        text(middle, y + 4.5, 3.2, "▲ this side up ▲"),
        *squares(number, x + margin, y + margin),
        text(middle, y + CARD_MM - 2.5, 3.2, f"{number}: {CORNERS[number]} corner"),
        "</g>",
    ]


def squares(number: int, x: float, y: float) -> list[str]:
    """The black square with the white cells of marker `number` of DICT_4X4_50."""
    cells = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 6)
    side = SQUARE_MM / len(cells)
    drawn = [f'<rect class="ink" x="{x:g}" y="{y:g}" width="{SQUARE_MM:g}" height="{SQUARE_MM:g}" fill="black"/>']
    for row, values in enumerate(cells):
        for column, value in enumerate(values):
            if value:
                left, top = x + column * side, y + row * side
                drawn.append(
                    f'<rect class="cell" x="{left:.4f}" y="{top:.4f}" width="{side:.4f}" height="{side:.4f}"'
                    ' fill="white"/>'
                )
    return drawn


def ruler() -> str:
    """A line to check the printer's scale with."""
    x, y = (PAGE_MM[0] - RULER_MM) / 2, 225.0
    path = f'<path d="M{x:g} {y - 3:g}v6m0 -3h{RULER_MM:g}m0 -3v6" fill="none" stroke="black" stroke-width="0.3"/>'
    advice = f"This line is {RULER_MM:g} mm long. If yours is not, print again without scaling."
    return f"{path}\n{text(PAGE_MM[0] / 2, y + 9, 4, advice)}"


def text(x: float, y: float, size: float, words: str) -> str:
    """Centred words; `size` in millimetres."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="#555">{words}</text>'


if __name__ == "__main__":
    OUTPUT.write_text(page(), encoding="utf-8")
