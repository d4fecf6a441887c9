from dataclasses import replace

import pytest
from hypothesis import given
from naive_gin import hands, least, valid, worth

from referee.errors import BadInput
from referee.game.gin.hands import arrange, least_rest
from referee.game.notation import format_table, parse_set
from referee.game.rulebooks import ruleset


@pytest.mark.parametrize(
    ("hand", "sets", "rest"),
    [
        pytest.param("K1 B5 R9", "", "K1 B5 R9", id="nothing"),
        pytest.param("K7 B7 R7 Y2", "K7 B7 R7", "Y2", id="a group"),
        pytest.param("K7 B7 R7 Y7", "K7 B7 R7 Y7", "", id="a group of four"),
        pytest.param("R3 R4 R5 R9", "R3 R4 R5", "R9", id="a run"),
        pytest.param("R3 R4 R5 R6 R7 R8", "R3 R4 R5 R6 R7 R8", "", id="one long run, not two"),
        pytest.param("R12 R13 R1", "", "R1 R12 R13", id="no run over the ace"),
        pytest.param("R5 R6 R7 B7 K7", "B7 K7 R7", "R5 R6", id="the better of two"),
        pytest.param("R8 R9 R10 B8 K8", "R8 R9 R10", "B8 K8", id="run better than group"),
        pytest.param("R5 R6 R7 R8 K5 B5 Y5", "B5 K5 Y5 | R5 R6 R7 R8", "", id="a tile of both goes to one"),
        pytest.param("R4 R5 R6 R7 K5 B5", "R4 R5 R6 R7", "B5 K5", id="a group would cost the run"),
    ],
)
def test_the_best_arrangement(hand, sets, rest):
    found = arrange(parse_set(hand))
    assert {frozenset(some) for some in found.sets} == {frozenset(parse_set(some)) for some in sets.split("|") if some}
    assert set(found.rest) == set(parse_set(rest))
    assert found.points == worth(parse_set(rest))


def test_faces_count_ten_and_the_ace_one():
    assert arrange(parse_set("R1 K9 B10 Y11 B12 R13")).points == 1 + 9 + 40


def test_another_book_may_count_faces_in_full():
    book = ruleset("gin")
    full = replace(book, scoring=replace(book.scoring, most_per_tile=None))
    assert arrange(parse_set("R12 R13"), full).points == 25
    assert least_rest(parse_set("R12 R13 K1"), full) == 26


@pytest.mark.parametrize("hand", ["R1 R1", "R1 **"])
def test_there_are_no_jokers_and_no_tile_twice(hand):
    with pytest.raises(BadInput, match="expected different tiles without jokers"):
        arrange(parse_set(hand))


@given(hands(size=11))
def test_the_quick_way_finds_what_the_slow_way_finds(hand):
    found = arrange(hand)
    assert found.points == least_rest(hand) == least(hand)
    assert all(valid(frozenset(some)) for some in found.sets), format_table(found.sets)
    assert sorted([tile for some in (*found.sets, found.rest) for tile in some]) == sorted(hand)
    assert worth(found.rest) == found.points
