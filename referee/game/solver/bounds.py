"""What has to be left out at least from some column on, whatever was done before."""

from __future__ import annotations

from referee.game.solver.stages import ColumnStage
from referee.game.tiles import HIGHEST

NEVER = 1 << 60
"""More than all tiles are worth: what must be placed cannot be."""


class Bounds:
    """The least that is left out from a column on, where the best of all open runs come from before it.

    That is never more than what is left out from any state there, so a search that adds it to what was left out so
    far comes to no worse answer. It is worked out from the last column back, each time with what is known of the
    columns further on; `cheapest` says what one tile of each column costs at least.
    """

    def __init__(self, stages: list[ColumnStage], cheapest: list[int], best: int) -> None:
        self.stages, self.cheapest, self.best = stages, cheapest, best
        self.known: list[dict[int, int]] = [{} for _ in stages]
        self.at_least: dict[tuple[int, int, int], int] = {}
        self.at_most: dict[tuple[int, int, int], int] = {}

    def least(self, column: int, jokers: int) -> int:
        """What has to be left out from this column on, with this many jokers."""
        if column == HIGHEST:
            return 0
        known = self.known[column]
        if jokers not in known:
            bound = self.least(column + 1, jokers)
            while bound < NEVER and (least := self._from(column, self.best, jokers, bound)) > bound:
                bound = least
            known[jokers] = bound
        return known[jokers]

    def _from(self, column: int, state: int, jokers: int, most: int) -> int:
        """What is left out from a state on: no more than `most`, or if that cannot be, a lower bound above it."""
        if column == HIGHEST:
            return 0
        key = column, state, jokers
        if self.at_most.get(key, NEVER) <= most:
            return self.at_most[key]
        if self.at_least.get(key, 0) > most:
            return self.at_least[key]
        stage, least = self.stages[column], NEVER
        for leaves, levels in enumerate(stage.choices(state)[0]):
            here = leaves * self.cheapest[column]
            for rank, (uses, _) in enumerate(levels):
                left = jokers - uses
                bound = here + self.least(column + 1, left) if left >= 0 else NEVER
                if bound > most:
                    least = min(least, bound)
                    break
                for lost, after, _ in stage.steps(state, leaves, rank):
                    bound = lost + self._after(column + 1, after, left, most - lost)
                    if bound <= most:
                        self.at_most[key] = bound
                        return bound
                    least = min(least, bound)
        self.at_least[key] = least
        return least

    def _after(self, column: int, state: int, jokers: int, most: int) -> int:
        """The same, looked at only where what is known of all states there allows it."""
        bound = self.least(column, jokers)
        return bound if bound > most else self._from(column, state, jokers, most)
