"""An upper bound for the points of a first meld: a Lagrangian relaxation, lowered by subgradient steps.

There are three scarce resources: the tiles of the hand, the jokers, and the places for jokers on the table after the
turn (a joker that was laid and not freed must stand for something there). Each resource has a price. For any prices,
the points of a first meld are at most the cost of all resources, plus for each slot the points of its best plan minus
the cost of that plan. A slot is a group of plans: those for one set of the table, of which one can be chosen, or those
for own sets with the same lowest tile, of which as many can be chosen as the hand has of that tile. Prices with a low
bound show which plans cannot be part of a first meld that is worth a given number of points.
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
"""The tolerance for sums of floats; points are integers, so anything well below 1 will do."""
_GRAIN = 1e-3
"""Losses are rounded down to multiples of this, so that rounding errors do not decide their order."""
_FIRST_STEP, _HALVED_AFTER, _MEMORY, _MOMENTUM = 6.0, 15, 0.95, 0.9
"""The size of the first subgradient step in points, the number of steps after which it is halved, and the weights of
earlier steps in the mean square and in the mean of the slope. Chosen by hand: they change the time, never the result
(`python -m benchmarks worst` measures hard first melds)."""
_THINNED_EVERY = 10
"""After so many steps, plans that cannot matter any more are dropped. Chosen by hand, likewise."""
_JOKERS = 0
"""The index of the price of a joker."""

StandsFor = tuple[Tile, bool]
"""A tile that a joker stands for, and whether in a run (always False if the rules do not distinguish that)."""


class Need(NamedTuple):
    """A number of jokers, each of which needs one of these places (indexes of prices)."""

    jokers: int
    places: tuple[int, ...]


class PricedPlan(NamedTuple):
    """What the bound needs to know of a plan; `plan` is None for the option to lay nothing in the slot."""

    points: int
    takes: tuple[int, ...]
    jokers: int
    """The jokers that it takes, minus those that it gains by exchange."""
    needs: int
    """The index, in `Prices.needs`, of the alternative ways to place its jokers."""
    plan: Plan | None


class Slot(NamedTuple):
    """A group of options, from which one can be chosen `times` times."""

    times: int
    options: list[PricedPlan]


_NOTHING = PricedPlan(0, (), 0, 0, None)


Columns = list[tuple[int, ...]]
"""A transposed table: rows of equal length are stored by column, which is much faster to process with `map()`."""


class _CompactSlot(NamedTuple):
    """The options of a slot that can be its best, with their points, tiles and needs stored by column."""

    times: int
    options: list[PricedPlan]
    points: tuple[int, ...]
    jokers: tuple[int, ...]
    takes: Columns
    """The tiles that each option takes; shorter rows are padded with a tile that costs nothing."""
    needs: list[int]
    """Indexes in `_Compact.needs`."""


class _Place(NamedTuple):
    """A set with jokers after the turn, in those of its readings that have equally many tiles for jokers."""

    needs: list[Need]
    columns: Columns

    @classmethod
    def from_ways(cls, ways: Iterable[Need]) -> list[_Place]:
        """Group the readings of a set by how many tiles they have."""
        alike: dict[int, list[Need]] = {}
        for way in ways:
            alike.setdefault(len(way.places), []).append(way)
        return [cls(same, list(zip(*[way.places for way in same], strict=True))) for same in alike.values()]

    def dearest(self, each: Sequence[float]) -> tuple[float, tuple[int, ...]]:
        """Return the highest cost of places that its jokers can offer in one of the readings, and those places."""
        if len(self.columns) > self.needs[0].jokers:
            return max([_dearest(need, each) for need in self.needs])
        costs = _sums(self.columns, each)
        most = max(costs)
        return most, self.needs[costs.index(most)].places


def _sums(columns: Columns, each: Sequence[float]) -> list[float]:
    """Return the sum of prices for each row of the table."""
    cells = [map(each.__getitem__, column) for column in columns]
    return list(reduce(partial(map, add), cells))


class _Compact(NamedTuple):
    """The remaining plans, in a form in which the bound can be computed quickly many times.

    Of plans that take the same tiles and need the same places, only the one with most points can be the best.
    """

    slots: list[_CompactSlot]
    places: list[tuple[int, Columns]]
    """Ways to place jokers, grouped by the number of jokers and the number of places to choose from."""
    needs: list[Columns]
    """The alternatives of each need, as indexes in `places`, grouped by how many there are. Need 0 costs nothing."""
    by_need: dict[int, int]
    """Maps the needs of plans (`PricedPlan.needs`) to indexes in `needs`."""

    @classmethod
    def from_slots(
        cls, slots: Sequence[Slot], needs: Sequence[Sequence[int]], single: Sequence[Need], free: int
    ) -> _Compact:
        """Convert slots; `free` is the index of a price that is always 0."""
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
        """Return the lowest cost of meeting each need, in the order of `by_need`."""
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
            del best[key]  # the order of insertion decides between options that are equally good
            best[key] = option
    return list(best.values())


def _by_length(rows: Mapping[int, Sequence[int]]) -> tuple[dict[int, int], list[Columns]]:
    """Number the rows from 1 on (an empty one gets 0); return the numbers, and the rows of each length by column."""
    alike: dict[int, list[int]] = {}
    for name, row in rows.items():
        alike.setdefault(len(row), []).append(name)
    empty = alike.pop(0, [])
    numbers = dict.fromkeys(empty, 0) | {name: n for n, name in enumerate(chain(*alike.values()), start=1)}
    return numbers, [list(zip(*[rows[name] for name in names], strict=True)) for names in alike.values()]


def _by_kind(some: Iterable[int], need_of: Callable[[int], Need]) -> tuple[dict[int, int], list[tuple[int, Columns]]]:
    """Number ways to place jokers; return the numbers, and the places by column for each number of both."""
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
    """The scarce resources of a turn with their prices, and the plans for a first meld by slot."""

    ways: MeldWays
    least: int
    """Only first melds with at least these points matter."""
    slots: list[Slot] = field(default_factory=list)
    there: list[int] = field(default_factory=list)
    """The supply of each resource: jokers, then tiles of the hand, then places for jokers."""
    price: list[float] = field(default_factory=list)
    face: dict[Tile, int] = field(default_factory=dict)
    """The index of the price of each tile of the hand."""
    stand: dict[StandsFor, int] = field(default_factory=dict)
    """The index of the price of each place for a joker."""
    either: list[tuple[int, int]] = field(default_factory=list)
    """For jokers that can either stay in a place or be freed by a tile of the hand: the indexes of both prices.

    The lower of the two is the price of the pair; such prices have negative indexes.
    """
    freed: dict[tuple[int, int], int] = field(default_factory=dict)
    """The negative index of each pair in `either`."""
    placed: dict[tuple[Tile, bool, bool], int | None] = field(default_factory=dict)
    """Cache of `_place()`: by tile, whether in a run, and whether in a fresh set."""
    single: dict[Need, int] = field(default_factory=dict)
    known: dict[tuple[int, ...], int | None] = field(default_factory=dict)
    """Cache of `_needed_by()`."""
    needs: dict[tuple[int, ...], int] = field(default_factory=lambda: {(): 0})
    """The needs of plans: alternatives, given as indexes in `single`. The first need is empty: nothing is needed."""
    compact: _Compact = field(init=False)
    """The remaining plans, in the form in which the bound is computed."""
    placing: list[list[Need]] = field(default_factory=list)
    """The alternatives of each of `needs`."""
    places: list[list[_Place]] = field(default_factory=list)
    """For each set with jokers after the turn, all its readings."""
    anywhere: int | None = None
    """The index of the price for a joker to lie anywhere; None if no joker may."""
    bound: float = float("inf")
    """An upper bound for the points of a first meld."""
    steps: int = 0
    trial: list[float] = field(default_factory=list)
    """The prices to evaluate next."""
    scale: list[float] = field(default_factory=list)
    slope: list[float] = field(default_factory=list)

    @classmethod
    def for_plans(cls, ways: MeldWays, plans: Iterable[Plan], least: int) -> Prices:
        """Start with prices at which each tile costs its points."""
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
        """Return the index of the price for a joker that stays and stands for this tile."""
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
        """Sort the plans into slots, leaving out plans that can never be laid legally."""
        slots: dict[tuple[bool, int], Slot] = {}
        for index, group in self.ways.bound.items():
            ways = [(way.in_run, in_order(way.tiles)) for way in group.readings]
            slots[True, index] = Slot(1, [_NOTHING._replace(needs=self._needs(group.jokers, ways) or 0)])
        rules, before = self.ways.rules, self.ways.change.before
        # If a tile of the hand frees a joker at once, it could have been laid itself, if jokers count as that tile.
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
        """Return `_needs()` of a plan, from a cache: many plans differ only in their tiles."""
        key = plan.staying, fresh, *plan.stands
        if key not in self.known:
            ways = [(code >= 0, tiles_in(code if code >= 0 else ~code)) for code in plan.stands]
            self.known[key] = self._needs(plan.staying, ways, fresh)
        return self.known[key]

    def _needs(self, jokers: int, ways: Sequence[tuple[bool, Set]], fresh: bool = False) -> int | None:
        """Return the index of the need of a set's jokers: 0 if they need no place, None if they cannot be placed.

        `ways` are the readings of the set: whether it is a run, and what its jokers may stand for, in order (so that
        every process finds the same first meld).
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
        """Return the index of the price for a joker that stands for `tile`: to stay, to be freed, or the pair of both.

        None if neither is possible.
        """
        key = tile, in_run, fresh
        if key not in self.placed:
            self.placed[key] = self._find_place(tile, in_run, fresh)
        return self.placed[key]

    def _find_place(self, tile: Tile, in_run: bool, fresh: bool) -> int | None:
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
        """Lower the bound by at most this many subgradient steps, or until it is below the target."""
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
        """Drop the plans that cannot be part of a first meld with `least` points."""
        losses = self.losses(max(0, self.bound - self.least) + ROUNDING)
        self.slots = [Slot(times, [option for _, option in options]) for times, options in losses]
        self._compress()

    def _compress(self) -> None:
        """Update `compact` after a change of the slots."""
        self.compact = _Compact.from_slots(self.slots, list(self.needs), list(self.single), len(self.price))

    def losses(self, most: float) -> list[tuple[int, list[tuple[float, PricedPlan]]]]:
        """Return for each slot how often it may be chosen from, and its options with their losses.

        The loss of an option is what the bound falls by if it is chosen instead of the best one. Options are sorted by
        loss (rounded down), then by points, with which searches succeed much sooner. Losses above `most` are left out.
        """
        each = self._all_prices(self.price)
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
        """Return what the bound falls by for each tile left in the hand, except tiles that could free jokers."""
        frees = {other for _, other in self.either}.union(*[need.places for need in self.single])
        return {t: self.price[n] for t, n in self.face.items() if n not in frees and self.price[n] > ROUNDING}

    def _all_prices(self, price: Sequence[float]) -> list[float]:
        """Return all prices, then 0.0, then those of the pairs in `either`, which are indexed from the end."""
        return [*price, 0.0, *[min(price[one], price[other]) for one, other in reversed(self.either)]]

    def _bound(self, price: Sequence[float]) -> tuple[float, list[int]]:
        """Return the bound at some prices, and its subgradient: how much of each resource is left over."""
        each = self._all_prices(price)
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
        """Return the points minus the cost of the best options of all slots; subtract what they take from `left`."""
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
    """The cost of each number of jokers, computed when it is first asked for."""

    def __init__(self, price: float) -> None:
        super().__init__()
        self.price = price

    def __missing__(self, jokers: int) -> float:
        self[jokers] = jokers * self.price
        return self[jokers]


def _cost(need: Need, each: Sequence[float]) -> float:
    """Return the lowest cost of placing the jokers of a need."""
    jokers, numbers = need
    if len(numbers) == 1:
        return each[numbers[0]]
    costs = [each[number] for number in numbers]
    return sum(costs) if len(costs) == jokers else sum(sorted(costs)[:jokers])


def _cheapest(needs: Sequence[Need], each: Sequence[float]) -> Sequence[int]:
    """Return the places of the cheapest alternative; none if nothing is needed."""
    if not needs:
        return ()
    jokers, numbers = min(needs, key=lambda need: _cost(need, each))
    return sorted(numbers, key=each.__getitem__)[:jokers]


def _dearest(place: Need, each: Sequence[float]) -> tuple[float, tuple[int, ...]]:
    """Return the highest cost of places that the jokers of a set can offer in one reading, and those places."""
    jokers, numbers = place
    some = numbers if len(numbers) <= jokers else tuple(sorted(numbers, key=each.__getitem__)[-jokers:])
    return sum([each[number] for number in some]), some
