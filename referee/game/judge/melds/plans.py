"""Every piece that can be made of one set for a first meld, as plans: their points are known before they are built.

A set of the table with jokers can allow a thousand pieces, of which a few are tried. So plans are found and counted
with codes (see `hand`): a set is the code of its numbered tiles, a run or a group that it can be is a code that
contains this one, and the jokers stand for the difference. A piece is built only when it is tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial, reduce
from operator import or_
from typing import NamedTuple

from referee.game.judge.jokers.values import counts, readings
from referee.game.judge.melds.hand import JOKERS_AT, NUMBERED, UNIT, Homes, Plan, code_of, in_code, tiles_in
from referee.game.judge.melds.pieces import Piece, longer_piece, own_piece_worth, short_sets
from referee.game.rulebooks.model import Extended, Ruleset
from referee.game.sets import LARGEST_GROUP, SMALLEST
from referee.game.table import Set, Table, in_order
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile

_LONGEST_ADDITION = 2 * SMALLEST
"""The most tiles that one plan adds to a set: of so many, those at one end alone form a set of their own."""
_ONES = sum(UNIT.values())
_ONE_JOKER = 1 << JOKERS_AT
_NUMBERS = {number: code_of(Tile(number, colour) for colour in Colour) for number in range(1, HIGHEST + 1)}
_COLOURS = {colour: code_of(Tile(number, colour) for number in range(1, HIGHEST + 1)) for colour in Colour}


_EVERYWHERE = Homes()


def own_plans(laid: Counter[Tile], rules: Ruleset, homes: Homes = _EVERYWHERE) -> Iterator[Plan]:
    """Yield a plan for every short set that can be made of `laid`, in each reading that `homes` allows."""
    no_run, no_group = homes.without(0, fresh=True)
    for tiles, points in short_sets(laid, rules, (_tiles(no_run), _tiles(no_group)), homes.anywhere):
        code, value, jokers, size = code_of(tiles), _value(tiles), tiles.count(JOKER), len(tiles)
        without = homes.without(code, fresh=True) if jokers else (0, 0)
        for worth, ways in points.items():
            make = partial(own_piece_worth, tiles, worth, rules)
            stands = [in_code(way) for way in ways] if jokers else []
            stands = [stand for stand in stands if _have_homes(stand, jokers, without, homes)]
            if stands or not jokers:
                yield Plan(make, worth, -1, 0, size, code, value, jokers, stands, jokers)


def _tiles(code: int) -> frozenset[Tile]:
    return frozenset(tiles_in(code))


def _have_homes(stand: int, jokers: int, without: tuple[int, int], homes: Homes) -> bool:
    """Whether this many jokers may stand for the tiles of one reading (`stand`: see `in_code`)."""
    if stand >= 0:
        return (stand & without[0]).bit_count() <= homes.anywhere
    return (~stand & ~without[1]).bit_count() + homes.anywhere >= jokers


def longer_plans(
    before: Table, laid: Counter[Tile], rules: Ruleset, most: int = _LONGEST_ADDITION, homes: Homes = _EVERYWHERE
) -> Iterator[Plan]:
    """Yield a plan for every change of a set of the table by at most `most` tiles, added or exchanged for jokers.

    Exchanges are included only where the rules count them. The jokers of a set stand only for what `homes` allows.
    """
    for index, old in enumerate(before):
        if counts(old, rules):
            yield from _Growing.from_set(old, index, rules).plans(laid, most, homes)


def most_gained(before: Table, hand: Counter[Tile], rules: Ruleset) -> Counter[int]:
    """Return the most jokers that can be exchanged out of each set of the table, by its index."""
    held = code_of(tile for tile, times in hand.items() if times)
    gained: Counter[int] = Counter()
    for index, old in enumerate(before):
        if JOKER in old and counts(old, rules):
            fitting = max(
                ((way.tiles & held).bit_count() for way in _Growing.from_set(old, index, rules).ways), default=0
            )
            gained[index] = min(fitting, old.count(JOKER), _LONGEST_ADDITION)
    return gained


def most_together(before: Table, gained: Counter[int], hand: Counter[Tile], rules: Ruleset) -> int:
    """Return an upper bound for how many jokers can be exchanged at once: a maximum matching of tiles with sets.

    `gained` is the most that can be exchanged out of each set.
    """
    fits = {index: frozenset(t for way in readings(before[index], rules) for t in way.tiles) for index in gained}
    tiles = [tile for tile in hand.elements() if tile.number]
    given: dict[int, list[int]] = {index: [] for index in gained}

    def place(one: int, tried: set[int]) -> bool:
        """Find a set for a tile, moving other tiles to other sets if necessary (an augmenting path)."""
        for index, held in given.items():
            if tiles[one] in fits[index] and index not in tried:
                tried.add(index)
                if len(held) < gained[index]:
                    held.append(one)
                    return True
                for other in held:
                    if place(other, tried):
                        held[held.index(other)] = one
                        return True
        return False

    return sum([place(one, set()) for one in range(len(tiles))])


class _Way(NamedTuple):
    """One reading of a set: the code of what its jokers stand for, and their value.

    `number` and `group` are the number and the code of the whole group; 0 for a run.
    """

    tiles: int
    value: int
    number: int
    group: int


_Seen = tuple[int, int]
"""The points of a set in one reading, and what its jokers stand for (see `in_code`)."""
_Left = tuple[list[tuple[int, int]], list[tuple[int, int]]]
"""For the jokers that stay: in runs, what they may stand for and its value; and the groups, by number and code."""


class _State(NamedTuple):
    """The tiles added to a set so far.

    `key` is one integer: in the bits of each tile, the first is set if it was laid, the second if it was exchanged for
    a joker; the number of jokers laid comes above. The other fields follow from `key` and save computing them again.
    """

    key: int
    value: int
    size: int
    gains: int
    row: int


@dataclass(frozen=True, slots=True)
class _Growing:
    """One set of the table, and the plans for adding tiles to it."""

    old: Set
    index: int
    rules: Ruleset
    code: int
    value: int
    jokers: int
    ways: list[_Way]
    """All its readings."""
    whole: bool
    joker: int | None
    left: dict[tuple[int, int], _Left] = field(default_factory=dict)
    """Cache of `_ways_left()`: by the tiles exchanged, and the row that the tiles lie in."""
    made: dict[int, list[Piece]] = field(default_factory=dict)
    """Cache of pieces by `_State.key`; those of one key differ in what their jokers stand for."""

    @classmethod
    def from_set(cls, old: Set, index: int, rules: Ruleset) -> _Growing:
        """Prepare the set `old`, which has this index on the table."""
        ways = []
        for in_run, tiles in readings(old, rules):
            number = 0 if in_run else next(tile.number for tile in (*tiles, *old) if tile.number)
            group = code_of(Tile(number, colour) for colour in rules.colours) if number else 0
            ways.append(_Way(code_of(tiles), _value(tiles), number, group))
        opening = rules.opening
        whole = opening.extended is Extended.WHOLE
        return cls(old, index, rules, code_of(old), _value(old), old.count(JOKER), ways, whole, opening.joker)

    def plans(self, laid: Counter[Tile], most: int, homes: Homes) -> Iterator[Plan]:
        """Yield all plans with at most `most` tiles, found by adding one tile at a time."""
        jokers = laid[JOKER]
        near = self._tiles_that_may_join(laid)
        exchanges = self.jokers if self.rules.opening.exchange_counts else 0
        states, seen = [_State(0, 0, 0, 0, row_of(self.code))], {0}
        while states:
            key, value, size, gains, row = states.pop()
            if size >= most:
                continue
            beside = row & ~(self.code + (key & _ONES))
            for unit, number in near:
                if not number:
                    steps = [key + _ONE_JOKER] if key >> JOKERS_AT < jokers else []
                elif unit & beside:
                    steps = [key + unit, key + 3 * unit] if gains < exchanges else [key + unit]
                else:
                    continue
                for then in steps:
                    if then not in seen:
                        seen.add(then)
                        gained = gains + (then - key == 3 * unit > 0)
                        plain = self.code + (then & _ONES)
                        state = _State(then, value + number, size + 1, gained, row_of(plain) if number else row)
                        # If this is illegal, it is with more tiles laid as well: tiles in the hand can free jokers.
                        ways = self._legal_ways(state, self._ways_seen(state, plain), homes, fresh=False)
                        if ways:
                            states.append(state)
                            yield from self._plans_from(state, self._legal_ways(state, ways, homes, not self.jokers))

    def piece(self, key: int, points: int) -> Piece:
        """Build the piece for the tiles of `key` that is worth `points`."""
        if key not in self.made:
            added = [tile for tile in NUMBERED if key & UNIT[tile] and not key & 2 * UNIT[tile]]
            exchanged = in_order(tile for tile in NUMBERED if key & 2 * UNIT[tile])
            uses = in_order((*added, *(JOKER,) * (key >> JOKERS_AT)))
            self.made[key] = longer_piece(self.old, self.index, uses, exchanged, self.rules)
        return next(piece for piece in self.made[key] if piece.points == points)

    def _legal_ways(self, state: _State, ways: list[_Seen], homes: Homes, fresh: bool) -> list[_Seen]:
        """Return the readings in which the jokers stand only for what `homes` allows."""
        staying = self.jokers + (state.key >> JOKERS_AT) - state.gains
        if not staying or not ways:
            return ways
        without = homes.without(state.key & _ONES, fresh)
        return [way for way in ways if _have_homes(way[1], staying, without, homes)]

    def _plans_from(self, state: _State, ways: Iterable[_Seen]) -> Iterator[Plan]:
        key, value, size, gains, _ = state
        code, jokers = key & _ONES, key >> JOKERS_AT
        staying = self.jokers + jokers - gains
        points: dict[int, list[int]] = {}
        for worth, stand in ways:
            points.setdefault(worth, []).append(stand)
        for worth, stands in sorted(points.items(), reverse=True) if len(points) > 1 else points.items():
            make = partial(self.piece, key, worth)
            yield Plan(make, worth, self.index, gains, size, code, value, jokers, stands, staying)

    def _tiles_that_may_join(self, laid: Counter[Tile]) -> list[tuple[int, int]]:
        """Return unit and number of each laid tile that can be in one set with it; the unit of a joker is 0."""
        numbers, colours = {tile.number for tile in self.old}, {tile.colour for tile in self.old}
        alone = colours == {None}
        near = [t for t in laid if t.is_joker or alone or t.number in numbers or t.colour in colours]
        return [(UNIT.get(tile, 0), tile.number) for tile in near]

    def _ways_seen(self, state: _State, plain: int) -> list[_Seen]:
        """Return every reading of the set with the tiles of `state`: its points, and what its jokers stand for.

        `plain` is the code of its numbered tiles. The list is empty if the tiles are not a set.
        """
        key, value, size, gains, row = state
        length, whole, joker = len(self.old) + size - gains, self.whole, self.joker
        counted, worth = key >> JOKERS_AT, value
        if whole:
            counted, worth = counted + self.jokers - gains, self.value + value
        fixed = None if joker is None else worth + joker * counted
        runs, groups = self._ways_left(key >> 1 & _ONES if gains else 0, row)
        found: list[tuple[int, int, int]] = []
        for closed, total in _runs_with(plain, length, self.rules.wraps) if runs else ():
            fitting = [(known, first) for first, (tiles, known) in enumerate(runs) if not tiles & closed]
            if fitting:
                # The new tiles are worth most in the reading where the jokers that stay are worth least.
                lay = self.value + value + (0 if whole else min(fitting)[0])
                found.append((fitting[0][1], worth + total - lay if fixed is None else fixed, ~closed))
        found.sort(key=_first)
        stands = [(points, tiles) for _, points, tiles in found]
        for number, group in groups if length <= LARGEST_GROUP else ():
            others = group & ~plain
            points = worth + number * min(counted, others.bit_count()) if fixed is None else fixed
            stands.append((points, ~others))
        return stands

    def _ways_left(self, exchanged: int, row: int) -> _Left:
        """Return what the jokers that stay may stand for within this row of tiles."""
        left = self.left.get((exchanged, row))
        if left is None:
            gone = sum([tile.number for tile in NUMBERED if exchanged & UNIT[tile]])
            fitting = [way for way in self.ways if not exchanged & ~way.tiles and not way.tiles & ~row]
            runs = [(way.tiles - exchanged, way.value - gone) for way in fitting if not way.number]
            groups = [(way.number, way.group) for way in fitting if way.number]
            left = self.left[exchanged, row] = runs, groups
        return left


def _value(tiles: Iterable[Tile]) -> int:
    return sum([tile.number for tile in tiles])


@lru_cache(maxsize=1 << 12)
def row_of(plain: int) -> int:
    """Return the code of all tiles of the colour, or of the number, that these tiles have in common."""
    rows = [row for row in (*_NUMBERS.values(), *_COLOURS.values()) if not plain & ~row]
    return reduce(or_, rows) if plain else _ONES


def _first(way: tuple[int, int, int]) -> int:
    """Sort key: the index of the earlier reading that each continues."""
    return way[0]


@lru_cache(maxsize=1 << 12)
def _runs_with(plain: int, length: int, wraps: bool) -> list[tuple[int, int]]:
    """Return each run of this length that contains `plain`: the code of all but its jokers' tiles, and its value."""
    colours = [colour for colour, row in _COLOURS.items() if not plain & ~row]
    return [
        (~run | plain, value) for colour in colours for run, value in _runs(colour, length, wraps) if not plain & ~run
    ]


@lru_cache
def _runs(colour: Colour, length: int, wraps: bool) -> list[tuple[int, int]]:
    """Return code and value of every run of this length in a colour; a run of all 13 numbers only once."""
    last = 0 if length > HIGHEST else HIGHEST if wraps else HIGHEST - length + 1
    numbers = [[(start + step - 1) % HIGHEST + 1 for step in range(length)] for start in range(1, last + 1)]
    return list(dict.fromkeys([(code_of(Tile(n, colour) for n in run), sum(run)) for run in numbers]))
