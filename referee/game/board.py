"""The tiles at hand, sorted into columns for the search."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from referee.game.columns import AHEAD, Cell, Runs
from referee.game.sets import SMALLEST
from referee.game.tiles import HIGHEST, Colour, Tile

Worth = Callable[[Tile], int]
_COLOURS = tuple(Colour)


@dataclass(frozen=True)
class Board:
    """Tiles that must be placed, tiles that may be, and jokers.

    `numbers` is the order of the columns. `must`, `most` and `worth` hold, for each of the colours and each column,
    how many tiles have to be placed, how many can be, and what it costs to leave one of the others out.
    """

    colours: tuple[Colour, ...]
    numbers: tuple[int, ...]
    must: list[list[int]]
    most: list[list[int]]
    worth: list[list[int]]
    jokers: int
    wraps: bool

    @classmethod
    def of(cls, table: Iterable[Tile], hand: Iterable[Tile], worth: Worth, jokers: int, wraps: bool) -> Board:
        """Tiles of the table must be placed, those of the hand may be; neither holds a joker."""
        must = [[0] * HIGHEST for _ in _COLOURS]
        for tile in table:
            must[_COLOURS.index(tile.colour)][tile.number - 1] += 1
        most = [list(row) for row in must]
        price = [[0] * HIGHEST for _ in _COLOURS]
        for tile in hand:
            colour = _COLOURS.index(tile.colour)
            most[colour][tile.number - 1] += 1
            price[colour][tile.number - 1] = worth(tile)
        used = [index for index, row in enumerate(most) if any(row)]
        first = _cut([most[index] for index in used]) if wraps else 0
        must, most, price = ([[*rows[i][first:], *rows[i][:first]] for i in used] for rows in (must, most, price))
        numbers = tuple((first + step) % HIGHEST + 1 for step in range(HIGHEST))
        return cls(tuple(_COLOURS[index] for index in used), numbers, must, most, price, jokers, wraps)

    @cached_property
    def copies(self) -> int:
        """The most copies of one tile."""
        return max(map(max, self.most), default=0)

    def open_to(self, index: int, column: int) -> int:
        """How many tiles of this colour can be left out in this column."""
        return self.most[index][column] - self.must[index][column]

    def idle(self, index: int, column: int) -> bool:
        """True where a colour has nothing to do in this column: no tile, and nothing that a joker could bridge."""
        row = self.most[index]
        if row[column]:
            return False
        return not self.jokers or not (self.wraps or any(row[max(0, column - AHEAD + 1) : column]))

    def cell(self, index: int, column: int, crossing: Runs) -> Cell:
        """The cell of a colour in a column, where the `crossing` runs go on beyond the last column."""
        row = self.most[index]
        beyond = [sum(crossing)] * AHEAD
        ahead = (row[column + 1 : column + 1 + AHEAD] + beyond)[:AHEAD]
        gap = next((steps for steps, tiles in enumerate(ahead) if tiles), AHEAD)
        end = crossing if column == HIGHEST - 1 else None
        return Cell(self.must[index][column], row[column], ahead[0], ahead[1], gap, self.copies, end)

    def crossings(self, index: int) -> list[Runs]:
        """Open runs of a colour that may go on from the last column to the first."""
        row, counts = self.most[index], range(self.copies + 1)
        found = []
        for one in range(row[-1] + 1):
            for two, more in ((two, more) for two in counts for more in counts if one + two + more <= self.copies):
                needs = zip((more, two + more, one + two + more), row[-SMALLEST:], strict=True)
                missing = sum(max(0, runs - tiles) for runs, tiles in needs)
                missing += max(0, one + two + more - row[0]) + max(0, one - row[1])
                if missing <= self.jokers:
                    found.append((one, two, more))
        return found


def _cut(most: list[list[int]]) -> int:
    """The column to begin with where runs go round: as few as possible should cross from the column before."""
    totals = [sum(column) for column in zip(*most, strict=True)] or [0] * HIGHEST
    pairs = [sum(min(row[column - 1], row[column]) for row in most) for column in range(HIGHEST)]
    return min(range(HIGHEST), key=lambda column: (pairs[column], totals[column - 1] + totals[column]))
