"""`referee rules`: shows the rule books and their options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.table import Table

from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import LANGUAGE, as_set, wording
from referee.cli.terminal.common import Code
from referee.cli.terminal.output import print_table, text_width, wrap_text
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS, Ruleset, choices_of, ruleset
from referee.game.rulebooks.choices import Option
from referee.game.rulebooks.summary import summary
from referee.i18n import Wording, error_text


def rules(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The rule book to explain; default: a list of all.")
    ] = None,
    option: Annotated[list[str] | None, common.CHOICE] = None,
    language: Annotated[str | None, LANGUAGE] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Show the rule books and their options."""
    words = wording(language, as_set())
    if name is not None:
        book = chosen_rules(name, option or [], "NAME")
        if as_json:
            common.print_json(_book_json(book) | _details_json(book, words.of_faces(book.box.faces)))
            return Code.DONE
        _show(book, words.of_faces(book.box.faces))
    elif option:
        raise BadInput("--option: expected the name of a rule book with it, found none")
    elif as_json:
        common.print_json({"books": [_book_json(book) for book in RULESETS.values()]})
    else:
        _list(words)
    return Code.DONE


def chosen_rules(name: str, choices: Sequence[str], where: str = "--rules") -> Ruleset:
    """Return the ruleset called `name` with these choices, each ``option=choice``; `where` is used in errors."""
    try:
        book = ruleset(name)
    except BadInput as error:
        raise BadInput(f"{where}: {error_text(error)}") from None
    try:
        return book.choose(**choices_of(choices))
    except BadInput as error:
        raise BadInput(f"--option: {error_text(error)}") from None


def _list(words: Wording) -> None:
    heads = ("name", "book", "players", "first_meld", "turn")
    table = Table(*(words(Notice(f"console.rules_head_{head}")) for head in heads))
    for book in RULESETS.values():
        opening = Notice("console.rules_no_meld")
        if book.melds is not None:
            opening = Notice("console.rules_points", points=book.opening.minimum)
        turn = Notice("console.rules_no_clock")
        if book.turn_seconds:
            turn = Notice("console.rules_seconds", seconds=book.turn_seconds)
        table.add_row(book.name, book.title, _players(book), words(opening), words(turn))
    console = common.stdout()
    print_table(console, table, words)
    console.print(_wrap_text(words(Notice("console.rules_more")), ""))


def _book_json(book: Ruleset) -> dict[str, Any]:
    """Return a rule book as in the list of all; a book without sets on the table has no first meld."""
    return {
        "name": book.name,
        "title": book.title,
        "tileset": book.box.name,
        "tiles": book.box.total,
        "players": {"fewest": book.players[0], "most": book.players[1]},
        "first_meld": None if book.melds is None else book.opening.minimum,
        "turn_seconds": book.turn_seconds,
        "bank_seconds": None if book.melds is None else book.timing.bank,
    }


def _details_json(book: Ruleset, words: Wording) -> dict[str, Any]:
    """Return how a book is played, and its options, in the language of `words`."""
    options = [
        {
            "name": option.name,
            "text": words(option.text),
            "choices": list(option.every_choice),
            "default": option.default,
            "chosen": book.choice_of(option),
        }
        for option in book.options
    ]
    return {"rules": [words(sentence) for sentence in summary(book)], "options": options}


def _show(book: Ruleset, words: Wording) -> None:
    console = common.stdout()
    console.print(_wrap_text(words(Notice("console.rules_title", book=book.title, name=book.name)), ""), style="bold")
    box = book.box
    held = Notice("console.rules_box", tiles=box.total, box=box.name, players=_players(book))
    console.print(words(held), style="dim")
    for sentence in summary(book):
        console.print(_wrap_text(words(sentence), "  - "))
    if book.options:
        console.print(_wrap_text(words(Notice("console.rules_options")), ""))
    for option in book.options:
        console.print(_wrap_text(f"{_choices(option, book, words)}{words.colon}{words(option.text)}", "  ", 4))


def _choices(option: Option, book: Ruleset, words: Wording) -> str:
    """Return an option with every choice, and the chosen one if it is not the default."""
    chosen = book.choice_of(option)
    known = f"{option.name} = {' | '.join(option.every_choice)}"
    if chosen == option.default:
        return known
    return words(Notice("console.rules_chosen", option=known, choice=chosen))


def _wrap_text(text: str, lead: str, deeper: int = 0) -> str:
    """Return the text in lines of the terminal's width, the first after `lead`, the others indented `deeper`."""
    return "\n".join(wrap_text(text, text_width(), lead, " " * (len(lead) + deeper)))


def _players(book: Ruleset) -> str:
    fewest, most = book.players
    return str(most) if fewest == most else f"{fewest}-{most}"
