"""Output to a terminal that is full, closed or cannot show a letter: it ends no game and prints no traceback.

Tables and texts are as wide as the terminal; names are never cut, however narrow it is.
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

from referee.cli.terminal.common import complain, remember_line
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
"""ASCII replacements for letters that Unicode decomposition does not make plain."""
WIDEST = 100
"""The most characters in a line of text; longer lines are hard to read."""
NARROWEST = 20
_ENDLESS = 10_000
_KEPT_BLANK = re.compile(r" (?=[;:!?](?:\s|$))|(?<=\d) (?=(?:mm|cm|m|px|ms|s|kB|[MG]B|[KMG]o|°C|Hz)\b|%)")
"""The blank that French has before these punctuation marks, and the one between a number and its unit."""


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Replace letters that an encoding lacks: without accents, or with "?". This is an error handler of `codecs`.

    Each letter is replaced on its own, because the console may know the next one.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    written = "".join(map(_plain, error.object[error.start : error.end]))
    try:
        written.encode(error.encoding)
    except UnicodeEncodeError:  # the encoding lacks the plain letters too
        written = "?" * (error.end - error.start)
    return written, error.end


def _plain(letter: str) -> str:
    """Return a letter in ASCII; empty for a combining accent."""
    if unicodedata.combining(letter):
        return ""
    bare = "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))
    return "".join(one if one.isascii() else _PLAIN.get(one, "?") for one in bare)


def forgive_letters() -> None:
    """From now on, print letters that the terminal lacks without accents, or as question marks."""
    codecs.register_error("plain letters", plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain letters")


def ignore_odd_sizes(environ: MutableMapping[str, str]) -> None:
    """From now on, treat an invalid size of the terminal, such as `COLUMNS=0`, as unknown.

    Libraries read these variables themselves, and some fail on 0 or on digits that are not ASCII.
    """
    for name in ("COLUMNS", "LINES"):
        if name in environ and not re.fullmatch(r"0*[1-9][0-9]{0,4}", environ[name], re.ASCII):
            del environ[name]


def tell(text: str) -> None:
    """Print one line at once. If standard output no longer works, say so once on standard error."""
    remember_line(text)
    try:
        print(" ".join(text.split()), flush=True)
    except BlockingIOError:  # the terminal is stopped
        return
    except OSError as error:
        _let_go(sys.stdout)
        complain(f"standard output takes nothing any more, and the game goes on without: {error.strerror}")


def finish() -> None:
    """Flush the standard streams, and ignore what cannot be written."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            _let_go(stream)


def _let_go(stream: TextIO) -> None:
    """Discard all further output to a stream, because buffered output would otherwise fail again and again."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except OSError:  # the stream has no file
        return


def text_width() -> int:
    """Return the number of characters in a line of text on this terminal."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))


def wrap_text(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Return the text in lines of this width, the first after the indent `first`, the others after `rest`.

    No line begins with a unit, nor with `;`, `:`, `!` or `?`, before which French has a blank.
    """
    kept = _KEPT_BLANK.sub("\N{NO-BREAK SPACE}", text)
    lines = textwrap.wrap(
        kept, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def score_table(
    sheet: ScoreSheet, words: Wording, *, corrected: Collection[int] = (), title: str | None = None
) -> Table:
    """Return a table with the rounds of a match and the totals.

    An asterisk marks a corrected round; a plus sign marks a round with a turn that counts by agreement.
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
    """Return points with their sign."""
    return f"{points:+d}" if points else "0"


def print_table(console: Console, table: Table, words: Wording = ENGLISH) -> None:
    """Print a table. If the terminal is too narrow, print each row as several lines that begin with its first cell."""
    # With the terminal's own width, the measured width would never exceed it, and words would be cut.
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
