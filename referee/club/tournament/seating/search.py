"""Tabu search for seats: in each step two players exchange places, by the best exchange that undoes no recent one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

BYE_WEIGHT = 1_000
"""The cost of an uneven bye, in repeats: more than any exchange can save."""
MATES_WEIGHT = 100
"""The cost of a meeting of team mates, in repeats: more than any exchange of two players can save."""
SMALL_WEIGHT = 2
"""The cost of an uneven place at a smaller table, in repeats. If it were higher, some tournaments would get many more
repeats for little evenness."""
TOLD_EVERY = 50
"""Exchanges between two reports of progress: some tenths of a second with 30 players on a small board."""
_NEVER = 1 << 40
_KEPT = (1, 4)
"""For how many visits of a round a player does not return to a table just left: a random number from the first value
to below the second."""


@dataclass(frozen=True, slots=True)
class Before:
    """The earlier rounds, by player: meetings, byes, and places at smaller tables."""

    meetings: Ints
    byes: Ints
    small: Ints

    @classmethod
    def nothing(cls, players: int) -> Before:
        """Return the value for a tournament without earlier rounds."""
        none = np.zeros(players, np.int64)
        return cls(np.zeros((players, players), np.int64), none, none)


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups of a round: its tables and, if there are byes, a last group for them. All rounds have the same."""

    sizes: Ints
    live: Ints
    """By group, 1 for tables, whose players meet, and 0 for byes."""
    small: Ints
    """By group, 1 for tables that are smaller than the largest, else 0."""

    @classmethod
    def for_tables(cls, players: int, tables: Sequence[int]) -> Groups:
        """Return the groups for tables of these sizes; players without a seat have a bye."""
        free = players - sum(tables)
        sizes = np.array([*tables, *([free] if free else [])], np.int64)
        live = np.arange(len(sizes)) < len(tables)
        return cls(sizes, live.astype(np.int64), (live & (sizes < max(tables))).astype(np.int64))


def uneven(counts: Ints) -> int:
    """Return how far counts are from the most even distribution of their sum.

    It is the number of pairs of visits by the same player, minus the least possible number.
    """
    each, more = divmod(int(counts.sum()), len(counts))
    least = (len(counts) - more) * each * (each - 1) // 2 + more * each * (each + 1) // 2
    return int((counts * (counts - 1)).sum()) // 2 - least


@dataclass(slots=True)
class Search:
    """A search that improves rounds: `at[r, i]` is the group of player i in round r."""

    groups: Groups
    before: Before
    at: Ints
    rng: np.random.Generator
    met: Ints = field(init=False)
    byes: Ints = field(init=False)
    small: Ints = field(init=False)
    member: Ints = field(init=False)
    _until: Ints = field(init=False)
    _upper: Flags = field(init=False)

    def __post_init__(self) -> None:
        rounds, players = self.at.shape
        self.member = np.zeros((rounds, players, len(self.groups.sizes)), np.int64)
        np.put_along_axis(self.member, self.at[:, :, None], 1, axis=2)
        self.member *= self.groups.live
        flat = self.member.transpose(1, 0, 2).reshape(players, -1)
        self.met = flat @ flat.T + self.before.meetings
        np.fill_diagonal(self.met, 0)
        self.byes = (1 - self.groups.live)[self.at].sum(0) + self.before.byes
        self.small = self.groups.small[self.at].sum(0) + self.before.small
        self._until = np.zeros(self.member.shape, np.int64)
        self._upper = np.triu(np.ones((players, players), np.bool_), 1)

    @property
    def repeats(self) -> int:
        """The repeats of all pairs, including those of earlier rounds."""
        return int((self.met * (self.met - 1)).sum()) // 4

    @property
    def is_fair(self) -> bool:
        """Whether byes are even, and nobody sits at smaller tables more often than somebody must."""
        fewest = -(-int(self.small.sum()) // len(self.small))
        return not uneven(self.byes) and int(self.small.max()) <= fewest

    @property
    def cost(self) -> int:
        """The cost that the search minimises."""
        return self.repeats + BYE_WEIGHT * uneven(self.byes) + SMALL_WEIGHT * uneven(self.small)

    def improve(
        self, steps: int, enough: int, goes_on: Callable[[float, int, Ints], bool] | None = None
    ) -> tuple[int, Ints]:
        """Return the least cost found within `steps` exchanges, and its rounds; stop as soon as it is `enough`.

        `goes_on` is called every `TOLD_EVERY` exchanges, with the share of the steps that are done, and the cost and
        the rounds of the best so far. The search ends if it returns False.
        """
        cost = self.cost
        best, found = cost, self.at.copy()
        rounds = len(self.at)
        for step in range(steps):
            if best <= enough:
                break
            if step % TOLD_EVERY == 0 and goes_on is not None and not goes_on(step / steps, best, found):
                break
            number = step % rounds
            gain = self.gains(number, step, best - cost)
            least = int(gain.min())
            if least >= _NEVER:
                continue
            choices = np.flatnonzero(gain == least)
            one, other = divmod(int(choices[self.rng.integers(len(choices))]), gain.shape[1])
            self.exchange(number, one, other, step + rounds * int(self.rng.integers(*_KEPT)))
            cost += least
            if cost < best:
                best, found = cost, self.at.copy()
        return best, found

    def gains(self, number: int, step: int, wanted: int) -> Any:
        """Return what each exchange of two players in a round adds to the cost.

        It is `_NEVER` for exchanges that are not possible, and for those that undo a recent one. The latter are
        allowed if they add less than `wanted`, because they lead to a new best.
        """
        at, met, groups = self.at[number], self.met, self.groups
        live = groups.live[at]
        with_group = (met @ self.member[number])[:, at]
        own = with_group.diagonal() - (groups.sizes[at] - 1) * live
        joins = with_group - met * live - own[:, None]
        for counts, kind, weight in (
            (self.small, groups.small, SMALL_WEIGHT),
            (self.byes, 1 - groups.live, BYE_WEIGHT),
        ):
            if kind.any():
                change = kind[at][None, :] - kind[at][:, None]
                more = np.where(change > 0, counts[:, None], np.where(change < 0, 1 - counts[:, None], 0))
                joins = joins + weight * more
        gain = joins + joins.T
        barred = self._until[number][:, at] > step
        never = (barred | barred.T) & (gain >= wanted) | (at[:, None] == at[None, :]) | ~self._upper
        return np.where(never, _NEVER, gain)

    def exchange(self, number: int, one: int, other: int, until: int) -> None:
        """Exchange two players in a round; until the step `until`, neither may return to the table just left."""
        at, member, groups = self.at[number], self.member[number], self.groups
        left, joined = int(at[one]), int(at[other])
        change = member[:, joined] - member[:, left]
        change[[one, other]] = 0
        for player, sign in ((one, 1), (other, -1)):
            self.met[player] += sign * change
            self.met[:, player] += sign * change
            self.small[player] += sign * (groups.small[joined] - groups.small[left])
            self.byes[player] -= sign * (groups.live[joined] - groups.live[left])
        at[one], at[other] = joined, left
        member[[one, other]] = member[[other, one]]
        self._until[number, one, left] = until
        self._until[number, other, joined] = until
