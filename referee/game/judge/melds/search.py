"""The search for a first meld that is worth enough: branch and bound over the slots, with the bound from `prices`.

Each choice lowers the bound by the loss of the option against the best of its slot, and by the price of tiles that no
later slot can use. States that failed before (the same tiles, jokers and bindings left) are not searched again.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import inf

from referee.game.judge.melds.hand import Packed, Plan, place_of, times_in
from referee.game.judge.melds.prices import ROUNDING, PricedPlan, Prices
from referee.game.judge.melds.ways import MeldWays

Chosen = tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class _Level:
    """One choice of the search: the remaining options, in order of their losses."""

    again: bool
    """Whether it chooses once more from the slot of the level before, or from one that is equivalent."""
    options: list[tuple[float, PricedPlan]]
    closing: list[tuple[int, float]] = field(default_factory=list)
    """Tiles that neither this level nor a later one can take: the bit of each in a code, and its cost."""


@dataclass(slots=True)
class MeldSearch:
    """Searches for a first meld that is worth at least `wanted` points."""

    ways: MeldWays
    wanted: int
    levels: list[_Level]
    gains: list[int]
    """For each level, the most jokers that it and all later ones can gain."""
    last_jokers: int
    """From this level on, no joker is taken or gained."""
    joker: float
    """The price of a joker, which is lost with each that is left over."""
    spare: float
    """How far the bound may fall before `wanted` is out of reach."""
    tries: float
    """The number of choices left before the search gives up; negative once it has."""
    failed: dict[Hashable, int] = field(default_factory=dict)
    """The highest points with which each state was searched in vain."""

    @classmethod
    def from_prices(cls, prices: Prices, wanted: int, tries: float = inf) -> MeldSearch:
        """Set up the search with those plans that can be part of such a first meld."""
        spare, first = prices.bound - wanted + ROUNDING, dict[Hashable, int]()
        ordered: list[tuple[tuple[bool, int], int, _Level]] = []
        for times, options in prices.losses(max(0, spare)):
            if len(options) > 1 or options[0][1].plan is not None:
                alike = _alike(options, prices.ways)
                for _ in range(times):
                    rank = first.setdefault(alike, len(ordered))
                    level = _Level(rank < len(ordered), options)
                    ordered.append((_order(level), rank, level))
        levels = [level for _, _, level in sorted(ordered, key=lambda one: one[:2])]
        lost, last = prices.lost_if_left(), [0] * len(prices.price)
        gains, last_jokers = [0], 0
        for number, level in enumerate(levels, start=1):
            for _, option in level.options:
                for face in option.takes:
                    last[face] = number
                if option.jokers or (option.plan is not None and option.plan.jokers):
                    last_jokers = number
        levels.append(_Level(False, []))
        for tile, cost in lost.items():
            levels[last[prices.face[tile]]].closing.append((place_of(tile), cost))
        for level in reversed(levels[:-1]):
            gains.insert(0, gains[0] + max(0, *[-option.jokers for _, option in level.options]))
        return cls(prices.ways, wanted, levels, gains, last_jokers, prices.price[0], spare, tries)

    def find(self, hand: Packed) -> Chosen | None:
        """Return the plans of a first meld, or None if there is none or the search gave up (see `tries`)."""
        frees = self.ways.freed_from(()) or 0
        return self._choose(0, self.spare, hand.code, hand.jokers, (), None, frees, 0, 0)

    def _choose(
        self,
        number: int,
        spare: float,
        code: int,
        jokers: int,
        chosen: Chosen,
        kinds: Hashable,
        frees: int,
        start: int,
        points: int,
    ) -> Chosen | None:
        """Choose from level `number` and all later ones; return the plans of a first meld, or None.

        `number`: the level to choose from, counted from 0.
        `spare`: how far the bound on the points may still fall; below 0 the search goes back.
        `code`: the tiles of the hand that are left, packed.
        `jokers`: the jokers that are left; may be negative while later levels can gain some.
        `chosen`: the plans chosen so far.
        `kinds`: how the jokers of `chosen` are bound (`MeldWays.kinds_with()`): tells choices of the same tiles apart.
        `frees`: the code of the tiles of the hand that free jokers after `chosen`.
        `start`: the first option to try if this level repeats the slot of the level before; else ignored.
        `points`: the points of `chosen`.
        """
        level = self.levels[number]
        for place, cost in level.closing:
            spare -= times_in(code, place) * cost
        if number == self.last_jokers:
            spare -= max(0, jokers) * self.joker
        if spare < 0:
            return None
        if points >= self.wanted and jokers >= 0:
            return chosen
        start = start if level.again else 0
        alike = number, start, code, jokers, kinds
        if self.failed.get(alike, -1) >= points:
            return None
        for index in range(start, len(level.options)):
            loss, option = level.options[index]
            if loss > spare or self.tries < 0:
                break
            plan, then, left, then_kinds, then_frees, with_plan = option.plan, chosen, code, kinds, frees, points
            if plan is not None:
                left = Packed.without(code, plan)
                if not left or jokers - option.jokers + self.gains[number + 1] < 0:
                    continue
                self.tries -= 1
                freed = self.ways.freed_with(chosen, frees, plan, left)
                if freed is None:
                    continue
                then_frees = freed
                then, with_plan = (*chosen, plan), points + plan.points
                then_kinds = self.ways.kinds_with(kinds, then)
            held = jokers - option.jokers
            found = self._choose(number + 1, spare - loss, left, held, then, then_kinds, then_frees, index, with_plan)
            if found is not None:
                return found
        self.failed[alike] = points
        return None


def _alike(options: list[tuple[float, PricedPlan]], ways: MeldWays) -> Hashable:
    """Return a key that is equal for slots that are interchangeable, such as those of two equal sets of the table."""
    old = next(option.plan.old for _, option in options if option.plan is not None)
    tiles = ways.change.before[old] if old >= 0 else None
    return tiles, old in ways.bound, tuple([option[:4] for _, option in options])


def _order(level: _Level) -> tuple[bool, int]:
    """Sort key: levels that gain jokers first, then those with the lowest tiles, so that tiles run out early."""
    options = [option for _, option in level.options if option.plan is not None]
    lowest = min([min(option.takes, default=0) for option in options], default=0)
    return not any(option.plan.gains for option in options if option.plan is not None), lowest
