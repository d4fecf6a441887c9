"""The search behind `arrange`: the best way through the columns of a board.

Ways that leave out less come first, and among those the search goes deep before it goes wide, jokers last: where
everything can be placed, one straight way through the columns is all it looks at. What keeps it from looking twice is
that a state is not followed where one with runs as good was reached as cheaply.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from operator import getitem
from typing import NamedTuple

from referee.game.board import Board
from referee.game.columns import AHEAD, NO_RUNS, Runs, Sketch, Way, fitting, ways
from referee.game.states import Coding, Front, decode, encode
from referee.game.tiles import HIGHEST

Node = tuple[int, int, int, "Node | None"]
"""A way as far as some column: the state it leads to, the jokers it uses, what it leaves out, and the way before."""
Entry = tuple[int, Node, int, int]
"""What to look at: a column, the way to it, how many tiles the column is to leave out and how many jokers to use."""


class Column(NamedTuple):
    """What is done in one column: the way of each colour by its index, and the jokers in groups."""

    number: int
    ways: dict[int, Way]
    group_jokers: int


class Found(NamedTuple):
    """The best way: what is done in each column, the runs of each colour that cross from last to first, the jokers."""

    columns: list[Column]
    crossings: list[Runs]
    jokers: int


Choice = tuple[Sketch, list[int], tuple[Way, ...]]
"""The ways of one colour in one column: what the others must know, what each adds to state and loss, all of it."""


class _Stage:
    """One column of the search: its cells, the choices that were looked at, and the states that lead to it."""

    def __init__(self, board: Board, coding: Coding, column: int) -> None:
        self.board, self.coding, self.column = board, coding, column
        self.front = Front(coding, board.jokers, board.wraps)
        self.known: dict[int, tuple[tuple[Sketch, ...], list[list[int]]]] = {}
        indices = range(len(board.colours))
        self.busy: list[tuple[int, dict[int, Choice]]] = [(i, {}) for i in indices if not board.idle(i, column)]
        spare = [(board.open_to(i, column), board.worth[i][column]) for i in indices]
        self.most_left = sum(tiles for tiles, _ in spare)
        self.least_loss = min((worth for tiles, worth in spare if tiles), default=0)

    def choices(self, state: int) -> tuple[tuple[Sketch, ...], list[list[int]]]:
        """The sketches of each busy colour's ways, and what each way adds to the state."""
        if state not in self.known:
            found = [self.choice(index, seen, state) for index, seen in self.busy]
            self.known[state] = tuple([choice[0] for choice in found]), [choice[1] for choice in found]
        return self.known[state]

    def choice(self, index: int, seen: dict[int, Choice], state: int) -> Choice:
        """The ways of one colour, given the open runs and, near the end, the runs that are to cross."""
        coding = self.coding
        shift = index * coding.size
        code = state >> shift & coding.field
        crossing = state >> shift + coding.bits & coding.field if self.column >= HIGHEST - AHEAD else 0
        key = code | crossing << coding.size
        if key not in seen:
            cell = self.board.cell(index, self.column, decode(crossing, coding.width) if crossing else NO_RUNS)
            open_ways = ways(cell, decode(code, coding.width), self.board.jokers)
            worth = self.board.worth[index][self.column] << coding.bits
            adds = [(encode(way.runs, coding.width) << shift) + way.unplayed * worth for way in open_ways]
            seen[key] = tuple([way[:3] for way in open_ways]), adds, open_ways
        return seen[key]


class _Search:
    def __init__(self, board: Board) -> None:
        self.board = board
        self.coding = Coding(len(board.colours), board.copies)
        self.stages: list[_Stage] = []

    def stage(self, column: int) -> _Stage:
        if column == len(self.stages):
            self.stages.append(_Stage(self.board, self.coding, column))
        return self.stages[column]

    def starts(self) -> Iterator[int]:
        """The states to begin with: first no run crosses, then more and more do."""
        yield 0
        if self.board.wraps:
            every = product(*(self.board.crossings(index) for index in range(len(self.board.colours))))
            for crossings in sorted(every, key=lambda runs: sum(map(sum, runs)))[1:]:
                yield self.coding.start(crossings)

    def run(self) -> Node | None:
        """The best way to the end, or None where the tiles that must be placed cannot be."""
        waiting: dict[int, list[Entry]] = {}
        for start in self.starts():
            waiting[0] = [(0, (start, 0, 0, None), 0, 0)]
            end = self.exhaust(0, waiting)
            if end is not None:
                return end
        while waiting:
            end = self.exhaust(min(waiting), waiting)
            if end is not None:
                return end
        return None

    def exhaust(self, loss: int, waiting: dict[int, list[Entry]]) -> Node | None:
        """Follow every way that leaves out no more than `loss`; gives the first that comes to the end."""
        bits, open_runs = self.coding.bits, self.coding.open
        stack = waiting[loss]
        while stack:
            column, node, leaves, uses = stack.pop()
            if column == HIGHEST:
                return node
            state, jokers, lost, _ = node
            stage = self.stage(column)
            if not leaves and not uses and not stage.front.admits(state, jokers):
                continue
            sketches, adds = stage.choices(state)
            # Dearer ways through this column wait: with more jokers until these here fail, with more loss for long.
            if not uses and leaves < stage.most_left:
                dearer = lost + (leaves + 1) * stage.least_loss
                waiting.setdefault(dearer, []).append((column, node, leaves + 1, 0))
            if jokers + uses < self.board.jokers:
                stack.append((column, node, leaves, uses + 1))
            crossing = state & ~open_runs
            for chosen in fitting(sketches, leaves, uses):
                added = sum(map(getitem, adds, chosen))
                reached = lost + (added >> bits)
                entry = column + 1, (added & open_runs | crossing, jokers + uses, reached, node), 0, 0
                if reached == loss:
                    stack.append(entry)
                else:
                    waiting.setdefault(reached, []).append(entry)
        del waiting[loss]
        return None

    def column(self, column: int, before: Node, after: Node) -> Column:
        """What was done in a column between two nodes of a way."""
        stage, uses, bits = self.stages[column], after[1] - before[1], self.coding.bits
        sketches, adds = stage.choices(before[0])
        wanted = (after[0] & self.coding.open) + (after[2] - before[2] << bits)
        chosen = next(
            chosen
            for leaves in range(stage.most_left + 1)
            for chosen in fitting(sketches, leaves, uses)
            if sum(map(getitem, adds, chosen)) == wanted
        )
        taken = {
            index: self.stages[column].choice(index, seen, before[0])[2][pick]
            for (index, seen), pick in zip(stage.busy, chosen, strict=True)
        }
        in_groups = uses - sum(way.jokers for way in taken.values())
        return Column(self.board.numbers[column], taken, in_groups)


def search(board: Board) -> Found | None:
    """The best way to place tiles, or None where those that must be placed cannot be."""
    run = _Search(board)
    node = run.run()
    if node is None:
        return None
    crossings, jokers = run.coding.crossings(node[0]), node[1]
    columns: list[Column] = []
    while (before := node[3]) is not None:
        columns.append(run.column(HIGHEST - 1 - len(columns), before, node))
        node = before
    return Found(columns[::-1], crossings, jokers)
