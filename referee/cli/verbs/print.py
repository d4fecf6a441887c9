"""`referee print`: the table's markers and the calibration sheet, to be printed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.terminal import common
from referee.cli.terminal.common import Code
from referee.cli.terminal.language import LANGUAGE, as_set, wording
from referee.cli.verbs.sheets import SHEETS
from referee.devices.paper import A4_MM, LETTER_MM, pdf_of, png_of
from referee.devices.whole_file import write_whole
from referee.errors import BadInput
from referee.game.notice import Notice

PAPERS = {"a4": A4_MM, "letter": LETTER_MM}


def print(  # noqa: A001 - as the verb is called
    sheets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SHEET]...", help=f"Which: {', '.join(SHEETS)}; without: all of them."),
    ] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            parser=common.some_path,
            help="A PDF, or a PNG of one sheet; else SHEET.pdf.",
        ),
    ] = None,
    paper: Annotated[str, typer.Option(metavar="NAME", help=f"The paper: {' or '.join(PAPERS)}.")] = "a4",
    language: Annotated[str | None, LANGUAGE] = None,
) -> int:
    """Draw the table's markers and the calibration sheet, to be printed."""
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
    write_whole(target, data, "a place to write the sheets to")
    common.stdout().print(words(Notice("sheets.written", path=str(target))))
    return Code.DONE
