"""The search for a first meld that counts enough: branch and bound, slot by slot, with the bound that `prices` give.

With every choice the bound falls by what it loses against the best of its slot, and by the price of tiles that nothing
more can use. What failed with the same tiles, jokers and ways left is not tried again.
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
    """One choice: the options that are left, those first that lose least."""

    again: bool
    """Whether it is one more out of the same slot as the level before, or of one just the same."""
    options: list[tuple[float, PricedPlan]]
    closing: list[tuple[int, float]] = field(default_factory=list)
    """Tiles that neither this level nor a later one takes: where they are in a code, and what each of them costs."""


@dataclass(slots=True)
class MeldSearch:
    """Looks for a first meld that counts at least `wanted`."""

    ways: MeldWays
    wanted: int
    levels: list[_Level]
    gains: list[int]
    """The most jokers that this level and those after it can bring."""
    last_jokers: int
    """From this level on no joker is taken or brought."""
    joker: float
    """The price of a joker left over."""
    spare: float
    """What the bound may fall by."""
    tries: float
    """After this many choices it gives up."""
    failed: dict[Hashable, int] = field(default_factory=dict)

    @classmethod
    def from_prices(cls, prices: Prices, wanted: int, tries: float = inf) -> MeldSearch:
        """The search, out of the plans that can be part of such a first meld."""
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
        """The first meld found."""
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
        """Choose out of level `number` and those after it; return the pieces of a first meld, None without one.

        `number`: the level to choose from, from 0.
        `spare`: how far the bound on the points may still fall; below 0 the search goes back.
        `code`: the tiles of the hand that are left, packed.
        `jokers`: the jokers that are left; may be negative while later levels can bring some.
        `chosen`: the pieces chosen so far.
        `kinds`: what tells `chosen` apart from other choices that take the same tiles.
        `frees`: the tiles of the hand that free jokers on a way from `chosen`, as a code.
        `start`: the first option to try where this level repeats the slot of the level before; else ignored.
        `points`: what `chosen` counts.
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
                left = Packed.less(code, plan)
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
    """Equal for slots of which it makes no difference which is chosen from: sets of the table that are twins."""
    old = next(option.plan.old for _, option in options if option.plan is not None)
    tiles = ways.change.before[old] if old >= 0 else None
    return tiles, old in ways.bound, tuple([option[:4] for _, option in options])


def _order(level: _Level) -> tuple[bool, int]:
    """Levels that bring jokers come first, then those of the lowest tiles, so that tiles run out soon."""
    options = [option for _, option in level.options if option.plan is not None]
    lowest = min([min(option.takes, default=0) for option in options], default=0)
    return not any(option.plan.gains for option in options if option.plan is not None), lowest
