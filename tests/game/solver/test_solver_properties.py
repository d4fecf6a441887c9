"""What holds for every answer of the solver, on tables of any size."""

from collections import Counter
from functools import partial
from itertools import combinations

import pytest
from all_in_sets import splits_into_sets
from drawn import loose, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game.sets import is_set
from referee.game.solver.solve import best_play, best_sets, face_value, one_each
from referee.game.tiles import JOKER, TILE_SETS, Colour, Tile

TILES = st.builds(Tile, st.integers(1, 13), st.sampled_from((Colour.BLACK, Colour.BLUE, Colour.RED, Colour.YELLOW)))
WORTHS = pytest.mark.parametrize("worth", [one_each, face_value])
WRAPS = pytest.mark.parametrize("wraps", [False, True])


def hands(most):
    return st.lists(st.one_of(TILES, TILES, TILES, TILES, st.just(JOKER)), max_size=most)


def on(table):
    return [tile for some in table for tile in some]


def score(play, worth):
    """Worth of the numbered tiles, and how many jokers are played."""
    numbered = [tile for tile in play.tiles if tile != JOKER]
    return sum(map(worth, numbered)), len(play.tiles) - len(numbered)


def moved(tiles, steps=0, mirror=False, colours=tuple(Colour)):
    """The tiles with other numbers and colours."""
    to = dict(zip(Colour, colours, strict=True))
    numbers = [14 - tile.number if mirror else (tile.number - 1 + steps) % 13 + 1 for tile in tiles]
    return [
        tile if tile == JOKER else Tile(number, to[tile.colour]) for tile, number in zip(tiles, numbers, strict=True)
    ]


@WORTHS
@WRAPS
@settings(max_examples=60, deadline=None)
@given(table=tables(12), hand=hands(10))
def test_a_play_keeps_the_table_and_makes_sets(worth, wraps, table, hand):
    play = best_play(on(table), hand, worth, wraps=wraps)
    assert play is not None
    assert Counter(on(play.sets)) == Counter(on(table)) + Counter(play.tiles)
    assert not Counter(play.tiles) - Counter(hand)
    assert all(is_set(some, wraps) for some in play.sets)


@WRAPS
@settings(max_examples=40, deadline=None)
@given(
    table=tables(6),
    hand=hands(8),
    order=st.randoms(use_true_random=False),
    colours=st.permutations(list(Colour)),
    steps=st.integers(0, 12),
)
def test_order_colours_and_direction_do_not_matter(wraps, table, hand, order, colours, steps):
    tiles = on(table)
    best = score(best_play(tiles, hand, wraps=wraps), one_each)
    order.shuffle(tiles)
    change = partial(moved, colours=colours, steps=steps) if wraps else partial(moved, colours=colours, mirror=True)
    assert score(best_play(change(tiles), change(hand), wraps=wraps), one_each) == best


@settings(max_examples=60, deadline=None)
@given(tables(5), hands(8))
def test_runs_that_may_go_round_are_never_in_the_way(table, hand):
    straight, around = (best_play(on(table), hand, wraps=wraps) for wraps in (False, True))
    assert sum(score(around, one_each)) >= sum(score(straight, one_each))


@WORTHS
@WRAPS
@settings(max_examples=40, deadline=None)
@given(tiles=loose(8))
def test_the_best_sets_are_the_best_of_all_choices(worth, wraps, tiles):
    choices = (some for size in range(len(tiles) + 1) for some in combinations(tiles, size))
    best = max(
        (sum(worth(tile) for tile in some if tile != JOKER), some.count(JOKER))
        for some in choices
        if splits_into_sets(some, wraps=wraps)
    )
    assert score(best_sets(tiles, worth, wraps=wraps), worth) == best


@WRAPS
@pytest.mark.parametrize("name", TILE_SETS)
def test_a_whole_box_with_a_tile_too_many_or_too_few(name, wraps):
    box = list(Counter(TILE_SETS[name].inventory()).elements())
    assert splits_into_sets([*box, JOKER], wraps=wraps)
    assert splits_into_sets(box[1:], wraps=wraps)
    assert len(best_sets([*box, box[0]], wraps=wraps).tiles) >= len(box)


def test_more_colours_and_copies_than_any_box_has():
    tiles = [Tile(number, colour) for colour in Colour for number in range(1, 14)]
    assert splits_into_sets(tiles * 2)
    assert splits_into_sets([Tile(5, Colour.RED)] * 6 + [Tile(5, Colour.BLUE)] * 6 + [Tile(5, Colour.GREEN)] * 6)
    assert not splits_into_sets([Tile(5, Colour.RED)] * 6 + [Tile(5, Colour.BLUE)] * 6 + [Tile(5, Colour.GREEN)] * 5)
