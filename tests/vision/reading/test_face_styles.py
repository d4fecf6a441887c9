"""The signs on tiles, and which of them one box prints."""

import pytest

from referee.game.tiles import HIGHEST
from referee.vision.reading.glyphs import (
    BACK_KIND,
    GLYPHS,
    INVERTED,
    JOKER_KIND,
    KINDS,
    NONE_KIND,
    NUMBERS,
    STYLES,
    FaceStyle,
)


def printed(style: FaceStyle) -> list[str]:
    return [GLYPHS[glyph] for glyph in style.glyphs]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_a_style_prints_each_number_once_and_as_itself(style: FaceStyle) -> None:
    assert [NUMBERS[glyph] for glyph in style.glyphs] == list(range(1, HIGHEST + 1))


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_cards_are_styles_with_letters(style: FaceStyle) -> None:
    assert style.cards is any(sign.isalpha() for sign in printed(style))


def test_no_two_styles_print_the_same() -> None:
    assert len({style.glyphs for style in STYLES}) == len({style.name for style in STYLES}) == len(STYLES)


@pytest.mark.parametrize(
    ("name", "signs"),
    [("numbers", "1 11 12 13"), ("AJQK", "A J Q K"), ("JQK", "1 J Q K"), ("ABDK", "A B D K"), ("VDR", "1 V D R")],
)
def test_a_style_is_called_by_its_letters(name: str, signs: str) -> None:
    style = next(style for style in STYLES if style.name == name)
    assert [printed(style)[n - 1] for n in (1, 11, 12, 13)] == signs.split()


def test_every_glyph_is_in_some_style() -> None:
    assert {glyph for style in STYLES for glyph in style.glyphs} == set(range(len(GLYPHS)))


def test_kinds_are_glyphs_both_ways_up_and_three_more() -> None:
    assert INVERTED == len(GLYPHS) == len(set(GLYPHS))
    assert list(range(2 * INVERTED, 2 * INVERTED + 4)) == [JOKER_KIND, BACK_KIND, NONE_KIND, KINDS]
