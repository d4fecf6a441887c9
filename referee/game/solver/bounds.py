"""What has to be left out at least from some column on, whatever was done before."""

from __future__ import annotations

from functools import lru_cache

from referee.game.solver.stages import ColumnStage

NEVER = 1 << 60
"""More than all tiles are worth: what must be placed cannot be."""


class Bounds:
    """The least that is left out from a column on, where the best of all open runs come from before it.

    That is never more than what is left out from any state there, so a search that adds it to what was left out so
    far comes to no worse answer. It is worked out from the last column back, each time with what is known of the
    columns further on; `cheapest` says what one tile of the column costs at least.
    """

    __slots__ = ("at_least", "at_most", "best", "cheapest", "known", "later", "stage")

    def __init__(self, stage: ColumnStage, cheapest: int, later: Bounds | None, best: int) -> None:
        """`later` holds for the next column; `best` is the state with the best of all open runs."""
        self.stage, self.cheapest, self.later, self.best = stage, cheapest, later, best
        self.known: dict[int, int] = {}
        self.at_least: dict[tuple[int, int], int] = {}
        self.at_most: dict[tuple[int, int], int] = {}

    def least(self, jokers: int) -> int:
        """What has to be left out from this column on, with this many jokers."""
        if jokers not in self.known:
            bound = 0 if self.later is None else self.later.least(jokers)
            while bound < NEVER and (least := self._from(self.best, jokers, bound)) > bound:
                bound = least
            self.known[jokers] = bound
        return self.known[jokers]

    def _from(self, state: int, jokers: int, most: int) -> int:
        """What is left out from a state on: no more than `most`, or if that cannot be, a lower bound above it."""
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
            if bound > most:  # so it is where more are left out
                least = min(least, bound)
                break
            for rank, (uses, _) in enumerate(fitting[leaves]):
                left = jokers - uses
                bound = NEVER if left < 0 else here if later is None else here + later.least(left)
                if bound > most:
                    least = min(least, bound)
                    break
                for lost, after, _ in stage.steps(state, leaves, rank):
                    bound = lost if later is None else lost + later._after(after, left, most - lost)
                    if bound <= most:
                        self.at_most[key] = bound
                        return bound
                    least = min(least, bound)
        self.at_least[key] = least
        return least

    def _after(self, state: int, jokers: int, most: int) -> int:
        """The same, looked at only where what is known of all states there allows it."""
        bound = self.least(jokers)
        return bound if bound > most else self._from(state, jokers, most)


bounds_of = lru_cache(maxsize=1 << 7)(Bounds)
"""Bounds by what they are made of: most tables that are looked at one after the other differ in a few columns."""
