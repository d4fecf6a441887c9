"""The ways of one colour in one column, kept in the form in which a search needs them."""

from __future__ import annotations

from typing import TypeAlias

from referee.game.solver.columns import Cell, Way, ways
from referee.game.solver.frontier import Field, decode, encode

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
