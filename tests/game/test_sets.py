import brute
import pytest
from drawn import loose, sets
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game.notation import format_set, parse_set
from referee.game.sets import as_laid, is_set, shape, why_not
from referee.game.tiles import JOKER, Tile
from referee.i18n import ENGLISH


@pytest.mark.parametrize(
    "tiles",
    [
        "R5 Y5 B5 G5",
        "K7 R7 O7",
        "R5 R6 R7 R8",
        "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13",
        "R4 ** R6",
        "** R12 R13",
        "** ** R13",
        "R7 B7 **",
        "R7 ** **",
        "** ** **",
        "R13 R12 R11",
        "R5 R7 R6",
        "** R1 R2",
    ],
)
def test_groups_and_runs_are_sets_in_whatever_order_they_lie(tiles):
    assert is_set(parse_set(tiles))


@pytest.mark.parametrize(
    ("tiles", "reason"),
    [
        ("", "at least 3"),
        ("R4 R5", "at least 3"),
        ("** **", "at least 3"),
        ("R7 R7 B7", "red appears twice"),
        ("R7 B7 ** ** **", "at most 4"),
        ("R7 B7 K7 O7 **", "at most 4"),
        ("R4 R6 R7", "there are numbers missing"),
        ("R4 R4 R5", "the 4 appears twice"),
        ("R12 R13 R1", "there are numbers missing"),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 **", "at most 13"),
        ("R7 B7 K8", "the numbers differ"),
        ("R5 R6 B7", "the colours differ"),
        ("R5 B6 K7", "neither"),
    ],
)
def test_what_is_no_set_is_told_why(tiles, reason):
    assert not is_set(parse_set(tiles))
    assert reason in ENGLISH(why_not(parse_set(tiles)))


@pytest.mark.parametrize("tiles", ["R12 R13 R1", "R13 R1 R2", "R12 ** R1 R2", "R1 ** R13"])
def test_a_book_may_let_runs_go_on_from_13_to_1(tiles):
    assert is_set(parse_set(tiles), wraps=True)
    assert not is_set(parse_set(tiles))


@settings(max_examples=200, deadline=None)
@given(st.one_of(sets(), loose(5).map(tuple)))
def test_sets_are_those_that_trying_every_pattern_finds(tiles):
    assert is_set(tiles) == brute.is_set(tiles)


@settings(max_examples=100, deadline=None)
@given(sets().filter(lambda tiles: Tile(0) in tiles))
def test_a_joker_stands_for_every_tile_that_could_take_its_place(tiles):
    seen = shape(tiles)
    assert seen.roles == (frozenset() if seen.all_jokers else brute.roles(tiles))


@pytest.mark.parametrize(
    ("tiles", "fixed", "stands_for"),
    [
        ("R7 R8 R9", 24, 24),
        ("** R7 R8", 40, 24),
        ("R12 R13 **", 50, 36),
        ("R10 B10 **", 45, 30),
        ("R13 ** **", 63, 39),
        ("** ** **", 75, 39),
        ("** ** ** ** **", 125, 55),
        ("R1 R2 B9", 12, 0),
    ],
)
def test_a_set_is_worth_its_numbers_and_what_its_jokers_count(tiles, fixed, stands_for):
    assert shape(parse_set(tiles)).value(25) == fixed
    assert shape(parse_set(tiles)).value(None) == stands_for


def test_an_ace_behind_the_king_counts_one():
    assert shape(parse_set("R12 R13 R1"), wraps=True).value(None) == 26


@pytest.mark.parametrize(
    ("tiles", "told"),
    [
        ("R4 ** R6", "R4 R5 R6"),
        ("** R5 R6", "R4 R5 R6"),
        ("R5 R6 **", "R5 R6 R7"),
        ("R6 R5 **", "R6 R5 R4"),
        ("R12 R13 **", "R12 R13 R11"),
        ("R7 B7 **", "R7 B7 K7"),
        ("R7 ** **", "R7 R8 R9"),
        ("** ** **", "** ** **"),
        ("R1 B2 **", "R1 B2 **"),
        ("R1 R2 R3", "R1 R2 R3"),
    ],
)
def test_the_order_tells_what_a_joker_stands_for(tiles, told):
    assert format_set(as_laid(parse_set(tiles))) == told


def test_more_jokers_than_there_are_numbers_are_no_set():
    assert is_set((JOKER,) * 13)
    assert not is_set((JOKER,) * 14)
    assert why_not((JOKER,) * 14).key == "judge.why_run_too_long"
