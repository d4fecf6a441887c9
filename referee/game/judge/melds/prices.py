"""An upper bound for the points of a first meld: a Lagrangian relaxation, lowered by subgradient steps.

Scarce are the tiles of the hand, the jokers, and what jokers may stand for that lie on the table in the end: a joker
laid without being freed needs a place there. Each of these has a price. Whatever the prices are, a first meld counts
no more than all that there is costs, plus for each slot what its best plan brings beyond its own cost. (A slot is a
set of the table, of which one plan can be chosen, or a tile of the hand, the lowest of as many own sets.) Prices
that make this bound small tell at once which plans cannot be part of a first meld that counts so much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.game.judge.jokers.moved import Bound
from referee.game.judge.jokers.values import counts, readings
from referee.game.judge.melds.hand import Plan, code_of
from referee.game.judge.melds.plans import row_of
from referee.game.judge.melds.ways import MeldWays
from referee.game.rulebooks.model import JokerFreedom
from referee.game.sets import SMALLEST
from referee.game.table import in_order, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Tile

ROUNDING = 1e-6
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


class _Compact(NamedTuple):
    """What the plans that are left cost, and bring at most, in a form that is quick to go through many times.

    Of plans that take the same and need the same places only the one that counts most can be the best of its slot.
    """

    slots: list[Slot]
    single: list[tuple[int, int]]
    """Ways to place one joker in one place, by number in `single`, and that place."""
    several: list[tuple[int, Need]]
    """The other ways."""
    one_way: list[tuple[int, int]]
    """Needs by number that can be met in one way, and that way."""
    ways: list[tuple[int, tuple[int, ...]]]
    """The other needs, and the ways to meet them."""


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
    needs: dict[tuple[int, ...], int] = field(default_factory=lambda: {(): 0})
    """Ways to place jokers, by number in `single`, one of which will do; none is needed with the first number."""
    compact: _Compact = field(init=False)
    """The plans that are left, as the steps that lower the bound see them."""
    placing: list[list[Need]] = field(default_factory=list)
    """The ways of `needs`."""
    used: set[int] = field(default_factory=set)
    """The needs of the plans that are left."""
    places: list[list[Need]] = field(default_factory=list)
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
    def of(cls, ways: MeldWays, plans: Iterable[Plan], least: int) -> Prices:
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

    def _stands(self, tile: Tile, in_run: bool) -> int:
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
                    tuple([self._stands(t, way.in_run) for t in in_order(way.tiles)]) for way in readings(place, rules)
                ]
                self.places.append([Need(jokers, numbers) for numbers in seen])
        if self.ways.anywhere:
            self.anywhere = self._add(0, 0 if rules.opening.joker is not None else HIGHEST)

    def _fill(self, plans: Iterable[Plan]) -> None:
        """Sort the plans into slots; what can never be laid by right is left out."""
        slots: dict[tuple[bool, int], Slot] = {}
        for index, group in self.ways.bound.items():
            slots[True, index] = Slot(1, [_NOTHING._replace(needs=self._needs(group) or 0)])
        rules, before = self.ways.rules, self.ways.change.before
        # What a tile of the hand frees at once could have been that very tile, if it counts as much.
        own_tile = rules.joker_rule.freedom is JokerFreedom.EXCHANGED and rules.opening.joker is None
        jokers = self.there[_JOKERS] + tiles_on(before)[JOKER]
        offered = code_of({tile for tile, _ in self.stand})
        freeing = offered | code_of(self.face)
        exchanged = rules.joker_rule.freedom is JokerFreedom.EXCHANGED and self.anywhere is None
        olds = {-1: 0} | {index: code_of(tiles) for index, tiles in enumerate(before)}
        for plan in plans:
            fresh = own_tile and (plan.old < 0 or JOKER not in before[plan.old])
            if fresh and plan.jokers and self.anywhere is None:
                # To see at once that its jokers have no place saves making the piece.
                plain = plan.code + olds[plan.old]
                if (offered & row_of(plain) & ~plain).bit_count() < plan.jokers:
                    continue
            if exchanged and plan.staying and plan.stands:
                # The same, told by each way to see the set.
                found = offered if fresh else freeing
                if all((way & found).bit_count() < plan.staying for way in plan.stands):
                    continue
            piece = plan.piece
            needs = 0 if piece.bound is None else self._needs(piece.bound, fresh)
            if needs is not None:
                takes = tuple([self.face[tile] for tile in piece.uses if tile.number])
                lowest = min(takes, default=_JOKERS)
                where = (True, plan.old) if plan.old >= 0 else (False, lowest)
                if where not in slots:
                    times = 1 if plan.old >= 0 else self.there[lowest] if takes else jokers // SMALLEST
                    slots[where] = Slot(times, [_NOTHING])
                slots[where].options.append(PricedPlan(plan.points, takes, plan.jokers - plan.gains, needs, plan))
        self.used = {option.needs for slot in slots.values() for option in slot.options}
        self.slots = [slots[where] for where in sorted(slots, key=lambda where: (not where[0], where[1]))]
        ways = list(self.single)
        self.placing = [[ways[number] for number in numbers] for numbers in self.needs]
        self._compress()

    def _needs(self, group: Bound, fresh: bool = False) -> int | None:
        """The number of the ways to place a set's jokers; 0 where they need no place, None where there is no way."""
        freedom = self.ways.rules.joker_rule.freedom
        if freedom is JokerFreedom.ALWAYS:
            return 0
        found: set[int] = set()
        for in_run, tiles in group.readings:
            free = tiles & self.ways.check.reach if freedom is JokerFreedom.REPLACED else ()
            jokers = group.jokers - min(len(free), group.jokers)
            if not jokers:
                return 0
            # In order, so that every process comes to the same first meld.
            numbers = [self._place(t, in_run, fresh) for t in in_order(tiles) if t not in free]
            some = tuple(sorted([number for number in numbers if number is not None]))
            if len(some) >= jokers:
                found.add(self.single.setdefault(Need(jokers, some), len(self.single)))
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
        self.used = {option.needs for _, options in self.slots for option in options}
        self._compress()

    def _compress(self) -> None:
        """Put the plans that are left into the form that the steps go through."""
        slots = []
        for times, options in self.slots:
            best: dict[tuple[tuple[int, ...], int, int], PricedPlan] = {}
            for option in options:
                key = option[1:4]
                if key not in best:
                    best[key] = option
                elif option.points > best[key].points:
                    del best[key]  # so that it stands where it stood, which tells which of two as good is taken
                    best[key] = option
            slots.append(Slot(times, list(best.values())))
        used = {option.needs for _, options in slots for option in options}
        needs = [(index, ways) for index, ways in enumerate(self.needs) if index in used and ways]
        some = set().union(*[ways for _, ways in needs])
        single = [(number, need) for number, need in enumerate(self.single) if number in some]
        self.compact = _Compact(
            slots,
            [(number, need.places[0]) for number, need in single if len(need.places) == 1],
            [(number, need) for number, need in single if len(need.places) > 1],
            [(index, ways[0]) for index, ways in needs if len(ways) == 1],
            [(index, ways) for index, ways in needs if len(ways) > 1],
        )

    def losses(self, most: float) -> list[tuple[int, list[tuple[float, PricedPlan]]]]:
        """For each slot how often it may be chosen from, and its options with what the bound falls by with each.

        The least first; those by which it falls by more than `most` are left out.
        """
        each = self._each(self.price)
        costs = self._costs(each, self.used)
        found = []
        for times, options in self.slots:
            worth = [(_worth(option, each, costs), option) for option in options]
            best = max([value for value, _ in worth])
            some = [(best - value, option) for value, option in worth if best - value <= most]
            found.append((times, sorted(some, key=lambda loss: loss[0])))
        return found

    def lost_if_left(self) -> dict[Tile, float]:
        """What the bound falls by for each tile left in the hand; not those that could free jokers."""
        frees = {other for _, other in self.either}.union(*[need.places for need in self.single])
        return {t: self.price[n] for t, n in self.face.items() if n not in frees and self.price[n] > ROUNDING}

    def _each(self, price: Sequence[float]) -> list[float]:
        """All prices, those of `either` counted from the end."""
        return [*price, *[min(price[one], price[other]) for one, other in reversed(self.either)]]

    def _costs(self, each: Sequence[float], used: set[int]) -> dict[int, float]:
        """What it costs to place jokers, by the numbers of their needs that are used."""
        ways = [numbers for index, numbers in enumerate(self.needs) if index in used]
        some = set().union(*ways)
        single = {number: _cost(need, each) for number, need in enumerate(self.single) if number in some}
        return {self.needs[numbers]: min([single[n] for n in numbers], default=0.0) for numbers in ways}

    def _bound(self, price: Sequence[float]) -> tuple[float, list[int]]:
        """The bound at some prices, and for each of them what is left over: by so much it should fall."""
        each = self._each(price)
        left = [*self.there, *[0] * len(self.either)]
        bound = sum([cost * there for cost, there in zip(price, self.there, strict=True)])
        bound += self._choose(each, left)
        dearest = [max([_dearest(need, each) for need in place]) for place in self.places]
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
        slots, single, several, one_way, ways = self.compact
        cost, costs = [0.0] * len(self.single), [0.0] * len(self.needs)
        for number, place in single:
            cost[number] = each[place]
        for number, need in several:
            cost[number] = _cost(need, each)
        for index, number in one_way:
            costs[index] = cost[number]
        for index, numbers in ways:
            costs[index] = min([cost[number] for number in numbers])
        needed: Counter[int] = Counter()
        total, joker = 0.0, each[_JOKERS]
        for times, options in slots:
            best, chosen = -float("inf"), _NOTHING
            for option in options:
                points, takes, jokers, needs, _ = option
                worth = points - jokers * joker if jokers else points
                for number in takes:
                    worth -= each[number]
                if worth > best and worth - costs[needs] > best:
                    best, chosen = worth - costs[needs], option
            total += times * best
            left[_JOKERS] -= times * chosen.jokers
            for number in chosen.takes:
                left[number] -= times
            needed[chosen.needs] += times
        for index, jokers in needed.items():
            for number in _cheapest(self.placing[index], each):
                left[number] -= jokers
        return total


def _worth(option: PricedPlan, each: Sequence[float], costs: Mapping[int, float]) -> float:
    """What a plan brings beyond its cost."""
    points, takes, jokers, needs, _ = option
    return points - jokers * each[_JOKERS] - sum([each[number] for number in takes]) - costs[needs]


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
