"""The pieces of a first meld: own sets (laid complete from the hand), and sets of the table with tiles added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple

from referee.game.judge.jokers.moved import Bound
from referee.game.judge.jokers.values import Reading, counts, readings, readings_anyhow, readings_in
from referee.game.rulebooks.model import Extended, Ruleset
from referee.game.sets import LARGEST_GROUP, SMALLEST
from referee.game.table import Change, Set, in_order
from referee.game.tiles import FACES, HIGHEST, JOKER, Colour, Tile

# A longer run can be split into runs of these lengths, which are worth as much and leave its jokers more freedom.
_RUN_LENGTHS = range(SMALLEST, 2 * SMALLEST)


class Piece(NamedTuple):
    """One set that counts in a first meld.

    `uses` are the tiles laid for it, and `tiles` are the whole set. `old` is the index of the set of the table that it
    was made of, or -1 for an own set. `gains` is the number of jokers exchanged out of it. `bound` says what the
    jokers in it stand for from then on.
    """

    uses: Set
    points: int
    tiles: Set
    old: int = -1
    gains: int = 0
    bound: Bound | None = None


def own_piece(tiles: Set, rules: Ruleset) -> Piece:
    """Return the piece of an own set as it lies, with its jokers standing for whatever is worth most."""
    return _own_ways(tiles, readings(tiles, rules), rules)[0]


def own_piece_worth(tiles: Set, points: int, rules: Ruleset) -> Piece:
    """Return the piece of an own set with its jokers standing for tiles that make it worth exactly `points`."""
    return next(piece for piece in _own_ways(tiles, readings_anyhow(tiles, rules), rules) if piece.points == points)


def _own_ways(tiles: Set, ways: Sequence[Reading], rules: Ruleset) -> list[Piece]:
    """Return one piece for each value that an own set can have, the highest first."""
    uses = in_order(tiles)
    return [Piece(uses, points, tiles, bound=group) for points, group in _by_points(tiles, _worth(tiles, ways, rules))]


def _worth(tiles: Set, ways: Sequence[Reading], rules: Ruleset) -> dict[Reading, int]:
    plain, jokers = _points_and_jokers(tiles)
    return {way: _points(plain, jokers, way.tiles, rules) for way in ways}


def _by_points(tiles: Set, ways: Mapping[Reading, int]) -> Iterator[tuple[int, Bound | None]]:
    """Yield each value that the set can have, highest first, with its jokers bound to the readings of that value."""
    jokers, key = tiles.count(JOKER), in_order(tiles)
    for points, same in _alike(ways).items():
        yield points, Bound(tiles, key, jokers, tuple(same)) if jokers else None


def _alike(ways: Mapping[Reading, int]) -> dict[int, list[Reading]]:
    """Return the readings of a set by their value, the highest first."""
    same: dict[int, list[Reading]] = {}
    for way, worth in ways.items():
        same.setdefault(worth, []).append(way)
    return dict(sorted(same.items(), reverse=True)) if len(same) > 1 else same


Without = tuple[frozenset[Tile], frozenset[Tile]]
"""The tiles that jokers cannot stand for: in a run, and in a group."""


def short_sets(
    laid: Counter[Tile], rules: Ruleset, without: Without = (frozenset(), frozenset()), excused: int = 0
) -> Iterator[tuple[Set, dict[int, list[Reading]]]]:
    """Yield every short set that can be made of `laid`, sorted, with its readings by value, the highest first.

    A set in which more than `excused` jokers would have to stand for tiles in `without` is left out.
    """
    alone = [tiles for tiles in _of_jokers(laid) if counts(tiles, rules)]
    found = {*_groups(laid, without[1], excused), *_runs(laid, rules.wraps, without[0], excused), *alone}
    for tiles in sorted(found, key=_sort_key):
        yield tiles, _alike(_worth(tiles, readings_anyhow(tiles, rules), rules))


_RANKS = {tile: rank for rank, tile in enumerate(sorted(FACES, key=repr))}


def _sort_key(tiles: Set) -> list[int]:
    """Sort key: the order of the written tiles. It must not vary, since of equal first melds the first is named."""
    return [_RANKS[tile] for tile in tiles]


def _of_jokers(laid: Counter[Tile]) -> Iterator[Set]:
    yield from ((JOKER,) * size for size in _RUN_LENGTHS if size <= laid[JOKER])


def _groups(laid: Counter[Tile], without: frozenset[Tile], excused: int) -> Iterator[Set]:
    for number in range(1, HIGHEST + 1):
        every = [Tile(number, colour) for colour in Colour]
        row = in_order(tile for tile in every if laid[tile])
        most = min(laid[JOKER], len(frozenset(every) - without) + excused) if row else 0
        for length in range(SMALLEST, LARGEST_GROUP + 1):
            for plain in range(max(1, length - most), length + 1):
                yield from ((*(JOKER,) * (length - plain), *tiles) for tiles in combinations(row, plain))


def _runs(laid: Counter[Tile], wraps: bool, without: frozenset[Tile], excused: int) -> Iterator[Set]:
    for colour in Colour:
        for length in _RUN_LENGTHS:
            for start in range(1, (HIGHEST if wraps else HIGHEST - length + 1) + 1):
                run = [Tile((start + step - 1) % HIGHEST + 1, colour) for step in range(length)]
                must = without.intersection(run)
                present = in_order(tile for tile in run if laid[tile])
                if len(must.difference(present)) > excused:
                    continue
                for plain in range(max(1, length - laid[JOKER], len(must) - excused), len(present) + 1):
                    for tiles in combinations(present, plain):
                        if len(must.difference(tiles)) <= excused:
                            yield *(JOKER,) * (length - plain), *tiles


def longer_piece(
    old: Set, index: int, added: Set, exchanged: Set, rules: Ruleset, lying: Set | None = None
) -> list[Piece]:
    """Return one piece for each value that a set of the table can have after a change, the highest first.

    `added` are the tiles that join the set, `exchanged` those that replace jokers. Jokers that stay keep standing for
    what they may have stood for before. `lying` is the set as it lies after the turn, if it does.
    """
    left = list(old)
    for _ in exchanged:
        left.remove(JOKER)
    tiles = in_order((*left, *exchanged, *added))
    if not counts(tiles, rules):
        return []
    ways: dict[Reading, int] = {}
    uses, whole = in_order((*added, *exchanged)), rules.opening.extended is Extended.WHOLE
    plain, jokers = _points_and_jokers(tiles if whole else uses)
    every = readings_anyhow(tiles, rules) if lying is None else readings(lying, rules)
    in_place = rules.joker_rule.as_laid
    key = old if in_place else in_order(old)
    for in_run, still in _staying_readings(key, frozenset(exchanged), rules.wraps, rules.colours, in_place):
        for way in every:
            if in_run == way.in_run and (still <= way.tiles if in_run else way.tiles <= still):
                new = way.tiles - still if in_run else way.tiles
                points = _points(plain, jokers, way.tiles if whole else new, rules)
                ways[way] = max(points, ways.get(way, 0))
    return [Piece(uses, points, tiles, index, len(exchanged), group) for points, group in _by_points(tiles, ways)]


@lru_cache(maxsize=1 << 8)
def _staying_readings(
    old: Set, exchanged: frozenset[Tile], wraps: bool, colours: tuple[Colour, ...], in_place: bool
) -> tuple[Reading, ...]:
    """Return the readings of a set in which `exchanged` can replace jokers, reduced to the jokers that stay."""
    ways = readings_in(old, wraps, colours, in_place)
    return tuple([Reading(way.in_run, way.tiles - exchanged) for way in ways if way.tiles.issuperset(exchanged)])


def longer_as_laid(change: Change, new: Sequence[Set], laid: Counter[Tile], rules: Ruleset) -> Iterator[Piece]:
    """Yield the best piece for each set of the table that is in `new` with tiles added, using each laid tile once."""
    left, waiting, changed = Counter(laid), list(new), Counter(map(in_order, change.old))
    for index, old in enumerate(change.before):
        numbered = frozenset(old) - {JOKER}
        for tiles in waiting if changed[in_order(old)] else ():
            if not numbered.issubset(tiles) or not counts(tiles, rules):
                continue
            came, gone = Counter(tiles) - Counter(old), Counter(old) - Counter(tiles)
            exchanged = gone[JOKER] if rules.opening.exchange_counts else 0
            if came - left or gone.total() > exchanged:
                continue
            ways = combinations([tile for tile in came.elements() if not tile.is_joker], exchanged)
            made = (
                longer_piece(old, index, in_order((came - Counter(way)).elements()), way, rules, tiles) for way in ways
            )
            piece = max(chain.from_iterable(made), key=lambda piece: piece.points, default=None)
            if piece is not None:
                changed[in_order(old)] -= 1
                left -= came
                waiting.remove(tiles)
                yield piece
                break


def _points(plain: int, jokers: int, stand_for: frozenset[Tile], rules: Ruleset) -> int:
    """Return the points of a set: `plain` for its numbered tiles, and for jokers the most they can stand for."""
    if rules.opening.joker is not None:
        return plain + rules.opening.joker * jokers
    worth = [tile.number for tile in stand_for] if jokers else []
    return plain + sum(worth if len(worth) <= jokers else sorted(worth, reverse=True)[:jokers])


def _points_and_jokers(tiles: Set) -> tuple[int, int]:
    """Return the sum of the numbers, and the number of jokers."""
    return sum([tile.number for tile in tiles]), tiles.count(JOKER)
