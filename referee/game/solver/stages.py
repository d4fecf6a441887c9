"""One column of a search: what can be done there from each state, and what was done on the way through all columns."""

from __future__ import annotations

from collections.abc import Sequence
from operator import getitem
from typing import NamedTuple

from referee.game.solver.board import ColourColumn
from referee.game.solver.columns import Level, Runs, Sketch, Way, fitting
from referee.game.solver.frontier import Coding

Choices = tuple[tuple[tuple[Level, ...], ...], list[list[int]], list[tuple[Way, ...]]]
"""How the ways of the colours fit together; what each way of each colour adds to state and loss; the ways."""
ColumnStep = tuple[int, int, tuple[int, ...]]
"""What is left out, the state afterwards, and the choice of ways that leads there."""
Path = list[tuple[int, int, tuple[int, ...]]]
"""What was done in each column: the state before, jokers used, and the choice of ways."""


class Found(NamedTuple):
    """The best way: through which stages, what was done in each, and the runs that cross from the end to the start."""

    stages: list[ColumnStage]
    path: Path
    crossings: Sequence[Runs]

    @property
    def jokers(self) -> int:
        """How many are used."""
        return sum([jokers for _, jokers, _ in self.path])


class ColumnStage:
    """One column: what can be done from each state that leads to it."""

    __slots__ = ("coding", "colours", "known", "steps_known")

    def __init__(self, coding: Coding, colours: list[ColourColumn]) -> None:
        """`colours` as `Board.columns` gives them for the column."""
        self.coding, self.colours = coding, colours
        self.known: dict[int, Choices] = {}
        self.steps_known: dict[tuple[int, int, int], list[ColumnStep]] = {}

    def choices(self, state: int) -> Choices:
        """What can be done from a state."""
        known = self.known.get(state)
        if known is None:
            mask = self.coding.mask
            sketches: tuple[Sketch, ...] = ()
            adds, every = [], []
            for _, shift, options, _, _ in self.colours:
                sketch, each, found = options[state >> shift & mask]
                sketches += (sketch,)
                adds.append(each)
                every.append(found)
            known = self.known[state] = fitting(sketches, self.coding.jokers), adds, every
        return known

    def steps(self, state: int, leaves: int, rank: int) -> list[ColumnStep]:
        """The steps from a state, by its rank, that leave out `leaves` tiles with this many jokers; best first."""
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
