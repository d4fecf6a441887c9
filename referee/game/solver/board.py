"""The tiles of a search, sorted into columns, and the ways of one colour in one column in the form that it needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import compress, product
from typing import NamedTuple, TypeAlias, TypeVar

from referee.game.sets import SMALLEST
from referee.game.solver.columns import AHEAD, Cell, Runs, Way, ways
from referee.game.solver.frontier import Coding, Field, decode, encode
from referee.game.tiles import HIGHEST, Colour, Tile

Pick = tuple[int, int, int, int, int]
"""A way in short: its number, tiles in groups, tiles unplayed, jokers used, and what it adds to the code of state and
loss."""
Ways = tuple[list[Pick], tuple[Way, ...]]
"""The ways of one colour in one column: in short, and in full."""
Content: TypeAlias = tuple[int, int, int, int, int, bool | None, int, Field]
"""The fields `must`, `most`, `next_one`, `next_two`, `gap` and `end` of a `Cell`; the loss for leaving out one tile;
where the open runs are in the code of a state."""
MOST = 1 << 12
"""How many contents of columns are cached before the cache is cleared. Chosen by hand, to limit memory."""

Worth = Callable[[Tile], int]
Item = TypeVar("Item")
Rows = list[list[Item]]
"""One item for each colour and each column."""
_FACES = [Tile(number, colour) for colour in Colour for number in range(1, HIGHEST + 1)]
_PLACES = {face: place for place, face in enumerate(_FACES)}
"""Places by tile: all numbers of the first colour, then those of the second, and so on."""
_ROWS = [slice(HIGHEST * colour, HIGHEST * (colour + 1)) for colour in range(len(Colour))]
_FALLING = [slice(row.stop - 1, row.start - 1 if row.start else None, -1) for row in _ROWS]
"""The places of each colour, from the lowest number and from the highest."""
_FROM_THE_LAST = range(HIGHEST - 1, -1, -1)
_BITS = [1 << place for place in range(len(_PLACES))]
_ROW = (1 << HIGHEST) - 1
_EACH = sum(1 << row.start for row in _ROWS)
"""The first place of every row."""
_NOT_LAST = {steps: (_ROW >> steps) * _EACH for steps in (1, 2)}
_NOT_FIRST = {steps: (_ROW >> steps << steps) * _EACH for steps in (1, 2)}
"""All places but the last, or the first, of every row."""


class Options(dict[int, Ways]):
    """The ways of one colour in one column, by the code of the runs that are open before it."""

    __slots__ = ("content",)
    __eq__, __hash__ = object.__eq__, object.__hash__  # type: ignore[assignment]  # there is one for each content

    def __init__(self, content: Content) -> None:
        super().__init__()
        self.content = content

    def __missing__(self, code: int) -> Ways:
        """Compute the ways for these open runs, when they are first needed."""
        must, most, next_one, next_two, gap, end, cost, field = self.content
        coding = field.coding
        cell = Cell(must, most, next_one, next_two, gap, coding.copies, end)
        found = ways(cell, decode(code, coding.width), coding.jokers)
        loss = cost << coding.bits
        picks = [
            (number, to_groups, unplayed, uses, (encode(runs, coding.width) << field.shift) + unplayed * loss)
            for number, (to_groups, unplayed, uses, runs, _, _, _) in enumerate(found)
        ]
        known = self[code] = picks, found
        return known


class _Known(dict[Content, Options]):
    """A cache of options for all boards, since most contents of columns recur."""

    def __missing__(self, content: Content) -> Options:
        if len(self) >= MOST:
            self.clear()
        options = self[content] = Options(content)
        return options


OPTIONS = _Known()


ColourColumn = tuple[int, int, Options, int, Tile]
"""A colour in a column: its index, the position of its open runs in the code of a state, its options, how many of its
tiles are optional, and which tile it is."""


class Board(NamedTuple):
    """The tiles that must be placed, those that may be, and the jokers.

    `faces` has the tile of each colour and column; numbers rise or fall from column to column, perhaps beginning in
    the middle. In the same order, `must`, `most` and `worth` say how many of it must be placed, how many can be, and
    the loss for leaving out one of the optional ones; `cheapest` is the least loss in each column. `copies` is the
    greatest number of copies of one tile.
    """

    faces: Rows[Tile]
    must: Rows[int]
    most: Rows[int]
    worth: Rows[int]
    cheapest: list[int]
    copies: int
    jokers: int
    wraps: bool

    @classmethod
    def from_tiles(
        cls, table: Iterable[Tile], hand: Collection[Tile], worth: Worth, jokers: int, wraps: bool
    ) -> Board | None:
        """Return a board on which the tiles of the table must be placed and those of the hand may be.

        Neither contains a joker. Tiles of the hand that fit into no set at all are left out. None if the table has
        such a tile.
        """
        places = _PLACES
        must = [0] * len(places)
        for tile in table:
            must[places[tile]] += 1
        most, price, spare = must[:], [0] * len(places), []
        for tile in hand:
            place = places[tile]
            spare.append(place)
            most[place] += 1
            price[place] = worth(tile)
        if jokers < SMALLEST - 1 and not _drop_hopeless(must, most, jokers, wraps):
            return None
        cheapest = [0] * HIGHEST
        for place in spare:
            if most[place]:  # else it fits into nothing
                column = place % HIGHEST
                cheapest[column] = min(cheapest[column] or price[place], price[place])
        rows = [(colour, row) for colour, row in enumerate(map(most.__getitem__, _ROWS)) if any(row)]
        counts = [row for _, row in rows]
        first, falling = _order(counts, wraps)
        colours = [colour for colour, _ in rows]
        return cls(
            _rows(_FACES, colours, first, falling),
            _rows(must, colours, first, falling),
            _rows(most, colours, first, falling),
            _rows(price, colours, first, falling),
            _rotate_row(cheapest, first, falling),
            max(map(max, counts), default=0),
            jokers,
            wraps,
        )

    def columns(self, coding: Coding, *, open_ended: bool) -> list[list[ColourColumn]]:
        """Return for each column the colours that have tiles there, or a gap that a joker could bridge.

        With `open_ended`, runs may continue beyond the last column.
        """
        found: list[list[ColourColumn]] = [[] for _ in range(HIGHEST)]
        known = OPTIONS
        bridged, every = self.jokers > 0, self.jokers > 0 and self.wraps
        beyond = self.copies if open_ended else 0
        rows = zip(coding.fields, self.faces, self.must, self.most, self.worth, strict=True)
        for index, (field, faces, must, row, worth) in enumerate(rows):
            shift = field.shift
            next_one = next_two = beyond
            gap, skipped = 0 if beyond else AHEAD, 0
            end: bool | None = open_ended
            for column in _FROM_THE_LAST:
                tiles = row[column]
                if not tiles and not every:
                    skipped += 1
                    continue
                if skipped:
                    gap, end = min(gap + skipped, AHEAD), None
                    if bridged and gap < AHEAD:  # over wider gaps no run goes on
                        for back, ahead in enumerate(((next_one, next_two), (0, next_one), (0, 0))[:gap]):
                            place = column + gap - back
                            options = known[0, 0, *ahead, back, None, 0, field]
                            found[place].append((index, shift, options, 0, faces[place]))
                    next_one, next_two, skipped = 0, next_one if skipped == 1 else 0, 0
                needed = must[column]
                options = known[needed, tiles, next_one, next_two, gap, end, worth[column], field]
                found[column].append((index, shift, options, tiles - needed, faces[column]))
                next_one, next_two, end = tiles, next_one, None
                gap = 0 if tiles else min(gap + 1, AHEAD)
        return found

    def crossings(self) -> list[tuple[tuple[Runs, ...], int]]:
        """Return every choice of runs that go on from the last column to the first, the fewest first.

        A choice has the crossing runs of each colour, and the least number of jokers that the last columns need for
        them. Only runs of one or two tiles are considered: a run that has three tiles before it crosses can end there,
        unless a single tile follows, and for that two tiles before it are enough.
        """
        choices: list[tuple[tuple[Runs, ...], int, int]] = [((), 0, 0)]
        for row in self.most:
            colour = list(self._crossings(row))
            choices = [
                ((*every, runs), before + early, after + late)
                for every, before, after in choices
                for runs, early, late in colour
                if before + early + after + late <= self.jokers
            ]
        choices.sort(key=lambda choice: (choice[1] + choice[2], sum(map(sum, choice[0]))))
        return [(every, before) for every, before, _ in choices]

    def _crossings(self, row: list[int]) -> Iterator[tuple[Runs, int, int]]:
        """Yield the crossing runs of one colour, with the jokers needed in the last columns and in the first."""
        for one, two in product(range(row[-1] + 1), range(self.copies + 1)):
            runs = one + two
            if runs <= self.copies:
                before = max(0, two - row[-2]) + max(0, runs - row[-1])
                yield (one, two, 0), before, max(0, runs - row[0]) + max(0, one - row[1])


def _drop_hopeless(must: list[int], most: list[int], jokers: int, wraps: bool) -> bool:
    """Remove the tiles that fit into no set at all; return False if one of them must be placed."""
    present = sum(compress(_BITS, most))
    while alone := _hopeless(present, jokers, wraps):
        present ^= alone
        while alone:
            place = alone.bit_length() - 1
            alone ^= 1 << place
            if must[place]:
                return False
            most[place] = 0
    return True


def _hopeless(present: int, jokers: int, wraps: bool) -> int:
    """Return a mask of the tiles that can be in no group and no run with at most one joker.

    All colours are treated at once: each is a row of bits, and masks keep the rows apart when they are shifted.
    """
    two = three = one = 0
    rest = present
    while rest:
        mask = rest & _ROW
        three |= two & mask
        two |= one & mask
        one |= mask
        rest >>= HIGHEST
    below, before = ((present & _NOT_LAST[steps]) << steps for steps in (1, 2))
    above, beyond = ((present & _NOT_FIRST[steps]) >> steps for steps in (1, 2))
    if wraps:
        below |= (present & ~_NOT_LAST[1]) >> HIGHEST - 1
        before |= (present & ~_NOT_LAST[2]) >> HIGHEST - 2
        above |= (present & ~_NOT_FIRST[1]) << HIGHEST - 1
        beyond |= (present & ~_NOT_FIRST[2]) << HIGHEST - 2
    if jokers:
        fits = two * _EACH | below | before | above | beyond
    else:
        fits = three * _EACH | below & before | below & above | above & beyond
    return present & ~fits


def _order(most: Rows[int], wraps: bool) -> tuple[int, bool]:
    """Choose the order of the columns: which number comes first, and whether they fall.

    With runs that go on from 13 to 1, as few tiles as possible should be next to each other where the order begins.
    The half with fewer tiles comes first, so that its failures show before the many ways of the other half are
    searched.
    """
    first, half = 0, HIGHEST // 2
    if wraps and most:
        totals = [sum(column) for column in zip(*most, strict=True)]
        pairs = [sum([min(row[place - 1], row[place]) for row in most]) for place in range(HIGHEST)]
        first = min(range(HIGHEST), key=lambda place: (pairs[place], totals[place - 1] + totals[place]))
        most = [_rotate_row(row, first, falling=False) for row in most]
    return first, sum([sum(row[:half]) for row in most]) > sum([sum(row[-half:]) for row in most])


def _rows(items: list[Item], rows: list[int], first: int, falling: bool) -> Rows[Item]:
    """Return the items of some colours as rows, in the order of the columns that `_order()` has chosen."""
    if first:
        return [_rotate_row(items[_ROWS[row]], first, falling) for row in rows]
    return [items[each] for each in map((_FALLING if falling else _ROWS).__getitem__, rows)]


def _rotate_row(row: list[Item], first: int, falling: bool) -> list[Item]:
    """Return a row that begins at another column and wraps around; reversed if `falling`."""
    turned = row[first:] + row[:first] if first else row
    return turned[::-1] if falling else turned
