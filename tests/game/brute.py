"""The rules once more, slowly and differently: to hold the fast code against."""

from collections import Counter
from functools import cache
from itertools import combinations, permutations, product

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


def legal(before, after, travels):
    """Whether an opened player may turn the table `before`, all of it sets, into `after`; jokers one by one."""
    was, now = Counter(t for s in before for t in s), Counter(t for s in after for t in s)
    if was - now or not all(map(is_set, after)):
        return False
    reach = [tile for tile in now if tile != JOKER]
    old = [s for s in before for tile in s if tile == JOKER]
    new = [s for s in after for tile in s if tile == JOKER]
    ways = product(*(_freed_counts(s, reach) for s in before if JOKER in s))
    return any(_can_lie(old, new, _tags(before, way), travels) for way in ways)


def _freed_counts(tiles, reach):
    """How many jokers of a set may have been replaced: each count for which tiles within reach make it a set."""
    jokers = tiles.count(JOKER)
    plain = [tile for tile in tiles if tile != JOKER]
    return [
        count
        for count in range(jokers + 1)
        if any(is_set((*plain, *new, *(JOKER,) * (jokers - count))) for new in combinations(reach, count))
    ]


def _tags(before, way):
    """For each joker of the table before: whether it was freed."""
    counts = iter(way)
    tags = []
    for tiles in before:
        if JOKER in tiles:
            freed = next(counts)
            tags += [i < freed for i in range(tiles.count(JOKER))]
    return tags


def _can_lie(old, new, freed, travels):
    return any(
        all(free or stays(was, now, travels) for was, now, free in zip(old, places, freed, strict=True))
        for places in permutations(new, len(old))
    )


def stays(was, now, travels):
    """Whether a joker of one set can be the joker of another and still do the same work."""
    same = set(was) == {JOKER} or set(now) == {JOKER} or roles(was) & roles(now)
    return bool(same) and (travels or (Counter(was) & Counter(now)).total() > 1)


def roles(tiles):
    """Every tile that can take the place of one joker."""
    rest = list(tiles)
    rest.remove(JOKER)
    return {tile for tile in FACES if is_set((*rest, tile))}
