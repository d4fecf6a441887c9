"""The search that follows many ways at once gives the answers that going through all of them would."""

from collections import Counter
from itertools import combinations

import brute
import pytest
from all_in_sets import splits_into_sets
from drawn import loose, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game.notation import parse_set
from referee.game.sets import is_set
from referee.game.solver import batch, bounds, solve, stages
from referee.game.solver.batch import BatchSearch
from referee.game.solver.board import Board
from referee.game.solver.solve import best_play, best_sets, face_value, one_each
from referee.game.tiles import JOKER

WORTHS = st.sampled_from([one_each, face_value])
HARD = (
    "** ** ** ** K5 K6 K7 K7 K8 K9 K9 K10 K10 K11 K11 K12 K13 K13 B1 B2 B7 B13 B13 R1 R3 R3 R4 R5 R5 R6 R6 R7 R7 R8 "
    "R9 R10 R13 R13 Y2 Y3 Y3 Y4 Y4 Y5 Y5 Y6 Y7 Y7 Y8 Y13 Y13"
)
HAND = "K6 B2 B3 B4 B4 B6 B7 B11 R9 R10 R11 Y8 Y10 Y12"


def looking(states, *given, **rules):
    """The answer where the quick look takes in so many states."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solve, "LOOK", states)
        return best_play(*given, **rules)


def score(play, worth):
    numbered = [tile for tile in play.tiles if tile != JOKER]
    return sum(map(worth, numbered)), len(play.tiles) - len(numbered)


def check(play, table, hand, wraps):
    assert Counter(t for s in play.sets for t in s) == Counter(table) + Counter(play.tiles)
    assert not Counter(play.tiles) - Counter(hand)
    assert all(is_set(s, wraps) for s in play.sets)


@settings(max_examples=80, deadline=None)
@given(tables(8), loose(10), WORTHS)
def test_it_plays_as_much_as_a_look_that_is_never_given_up(table, hand, worth):
    tiles = [tile for some in table for tile in some]
    play = looking(0, tiles, hand, worth)
    check(play, tiles, hand, wraps=False)
    assert score(play, worth) == score(looking(1 << 30, tiles, hand, worth), worth)


@settings(max_examples=80, deadline=None)
@given(tables(2), loose(4))
def test_it_plays_as_many_tiles_as_trying_everything_does(table, hand):
    tiles = [tile for some in table for tile in some]
    assert len(looking(0, tiles, hand).tiles) == brute.most_playable(tiles, hand)


@settings(max_examples=60, deadline=None)
@given(loose(8), WORTHS)
def test_where_runs_go_round_it_finds_the_best_of_all_choices(tiles, worth):
    choices = (some for size in range(len(tiles) + 1) for some in combinations(tiles, size))
    best = max(
        (sum(worth(tile) for tile in some if tile != JOKER), some.count(JOKER))
        for some in choices
        if splits_into_sets(some, wraps=True)
    )
    assert score(looking(0, (), tiles, worth, wraps=True), worth) == best


def test_where_runs_go_round_the_quick_look_follows_the_best_once_its_loss_is_known():
    tiles = parse_set("** ** ** B3 B8 K11 K12 K13 K4 K6 K9 K9 R1 R6 R7 Y10 Y10 Y12 Y7")
    play = best_sets(tiles, wraps=True)
    check(play, (), tiles, wraps=True)
    assert score(play, one_each) == score(looking(0, (), tiles, wraps=True), one_each)


@pytest.mark.parametrize("wraps", [False, True])
def test_what_cannot_lie_is_told(wraps):
    assert looking(0, parse_set("R1 R2 B1 B2 K5 K6"), parse_set("R9"), wraps=wraps) is None


@pytest.mark.parametrize("at_once", [1, 60])
@pytest.mark.parametrize(
    ("table", "hand", "most"),
    [
        pytest.param(
            "** ** ** K5 K9 B4 B5 B5 B6 B7 B8 B8 B9 B9 B10 B10 B11 B11 B12 B13 R3 R4 R4 R5 R9 R9 R10 R11 Y1 Y2 Y3 Y4 "
            "Y5",
            "K1 K1 K3 K7 K12 B7 R1 R2 R3 R7 R10 R13 Y7 Y11",
            13,
            id="three jokers",
        ),
        pytest.param(
            "B13 ** K13 R4 R5 R6 R7 Y13 R13 K13 K8 K9 K10 K11 K12 R4 R5 R6 R7 R2 B2 Y2 K2 B3 R3 Y3",
            "R9 K3 K5 R11 B13 Y5 R3 B10 B12 R12",
            8,
            id="one joker",
        ),
        pytest.param(HARD, HAND, 13, id="four jokers"),
    ],
)
def test_what_waits_for_a_greater_loss_is_followed_in_the_end(monkeypatch, at_once, table, hand, most):
    monkeypatch.setattr(batch, "AT_ONCE", at_once)
    play = looking(0, parse_set(table), parse_set(hand), wraps=True)
    check(play, parse_set(table), parse_set(hand), wraps=True)
    assert len(play.tiles) == most


@pytest.mark.parametrize(("wraps", "most"), [(False, 13), (True, 13)])
def test_a_half_full_table_with_four_jokers(wraps, most):
    table, hand = parse_set(HARD), parse_set(HAND)
    play = best_play(table, hand, wraps=wraps)
    check(play, table, hand, wraps)
    assert len(play.tiles) == most


@settings(max_examples=60, deadline=None)
@given(tables(4), loose(8), st.booleans())
def test_no_bound_is_above_what_is_left_out(table, hand, wraps):
    tiles = [tile for some in table for tile in some]
    plain = [[tile for tile in some if tile != JOKER] for some in (tiles, hand)]
    jokers = len(tiles) + len(hand) - sum(map(len, plain))
    board = Board.from_tiles(*plain, one_each, jokers, wraps)
    found = BatchSearch(board)
    node, _ = found.run()
    assert found.bounds[0].least(jokers) <= node.lost


def test_a_hand_without_any_set_leaves_out_all():
    assert best_sets(parse_set("R1 B3 K5 O7"), wraps=True).tiles == ()


def test_boards_looked_at_before_change_no_answer():
    """Columns that boards have in common are worked out once: a heap's answer is the same first and after others."""
    tiles = parse_set(HARD)
    heaps = [[tile for place, tile in enumerate(tiles) if place % 9 != out] for out in range(4)]
    alone = []
    for heap in heaps:
        stages.stage_of.cache_clear()
        bounds.bounds_of.cache_clear()
        alone.append(best_sets(heap, wraps=True))
    hits = stages.stage_of.cache_info().hits, bounds.bounds_of.cache_info().hits
    assert [best_sets(heap, wraps=True) for heap in heaps * 2][len(heaps) :] == alone
    assert stages.stage_of.cache_info().hits > hits[0]
    assert bounds.bounds_of.cache_info().hits > hits[1]
