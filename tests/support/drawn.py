"""Tiles, sets and tables for property tests, drawn so that most of them nearly fit."""

from collections import Counter

from hypothesis import strategies as st

from referee.game.tiles import JOKER, Colour, Tile

COLOURS = (Colour.RED, Colour.BLUE, Colour.GREEN)
TILES = st.builds(Tile, st.integers(1, 5), st.sampled_from(COLOURS))


@st.composite
def sets(draw):
    """A group or a run, one or two of its tiles perhaps replaced by jokers; near either end of the numbers."""
    length = draw(st.integers(3, 4))
    if draw(st.booleans()):
        number, colours = draw(st.integers(1, 4)), draw(st.permutations([*COLOURS, Colour.YELLOW]))
        tiles = [Tile(number, colour) for colour in colours[:length]]
    else:
        first, colour = draw(st.sampled_from([1, 2, 3, 14 - length])), draw(st.sampled_from(COLOURS))
        tiles = [Tile(number, colour) for number in range(first, first + length)]
    for place in draw(st.sets(st.integers(0, length - 1), max_size=2)) if draw(st.integers(0, 3)) == 0 else ():
        tiles[place] = JOKER
    return tuple(tiles)


def tables(most):
    """Some sets, no tile of which is there more than twice."""
    return st.lists(sets(), max_size=most).filter(_in_a_box).map(tuple)


def loose(most):
    """Some single tiles, seldom a joker."""
    return st.lists(st.one_of(TILES, TILES, TILES, st.just(JOKER)), max_size=most)


def _in_a_box(table):
    counts = Counter(tile for tiles in table for tile in tiles)
    return all(count <= 2 for count in counts.values())
