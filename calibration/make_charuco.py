"""Draw the calibration sheet on one printable page: `python calibration/make_charuco.py` rewrites charuco-a4.svg."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

# As referee/vision/geometry/calibration_sheet.py has it; a test compares the two.
COLUMNS, ROWS = 7, 10
CELL_MM, CODE_MM = 25.0, 18.0
CODES = cv2.aruco.DICT_5X5_100
CODE_CELLS = 7

PAGE_MM = (210.0, 297.0)
FIRST_MM = ((PAGE_MM[0] - COLUMNS * CELL_MM) / 2, 14.0)
BAR_MM = 100.0
OUTPUT = Path(__file__).with_name("charuco-a4.svg")


def page() -> str:
    """The whole page as SVG, in millimetres."""
    width, height = PAGE_MM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
        f' viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" text-anchor="middle">',
        f'<rect class="paper" width="{width:g}" height="{height:g}" fill="white"/>',
        text(width / 2, 9, 4, "Calibration sheet: print at 100 %, tape it flat onto a board"),
        *squares(),
        *bar(),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def squares() -> list[str]:
    """The black squares, and the codes in the white ones."""
    codes = cv2.aruco.getPredefinedDictionary(CODES)
    board = cv2.aruco.CharucoBoard((COLUMNS, ROWS), CELL_MM, CODE_MM, codes)
    coded = {
        (int(corners[0][1] // CELL_MM), int(corners[0][0] // CELL_MM)): int(number)
        for corners, number in zip(board.getObjPoints(), board.getIds().ravel(), strict=True)
    }
    drawn = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = FIRST_MM[0] + column * CELL_MM, FIRST_MM[1] + row * CELL_MM
            if (row, column) in coded:
                drawn += code(codes, coded[row, column], x + (CELL_MM - CODE_MM) / 2, y + (CELL_MM - CODE_MM) / 2)
            else:
                drawn.append(rectangle("ink", x, y, CELL_MM, "black"))
    return drawn


def code(codes: cv2.aruco.Dictionary, number: int, x: float, y: float) -> list[str]:
    """One code with its black rim, its top left corner at x, y."""
    cells = np.asarray(cv2.aruco.generateImageMarker(codes, number, CODE_CELLS))
    side = CODE_MM / CODE_CELLS
    white = [
        rectangle("cell", x + column * side, y + row * side, side, "white")
        for row, values in enumerate(cells)
        for column, value in enumerate(values)
        if value
    ]
    return [rectangle("ink", x, y, CODE_MM, "black"), *white]


def bar() -> list[str]:
    """A bar to measure: what it is long tells the scale of the print."""
    x, y = (PAGE_MM[0] - BAR_MM) / 2, FIRST_MM[1] + ROWS * CELL_MM + 9
    path = f'<path d="M{x:g} {y - 3:g}v6m0 -3h{BAR_MM:g}m0 -3v6" fill="none" stroke="black" stroke-width="0.3"/>'
    advice = f"This line is {BAR_MM:g} mm long. If yours is not, print again at 100 %, without “fit to page”."
    return [path, text(PAGE_MM[0] / 2, y + 8, 4, advice)]


def rectangle(kind: str, x: float, y: float, side: float, fill: str) -> str:
    """A filled square."""
    return f'<rect class="{kind}" x="{x:.4f}" y="{y:.4f}" width="{side:.4f}" height="{side:.4f}" fill="{fill}"/>'


def text(x: float, y: float, size: float, words: str) -> str:
    """Centred words; `size` in millimetres."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="#555">{words}</text>'


if __name__ == "__main__":
    OUTPUT.write_text(page(), encoding="utf-8")
