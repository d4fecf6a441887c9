"""The tiles at hand, sorted into columns for the search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product, repeat
from operator import itemgetter
from typing import TypeVar

from referee.game.sets import SMALLEST
from referee.game.solver.columns import AHEAD, Content, Runs
from referee.game.tiles import HIGHEST, Colour, Tile

Worth = Callable[[Tile], int]
Item = TypeVar("Item")
Rows = list[list[Item]]
"""One item for each colour and each column."""
_COLOURS = tuple(Colour)
_FACES = [[Tile(number, colour) for number in range(1, HIGHEST + 1)] for colour in Colour]
_PLACES = {face: (colour, number) for colour, faces in enumerate(_FACES) for number, face in enumerate(faces)}


@dataclass(frozen=True, slots=True)
class Board:
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
    def of(cls, table: Iterable[Tile], hand: Iterable[Tile], worth: Worth, jokers: int, wraps: bool) -> Board | None:
        """Tiles of the table must be placed, those of the hand may be; neither holds a joker.

        Tiles of the hand that fit into no set at all are left out. None where there is such a tile on the table.
        """
        must = [[0] * HIGHEST for _ in _COLOURS]
        for tile in table:
            colour, number = _PLACES[tile]
            must[colour][number] += 1
        most = [row[:] for row in must]
        price = [[0] * HIGHEST for _ in _COLOURS]
        for tile in hand:
            colour, number = _PLACES[tile]
            most[colour][number] += 1
            price[colour][number] = worth(tile)
        if not _drop_hopeless(must, most, jokers, wraps):
            return None
        used = [index for index, row in enumerate(most) if any(row)]
        order = _order([most[index] for index in used], wraps)
        ordered = itemgetter(*order)
        must, most, price = ([[*ordered(rows[index])] for index in used] for rows in (must, most, price))
        cheapest = [0] * HIGHEST
        for least, row, prices in zip(must, most, price, strict=True):
            if least != row:
                for column, tiles in enumerate(row):
                    if tiles > least[column]:
                        cheapest[column] = min(cheapest[column] or prices[column], prices[column])
        return cls(
            [[*ordered(_FACES[index])] for index in used],
            must,
            most,
            price,
            cheapest,
            max(map(max, most), default=0),
            jokers,
            wraps,
        )

    def busy(self) -> list[list[int]]:
        """For each column the colours that have tiles there, or something that a joker could bridge."""
        found: list[list[int]] = [[] for _ in range(HIGHEST)]
        for index, row in enumerate(self.most):
            idle = 0 if self.wraps else AHEAD
            for column, tiles in enumerate(row):
                idle = 0 if tiles else idle + 1
                if not idle or (self.jokers and (idle < AHEAD or self.wraps)):
                    found[column].append(index)
        return found

    def cells(self, index: int, *, open_ended: bool) -> list[Content]:
        """What each cell of a colour holds; `open_ended` where any runs may go on beyond the last column."""
        row, beyond = self.most[index], self.copies if open_ended else 0
        next_one, next_two = [*row[1:], beyond], [*row[2:], beyond, beyond]
        gap = 0 if beyond else AHEAD
        gaps = []
        for tiles in reversed(row):
            gaps.append(gap)
            gap = 0 if tiles else min(gap + 1, AHEAD)
        ends = [None] * (HIGHEST - 1) + [open_ended]
        return list(
            zip(self.must[index], row, next_one, next_two, gaps[::-1], repeat(self.copies), ends, strict=False)
        )

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


def _drop_hopeless(must: Rows[int], most: Rows[int], jokers: int, wraps: bool) -> bool:
    """Leave out what fits into no set at all; False where that is a tile that must be placed."""
    while jokers < SMALLEST - 1:
        present = [sum([1 << column for column, tiles in enumerate(row) if tiles]) for row in most]
        dropped = False
        for index, alone in enumerate(_hopeless(present, jokers, wraps)):
            while alone:
                column = alone.bit_length() - 1
                alone ^= 1 << column  # noqa: PLW2901
                if must[index][column]:
                    return False
                most[index][column] = 0
                dropped = True
        if not dropped:
            break
    return True


def _hopeless(present: list[int], jokers: int, wraps: bool) -> list[int]:
    """Of each colour the tiles, as bits, that lie in no group and no run with at most one joker."""
    two = three = one = 0
    for mask in present:
        three |= two & mask
        two |= one & mask
        one |= mask
    alone = []
    for mask in present:
        twice = mask << HIGHEST | mask if wraps else 0
        below, before = (mask << steps | twice >> HIGHEST - steps for steps in (1, 2))
        above, beyond = ((mask | twice) >> steps for steps in (1, 2))
        if jokers:
            fits = two | below | before | above | beyond
        else:
            fits = three | below & before | below & above | above & beyond
        alone.append(mask & ~fits)
    return alone


def _order(most: Rows[int], wraps: bool) -> list[int]:
    """The order of the columns that leaves the search the least to try.

    Where runs go round, as few as possible should cross from the last column to the first. The half with fewer tiles
    comes first: what fails there has failed before the many ways of the other half are looked at.
    """
    totals = [sum(column) for column in zip(*most, strict=True)] or [0] * HIGHEST
    order = list(range(HIGHEST))
    if wraps:
        pairs = [sum([min(row[place - 1], row[place]) for row in most]) for place in order]
        first = min(order, key=lambda place: (pairs[place], totals[place - 1] + totals[place]))
        order = order[first:] + order[:first]
    half = HIGHEST // 2
    if sum([totals[place] for place in order[:half]]) > sum([totals[place] for place in order[-half:]]):
        order.reverse()
    return order
