"""The best arrangement of a hand: which tiles form sets, and what the deadwood (the other tiles) counts.

Every tile exists once, so the tiles of one colour are an integer with one bit for each number. All choices of groups
are tried, since a hand has few of them; the best runs of the remaining tiles of a colour are cached.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from referee.errors import BadInput
from referee.game.rulebooks.gin import GIN
from referee.game.rulebooks.model import Ruleset
from referee.game.scoring import hand_points
from referee.game.sets import LARGEST_GROUP, SMALLEST
from referee.game.table import Set, Table, in_order
from referee.game.tiles import HIGHEST, Colour, Tile

_COLOURS = tuple(Colour)
_INDEX = {colour: index for index, colour in enumerate(_COLOURS)}


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A hand with its sets, the tiles in none of them, and what those count."""

    sets: Table
    rest: Set
    points: int


@dataclass(frozen=True, slots=True)
class _Best:
    """A choice of groups: the points that all sets cover, the groups, and the tiles left for runs in each colour."""

    covered: int
    groups: tuple[tuple[int, tuple[int, ...]], ...]
    suits: tuple[int, ...]


def arrange(tiles: Iterable[Tile], rules: Ruleset = GIN) -> Arrangement:
    """Return the arrangement with the least deadwood; raises BadInput for jokers and for a tile that occurs twice."""
    hand, most = in_order(tiles), _most(rules)
    best = _search(hand, most)
    groups = [tuple(Tile(number, _COLOURS[index]) for index in colours) for number, colours in best.groups if colours]
    runs = [
        tuple(Tile(number, _COLOURS[index]) for number in range(first, first + length))
        for index, suit in enumerate(best.suits)
        for first, length in _runs(suit, most)[1]
    ]
    used = {tile for tiles in (*groups, *runs) for tile in tiles}
    rest = tuple(tile for tile in hand if tile not in used)
    return Arrangement((*groups, *runs), rest, hand_points(rest, rules))


def least_rest(tiles: Iterable[Tile], rules: Ruleset = GIN) -> int:
    """Return what the deadwood of the best arrangement counts; raises BadInput like `arrange`."""
    hand = tuple(tiles)
    return hand_points(hand, rules) - _search(hand, _most(rules)).covered


def _most(rules: Ruleset) -> int:
    return rules.scoring.most_per_tile or HIGHEST


def _search(hand: Set, most: int) -> _Best:
    suits = [0] * len(_COLOURS)
    holders: list[list[int]] = [[] for _ in range(HIGHEST + 1)]
    for tile in hand:
        if tile.colour is None or suits[_INDEX[tile.colour]] >> tile.number & 1:
            raise BadInput(f"expected different tiles without jokers, got {tile} too often")
        suits[_INDEX[tile.colour]] |= 1 << tile.number
        holders[tile.number].append(_INDEX[tile.colour])
    numbers = [number for number in range(1, HIGHEST + 1) if len(holders[number]) >= SMALLEST]
    best = _Best(-1, (), ())
    for chosen in product(*(_groups(tuple(holders[number])) for number in numbers)):
        left, covered = suits.copy(), 0
        for number, colours in zip(numbers, chosen, strict=True):
            covered += len(colours) * min(number, most)
            for index in colours:
                left[index] ^= 1 << number
        for suit in left:
            covered += _runs(suit, most)[0]
        if covered > best.covered:
            best = _Best(covered, tuple(zip(numbers, chosen, strict=True)), tuple(left))
    return best


@lru_cache
def _groups(holders: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return every group that these colours allow, and the choice of no group."""
    sizes = range(SMALLEST, min(len(holders), LARGEST_GROUP) + 1)
    return ((), *(colours for size in sizes for colours in combinations(holders, size)))


@lru_cache(maxsize=1 << 14)
def _runs(suit: int, most: int) -> tuple[int, tuple[tuple[int, int], ...]]:
    """Return the most points that runs can cover in one colour, and such runs as first number and length."""
    if suit.bit_count() < SMALLEST:
        return 0, ()
    first = (suit & -suit).bit_length() - 1
    best = _runs(suit & (suit - 1), most)
    length = 1
    while suit >> (first + length) & 1:
        length += 1
        if length >= SMALLEST:
            points, others = _runs(suit & -(1 << (first + length)), most)
            points += sum(min(number, most) for number in range(first, first + length))
            # Of equally good ways the last one counts: one long run rather than several short ones.
            best = max(best, (points, ((first, length), *others)), key=lambda way: (way[0], -len(way[1])))
    return best
