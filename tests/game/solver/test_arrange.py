from collections import Counter

import brute
import pytest
from all_in_sets import splits_into_sets
from drawn import loose, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game.notation import format_table, parse_set, parse_table
from referee.game.sets import is_set
from referee.game.solver import board
from referee.game.solver.solve import Play, best_play, face_value, most_points, partition
from referee.game.tiles import TILE_SETS, Colour


@settings(max_examples=250, deadline=None)
@given(tables(3), loose(3), st.randoms(use_true_random=False))
def test_tiles_split_into_sets_exactly_where_trying_everything_finds_a_way(table, more, random):
    tiles = [*(tile for some in table for tile in some), *more]
    random.shuffle(tiles)
    tiles = tiles[:10]
    found = partition(tiles)
    assert (found is not None) == (next(brute.partitions(tiles), None) is not None)
    if found is not None:
        assert Counter(t for s in found for t in s) == Counter(tiles)
        assert all(map(is_set, found))


@settings(max_examples=150, deadline=None)
@given(tables(2), loose(4))
def test_a_hand_plays_as_many_tiles_as_trying_everything_does(table, hand):
    tiles = [tile for some in table for tile in some]
    play = best_play(tiles, hand)
    assert play is not None
    assert len(play.tiles) == brute.most_playable(tiles, hand)
    assert Counter(t for s in play.sets for t in s) == Counter(tiles) + Counter(play.tiles)
    assert not Counter(play.tiles) - Counter(hand)
    assert all(map(is_set, play.sets))


@settings(max_examples=30, deadline=None)
@given(tables(4), loose(6))
def test_a_solver_that_remembers_little_plays_the_same(table, hand):
    tiles = [tile for some in table for tile in some]
    play = best_play(tiles, hand)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board, "MOST", 2)
        board.OPTIONS.clear()
        assert best_play(tiles, hand) == play
        assert len(board.OPTIONS) <= 2


@pytest.mark.parametrize("name", TILE_SETS)
def test_a_whole_box_splits_into_sets(name):
    assert splits_into_sets(Counter(TILE_SETS[name].inventory()).elements())


@pytest.mark.parametrize(
    ("tiles", "splits"),
    [
        pytest.param("", True, id="nothing"),
        pytest.param("R1 R2", False, id="too few"),
        pytest.param("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 **", True, id="joker beside a whole colour"),
        pytest.param("R12 R13 **", True, id="joker below twelve"),
        pytest.param("R13 ** **", True, id="two jokers below thirteen"),
        pytest.param("** ** **", True, id="jokers only"),
        pytest.param("** **", False, id="too few jokers"),
        pytest.param("R1 B1 K1 O1 **", False, id="no room for a joker in a group of four"),
        pytest.param("R1 B1 K1 O1 ** **", True, id="two jokers make a second group"),
        pytest.param("R1 B1 K1 O1 R1 B1 K1 O1 **", True, id="three groups of three"),
        pytest.param("R3 R4 R5 R3 R4 R5 R1 R2 **", True, id="three runs over one number"),
        pytest.param("R13 R1 R2", False, id="no way round"),
    ],
)
def test_sets_in_tight_places(tiles, splits):
    assert splits_into_sets(parse_set(tiles)) is splits


def test_where_runs_wrap_one_may_go_on_from_thirteen_to_one():
    assert splits_into_sets(parse_set("R13 R1 R2 ** R12"), wraps=True)
    play = best_play(parse_set("R13 R1 R2"), parse_set("R3 B4"), wraps=True)
    assert play is not None
    assert play.tiles == parse_set("R3")
    assert most_points(parse_set("R12 R13 R1"), wraps=True) == 26
    assert best_play(parse_set("R1"), parse_set("R3 B4"), wraps=True) is None


def test_a_table_may_be_rebuilt_to_play_more():
    play = best_play(parse_set("R1 R2 R3 R4 B4 K4"), parse_set("O4 R4 R5 K9"))
    assert play is not None
    assert len(play.tiles) == 3


def test_a_joker_of_the_table_stays_even_where_that_plays_less():
    play = best_play(parse_set("R1 B1 **"), parse_set("K1 O1"))
    assert play is not None
    assert len(play.tiles) == 1


def test_a_table_that_cannot_lie_is_told():
    assert best_play(parse_set("R1 R2"), parse_set("B9")) is None


def test_the_hand_may_help_a_table_that_cannot_lie_alone():
    assert best_play(parse_set("R1 R2"), parse_set("R3")) == Play(parse_set("R3"), parse_table("R1 R2 R3"))


def test_points_can_count_instead_of_tiles():
    hand = parse_set("R9 R10 R11 R8 B11 K11 B8 K8 O8")
    assert most_points(hand) == sum(t.number for t in best_play((), hand, face_value).tiles) == 84


def test_most_points_of_tiles_that_make_no_set_is_nothing():
    assert most_points(parse_set("R1 B7")) == 0


def test_the_same_tiles_in_any_order_are_arranged_alike():
    tiles = parse_set("R1 R2 R3 R4 B1 B2 B3 K1 K2 K3 ** O3")
    assert format_table(partition(tiles)) == format_table(partition(tiles[::-1]))


def test_a_joker_that_finds_no_place_stays_in_the_hand():
    assert best_play((), parse_set("** R1")) == Play((), ())


def test_a_run_is_opened_only_where_it_can_go_on():
    assert best_play((), parse_set("R12 R13 B1 B2 B4")) == Play((), ())


@pytest.mark.parametrize(
    ("tiles", "splits"),
    [
        pytest.param("R1 B1 K1 O1 R3 B3 K3 O3 **", True, id="a tile of each of two groups, one number apart"),
        pytest.param("R1 B1 K1 O1 R4 B4 K4 O4 **", False, id="too far apart"),
        pytest.param("R4 B4 K4 ** **", False, id="one group and two jokers"),
        pytest.param("R4 B4 K4 R9 B9 K9 ** **", True, id="two groups and two jokers"),
        pytest.param("R4 B4 K4 R9 B9 K9 ** ** **", True, id="two groups and three jokers"),
        pytest.param("R5 R9 ** ** **", True, id="a gap of three numbers"),
    ],
)
def test_jokers_that_are_not_needed_still_have_to_lie_somewhere(tiles, splits):
    assert splits_into_sets(parse_set(tiles)) is splits


def test_jokers_alone_are_no_set_where_the_rules_say_so():
    assert not splits_into_sets(parse_set("** ** **"), joker_sets=False)
    assert splits_into_sets(parse_set("R1 B1 K1 ** ** **"), joker_sets=False)


def test_the_cheapest_tile_makes_room_for_a_joker_of_the_table():
    play = best_play(parse_set("** R1 B1 R4 B4 K4"), parse_set("K1 O1 O4"), face_value)
    assert play is not None
    assert play.tiles == parse_set("O1 O4") or play.tiles == parse_set("K1 O4")


def test_a_joker_of_the_table_may_find_no_place_at_all():
    assert best_play(parse_set("R1 B1 K1 O1 **"), parse_set("R9")) is None


def test_the_worth_of_a_tile_may_depend_on_its_colour():
    hand = parse_set("R7 B7 K7 R8 R9 K8 K9")
    assert best_play((), hand, lambda tile: 9 if tile.colour is Colour.BLUE else 1).tiles == parse_set("K7 B7 R7")
    assert best_play((), hand, lambda tile: 3 if tile.colour is Colour.RED else 2).tiles == parse_set(
        "K7 R7 K8 R8 K9 R9"
    )
