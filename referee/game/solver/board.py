"""The tiles at hand, sorted into columns for the search, and the ways of a colour in a column in the form it needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import compress, product
from typing import NamedTuple, TypeAlias, TypeVar

from referee.game.sets import SMALLEST
from referee.game.solver.columns import AHEAD, Cell, Runs, Way, ways
from referee.game.solver.frontier import Coding, Field, decode, encode
from referee.game.tiles import HIGHEST, Colour, Tile

Pick = tuple[int, int, int, int, int]
"""What the other colours must know of a way: its number, tiles to groups, tiles unplayed, jokers; and what it adds to
state and loss."""
Ways = tuple[list[Pick], tuple[Way, ...]]
"""The ways of one colour in one column: what the others must know, and all of it."""
Content: TypeAlias = tuple[int, int, int, int, int, bool | None, int, Field]
"""`must`, `most`, `next_one`, `next_two`, `gap` and `end` of a Cell; what it costs to leave out one tile; where open
runs stand in a state."""
MOST = 1 << 12
"""How many contents of columns are remembered."""

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
        """They are worked out when somebody comes there."""
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
    """Options by the content of their column, for all boards: most contents come again and again."""

    def __missing__(self, content: Content) -> Options:
        if len(self) >= MOST:
            self.clear()
        options = self[content] = Options(content)
        return options


OPTIONS = _Known()


ColourColumn = tuple[int, int, Options, int, Tile]
"""A colour in a column: its index, where its open runs stand in a state, what can be done there, how many tiles need
not be placed, and which tile is meant."""


class Board(NamedTuple):
    """Tiles that must be placed, tiles that may be, and jokers.

    `faces` says for each colour and column which tiles are meant; numbers rise or fall, perhaps over the end. In the
    same order, `must`, `most` and `worth` say how many tiles have to be placed, how many can be, and what it costs to
    leave out one of the others; `cheapest` is the least of these costs in each column. `copies` is the most there is
    of one tile.
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
        """Tiles of the table must be placed, those of the hand may be; neither holds a joker.

        Tiles of the hand that fit into no set at all are left out. None where there is such a tile on the table.
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
        """For each column the colours that have tiles there, or something that a joker could bridge.

        `open_ended` where any runs may go on beyond the last column.
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
        """Every choice of runs that go on from the last column to the first, the fewest first.

        For each colour, those runs; and how many jokers the last columns need at least to make them. None of the runs
        need hold three tiles: what is long enough before it crosses need not cross, unless for a single tile beyond,
        and then two tiles before are all that is asked for.
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
        """What may cross of one colour, with the jokers it needs at least in the last columns and in the first."""
        for one, two in product(range(row[-1] + 1), range(self.copies + 1)):
            runs = one + two
            if runs <= self.copies:
                before = max(0, two - row[-2]) + max(0, runs - row[-1])
                yield (one, two, 0), before, max(0, runs - row[0]) + max(0, one - row[1])


def _drop_hopeless(must: list[int], most: list[int], jokers: int, wraps: bool) -> bool:
    """Leave out what fits into no set at all; False where that is a tile that must be placed."""
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
    """The tiles, as bits, that lie in no group and no run with at most one joker.

    All colours at once: a column is a bit of each row, and the masks keep rows apart where they are shifted.
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
    """The order of the columns that leaves the search the least to try: which comes first, and whether they fall.

    Where runs go round, as few as possible should cross from the last column to the first. The half with fewer tiles
    comes first: what fails there has failed before the many ways of the other half are looked at.
    """
    first, half = 0, HIGHEST // 2
    if wraps and most:
        totals = [sum(column) for column in zip(*most, strict=True)]
        pairs = [sum([min(row[place - 1], row[place]) for row in most]) for place in range(HIGHEST)]
        first = min(range(HIGHEST), key=lambda place: (pairs[place], totals[place - 1] + totals[place]))
        most = [_rotate_row(row, first, falling=False) for row in most]
    return first, sum([sum(row[:half]) for row in most]) > sum([sum(row[-half:]) for row in most])


def _rows(items: list[Item], rows: list[int], first: int, falling: bool) -> Rows[Item]:
    """These rows of items that stand by place, each from another column on or from its end."""
    if first:
        return [_rotate_row(items[_ROWS[row]], first, falling) for row in rows]
    return [items[each] for each in map((_FALLING if falling else _ROWS).__getitem__, rows)]


def _rotate_row(row: list[Item], first: int, falling: bool) -> list[Item]:
    """A row that begins with another column, and then goes round; or the same from its end."""
    turned = row[first:] + row[:first] if first else row
    return turned[::-1] if falling else turned
