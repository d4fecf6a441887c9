"""Sets and arrangements once more, slowly and differently: to hold the fast code against."""

from collections import Counter
from functools import cache
from itertools import combinations

from referee.game.tiles import JOKER, Colour, Tile

FACES = [Tile(number, colour) for colour in Colour for number in range(1, 14)]


def is_set(tiles):
    """Try every group and every run that the tiles could be."""
    return _is_set(tuple(sorted(tiles, key=str)))


@cache
def _is_set(tiles):
    plain = Counter(tile for tile in tiles if tile != JOKER)
    if len(tiles) < 3 or not plain:
        return len(tiles) >= 3
    return any(plain <= pattern for pattern in _patterns(len(tiles)))


@cache
def _patterns(length):
    groups = [[Tile(n, c) for c in some] for n in range(1, 14) for some in combinations(Colour, length)]
    runs = [[Tile(n, c) for n in range(first, first + length)] for c in Colour for first in range(1, 15 - length)]
    return [Counter(pattern) for pattern in (groups if length < 5 else []) + runs]


def partitions(tiles):
    """Every way to divide the tiles into sets."""
    tiles = tuple(tiles)
    if not tiles:
        yield ()
        return
    first, rest = tiles[0], range(1, len(tiles))
    for size in range(2, len(tiles)):
        seen = set()
        for picked in combinations(rest, size):
            group = (first, *(tiles[i] for i in picked))
            if group not in seen and is_set(group):
                seen.add(group)
                for others in partitions([tiles[i] for i in rest if i not in picked]):
                    yield (group, *others)


def most_playable(table, hand):
    """The most tiles of the hand that can join the table, or None where not even the table can lie."""
    for size in range(len(hand), -1, -1):
        for picked in combinations(hand, size):
            if next(partitions((*table, *picked)), None) is not None:
                return size
    return None


def roles(tiles):
    """Every tile that can take the place of one joker."""
    rest = list(tiles)
    rest.remove(JOKER)
    return {tile for tile in FACES if is_set((*rest, tile))}
