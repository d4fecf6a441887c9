"""Lower bounds for the loss from some column on, whatever was done before."""

from __future__ import annotations

from functools import lru_cache

from referee.game.solver.stages import ColumnStage

NEVER = 1 << 60
"""A loss greater than all tiles are worth: a tile that must be placed cannot be."""


class Bounds:
    """The least loss from a column on, if it is reached with the best possible open runs.

    It is never more than the loss from any real state, so a best-first search that adds it to the loss so far stays
    exact. It is computed from the last column back, using the bounds of later columns. `cheapest` is the least loss
    for one tile of the column.
    """

    __slots__ = ("at_least", "at_most", "best", "cheapest", "known", "later", "stage")

    def __init__(self, stage: ColumnStage, cheapest: int, later: Bounds | None, best: int) -> None:
        """`later` are the bounds of the next column, None in the last; `best` is the state with the best open runs."""
        self.stage, self.cheapest, self.later, self.best = stage, cheapest, later, best
        self.known: dict[int, int] = {}
        self.at_least: dict[tuple[int, int], int] = {}
        self.at_most: dict[tuple[int, int], int] = {}

    def least(self, jokers: int) -> int:
        """Return the bound from this column on, with this many jokers."""
        if jokers not in self.known:
            bound = 0 if self.later is None else self.later.least(jokers)
            while bound < NEVER and (least := self._bound_from_state(self.best, jokers, bound)) > bound:
                bound = least
            self.known[jokers] = bound
        return self.known[jokers]

    def _bound_from_state(self, state: int, jokers: int, most: int) -> int:
        """Return the bound for one state if it is at most `most`, otherwise a lower bound greater than `most`."""
        key = state, jokers
        if self.at_most.get(key, NEVER) <= most:
            return self.at_most[key]
        if self.at_least.get(key, 0) > most:
            return self.at_least[key]
        stage, later, least = self.stage, self.later, NEVER
        fitting = stage.choices(state)
        for leaves in range(fitting.most + 1):
            here = leaves * self.cheapest
            bound = here + (0 if later is None else later.least(jokers))
            if bound > most:  # and also if more tiles are left out
                least = min(least, bound)
                break
            for rank, (uses, _) in enumerate(fitting[leaves]):
                left = jokers - uses
                bound = NEVER if left < 0 else here if later is None else here + later.least(left)
                if bound > most:
                    least = min(least, bound)
                    break
                for lost, after, _ in stage.steps(state, leaves, rank):
                    bound = lost if later is None else lost + later._bound_after(after, left, most - lost)
                    if bound <= most:
                        self.at_most[key] = bound
                        return bound
                    least = min(least, bound)
        self.at_least[key] = least
        return least

    def _bound_after(self, state: int, jokers: int, most: int) -> int:
        """Return `_bound_from_state()`; not computed if the bound of the whole column is already above `most`."""
        bound = self.least(jokers)
        return bound if bound > most else self._bound_from_state(state, jokers, most)


bounds_of = lru_cache(maxsize=1 << 7)(Bounds)
"""Cached constructor of bounds: tables that are examined one after the other differ in few columns."""
