"""Whether identical tiles can be assigned so that every set is satisfied: a search, one choice at a time.

The tables of `twins.py` answer for all ways at once, which takes 2 ** n bits for n choices that depend on each other;
nearly full tables have twenty and more. Most turns need no such answer: in a legal one nearly every way is possible,
and in an illegal one a few sets contradict each other. A search that makes a choice and draws the conclusions finds
either out in a few steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.game.judge.twins import chosen, every


class Demand(NamedTuple):
    """What one set asks for: the ways to make its own choices that suit it, the first choice being the lowest bit."""

    choices: tuple[int, ...]
    table: int


class _Left(NamedTuple):
    """What is left of a demand after some choices."""

    ways: int
    """The ways that agree with the choices made."""
    suiting: int
    """Those of them that suit."""


@dataclass(slots=True)
class TwinSearch:
    """Looks for one way to make all choices that meets the demands."""

    demands: Mapping[int, Demand]
    most: int
    """The number of steps after which it gives up."""
    steps: int = 0
    _concerned: Mapping[int, Sequence[int]] = field(init=False)
    """For each choice the demands that depend on it."""

    def __post_init__(self) -> None:
        concerned = defaultdict(list)
        for name, demand in self.demands.items():
            for choice in demand.choices:
                concerned[choice].append(name)
        self._concerned = concerned

    def is_possible(self, names: Iterable[int]) -> bool | None:
        """Return whether there is a way that meets these demands; None if the search has given up."""
        left = {name: _Left(every(len(self.demands[name].choices)), self.demands[name].table) for name in names}
        return self._solve(left, list(left))

    def _solve(self, left: dict[int, _Left], changed: list[int]) -> bool | None:
        """Whether the demands that are left can be met; `left` is used up."""
        self.steps += 1
        if self.steps > self.most:
            return None
        if not self._conclude(left, changed):
            return False
        if not left:
            return True
        # The demand that the fewest of its ways suit: it is the soonest to show that none does.
        tightest = min(left, key=lambda name: (left[name].suiting.bit_count() / left[name].ways.bit_count(), name))
        choice, likelier = self._next_choice(tightest, left)
        for value in (likelier, not likelier):
            branch = dict(left)
            touched = self._make(choice, value, branch)
            possible = self._solve(branch, touched)
            if possible is not False:
                return possible
        return False

    def _conclude(self, left: dict[int, _Left], changed: list[int]) -> bool:
        """Make every choice of which only one value is left, and drop the demands that are met in any case.

        Returns False if a demand cannot be met any more.
        """
        waiting = list(changed)
        while waiting:
            name = waiting.pop()
            if name not in left:
                continue
            ways, suiting = left[name]
            if not suiting:
                return False
            if suiting == ways:
                del left[name]
                continue
            choices = self.demands[name].choices
            for place, choice in enumerate(choices):
                one = chosen(place, len(choices))
                if not ways & one or not ways & ~one:
                    continue  # This choice is made.
                if not suiting & one or not suiting & ~one:
                    waiting += self._make(choice, bool(suiting & one), left)
        return True

    def _make(self, choice: int, value: bool, left: dict[int, _Left]) -> list[int]:
        """Make a choice; return the demands that depend on it."""
        touched = [name for name in self._concerned[choice] if name in left]
        for name in touched:
            choices = self.demands[name].choices
            one = chosen(choices.index(choice), len(choices))
            ways, suiting = left[name]
            left[name] = _Left(ways & one, suiting & one) if value else _Left(ways & ~one, suiting & ~one)
        return touched

    def _next_choice(self, name: int, left: Mapping[int, _Left]) -> tuple[int, bool]:
        """The open choice of a demand that matters most to it, and the value that leaves it more ways."""
        ways, suiting = left[name]
        choices = self.demands[name].choices
        found = []
        for place, choice in enumerate(choices):
            one = chosen(place, len(choices))
            if ways & one and ways & ~one:
                with_one = (suiting & one).bit_count()
                with_zero = suiting.bit_count() - with_one
                found.append((abs(with_one - with_zero), choice, with_one >= with_zero))
        _, choice, value = max(found)
        return choice, value
