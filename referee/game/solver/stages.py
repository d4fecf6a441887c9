"""One column of a search: what can be done there from each state, and what was done on the way through all columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.game.solver.board import ColourColumn
from referee.game.solver.columns import Runs, lacking
from referee.game.solver.frontier import Coding

Choice = tuple[int, tuple[int, ...]]
"""What is added to state and loss, and the number of a way for each colour."""
Level = tuple[int, list[Choice]]
"""A number of jokers, and the choices that use them; they come best last."""
Part = tuple[int, int, int, int, int, tuple[int, ...]]
"""A choice for some of the colours: tiles unplayed, jokers, tiles to groups, the most of one colour, and the same."""
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


class Fitting(dict[int, tuple[Level, ...]]):
    """Every choice of one way for each colour that makes whole groups, by the number of tiles that it leaves out.

    Within, fewer jokers come first. Most columns are left with few tiles left out, or none, while the choices that
    leave out more are many: so these are worked out when somebody asks for that number.
    """

    __slots__ = ("jokers", "most", "parts", "rest")

    def __init__(self, parts: list[Part], rest: dict[int, list[Part]], jokers: int) -> None:
        """Of choices for some of the colours and, by tiles unplayed, for the others; both best last."""
        super().__init__()
        self.parts, self.rest, self.jokers = parts, rest, jokers
        most = max(part[0] for part in parts) + max(rest) if parts and rest else -1
        while most >= 0 and not self[most]:
            most -= 1
        self.most = most
        """The most tiles that a choice leaves out, -1 where there is no choice."""

    def __missing__(self, leaves: int) -> tuple[Level, ...]:
        """The choices that leave out just so many tiles."""
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
    """One column: what can be done from each state that leads to it.

    The colours are taken in two halves: far fewer states differ in one half than in both.
    """

    __slots__ = ("coding", "colours", "halves", "known", "steps_known")

    def __init__(self, coding: Coding, colours: tuple[ColourColumn, ...]) -> None:
        """`colours` as `Board.columns` gives them for the column."""
        self.coding, self.colours = coding, colours
        middle = len(colours) // 2
        self.halves = [_Half(coding, colours[:middle]), _Half(coding, colours[middle:])]
        self.known: dict[int, Fitting] = {}
        self.steps_known: dict[tuple[int, int, int], list[ColumnStep]] = {}

    def choices(self, state: int) -> Fitting:
        """What can be done from a state."""
        known = self.known.get(state)
        if known is None:
            one, other = self.halves
            known = self.known[state] = Fitting(one.parts(state), other.by_unplayed(state), self.coding.jokers)
        return known

    def steps(self, state: int, leaves: int, rank: int) -> list[ColumnStep]:
        """The steps from a state, by its rank, that leave out `leaves` tiles with this many jokers; best first."""
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
"""Stages by what they are made of: boards that are looked at one after the other have most columns in common."""


class _Half:
    """Some colours of a column."""

    __slots__ = ("coding", "colours", "known", "mask", "sorted")

    def __init__(self, coding: Coding, colours: tuple[ColourColumn, ...]) -> None:
        self.coding, self.colours = coding, colours
        self.mask = sum(coding.mask << shift for _, shift, _, _, _ in colours)
        self.known: dict[int, list[Part]] = {}
        self.sorted: dict[int, dict[int, list[Part]]] = {}

    def parts(self, state: int) -> list[Part]:
        """Every choice for these colours from a state, the best last."""
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
        """The same by the number of tiles unplayed."""
        code = state & self.mask
        known = self.sorted.get(code)
        if known is None:
            known = self.sorted[code] = {}
            for part in self.parts(code):
                known.setdefault(part[0], []).append(part)
        return known
