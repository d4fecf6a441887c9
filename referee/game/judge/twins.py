"""Assignments of identical tiles (twins) to sets that satisfy every set: by truth tables, or by a search.

Each tile that can be assigned in two ways is a choice, so n choices allow 2 ** n ways. A truth table is an integer
with one bit for each way, set if the way is possible; so thousands of ways are combined at once by `&` and `|`. The
index of a way is made of one bit for each choice; `place` below is the position of that bit.

The tables treat all ways at once, which takes 2 ** n bits for n choices that depend on each other, and nearly full
game tables have twenty choices and more. Most turns do not need them: in a legal turn nearly every way is possible,
and in an illegal one a few sets contradict each other. A search that makes a choice and draws its conclusions finds
out either in a few steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple


@lru_cache
def every(choices: int) -> int:
    """Return the truth table of all ways to make this many choices."""
    return (1 << (1 << choices)) - 1


@lru_cache(maxsize=1 << 9)
def choice_table(place: int, choices: int) -> int:
    """Return the truth table of the ways in which the choice at this place is 1.

    The pattern is built by doubling: a division of integers of this size takes a thousand times as long.
    """
    width = 2 << place
    table = ((1 << (1 << place)) - 1) << (1 << place)
    while width < 1 << choices:
        table |= table << width
        width *= 2
    return table


def with_either(table: int, place: int, choices: int) -> int:
    """Return the ways that are possible if the choice at this place is free."""
    one, width = choice_table(place, choices), 1 << place
    return table | (table & one) >> width | (table << width) & one


def likes(table: int, place: int, choices: int) -> tuple[bool, bool]:
    """Return whether 1 at this place allows all ways that 0 allows, and whether 0 allows all ways that 1 allows."""
    one = choice_table(place, choices)
    with_one, with_zero = (table & one) >> (1 << place), table & ~one
    return not with_zero & ~with_one, not with_one & ~with_zero


def at_least(tables: Iterable[int], most: int, choices: int) -> list[int]:
    """Return for each number up to `most` the ways that are in at least this many of the tables."""
    found = [every(choices)] + [0] * most
    for table in tables:
        for number in range(most, 0, -1):
            found[number] |= found[number - 1] & table
    return found


class Twins(NamedTuple):
    """The copies of one tile, and all ways to assign their new sets to their old ones (the owners).

    The ways are numbered, and the bits of the number are the `choices`; a number that is too high means way 0.
    """

    choices: range
    ways: tuple[tuple[int, ...], ...]
    """For each owner the set that its tile is in after the turn, or -1 if there is no copy left."""

    @classmethod
    def between(cls, owners: Sequence[int], lying: Sequence[int], first: int) -> Twins:
        """Return the twins that were in the sets `owners` (sorted) and are in the sets `lying`.

        Their choices are numbered from `first` on.
        """
        ways = tuple(_deals(owners, (*lying, *[-1] * (len(owners) - len(lying)))))
        return cls(range(first, first + (len(ways) - 1).bit_length()), ways)

    def homes(self, owner: int, masks: Mapping[int, int], choices: int) -> dict[int, int]:
        """Return for each set that an owner's tile may be in the truth table of the ways in which it is.

        `masks` has the truth table of the ways in which each choice is 1.
        """
        found: dict[int, int] = {}
        other = every(choices)
        for number in range(len(self.ways) - 1, -1, -1):
            table = self._table(number, masks, choices) if number else other
            other &= ~table
            home = self.ways[number][owner]
            found[home] = found.get(home, 0) | table
        return found

    def _table(self, number: int, masks: Mapping[int, int], choices: int) -> int:
        table = every(choices)
        for bit, choice in enumerate(self.choices):
            table &= masks[choice] if number >> bit & 1 else ~masks[choice]
        return table


def _deals(owners: Sequence[int], lying: Sequence[int], before: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield every assignment; of two tiles of one owner, the first goes to the set with the lower number."""
    index = len(before)
    if index == len(owners):
        yield before
        return
    lowest = before[-1] if index and owners[index] == owners[index - 1] else -1
    for home in sorted(set(lying)):
        if home >= lowest:
            at = lying.index(home)
            yield from _deals(owners, (*lying[:at], *lying[at + 1 :]), (*before, home))


class Demand(NamedTuple):
    """What one set demands: the truth table of its own choices (the first is the lowest bit) that satisfies it."""

    choices: tuple[int, ...]
    table: int


class _Left(NamedTuple):
    """What remains of a demand after some choices."""

    ways: int
    """The ways that agree with the choices made."""
    suiting: int
    """Those of them that satisfy the demand."""


@dataclass(slots=True)
class TwinSearch:
    """Searches for one way to make all choices that satisfies all demands."""

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
        """Return whether the demands in `left` can be met, None if the search gave up; modifies `left`."""
        self.steps += 1
        if self.steps > self.most:
            return None
        if not self._conclude(left, changed):
            return False
        if not left:
            return True
        # The demand with the smallest share of suitable ways, which shows a contradiction soonest.
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
                one = choice_table(place, len(choices))
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
            one = choice_table(choices.index(choice), len(choices))
            ways, suiting = left[name]
            left[name] = _Left(ways & one, suiting & one) if value else _Left(ways & ~one, suiting & ~one)
        return touched

    def _next_choice(self, name: int, left: Mapping[int, _Left]) -> tuple[int, bool]:
        """Return the open choice that matters most to a demand, and the value that leaves it more ways."""
        ways, suiting = left[name]
        choices = self.demands[name].choices
        found = []
        for place, choice in enumerate(choices):
            one = choice_table(place, len(choices))
            if ways & one and ways & ~one:
                with_one = (suiting & one).bit_count()
                with_zero = suiting.bit_count() - with_one
                found.append((abs(with_one - with_zero), choice, with_one >= with_zero))
        _, choice, value = max(found)
        return choice, value
