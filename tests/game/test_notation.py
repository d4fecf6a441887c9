import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import BadInput
from referee.game.notation import format_set, format_table, format_tile, parse_set, parse_table, parse_tile
from referee.game.tiles import JOKER, Colour, Tile

TILES = st.one_of(st.just(JOKER), st.builds(Tile, st.integers(1, 13), st.sampled_from(Colour)))
TABLES = st.lists(st.lists(TILES, min_size=1, max_size=5).map(tuple), max_size=6).map(tuple)


@given(TABLES)
def test_a_table_written_and_read_is_the_same_table(table):
    assert parse_table(format_table(table)) == table


@given(st.text(alphabet="RBKYOG*0123456789 |\n", max_size=20))
def test_any_text_is_read_or_refused_plainly(text):
    try:
        table = parse_table(text)
    except BadInput:
        return
    assert parse_table(format_table(table)) == table


def test_tiles_are_a_letter_and_a_number():
    assert parse_tile("K12") == Tile(12, Colour.BLACK)
    assert parse_tile("**") == JOKER
    assert format_tile(Tile(12, Colour.BLACK)) == "K12"


def test_small_letters_will_do():
    assert parse_set("r7 b7") == parse_set("R7 B7")


def test_a_set_is_written_in_its_order():
    assert format_set(parse_set("Y6 ** Y4")) == "Y6 ** Y4"


def test_no_text_is_the_empty_table():
    assert parse_table("") == parse_table(" \n ") == ()


def test_line_ends_separate_sets_too():
    assert parse_table("R7 B7 K7\n\nY3 Y4 ** Y6 | B1 B2 B3\n") == parse_table("R7 B7 K7 | Y3 Y4 ** Y6 | B1 B2 B3")


@pytest.mark.parametrize("text", ["R0", "R14", "X7", "R", "7R", "*", "R 7", "", "R07"])
def test_other_tiles_are_refused_with_what_was_found(text):
    with pytest.raises(BadInput, match="expected") as caught:
        parse_tile(text)
    assert repr(text) in str(caught.value)


def test_a_bar_without_tiles_beside_it_is_refused_with_its_line():
    with pytest.raises(BadInput, match=r"line 2"):
        parse_table("R7 B7 K7\nY3 Y4 Y5 |")
