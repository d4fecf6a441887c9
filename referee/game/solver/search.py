"""The search behind `arrange`: the best way through the columns of a board.

Ways that leave out less come first, and among those the search goes deep before it goes wide, jokers last: where
everything can be placed, one straight way through the columns is all it looks at. What keeps it from looking twice is
that a state is not followed where one with runs as good was reached as cheaply.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from operator import getitem
from typing import NamedTuple

from referee.game.sets import SMALLEST
from referee.game.solver.board import Board
from referee.game.solver.columns import NO_RUNS, Cell, Content, Level, Runs, Sketch, Way, fitting, ways
from referee.game.solver.frontier import Coding, Front, decode, encode
from referee.game.tiles import HIGHEST

Node = tuple[int, int, int, "Node | None", tuple[int, ...]]
"""A way as far as some column: the state there, jokers used, what was left out, the way before, the last choice."""
Entry = tuple[int, Node, int, int]
"""What to look at: a column, the way to it, how many tiles to leave out, and which level of choices it is then."""


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


Ways = tuple[Sketch, list[int], tuple[Way, ...]]
"""The ways of one colour in one column: what the others must know, what each adds to state and loss, all of it."""
Choices = tuple[tuple[tuple[Level, ...], ...], list[list[int]], list[tuple[Way, ...]]]
"""How the ways of the colours fit together; what each way of each colour adds to state and loss; the ways."""


@lru_cache(maxsize=1 << 14)
def _ways(cell: Content, code: int, jokers: int, width: int, shift: int, loss: int) -> Ways:
    """The ways of a colour whose runs have this code and are found at `shift`; a tile left out adds `loss`."""
    found = ways(Cell(*cell), decode(code, width), jokers)
    adds = [(encode(way.runs, width) << shift) + way.unplayed * loss for way in found]
    return bytes([count for way in found for count in way[:3]]), adds, found


class _Stage:
    """One column of the search: the states that lead to it, and what can be done from each."""

    __slots__ = ("cells", "coding", "colours", "column", "front", "jokers", "known")

    def __init__(
        self, board: Board, coding: Coding, cells: list[dict[int, list[Content]]], column: int, busy: list[int]
    ) -> None:
        self.coding, self.cells, self.column, self.jokers = coding, cells, column, board.jokers
        self.front = Front(coding, board.jokers, board.wraps)
        self.colours = [
            (index, index * coding.size, cells[index][0][column], board.worth[index][column] << coding.bits)
            for index in busy
        ]
        self.known: dict[int, Choices] = {}

    def choices(self, state: int) -> Choices:
        """What can be done from a state."""
        known = self.known.get(state)
        if known is None:
            coding, jokers, crossing = self.coding, self.jokers, state >> self.coding.bits
            field, width = coding.field, coding.width
            ways = []
            for index, shift, cell, loss in self.colours:
                if crossing:
                    cell = self.cells[index][crossing >> shift & field][self.column]  # noqa: PLW2901
                ways.append(_ways(cell, state >> shift & field, jokers, width, shift, loss))
            levels = fitting(tuple([each[0] for each in ways]), jokers)
            known = self.known[state] = levels, [each[1] for each in ways], [each[2] for each in ways]
        return known


class _ColumnSearch:
    def __init__(self, board: Board) -> None:
        self.board = board
        self.coding = Coding(len(board.faces), board.copies)
        self.cells = [{0: board.cells(index, NO_RUNS)} for index in range(len(board.faces))]
        """The cells of each colour, by the code of its runs that cross."""
        self.reserve = {0: 0}
        """The jokers to be kept for the last columns, by the code of all runs that cross."""
        self.busy = board.busy()
        self.stages: list[_Stage] = []
        self.waiting: dict[int, list[Entry]] = {}

    def starts(self) -> Iterator[int]:
        """The states to begin with: first no run crosses, then more and more do."""
        yield 0
        if self.board.wraps:
            for crossings, jokers in self.board.crossings():
                for cells, (index, runs) in zip(self.cells, enumerate(crossings), strict=True):
                    code = encode(runs, self.coding.width)
                    if code not in cells:
                        cells[code] = self.board.cells(index, runs)
                state = self.coding.start(crossings)
                self.reserve[state >> self.coding.bits] = jokers
                if state:
                    yield state

    def run(self) -> Node | None:
        """The best way to the end, or None where the tiles that must be placed cannot be."""
        for start in self.starts():
            self.waiting[0] = [*self.waiting.get(0, ()), (0, (start, 0, 0, None, ()), 0, 0)]
            end = self.exhaust(0)
            if end is not None:
                return end
        while self.waiting:
            end = self.exhaust(min(self.waiting))
            if end is not None:
                return end
        return None

    def exhaust(self, loss: int) -> Node | None:
        """Follow every way that leaves out no more than `loss`; gives the first that comes to the end."""
        board, waiting, stages = self.board, self.waiting, self.stages
        bits, open_runs = self.coding.bits, self.coding.open
        stack = waiting[loss]
        while stack:
            column, node, leaves, rank = stack.pop()
            if column == HIGHEST:
                return node
            if column == len(stages):
                stages.append(_Stage(board, self.coding, self.cells, column, self.busy[column]))
            stage = stages[column]
            state, jokers, lost, _, _ = node
            if not leaves and not rank and not stage.front.admits(state, jokers):
                continue
            choices, adds, _ = stage.choices(state)
            # Dearer ways through this column wait: with more jokers until these here fail, with more loss for long.
            if not rank and leaves + 1 < len(choices):
                dearer = lost + (leaves + 1) * board.cheapest[column]
                waiting.setdefault(dearer, []).append((column, node, leaves + 1, 0))
            crossing = state & ~open_runs
            left = board.jokers - jokers
            if crossing and column < HIGHEST - SMALLEST:
                left -= self.reserve[crossing >> bits]
            levels = choices[leaves] if choices else ()
            if rank == len(levels) or levels[rank][0] > left:
                continue
            uses, every = levels[rank]
            if rank + 1 < len(levels):
                stack.append((column, node, leaves, rank + 1))
            for chosen in every:
                added = sum(map(getitem, adds, chosen))
                reached = lost + (added >> bits)
                after = added & open_runs | crossing, jokers + uses, reached, node, chosen
                if reached == loss:
                    stack.append((column + 1, after, 0, 0))
                else:
                    waiting.setdefault(reached, []).append((column + 1, after, 0, 0))
        del waiting[loss]
        return None

    def found(self, end: Node) -> Found:
        """What was done on the way to its end."""
        taken: list[list[Way | None]] = [[None] * HIGHEST for _ in self.board.faces]
        groups = []
        node, column = end, HIGHEST
        while (before := node[3]) is not None:
            column -= 1
            stage = self.stages[column]
            _, _, ways = stage.choices(before[0])
            counts, jokers = {}, node[1] - before[1]
            for (index, _, _, _), each, pick in zip(stage.colours, ways, node[4], strict=True):
                way = taken[index][column] = each[pick]
                jokers -= way.jokers
                if way.to_groups:
                    counts[index] = way.to_groups
            if counts:
                groups.append((column, counts, jokers))
            node = before
        return Found(taken, groups, self.coding.crossings(end[0]), end[1])


def search(board: Board) -> Found | None:
    """The best way to place tiles, or None where those that must be placed cannot be."""
    run = _ColumnSearch(board)
    end = run.run()
    return None if end is None else run.found(end)
