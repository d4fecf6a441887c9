"""Standard output that is full, closed, or has no such letter: that ends no game, and shows no traceback.

Tables and texts are as wide as the terminal; no name is cut, however narrow that is.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Collection, MutableMapping
from typing import TextIO

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from referee.cli.terminal.common import complain
from referee.game.notice import Notice
from referee.game.scoring import ScoreSheet
from referee.i18n import ENGLISH, Wording

_PLAIN = {
    "\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{EM DASH}": "-", "\N{MULTIPLICATION SIGN}": "x",
    "\N{LEFT SINGLE QUOTATION MARK}": "'", "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"', "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{DOUBLE LOW-9 QUOTATION MARK}": '"', "\N{SINGLE LOW-9 QUOTATION MARK}": "'",
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}": '"', "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}": '"',
    "\N{LATIN SMALL LETTER SHARP S}": "ss", "\N{LATIN CAPITAL LETTER SHARP S}": "SS",
    "\N{LATIN SMALL LETTER AE}": "ae", "\N{LATIN CAPITAL LETTER AE}": "AE",
    "\N{LATIN SMALL LIGATURE OE}": "oe", "\N{LATIN CAPITAL LIGATURE OE}": "OE",
    "\N{LATIN SMALL LETTER O WITH STROKE}": "o", "\N{LATIN CAPITAL LETTER O WITH STROKE}": "O",
    "\N{LATIN SMALL LETTER L WITH STROKE}": "l", "\N{LATIN CAPITAL LETTER L WITH STROKE}": "L",
    "\N{RIGHTWARDS ARROW}": "->",
}  # fmt: skip
"""What stands for letters that no decomposition makes plain."""
WIDEST = 100
"""Characters in a line of text; longer ones are hard to read."""
NARROWEST = 20
_ENDLESS = 10_000
_HIGH_SIGN = re.compile(r" (?=[;:!?](?:\s|$))")
"""The blank that French has before these signs."""


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """An error handler of codecs: letters without their accents where the console has no accents, else "?".

    Every letter by itself: the console may well know the one beside it.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    written = "".join(map(_plain, error.object[error.start : error.end]))
    try:
        written.encode(error.encoding)
    except UnicodeEncodeError:  # an encoding that has no plain letters either
        written = "?" * (error.end - error.start)
    return written, error.end


def _plain(letter: str) -> str:
    """A letter in ASCII; nothing for an accent by itself."""
    if unicodedata.combining(letter):
        return ""
    bare = "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))
    return "".join(one if one.isascii() else _PLAIN.get(one, "?") for one in bare)


def forgive_letters() -> None:
    """From now on letters that a terminal does not know come out without their accents, or as question marks."""
    codecs.register_error("plain letters", plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain letters")


def ignore_odd_sizes(environ: MutableMapping[str, str]) -> None:
    """From now on a terminal's size that is no size, such as `COLUMNS=0`, counts as unknown.

    Libraries read these variables for themselves, and some of them stumble over 0, or over digits that are not ASCII.
    """
    for name in ("COLUMNS", "LINES"):
        if name in environ and not re.fullmatch(r"0*[1-9][0-9]{0,4}", environ[name], re.ASCII):
            del environ[name]


def tell(text: str) -> None:
    """One line for whoever reads along, at once; when nobody can read along, that is said once on standard error."""
    try:
        print(" ".join(text.split()), flush=True)
    except BlockingIOError:  # a terminal that was stopped takes nothing just now
        return
    except OSError as error:
        _let_go(sys.stdout)
        complain(f"standard output takes nothing any more, and the game goes on without: {error.strerror}")


def finish() -> None:
    """Write what still waits; whatever cannot be written does not matter any more."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            _let_go(stream)


def _let_go(stream: TextIO) -> None:
    """Let what is written from now on vanish, as what waits would otherwise fail again and again."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except OSError:  # no file behind it
        return


def text_width() -> int:
    """Characters in a line of text on this terminal."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))


def wrap_text(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """The text in lines of a width, the first behind `first`, the others behind `rest`.

    French has a blank before `;`, `:`, `!` and `?`: a line never begins with the sign alone.
    """
    kept = _HIGH_SIGN.sub("\N{NO-BREAK SPACE}", text)
    lines = textwrap.wrap(
        kept, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def score_table(
    sheet: ScoreSheet, words: Wording, *, corrected: Collection[int] = (), title: str | None = None
) -> Table:
    """The rounds of a match and what they add up to.

    Rounds that were corrected have an asterisk, those with a turn that counts by agreement a plus sign.
    """
    agreed = {mark.round for mark in sheet.agreements}
    table = Table(words(Notice("console.round")), title=title, title_justify="left")
    for name in sheet.players:
        table.add_column(name, justify="right")
    for number, line in enumerate(sheet.rounds, 1):
        marks = "*" * (number in corrected) + "+" * (number in agreed)
        table.add_row(f"{number}{marks}", *map(format_points, line.scores))
    table.add_section()
    table.add_row(words(Notice("console.total")), *map(format_points, sheet.totals), style="bold")
    return table


def format_points(points: int) -> str:
    """Points with their sign."""
    return f"{points:+d}" if points else "0"


def print_table(console: Console, table: Table, words: Wording = ENGLISH) -> None:
    """A table, or where it has no room each row as lines of its own, beginning with what stands in its first cell."""
    # With the terminal's own width the measure would never exceed it: words would be cut instead.
    if Measurement.get(console, console.options.update(max_width=_ENDLESS), table).minimum <= console.width:
        console.print(table, soft_wrap=False)
        return
    if table.title:
        console.print(table.title)
    columns = [(str(column.header), [str(cell) for cell in column.cells]) for column in table.columns]
    for number in range(table.row_count):
        console.print(f"{columns[0][0]} {columns[0][1][number]}", style=table.rows[number].style)
        for header, cells in columns[1:]:
            console.print("\n".join(wrap_text(f"{header}{words.colon}{cells[number]}", console.width, "  ", "    ")))
