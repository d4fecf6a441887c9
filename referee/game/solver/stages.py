"""One column of a search: its choices from each state; and the result of a search through all columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.game.solver.board import ColourColumn
from referee.game.solver.columns import Runs, lacking
from referee.game.solver.frontier import Coding

Choice = tuple[int, tuple[int, ...]]
"""What a choice adds to the code of state and loss, and the number of the way of each colour."""
Level = tuple[int, list[Choice]]
"""A number of jokers, and the choices that use so many, the best last."""
Part = tuple[int, int, int, int, int, tuple[int, ...]]
"""A choice for some colours: tiles unplayed, jokers, tiles in groups, the most of one colour, and a `Choice`."""
ColumnStep = tuple[int, int, tuple[int, ...]]
"""The loss, the state afterwards, and the choice of ways."""
Path = list[tuple[int, int, tuple[int, ...]]]
"""For each column: the state before, jokers used, and the choice of ways."""


class Found(NamedTuple):
    """The result of a search: its stages, the steps, and the runs that cross from the last column to the first."""

    stages: list[ColumnStage]
    path: Path
    crossings: Sequence[Runs]

    @property
    def jokers(self) -> int:
        """How many jokers are used."""
        return sum([jokers for _, jokers, _ in self.path])


class Fitting(dict[int, tuple[Level, ...]]):
    """Every choice of one way for each colour that makes complete groups, by the number of tiles left out.

    For each number, choices are grouped by jokers used, the fewest first. They are computed when that number is first
    asked for: most columns need only those with few tiles left out or none, while there are many with more.
    """

    __slots__ = ("jokers", "most", "parts", "rest")

    def __init__(self, parts: list[Part], rest: dict[int, list[Part]], jokers: int) -> None:
        """Combine the choices `parts` of some colours with those of the others (`rest`, by tiles unplayed).

        In both, the best come last.
        """
        super().__init__()
        self.parts, self.rest, self.jokers = parts, rest, jokers
        most = max(part[0] for part in parts) + max(rest) if parts and rest else -1
        while most >= 0 and not self[most]:
            most -= 1
        self.most = most
        """The most tiles that a choice leaves out; -1 if there is no choice."""

    def __missing__(self, leaves: int) -> tuple[Level, ...]:
        """Compute the choices that leave out exactly so many tiles."""
        jokers, rest = self.jokers, self.rest
        levels: dict[int, list[Choice]] = {}
        for unplayed, uses, tiles, most, added, chosen in self.parts:
            for _, uses_too, tiles_too, most_too, added_too, chosen_too in rest.get(leaves - unplayed, ()):
                needed = uses + uses_too + lacking(tiles + tiles_too, most if most > most_too else most_too)
                if needed <= jokers:
                    choice = added + added_too, chosen + chosen_too
                    if needed in levels:
                        levels[needed].append(choice)
                    else:
                        levels[needed] = [choice]
        found = self[leaves] = tuple(sorted(levels.items()))
        return found


class ColumnStage:
    """One column: the choices from each state before it.

    The colours are treated in two halves and then combined, since there are far fewer different states of one half.
    """

    __slots__ = ("coding", "colours", "halves", "known", "steps_known")

    def __init__(self, coding: Coding, colours: tuple[ColourColumn, ...]) -> None:
        """`colours` are those of this column in `Board.columns()`."""
        self.coding, self.colours = coding, colours
        middle = len(colours) // 2
        self.halves = [_Half(coding, colours[:middle]), _Half(coding, colours[middle:])]
        self.known: dict[int, Fitting] = {}
        self.steps_known: dict[tuple[int, int, int], list[ColumnStep]] = {}

    def choices(self, state: int) -> Fitting:
        """Return the choices from a state."""
        known = self.known.get(state)
        if known is None:
            one, other = self.halves
            known = self.known[state] = Fitting(one.parts(state), other.by_unplayed(state), self.coding.jokers)
        return known

    def steps(self, state: int, leaves: int, rank: int) -> list[ColumnStep]:
        """Return the steps from a state that leave out `leaves` tiles, best first.

        `rank` selects the number of jokers, 0 being the fewest that are possible.
        """
        key = state, leaves, rank
        found = self.steps_known.get(key)
        if found is None:
            bits, open_runs = self.coding.bits, self.coding.open
            every = dict(reversed(self.choices(state)[leaves][rank][1]))
            found = self.steps_known[key] = [
                (added >> bits, added & open_runs, chosen) for added, chosen in every.items()
            ]
        return found


stage_of = lru_cache(maxsize=1 << 7)(ColumnStage)
"""Cached constructor of stages: boards that are examined one after the other have most columns in common."""


class _Half:
    """Some colours of a column."""

    __slots__ = ("coding", "colours", "known", "mask", "sorted")

    def __init__(self, coding: Coding, colours: tuple[ColourColumn, ...]) -> None:
        self.coding, self.colours = coding, colours
        self.mask = sum(coding.mask << shift for _, shift, _, _, _ in colours)
        self.known: dict[int, list[Part]] = {}
        self.sorted: dict[int, dict[int, list[Part]]] = {}

    def parts(self, state: int) -> list[Part]:
        """Return every choice for these colours from a state, the best last."""
        code = state & self.mask
        known = self.known.get(code)
        if known is None:
            mask, parts = self.coding.mask, list[Part]([(0, 0, 0, 0, 0, ())])
            for _, shift, options, _, _ in self.colours:
                picks = options[code >> shift & mask][0]
                parts = [
                    (unplayed + leaves, used + uses, tiles + to, max(most, to), sums + adds, (*chosen, number))
                    for unplayed, used, tiles, most, sums, chosen in parts
                    for number, to, leaves, uses, adds in picks
                ]
            jokers = self.coding.jokers
            known = self.known[code] = [part for part in reversed(parts) if part[1] <= jokers]
        return known

    def by_unplayed(self, state: int) -> dict[int, list[Part]]:
        """Return `parts()` by the number of tiles unplayed."""
        code = state & self.mask
        known = self.sorted.get(code)
        if known is None:
            known = self.sorted[code] = {}
            for part in self.parts(code):
                known.setdefault(part[0], []).append(part)
        return known
