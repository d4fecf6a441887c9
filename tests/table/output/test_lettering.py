"""Text is drawn into pictures with the letters of the pages, umlauts and accents included."""

import re
import unicodedata
from pathlib import Path

import numpy as np
import pytest

import referee.i18n
from referee.i18n import LANGUAGES
from referee.table.output.lettering import (
    CUT,
    TABLE_FIGURES,
    draw_area,
    draw_text,
    fit_text,
    text_width,
    wrap_text,
)

CATALOGUES = Path(referee.i18n.__file__).parent / "locale"
INK, PAPER = (10, 20, 30), (240, 250, 255)


def drawn(text, size=40.0, **how):
    image = np.full((80, 400, 3), PAPER, np.uint8)
    draw_text(image, text, (10, 56), size, INK, **how)
    return image


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_that_sentences_use_is_there(language):
    known = set()
    for name in ("sharing", "scores", "statistics", "judge", "match", "play", "gin", "words", "page"):
        text = (CATALOGUES / language / "LC_MESSAGES" / f"{name}.po").read_text(encoding="utf-8")
        known |= {letter for entry in re.findall(r'^msgstr.*"(.*)"', text, re.M) for letter in entry}
    box = drawn("\N{WHITE SQUARE}")
    missing = [one for one in sorted(known) if one.strip() and unicodedata.category(one)[0] in "LNP"
               and (np.array_equal(drawn(one), box) or np.array_equal(drawn(one), drawn("")))]  # fmt: skip
    assert missing == []


@pytest.mark.parametrize("pair", ["uü", "eé", "aà", "oő", "cç", "sš", "oø", "gğ"])
def test_a_letter_with_an_accent_is_another_one_with_the_same_body(pair):
    plain, accented = (drawn(one) for one in pair)
    body = slice(36, 57)  # between the line and the height of an x
    assert not np.array_equal(plain, accented)
    same = np.abs(plain[body].astype(int) - accented[body]) < 60
    assert same.mean() > 0.9


def test_letters_that_are_composed_of_two_characters_are_one():
    assert np.array_equal(drawn("Zoe\N{COMBINING DIAERESIS}"), drawn("Zoë"))


@pytest.mark.parametrize(
    ("text", "instead"),
    [("Anna \N{FOX FACE}", "Anna "), ("\N{FULLWIDTH LATIN CAPITAL LETTER A}", "A"), ("Ǎ", "A")],
)
def test_what_the_font_lacks_is_left_out_or_simpler(text, instead):
    assert np.array_equal(drawn(text), drawn(instead))


def test_a_letter_of_another_script_is_a_box():
    assert np.array_equal(drawn("王"), drawn("\N{WHITE SQUARE}"))


def test_a_text_is_as_wide_as_it_says_and_aligned():
    width = text_width("Größe", 40, bold=True)
    for align, left in ((0, 10), (1, 10 - width)):
        image = np.full((80, 400, 3), PAPER, np.uint8)
        draw_text(image, "Größe", (10 + 150, 56), 40, INK, bold=True, align=align)
        columns = np.flatnonzero((image != PAPER).any(axis=(0, 2)))
        assert left + 150 <= columns[0] < left + 150 + 6
        assert left + 150 + width - 6 < columns[-1] <= left + 150 + width + 1


def test_figures_of_a_table_stand_below_each_other():
    widths = {text_width(figure.translate(TABLE_FIGURES), 40) for figure in "0123456789"}
    assert len(widths) == 1


def test_ink_is_solid_and_edges_are_smooth():
    image = drawn("I", 60, bold=True)
    assert (image == INK).all(axis=2).any()
    between = (image.astype(int).sum(axis=2) > sum(INK)) & (image.astype(int).sum(axis=2) < sum(PAPER))
    assert between.any()


def test_holes_are_open():
    image = drawn("O", 70, bold=True)
    rows, columns = np.nonzero((image == INK).all(axis=2))
    middle = image[(rows.min() + rows.max()) // 2, (columns.min() + columns.max()) // 2]
    assert tuple(middle) == PAPER


def test_what_lies_outside_of_the_picture_is_left_out():
    image = np.full((20, 20, 3), PAPER, np.uint8)
    for place in ((-500, 10), (500, 10), (5, -500), (5, 500), (-10, 15)):
        draw_text(image, "Größe", place, 40, INK)
    draw_area(image, (-50, -50, -10, -10), INK)
    draw_area(image, (10, 10, 900, 900), INK)
    assert image.shape == (20, 20, 3)
    assert tuple(image[19, 19]) == INK


def test_a_text_that_fits_stays_and_a_long_one_becomes_smaller_and_is_cut_last():
    assert fit_text("Ann", 40, 500, 20) == ("Ann", 40)
    text, size = fit_text("Maximiliane-Katharina", 40, 250, 20)
    assert text == "Maximiliane-Katharina"
    assert 20 <= size < 40
    text, size = fit_text("W" * 40, 40, 250, 20)
    assert text.endswith(CUT)
    assert size == 20
    assert text_width(text, size) <= 250


def test_a_sentence_is_wrapped_and_no_line_is_too_wide():
    sentence = "Ben hat in einem einzigen Zug alles ausgelegt, was er auf der Hand hatte, und gewinnt."
    lines = wrap_text(sentence, 30, 300, 9)
    assert " ".join(lines) == sentence
    assert all(text_width(line, 30) <= 300 for line in lines)
    short = wrap_text(sentence, 30, 300, 2)
    assert len(short) == 2
    assert short[-1].endswith(CUT)
