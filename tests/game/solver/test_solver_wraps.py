"""Sets whose runs go on from 13 to 1."""

from collections import Counter
from itertools import combinations

import pytest
from all_in_sets import splits_into_sets
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game.notation import parse_set
from referee.game.sets import is_set
from referee.game.solver.solve import best_play, partition
from referee.game.tiles import JOKER, Colour, Tile

COLOURS = (Colour.RED, Colour.BLUE, Colour.GREEN)


@st.composite
def sets(draw):
    """A group or a run near the cut between 13 and 1, some of its tiles perhaps jokers."""
    length = draw(st.integers(3, 4))
    first = draw(st.integers(10, 15))
    if draw(st.booleans()):
        tiles = [Tile((first - 1) % 13 + 1, colour) for colour in draw(st.permutations([*COLOURS, Colour.YELLOW]))]
    else:
        colour = draw(st.sampled_from(COLOURS))
        tiles = [Tile((first + step - 1) % 13 + 1, colour) for step in range(length)]
    for place in draw(st.sets(st.integers(0, length - 1), max_size=2)) if draw(st.integers(0, 2)) == 0 else ():
        tiles[place] = JOKER
    return tuple(tiles[:length])


def loose(most):
    tiles = st.builds(Tile, st.sampled_from((11, 12, 13, 1, 2, 3)), st.sampled_from(COLOURS))
    return st.lists(st.one_of(tiles, tiles, tiles, st.just(JOKER)), max_size=most)


def divides(tiles):
    """Whether some way to take sets off the tiles leaves nothing."""
    if not tiles:
        return True
    first, rest = tiles[0], range(1, len(tiles))
    return any(
        is_set((first, *(tiles[i] for i in picked)), wraps=True)
        and divides([tiles[i] for i in rest if i not in picked])
        for size in range(2, len(tiles))
        for picked in combinations(rest, size)
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(sets(), max_size=3), loose(2), st.randoms(use_true_random=False))
def test_tiles_split_exactly_where_trying_everything_finds_a_way(table, more, random):
    tiles = [*(tile for some in table for tile in some), *more]
    random.shuffle(tiles)
    tiles = tiles[:10]
    found = partition(tiles, wraps=True)
    assert (found is not None) == divides(tiles)
    if found is not None:
        assert Counter(t for s in found for t in s) == Counter(tiles)
        assert all(is_set(s, wraps=True) for s in found)


@pytest.mark.parametrize(
    ("tiles", "sets"),
    [
        pytest.param("Y12 Y13 Y1 Y2", 1, id="a run over the end"),
        pytest.param(
            "K2 K3 K4 K5 K6 K7 K12 B1 B2 B7 B8 B9 B10 B11 B12 B12 B13 R2 R12 Y2",
            4,
            id="a run of which one tile lies beyond every cut",
        ),
        pytest.param("** K1 K3 K4 B6 B7 B8 Y1 Y6 Y7 Y8 Y9 Y11 Y12 Y13", 4, id="a joker beside a cut"),
        pytest.param("** ** K5 B2 B3 B4 B5 B5 B6 B7 B8 R2 R5 R13 Y2 Y5 Y9 Y11 Y12 Y13", 5, id="a joker over a cut"),
        pytest.param("K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K1 K2", 2, id="more than once round"),
        pytest.param(" ".join(f"K{n} K{n}" for n in range(1, 14)), 2, id="twice round"),
    ],
)
def test_runs_over_the_end_in_tight_places(tiles, sets):
    found = partition(parse_set(tiles), wraps=True)
    assert found is not None
    assert Counter(t for s in found for t in s) == Counter(parse_set(tiles))
    assert all(is_set(s, wraps=True) for s in found)
    assert len(found) == sets


def test_no_tile_lies_twice_in_a_run():
    assert not splits_into_sets(parse_set("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 B1 B1"), wraps=True)


def test_a_hand_goes_on_over_the_end():
    play = best_play(parse_set("R11 R12 R13 B5 B6 B7"), parse_set("R1 R2 B4 K9"), wraps=True)
    assert play is not None
    assert play.tiles == parse_set("R1 R2 B4")
