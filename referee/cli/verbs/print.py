"""`referee print`: the table's four markers to cut out, and the calibration sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer

from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import LANGUAGE, as_set, wording
from referee.cli.terminal.common import Code
from referee.cli.terminal.targets import refuse_others, with_bytes
from referee.devices.paper import A4_MM, LETTER_MM, MARK, Page, pdf_of, png_of
from referee.devices.png_marks import BEGINNING, mark_of
from referee.devices.whole_file import write_whole
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.vision.geometry.calibration_sheet import CELL_MM, CODE_MM, COLUMNS, PAGE_PLACES_MM, ROWS, board
from referee.vision.geometry.markers import SQUARE_MM

PAPERS = {"a4": A4_MM, "letter": LETTER_MM}
CARD_MM = 70.0
LINE_MM = 100.0
PLACES = ("place.top_left", "place.top_right", "place.bottom_right", "place.bottom_left")
"""The places of the markers 0 to 3."""
MARKER_CELLS, CODE_CELLS = 6, 7
LOW_MM = 285.0
"""Paper shorter than this, such as Letter, has little room above and below the calibration sheet."""


def print(  # noqa: A001 - as the verb is called
    sheets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SHEET]...", help=f"Sheets to print: {', '.join(SHEETS)}; default: all of them."),
    ] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            parser=common.some_path,
            help="A PDF, or a PNG of one sheet; default: SHEET.pdf.",
        ),
    ] = None,
    paper: Annotated[str, typer.Option(metavar="NAME", help=f"The paper: {' or '.join(PAPERS)}.")] = "a4",
    language: Annotated[str | None, LANGUAGE] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Write the table's markers and the calibration sheet to a file for printing."""
    names = list(dict.fromkeys(sheets or SHEETS))
    for name in names:
        if name not in SHEETS:
            raise BadInput(f"print: expected one of {', '.join(SHEETS)}, found {name!r:.40}")
    if paper.lower() not in PAPERS:
        raise BadInput(f"--paper: expected one of {', '.join(PAPERS)}, found {paper!r:.40}")
    target = out or Path(f"{names[0] if len(names) == 1 else 'sheets'}.pdf")
    kind = target.suffix.lower()
    if kind not in (".pdf", ".png"):
        raise BadInput(f"--out: expected a name ending in .pdf or .png, found {target}")
    if kind == ".png" and len(names) > 1:
        raise BadInput(f"--out: expected one sheet for a PNG, found {' and '.join(names)}: name one of them")
    words = wording(language, as_set())
    pages = [SHEETS[name](PAPERS[paper.lower()], words) for name in names]
    data = png_of(pages[0]) if kind == ".png" else pdf_of(pages, "referee: " + ", ".join(names), words.language)
    known = with_bytes(BEGINNING, mark_of(MARK)) if kind == ".png" else with_bytes(b"%PDF-", b"/Creator (referee)")
    refuse_others(target, "earlier sheets of the referee", known)
    write_whole(target, data, "a place to write the sheets to")
    if as_json:
        common.print_json({"file": str(target), "sheets": names, "paper": paper.lower()})
    else:
        common.stdout().print(words(Notice("sheets.written", path=str(target))))
    return Code.DONE


def markers(size: tuple[float, float], words: Wording) -> Page:
    """Return the page with four cards to cut out, each with a marker of 40 mm; uncut, it serves for calibration."""
    page = Page(size)
    page.write(22, 5, words(Notice("sheets.markers")))
    codes = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    shift = (size[0] - 210) / 2
    for number, (left, top) in enumerate(PAGE_PLACES_MM):
        x, y, margin = left + shift, top, (CARD_MM - SQUARE_MM) / 2
        middle = x + SQUARE_MM / 2
        page.frame(x - margin, y - margin, CARD_MM, CARD_MM)
        up = words(Notice("sheets.this_side_up"))
        page.write(y - margin + 5.5, 3.2, up, middle, CARD_MM)
        reach = page.texts[-1].width / 2 + 3
        page.triangles += [(middle - reach, y - margin + 5.5, 2.4), (middle + reach, y - margin + 5.5, 2.4)]
        _code(page, codes, number, MARKER_CELLS, x, y, SQUARE_MM)
        corner = Notice("sheets.corner", number=number, place=Notice(PLACES[number]))
        page.write(y - margin + CARD_MM - 3, 3.2, words(corner), middle, CARD_MM - 4)
    below = _line(page, 200, words)
    page.write(below + 5, 4, words(Notice("sheets.lay_markers")))
    return page


def calibration(size: tuple[float, float], words: Wording) -> Page:
    """Return the sheet for calibrating a lens."""
    page = Page(size)
    low = size[1] < LOW_MM
    first = (size[0] - COLUMNS * CELL_MM) / 2, 11.0 if low else 14.0
    page.write(8 if low else 9, 3.2 if low else 4, words(Notice("sheets.calibration")))
    sheet = board()
    coded = {
        (int(corners[0][1] // CELL_MM), int(corners[0][0] // CELL_MM)): int(number)
        for corners, number in zip(sheet.getObjPoints(), np.asarray(sheet.getIds()).ravel(), strict=True)
    }
    inside = (CELL_MM - CODE_MM) / 2
    for row, column in np.ndindex(ROWS, COLUMNS):
        x, y = first[0] + column * CELL_MM, first[1] + row * CELL_MM
        if (row, column) in coded:
            _code(page, sheet.getDictionary(), coded[row, column], CODE_CELLS, x + inside, y + inside, CODE_MM)
        else:
            page.fill(x, y, CELL_MM, CELL_MM)
    _line(page, first[1] + ROWS * CELL_MM + (4 if low else 9), words, 3.2 if low else 4)
    return page


SHEETS: Mapping[str, Callable[[tuple[float, float], Wording], Page]] = {"markers": markers, "calibration": calibration}
"""The sheets that can be printed, by name."""


def _code(
    page: Page, codes: cv2.aruco.Dictionary, number: int, cells: int, x: float, y: float, side_mm: float
) -> None:
    """Draw one code: its black square, and the white cells in it.

    `page`: the page to draw on.
    `codes`: the dictionary of codes.
    `number`: the code's number in `codes`.
    `cells`: the width of the square in cells, including its black border.
    `x`: mm from the left edge of the page to the square.
    `y`: mm from the upper edge of the page to the square.
    `side_mm`: the side of the square.
    """
    page.fill(x, y, side_mm, side_mm)
    cell = side_mm / cells
    for row, column in np.argwhere(np.asarray(cv2.aruco.generateImageMarker(codes, number, cells))).tolist():
        page.fill(x + column * cell, y + row * cell, cell, cell, white=True)


def _line(page: Page, y: float, words: Wording, size: float = 4) -> float:
    """Draw a line for measuring the scale of the print, with instructions; return the next baseline."""
    x, thick = (page.size[0] - LINE_MM) / 2, 0.3
    page.fill(x, y - thick / 2, LINE_MM, thick)
    for end in (x, x + LINE_MM - thick):  # its length is measured between the outer edges of its ends
        page.fill(end, y - 2, thick, 4)
    return page.write(y + 3 + 1.1 * size, size, words(Notice("sheets.line", mm=round(LINE_MM))))
