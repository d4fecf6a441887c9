"""Tables and texts as wide as the terminal: no name is cut, however narrow that is."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Collection

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from referee.game.notice import Notice
from referee.game.scoring import ScoreSheet
from referee.i18n import ENGLISH, Wording

WIDEST = 100
"""Characters in a line of text; longer ones are hard to read."""
NARROWEST = 20
_ENDLESS = 10_000
_HIGH_SIGN = re.compile(r" (?=[;:!?](?:\s|$))")
"""The blank that French has before these signs."""


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
