"""Texts as wide as the terminal."""

import pytest

from referee.terminal.tables import wrapped

TEXT = "la main qui a le moins de points gagne ; tous notent ce qu'ils ont : rien ?"


@pytest.mark.parametrize("width", range(12, 60))
def test_no_line_begins_with_a_sign_alone(width):
    lines = wrapped(TEXT, width)
    assert " ".join(lines) == TEXT
    assert not [line for line in lines if line[0] in ";:?"]


def test_the_first_line_and_the_others_are_led():
    assert wrapped("one two three", 9, "-> ", "   ") == ["-> one", "   two", "   three"]
