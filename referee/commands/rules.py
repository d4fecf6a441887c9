"""`referee rules`: the rule books and their options."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table

from referee.errors import BadInput
from referee.game.rulebooks import RULESETS, Ruleset, choices_of, ruleset
from referee.game.rulebooks.choices import Option
from referee.game.rulebooks.summary import summary
from referee.messages import ENGLISH, error_text
from referee.terminal import common
from referee.terminal.common import Code
from referee.terminal.tables import print_table, text_width


def rules(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One rule book, on one screen.")] = None,
    option: Annotated[list[str] | None, common.CHOICE] = None,
) -> int:
    """The rule books and their options."""
    if name is not None:
        _show(chosen_rules(name, option or []))
    elif option:
        raise BadInput("--option: expected the name of a rule book with it, found none")
    else:
        _list()
    return Code.DONE


def chosen_rules(name: str, choices: Sequence[str] = ()) -> Ruleset:
    """The ruleset called `name` with its options chosen, each as ``option=choice``."""
    book = ruleset(name)
    try:
        return book.choose(**choices_of(choices))
    except BadInput as error:
        raise BadInput(f"--option: {error_text(error)}") from None


def _list() -> None:
    table = Table("name", "rule book", "players", "first meld", "turn")
    for book in RULESETS.values():
        opening = "none" if book.melds is None else f"{book.opening.minimum} points"
        turn = f"{book.turn_seconds} s" if book.turn_seconds else "no clock"
        table.add_row(book.name, book.title, _players(book), opening, turn)
    console = common.stdout()
    print_table(console, table)
    console.print(_wrapped("`referee rules NAME` tells more about one of them, its options included.", ""))


def _show(book: Ruleset) -> None:
    console = common.stdout()
    console.print(_wrapped(f"{book.title} ({book.name})", ""), style="bold")
    box = book.box
    console.print(f"{box.total} tiles ({box.name}), {_players(book)} players", style="dim")
    for sentence in summary(book):
        console.print(_wrapped(ENGLISH(sentence), "  - "))
    if book.options:
        console.print(_wrapped("Options, the default first, to choose with --option NAME=CHOICE:", ""))
    for option in book.options:
        console.print(_wrapped(f"{_choices(option, book)}: {ENGLISH(option.text)}", "  ", 4))


def _choices(option: Option, book: Ruleset) -> str:
    """An option with every choice, and the one that was chosen unless that is the default."""
    chosen = book.chosen(option)
    return f"{option.name} = {' | '.join(option.known)}" + ("" if chosen == option.default else f", chosen: {chosen}")


def _wrapped(text: str, lead: str, deeper: int = 0) -> str:
    """The text in lines of the screen's width, the first with its lead, the others indented `deeper`."""
    indent = " " * (len(lead) + deeper)
    return textwrap.fill(text, text_width(), initial_indent=lead, subsequent_indent=indent, break_on_hyphens=False)


def _players(book: Ruleset) -> str:
    fewest, most = book.players
    return str(most) if fewest == most else f"{fewest}-{most}"
