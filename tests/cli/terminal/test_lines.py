"""Texts as wide as the terminal."""

import io

import pytest
from rich.console import Console
from rich.table import Table

from referee.cli.terminal.output import print_table, wrap_text
from referee.i18n import LANGUAGES, Wording

TEXT = "la main qui a le moins de points gagne ; tous notent ce qu'ils ont : rien ?"


@pytest.mark.parametrize("width", range(12, 60))
def test_no_line_begins_with_a_sign_alone(width):
    lines = wrap_text(TEXT, width)
    assert " ".join(lines) == TEXT
    assert not [line for line in lines if line[0] in ";:?"]


def test_the_first_line_and_the_others_are_led():
    assert wrap_text("one two three", 9, "-> ", "   ") == ["-> one", "   two", "   three"]


@pytest.mark.parametrize("width", range(8, 20))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_without_room_names_what_follows_as_its_language_does(language, width):
    words, out = Wording(language), io.StringIO()
    table = Table("manche", "Anna", "Ben", "Marguerite")
    table.add_row("1", "+35", "-12", "-23")
    print_table(Console(file=out, width=width, soft_wrap=True), table, words)
    lines = out.getvalue().splitlines()
    assert " ".join(" ".join(lines).split()) == f"manche 1 Anna{words.colon}+35 Ben{words.colon}-12 " + (
        f"Marguerite{words.colon}-23"
    )
    assert not [line for line in lines if line != line.rstrip() or line.strip().startswith(":")]
