"""Everything that can be made of one set of the table for a first meld, counted before it is made.

Of a set with jokers there can be a thousand, of which a few are tried. So they are found and counted as whole numbers
(see `hand`): some tiles are their code, a run of the colour, or a group, is a code that holds the code of its
tiles, and the jokers stand for the rest. A piece is made in full when it is tried.
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
_ONES = sum(UNIT.values())
_ONE_JOKER = 1 << JOKERS_AT
_NUMBERS = {number: code_of(Tile(number, colour) for colour in Colour) for number in range(1, HIGHEST + 1)}
_COLOURS = {colour: code_of(Tile(number, colour) for number in range(1, HIGHEST + 1)) for colour in Colour}


_EVERYWHERE = Homes()


def own_plans(laid: Counter[Tile], rules: Ruleset, homes: Homes = _EVERYWHERE) -> Iterator[Plan]:
    """Every short set that the tiles laid allow, its jokers standing for what they may by `homes`."""
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
    """Whether so many jokers may stand for that, seen in one way (see `in_code`)."""
    if stand >= 0:
        return (stand & without[0]).bit_count() <= homes.anywhere
    return (~stand & ~without[1]).bit_count() + homes.anywhere >= jokers


def longer_plans(
    before: Table, laid: Counter[Tile], rules: Ruleset, most: int = _LONGEST_ADDITION, homes: Homes = _EVERYWHERE
) -> Iterator[Plan]:
    """Every set of the table that at most this many tiles make longer, or take a joker out of, where that counts.

    Its jokers stand for what they may by `homes`.
    """
    for index, old in enumerate(before):
        if counts(old, rules):
            yield from _Growing.from_set(old, index, rules).plans(laid, most, homes)


def most_gained(before: Table, hand: Counter[Tile], rules: Ruleset) -> Counter[int]:
    """The most jokers that can be exchanged out of each set of the table, by its index."""
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
    """No more jokers than these can be exchanged at once, a tile for each: tiles are matched with sets that hold any.

    `gained` are the most that can be exchanged out of each set.
    """
    fits = {index: frozenset(t for way in readings(before[index], rules) for t in way.tiles) for index in gained}
    tiles = [tile for tile in hand.elements() if tile.number]
    given: dict[int, list[int]] = {index: [] for index in gained}

    def place(one: int, tried: set[int]) -> bool:
        """Find a set for that tile, if need be by moving others on to other sets."""
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
    """What the jokers of a set may stand for, as a code, and its value; of a group its number and its code, too."""

    tiles: int
    value: int
    number: int
    group: int


_Seen = tuple[int, int]
"""What a set counts in one way to see it, and what its jokers stand for (see `in_code`)."""
_Left = tuple[list[tuple[int, int]], list[tuple[int, int]]]
"""What jokers that stay may stand for in runs, with the value; and the groups, by number and code."""


class _State(NamedTuple):
    """Tiles laid on to a set, as one number: a bit for each face laid, another if it was exchanged for a joker.

    Beyond the faces come the jokers laid. The rest only saves counting them again.
    """

    key: int
    value: int
    size: int
    gains: int
    row: int


@dataclass(frozen=True, slots=True)
class _Growing:
    """One set of the table."""

    old: Set
    index: int
    rules: Ruleset
    code: int
    value: int
    jokers: int
    ways: list[_Way]
    """Every way to see it."""
    whole: bool
    joker: int | None
    left: dict[tuple[int, int], _Left] = field(default_factory=dict)
    """What the jokers that stay may stand for, by the tiles exchanged and the row that the tiles lie in."""
    made: dict[int, list[Piece]] = field(default_factory=dict)
    """Pieces with the same tiles, which differ in what their jokers stand for."""

    @classmethod
    def from_set(cls, old: Set, index: int, rules: Ruleset) -> _Growing:
        """The set with that index."""
        ways = []
        for in_run, tiles in readings(old, rules):
            number = 0 if in_run else next(tile.number for tile in (*tiles, *old) if tile.number)
            group = code_of(Tile(number, colour) for colour in rules.colours) if number else 0
            ways.append(_Way(code_of(tiles), _value(tiles), number, group))
        opening = rules.opening
        whole = opening.extended is Extended.WHOLE
        return cls(old, index, rules, code_of(old), _value(old), old.count(JOKER), ways, whole, opening.joker)

    def plans(self, laid: Counter[Tile], most: int, homes: Homes) -> Iterator[Plan]:
        """All that can be made of it, one tile more at a time."""
        jokers = laid[JOKER]
        near = self._near(laid)
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
                        # What cannot go on by right cannot either with more tiles laid: those in the hand free jokers.
                        ways = self._legal_ways(state, self._ways_seen(state, plain), homes, fresh=False)
                        if ways:
                            states.append(state)
                            yield from self._plans_from(state, self._legal_ways(state, ways, homes, not self.jokers))

    def piece(self, key: int, points: int) -> Piece:
        """The piece that is made with those tiles and counts so much."""
        if key not in self.made:
            added = [tile for tile in NUMBERED if key & UNIT[tile] and not key & 2 * UNIT[tile]]
            exchanged = in_order(tile for tile in NUMBERED if key & 2 * UNIT[tile])
            uses = in_order((*added, *(JOKER,) * (key >> JOKERS_AT)))
            self.made[key] = longer_piece(self.old, self.index, uses, exchanged, self.rules)
        return next(piece for piece in self.made[key] if piece.points == points)

    def _legal_ways(self, state: _State, ways: list[_Seen], homes: Homes, fresh: bool) -> list[_Seen]:
        """Those of the ways to see the set in which its jokers stand for what they may."""
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

    def _near(self, laid: Counter[Tile]) -> list[tuple[int, int]]:
        """The tiles laid that can ever lie in one set with it, as units and numbers; a joker has no unit."""
        numbers, colours = {tile.number for tile in self.old}, {tile.colour for tile in self.old}
        alone = colours == {None}
        near = [t for t in laid if t.is_joker or alone or t.number in numbers or t.colour in colours]
        return [(UNIT.get(tile, 0), tile.number) for tile in near]

    def _ways_seen(self, state: _State, plain: int) -> list[_Seen]:
        """Every way to see the set once those tiles lay there: what it counts then, and what its jokers stand for.

        Nothing where it is no set.
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
                # Whatever the jokers stand for that stay, only the least of it makes what is new count the most.
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
        """What the jokers may stand for that stay, in this row of tiles."""
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
    """All faces of the colour, and all of the number, that these tiles have in common."""
    rows = [row for row in (*_NUMBERS.values(), *_COLOURS.values()) if not plain & ~row]
    return reduce(or_, rows) if plain else _ONES


def _first(way: tuple[int, int, int]) -> int:
    """Sorts ways by the first of those to see the set before that they go on from."""
    return way[0]


@lru_cache(maxsize=1 << 12)
def _runs_with(plain: int, length: int, wraps: bool) -> list[tuple[int, int]]:
    """Every run of this many tiles that holds these: all that no joker of it stands for, and what it is worth."""
    colours = [colour for colour, row in _COLOURS.items() if not plain & ~row]
    return [
        (~run | plain, value) for colour in colours for run, value in _runs(colour, length, wraps) if not plain & ~run
    ]


@lru_cache
def _runs(colour: Colour, length: int, wraps: bool) -> list[tuple[int, int]]:
    """Every run of this many tiles of a colour; one of all numbers is the same wherever it starts."""
    last = 0 if length > HIGHEST else HIGHEST if wraps else HIGHEST - length + 1
    numbers = [[(start + step - 1) % HIGHEST + 1 for step in range(length)] for start in range(1, last + 1)]
    return list(dict.fromkeys([(code_of(Tile(n, colour) for n in run), sum(run)) for run in numbers]))
