"""An upper bound for the points of a first meld: a Lagrangian relaxation, lowered by subgradient steps.

Scarce are the tiles of the hand, the jokers, and what jokers may stand for that lie on the table in the end: a joker
laid without being freed needs a place there. Each of these has a price. For any prices, the points of a first meld are
bounded by the cost of all that there is, plus, for each slot, what its best plan counts beyond its own cost. (A slot
is a set of the table, of which one plan can be chosen, or a tile of the hand, the lowest of as many own sets.) Prices
that make this bound small tell at once which plans cannot be part of a first meld that counts so much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import chain, zip_longest
from math import floor
from operator import add, sub
from typing import NamedTuple

from referee.game.judge.jokers.values import counts, readings
from referee.game.judge.melds.hand import Plan, tiles_in
from referee.game.judge.melds.ways import MeldWays
from referee.game.rulebooks.model import JokerFreedom
from referee.game.sets import SMALLEST
from referee.game.table import Set, in_order, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Tile

ROUNDING = 1e-6
_GRAIN = 1e-3
"""Losses that differ by less than this are the same."""
_FIRST_STEP, _HALVED_AFTER, _MEMORY, _MOMENTUM = 6.0, 15, 0.95, 0.9
_THINNED_EVERY = 10
_JOKERS = 0
"""The price of a joker comes first."""

StandsFor = tuple[Tile, bool]
"""What a joker may stand for, and whether in a run where that matters."""


class Need(NamedTuple):
    """That many jokers must each find one of these places; by number of their prices."""

    jokers: int
    places: tuple[int, ...]


class PricedPlan(NamedTuple):
    """A plan as far as prices go; None for nothing laid in its slot."""

    points: int
    takes: tuple[int, ...]
    jokers: int
    """How many it takes beyond those that it brings."""
    needs: int
    """By number the ways to place its jokers, one of which will do."""
    plan: Plan | None


class Slot(NamedTuple):
    """Options of which `times` can be chosen."""

    times: int
    options: list[PricedPlan]


_NOTHING = PricedPlan(0, (), 0, 0, None)


Columns = list[tuple[int, ...]]
"""Rows of numbers of the same length, turned: a step goes through a column at a time, which is much quicker."""


class _CompactSlot(NamedTuple):
    """Options that can be the best of a slot; by columns, what they count, take, and need."""

    times: int
    options: list[PricedPlan]
    points: tuple[int, ...]
    jokers: tuple[int, ...]
    takes: Columns
    """The tiles that each option takes; options that take fewer are filled up with a tile that costs nothing."""
    needs: list[int]
    """By number in `_Compact.needs`."""


class _Place(NamedTuple):
    """One set with jokers in the end: the ways to see it in which jokers stand for as many tiles, by columns."""

    needs: list[Need]
    columns: Columns

    @classmethod
    def from_ways(cls, ways: Iterable[Need]) -> list[_Place]:
        """The ways to see a set, those with as many tiles together."""
        alike: dict[int, list[Need]] = {}
        for way in ways:
            alike.setdefault(len(way.places), []).append(way)
        return [cls(same, list(zip(*[way.places for way in same], strict=True))) for same in alike.values()]

    def dearest(self, each: Sequence[float]) -> tuple[float, tuple[int, ...]]:
        """What its jokers may best stand for, in one of these ways, and what that costs."""
        if len(self.columns) > self.needs[0].jokers:
            return max([_dearest(need, each) for need in self.needs])
        costs = _sums(self.columns, each)
        most = max(costs)
        return most, self.needs[costs.index(most)].places


def _sums(columns: Columns, each: Sequence[float]) -> list[float]:
    """What each row of these columns costs."""
    cells = [map(each.__getitem__, column) for column in columns]
    return list(reduce(partial(map, add), cells))


class _Compact(NamedTuple):
    """What the plans that are left cost, and bring at most, in a form that is quick to go through many times.

    Of plans that take the same and need the same places only the one that counts most can be the best of its slot.
    """

    slots: list[_CompactSlot]
    places: list[tuple[int, Columns]]
    """Ways to place this many jokers, those of as many places together."""
    needs: list[Columns]
    """By number in `places` the ways to meet needs, those with as many ways together; none is needed with number 0."""
    by_need: dict[int, int]
    """The numbers in `needs` of those that plans have."""

    @classmethod
    def from_slots(
        cls, slots: Sequence[Slot], needs: Sequence[Sequence[int]], single: Sequence[Need], free: int
    ) -> _Compact:
        """The plans of these slots; the price with the number `free` is nothing."""
        some = [Slot(times, _best_alike(options)) for times, options in slots]
        options = [option for _, options in some for option in options]
        by_way, places = _by_kind(sorted({n for option in options for n in needs[option.needs]}), single.__getitem__)
        ways = {number: [by_way[way] for way in needs[number]] for number in {option.needs for option in options}}
        by_need, met = _by_length(ways)
        return cls(
            [
                _CompactSlot(
                    times,
                    options,
                    tuple([option.points for option in options]),
                    tuple([option.jokers for option in options]),
                    list(zip_longest(*[option.takes for option in options], fillvalue=free)),
                    [by_need[option.needs] for option in options],
                )
                for times, options in some
            ],
            places,
            met,
            by_need,
        )

    def costs(self, each: Sequence[float]) -> list[float]:
        """What it costs to place jokers, where that is cheapest, by the numbers of `by_need`."""
        cost, costs = list[float](), [0.0]
        for jokers, columns in self.places:
            if jokers == len(columns):
                cost += _sums(columns, each)
            else:
                cells = [map(each.__getitem__, column) for column in columns]
                cost += [sum(sorted(row)[:jokers]) for row in zip(*cells, strict=True)]
        for columns in self.needs:
            cells = [map(cost.__getitem__, column) for column in columns]
            costs += map(min, *cells) if len(cells) > 1 else cells[0]
        return costs


def _best_alike(options: Iterable[PricedPlan]) -> list[PricedPlan]:
    best: dict[tuple[tuple[int, ...], int, int], PricedPlan] = {}
    for option in options:
        key = option[1:4]
        if key not in best:
            best[key] = option
        elif option.points > best[key].points:
            del best[key]  # so that it stands where it stood, which tells which of two as good is taken
            best[key] = option
    return list(best.values())


def _by_length(rows: Mapping[int, Sequence[int]]) -> tuple[dict[int, int], list[Columns]]:
    """New numbers for rows, from 1 on and 0 for an empty one; and the rows of each length, as columns."""
    alike: dict[int, list[int]] = {}
    for name, row in rows.items():
        alike.setdefault(len(row), []).append(name)
    empty = alike.pop(0, [])
    numbers = dict.fromkeys(empty, 0) | {name: n for n, name in enumerate(chain(*alike.values()), start=1)}
    return numbers, [list(zip(*[rows[name] for name in names], strict=True)) for names in alike.values()]


def _by_kind(some: Iterable[int], need_of: Callable[[int], Need]) -> tuple[dict[int, int], list[tuple[int, Columns]]]:
    """New numbers for ways to place jokers, and those with as many jokers and places, as columns."""
    alike: dict[tuple[int, int], list[int]] = {}
    for number in some:
        jokers, places = need_of(number)
        alike.setdefault((jokers, len(places)), []).append(number)
    numbers = {number: n for n, number in enumerate(chain(*alike.values()))}
    return numbers, [
        (jokers, list(zip(*[need_of(n).places for n in names], strict=True))) for (jokers, _), names in alike.items()
    ]


@dataclass(slots=True)
class Prices:
    """What is scarce in a turn, what it costs, and the plans for a first meld, by slots."""

    ways: MeldWays
    least: int
    """Only first melds matter that count so much."""
    slots: list[Slot] = field(default_factory=list)
    there: list[int] = field(default_factory=list)
    """How much there is of each: jokers, then faces of the hand, then what jokers may stand for."""
    price: list[float] = field(default_factory=list)
    face: dict[Tile, int] = field(default_factory=dict)
    """The numbers of the prices of faces, and of what jokers may stand for."""
    stand: dict[StandsFor, int] = field(default_factory=dict)
    either: list[tuple[int, int]] = field(default_factory=list)
    """Jokers that find a place, or are freed by a tile of the hand: the prices of both. Their numbers come last."""
    freed: dict[tuple[int, int], int] = field(default_factory=dict)
    """Where in `either` they are, counted from the end."""
    placed: dict[tuple[Tile, bool, bool], int | None] = field(default_factory=dict)
    """The prices for a joker that stands for a tile, once they are known: in a run or not, of a fresh set or not."""
    single: dict[Need, int] = field(default_factory=dict)
    known: dict[tuple[int, ...], int | None] = field(default_factory=dict)
    """The needs of plans, by how many jokers their sets hold, whether these are fresh, and all that they stand for."""
    needs: dict[tuple[int, ...], int] = field(default_factory=lambda: {(): 0})
    """Ways to place jokers, by number in `single`, one of which will do; none is needed with the first number."""
    compact: _Compact = field(init=False)
    """The plans that are left, as the steps that lower the bound see them."""
    placing: list[list[Need]] = field(default_factory=list)
    """The ways of `needs`."""
    places: list[list[_Place]] = field(default_factory=list)
    """For each set with jokers in the end every way to see it."""
    anywhere: int | None = None
    """The price for a joker to lie anywhere, where some may."""
    bound: float = float("inf")
    """No first meld counts more."""
    steps: int = 0
    trial: list[float] = field(default_factory=list)
    """The prices that are tried next."""
    scale: list[float] = field(default_factory=list)
    slope: list[float] = field(default_factory=list)

    @classmethod
    def for_plans(cls, ways: MeldWays, plans: Iterable[Plan], least: int) -> Prices:
        """The first prices: every tile costs what it counts."""
        prices = cls(ways, least)
        laid, fixed = ways.change.laid, ways.rules.opening.joker
        prices._add(laid[JOKER], fixed or 0)
        for tile in in_order(ways.hand):
            prices.face[tile] = prices._add(ways.hand[tile], tile.number)
        prices._find_places()
        prices._fill(plans)
        prices.trial = prices.price[:]
        prices.scale, prices.slope = [0.0] * len(prices.price), [0.0] * len(prices.price)
        return prices

    def _add(self, there: int, price: float) -> int:
        self.there.append(there)
        self.price.append(float(price))
        return len(self.price) - 1

    def _joker_price(self, tile: Tile, in_run: bool) -> int:
        """The number of the price for a joker that stands for this tile and stays."""
        key = tile, in_run and not self.ways.rules.joker_rule.travels
        if key not in self.stand:
            self.stand[key] = self._add(0, 0 if self.ways.rules.opening.joker is not None else tile.number)
        return self.stand[key]

    def _find_places(self) -> None:
        rules = self.ways.rules
        if rules.joker_rule.freedom is JokerFreedom.ALWAYS:
            return
        for place in self.ways.check.places:
            if counts(place, rules):
                jokers = place.count(JOKER)
                seen = [
                    tuple([self._joker_price(t, way.in_run) for t in in_order(way.tiles)])
                    for way in readings(place, rules)
                ]
                self.places.append(_Place.from_ways([Need(jokers, numbers) for numbers in seen]))
        if self.ways.anywhere:
            self.anywhere = self._add(0, 0 if rules.opening.joker is not None else HIGHEST)

    def _fill(self, plans: Iterable[Plan]) -> None:
        """Sort the plans into slots; what can never be laid by right is left out."""
        slots: dict[tuple[bool, int], Slot] = {}
        for index, group in self.ways.bound.items():
            ways = [(way.in_run, in_order(way.tiles)) for way in group.readings]
            slots[True, index] = Slot(1, [_NOTHING._replace(needs=self._needs(group.jokers, ways) or 0)])
        rules, before = self.ways.rules, self.ways.change.before
        # What a tile of the hand frees at once could have been that very tile, if it counts as much.
        own_tile = rules.joker_rule.freedom is JokerFreedom.EXCHANGED and rules.opening.joker is None
        jokers = self.there[_JOKERS] + tiles_on(before)[JOKER]
        taken: dict[int, tuple[int, ...]] = {}
        for plan in plans:
            fresh = own_tile and (plan.old < 0 or JOKER not in before[plan.old])
            needs = self._needed_by(plan, fresh) if plan.staying else 0
            if needs is not None:
                takes = taken.get(plan.code)
                if takes is None:
                    takes = taken[plan.code] = tuple([self.face[tile] for tile in tiles_in(plan.code)])
                lowest = min(takes, default=_JOKERS)
                where = (True, plan.old) if plan.old >= 0 else (False, lowest)
                if where not in slots:
                    times = 1 if plan.old >= 0 else self.there[lowest] if takes else jokers // SMALLEST
                    slots[where] = Slot(times, [_NOTHING])
                slots[where].options.append(PricedPlan(plan.points, takes, plan.jokers - plan.gains, needs, plan))
        self.slots = [slots[where] for where in sorted(slots, key=lambda where: (not where[0], where[1]))]
        single = list(self.single)
        self.placing = [[single[number] for number in numbers] for numbers in self.needs]
        self._compress()

    def _needed_by(self, plan: Plan, fresh: bool) -> int | None:
        """The same for the jokers of a plan's set; many plans differ in their tiles alone."""
        key = plan.staying, fresh, *plan.stands
        if key not in self.known:
            ways = [(code >= 0, tiles_in(code if code >= 0 else ~code)) for code in plan.stands]
            self.known[key] = self._needs(plan.staying, ways, fresh)
        return self.known[key]

    def _needs(self, jokers: int, ways: Sequence[tuple[bool, Set]], fresh: bool = False) -> int | None:
        """The number of the ways to place a set's jokers; 0 where they need no place, None where there is no way.

        `ways` are those to see the set: whether as a run, and what its jokers may stand for, in order, so that every
        process comes to the same first meld.
        """
        freedom = self.ways.rules.joker_rule.freedom
        if freedom is JokerFreedom.ALWAYS:
            return 0
        found: set[int] = set()
        for in_run, tiles in ways:
            free = self.ways.check.reach.intersection(tiles) if freedom is JokerFreedom.REPLACED else ()
            staying = jokers - min(len(free), jokers)
            if not staying:
                return 0
            numbers = [self._place(t, in_run, fresh) for t in tiles if t not in free]
            some = tuple(sorted([number for number in numbers if number is not None]))
            if len(some) >= staying:
                found.add(self.single.setdefault(Need(staying, some), len(self.single)))
        return self.needs.setdefault(tuple(sorted(found)), len(self.needs)) if found else None

    def _place(self, tile: Tile, in_run: bool, fresh: bool) -> int | None:
        """The price for a joker that stands for this tile: to stay so, to be freed, or the lower of both."""
        key = tile, in_run, fresh
        if key not in self.placed:
            self.placed[key] = self._place_anew(tile, in_run, fresh)
        return self.placed[key]

    def _place_anew(self, tile: Tile, in_run: bool, fresh: bool) -> int | None:
        number = self.stand.get((tile, in_run and not self.ways.rules.joker_rule.travels), self.anywhere)
        frees = self.ways.rules.joker_rule.freedom is JokerFreedom.EXCHANGED and not fresh and tile in self.face
        if not frees or number is None:
            return self.face[tile] if frees else number
        both = number, self.face[tile]
        if both not in self.freed:
            self.either.append(both)
            self.freed[both] = -len(self.either)
        return self.freed[both]

    def lower(self, target: float, steps: int) -> None:
        """Lower the bound by this many steps at most, or until it is below the target."""
        for _ in range(steps):
            if self.bound < target - ROUNDING:
                break
            bound, slope = self._bound(self.trial)
            if bound < self.bound:
                self.bound, self.price = bound, self.trial
            self.scale = [_MEMORY * s + (1 - _MEMORY) * x * x for s, x in zip(self.scale, slope, strict=True)]
            self.slope = [_MOMENTUM * s + (1 - _MOMENTUM) * x for s, x in zip(self.slope, slope, strict=True)]
            step = _FIRST_STEP / (1 + self.steps / _HALVED_AFTER)
            self.trial = [
                max(0.0, price - step * x / (s**0.5 + 0.1))
                for price, x, s in zip(self.trial, self.slope, self.scale, strict=True)
            ]
            self.steps += 1
            if self.steps % _THINNED_EVERY == 0:
                self._thin()

    def _thin(self) -> None:
        """Leave out the plans with which the bound falls below what matters."""
        losses = self.losses(max(0, self.bound - self.least) + ROUNDING)
        self.slots = [Slot(times, [option for _, option in options]) for times, options in losses]
        self._compress()

    def _compress(self) -> None:
        """Put the plans that are left into the form that the steps go through."""
        self.compact = _Compact.from_slots(self.slots, list(self.needs), list(self.single), len(self.price))

    def losses(self, most: float) -> list[tuple[int, list[tuple[float, PricedPlan]]]]:
        """For each slot how often it may be chosen from, and its options with what the bound falls by with each.

        The least first, rounded down, and of the same loss what counts most: searches find melds that are enough much
        sooner so. Options by which the bound falls by more than `most` are left out.
        """
        each = self._each(self.price)
        costs, joker, spent = self.compact.costs(each), each[_JOKERS], dict[tuple[int, ...], float]()
        by_need = self.compact.by_need
        found = []
        for times, options in self.slots:
            worth = []
            for points, takes, jokers, needs, _ in options:
                if takes not in spent:
                    spent[takes] = sum([each[number] for number in takes])
                worth.append(points - jokers * joker - spent[takes] - costs[by_need[needs]])
            best = max(worth)
            some = [
                (floor((best - value) / _GRAIN) * _GRAIN, option)
                for value, option in zip(worth, options, strict=True)
                if best - value <= most
            ]
            found.append((times, sorted(some, key=lambda loss: (loss[0], -loss[1].points))))
        return found

    def lost_if_left(self) -> dict[Tile, float]:
        """What the bound falls by for each tile left in the hand; not those that could free jokers."""
        frees = {other for _, other in self.either}.union(*[need.places for need in self.single])
        return {t: self.price[n] for t, n in self.face.items() if n not in frees and self.price[n] > ROUNDING}

    def _each(self, price: Sequence[float]) -> list[float]:
        """All prices, then nothing, and those of `either` counted from the end."""
        return [*price, 0.0, *[min(price[one], price[other]) for one, other in reversed(self.either)]]

    def _bound(self, price: Sequence[float]) -> tuple[float, list[int]]:
        """The bound at some prices, and for each of them what is left over: by so much it should fall."""
        each = self._each(price)
        left = [*self.there, *[0] * len(self.either)]
        bound = sum([cost * there for cost, there in zip(price, self.there, strict=True)])
        bound += self._choose(each, left)
        dearest = [max([ways.dearest(each) for ways in place]) for place in self.places]
        if self.anywhere is not None:
            dearest.append(max([(each[n], (n,)) for n in (self.anywhere, *self.stand.values())]))
            dearest += dearest[-1:] * (self.ways.anywhere - 1)
        for cost, numbers in dearest:
            bound += cost
            for number in numbers:
                left[number] += 1
        for index, (one, other) in enumerate(self.either):
            left[other if price[other] < price[one] else one] += left[-1 - index]
        return bound, left[: len(price)]

    def _choose(self, each: Sequence[float], left: list[int]) -> float:
        """What the best options of all slots bring beyond their cost; what they take is taken off."""
        costs, jokers_cost = self.compact.costs(each), _Times(each[_JOKERS])
        needed: Counter[int] = Counter()
        total = 0.0
        for times, options, points, some_jokers, taken, need in self.compact.slots:
            worth = map(sub, points, map(jokers_cost.__getitem__, some_jokers))
            for column in taken:
                worth = map(sub, worth, map(each.__getitem__, column))
            values = list(map(sub, worth, map(costs.__getitem__, need)))
            best = max(values)
            chosen = options[values.index(best)]
            total += times * best
            left[_JOKERS] -= times * chosen.jokers
            for number in chosen.takes:
                left[number] -= times
            needed[chosen.needs] += times
        for index, jokers in needed.items():
            for number in _cheapest(self.placing[index], each):
                left[number] -= jokers
        return total


class _Times(dict[int, float]):
    """What that many jokers cost."""

    def __init__(self, price: float) -> None:
        super().__init__()
        self.price = price

    def __missing__(self, jokers: int) -> float:
        self[jokers] = jokers * self.price
        return self[jokers]


def _cost(need: Need, each: Sequence[float]) -> float:
    """What it costs to place jokers, where that is cheapest."""
    jokers, numbers = need
    if len(numbers) == 1:
        return each[numbers[0]]
    costs = [each[number] for number in numbers]
    return sum(costs) if len(costs) == jokers else sum(sorted(costs)[:jokers])


def _cheapest(needs: Sequence[Need], each: Sequence[float]) -> Sequence[int]:
    """The places taken there."""
    if not needs:
        return ()
    jokers, numbers = min(needs, key=lambda need: _cost(need, each))
    return sorted(numbers, key=each.__getitem__)[:jokers]


def _dearest(place: Need, each: Sequence[float]) -> tuple[float, tuple[int, ...]]:
    """What jokers that stay in a set may best stand for, in one way to see it, and what that costs."""
    jokers, numbers = place
    some = numbers if len(numbers) <= jokers else tuple(sorted(numbers, key=each.__getitem__)[-jokers:])
    return sum([each[number] for number in some]), some
