"""One column of a search: what can be done there from each state, and what was done on the way through all columns."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import getitem
from typing import NamedTuple

from referee.game.solver.board import Board
from referee.game.solver.columns import Cell, Content, Level, Runs, Sketch, Way, fitting, ways
from referee.game.solver.frontier import Coding, decode, encode
from referee.game.tiles import HIGHEST

Ways = tuple[Sketch, list[int], tuple[Way, ...]]
"""The ways of one colour in one column: what the others must know, what each adds to state and loss, all of it."""
Choices = tuple[tuple[tuple[Level, ...], ...], list[list[int]], list[tuple[Way, ...]]]
"""How the ways of the colours fit together; what each way of each colour adds to state and loss; the ways."""
Step = tuple[int, int, tuple[int, ...]]
"""What is left out, the state afterwards, and the choice of ways that leads there."""
Path = list[tuple[int, int, tuple[int, ...]]]
"""What was done in each column: the state before, jokers used, and the choice of ways."""


class Found(NamedTuple):
    """The best way.

    `ways` says for each colour and column what is done, None where nothing can be; `groups` for each column that has
    some how many tiles of each colour they take, by its index, and how many jokers; `crossings` for each colour the
    runs that cross from the last column to the first; `jokers` how many are used.
    """

    ways: list[list[Way | None]]
    groups: list[tuple[int, dict[int, int], int]]
    crossings: list[Runs]
    jokers: int


@lru_cache(maxsize=1 << 14)
def _ways(cell: Content, code: int, jokers: int, width: int, shift: int, loss: int) -> Ways:
    """The ways of a colour whose runs have this code and are found at `shift`; a tile left out adds `loss`."""
    found = ways(Cell(*cell), decode(code, width), jokers)
    adds = [(encode(way.runs, width) << shift) + way.unplayed * loss for way in found]
    return bytes([count for way in found for count in way[:3]]), adds, found


class Stage:
    """One column: what can be done from each state that leads to it."""

    __slots__ = ("coding", "colours", "jokers", "known", "steps_known")

    def __init__(self, board: Board, coding: Coding, cells: list[list[Content]], column: int, busy: list[int]) -> None:
        self.coding, self.jokers = coding, board.jokers
        self.colours = [
            (index, coding.shifts[index], cells[index][column], board.worth[index][column] << coding.bits)
            for index in busy
        ]
        self.known: dict[int, Choices] = {}
        self.steps_known: dict[tuple[int, int, int], list[Step]] = {}

    def choices(self, state: int) -> Choices:
        """What can be done from a state."""
        known = self.known.get(state)
        if known is None:
            jokers, field, width = self.jokers, self.coding.field, self.coding.width
            found = [
                _ways(cell, state >> shift & field, jokers, width, shift, loss)
                for _, shift, cell, loss in self.colours
            ]
            levels = fitting(tuple([each[0] for each in found]), jokers)
            known = self.known[state] = levels, [each[1] for each in found], [each[2] for each in found]
        return known

    def steps(self, state: int, leaves: int, rank: int) -> list[Step]:
        """The steps from a state that leave out so many tiles with so many jokers, given by its rank; best first."""
        key = state, leaves, rank
        found = self.steps_known.get(key)
        if found is None:
            bits, open_runs = self.coding.bits, self.coding.open
            levels, adds, _ = self.choices(state)
            every = {sum(map(getitem, adds, chosen)): chosen for chosen in reversed(levels[leaves][rank][1])}
            found = self.steps_known[key] = [
                (added >> bits, added & open_runs, chosen) for added, chosen in every.items()
            ]
        return found


def retrace(stages: list[Stage], path: Path, crossings: Iterable[Runs]) -> Found:
    """What was done on a path through all columns."""
    coding = stages[0].coding
    taken: list[list[Way | None]] = [[None] * HIGHEST for _ in range(coding.colours)]
    groups = []
    for column in reversed(range(HIGHEST)):
        stage, (state, jokers, chosen) = stages[column], path[column]
        counts = {}
        for (index, _, _, _), each, pick in zip(stage.colours, stage.choices(state)[2], chosen, strict=True):
            way = taken[index][column] = each[pick]
            jokers -= way.jokers
            if way.to_groups:
                counts[index] = way.to_groups
        if counts:
            groups.append((column, counts, jokers))
    return Found(taken, groups, list(crossings), sum(jokers for _, jokers, _ in path))
