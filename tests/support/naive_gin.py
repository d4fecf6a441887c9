"""Gin counted the slow way, from the words of the rule book alone: to hold the quick way against."""

from functools import cache, lru_cache
from itertools import combinations

from hypothesis import strategies as st

from referee.game.tiles import Colour, Tile

SUITS = (Colour.BLACK, Colour.YELLOW, Colour.BLUE, Colour.RED)
BOX = tuple(Tile(number, colour) for colour in SUITS for number in range(1, 14))


def worth(tiles):
    return sum(10 if tile.number > 10 else tile.number for tile in tiles)


@lru_cache(maxsize=1 << 16)
def valid(tiles):
    """Whether a frozen set of tiles is a group or a run."""
    numbers, colours = sorted(tile.number for tile in tiles), {tile.colour for tile in tiles}
    if len(tiles) < 3:
        return False
    if len(colours) == 1:
        return numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return len(colours) == len(tiles) and len(set(numbers)) == 1


def sets_in(hand):
    """Every set that the hand holds."""
    return [
        some for size in range(3, len(hand) + 1) for some in map(frozenset, combinations(hand, size)) if valid(some)
    ]


def arrangements(hand):
    """The rest of every way to put sets together from the hand, no set included."""

    def ways(left, sets):
        yield left
        for index, some in enumerate(sets):
            if some <= left:
                yield from ways(left - some, sets[index + 1 :])

    return list(ways(frozenset(hand), sets_in(hand)))


def least(hand):
    return min(map(worth, arrangements(hand)))


def least_after_adding(hand, laid):
    """The least rest when tiles of it may be added to the sets `laid`, one after the other."""

    @cache
    def added(rest, sets):
        best = worth(rest)
        for tile in rest:
            for index, some in enumerate(sets):
                if tile not in some and valid(some | {tile}):
                    longer = (*sets[:index], some | {tile}, *sets[index + 1 :])
                    best = min(best, added(rest - {tile}, longer))
        return best

    return min(added(rest, tuple(map(frozenset, laid))) for rest in set(arrangements(hand)))


@st.composite
def hands(draw, size=10, near=9):
    """A hand in which most tiles are near each other, so that it holds sets."""
    most = draw(st.sampled_from([4, 6, near, 13]))
    few = [tile for tile in BOX if tile.number <= most or tile.number == 13]
    return tuple(draw(st.permutations(few))[:size])


@st.composite
def deals(draw):
    """Two hands of ten."""
    both = draw(hands(size=20))
    rest = [tile for tile in BOX if tile not in both]
    both += tuple(rest[: 20 - len(both)])
    return both[:10], both[10:]
