"""The first meld: whether the tiles can have been laid in an order in which a first meld came first.

A first meld consists of sets laid complete from the hand and, if the rule book counts them, of sets of the table to
which tiles were added (or whose joker was exchanged); nothing else is changed by it. After it, if the book allows that
in the same turn, the player may do with the remaining tiles whatever a player with a first meld may do. So the first
meld need not be visible in the end: it is enough that some of the tiles laid could have formed one. Its jokers are
then on the table, and bound like any others. Sets that were rebuilt never count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import inf

from referee.game.judge.jokers.moved import Freed
from referee.game.judge.jokers.values import counts
from referee.game.judge.melds.hand import Packed, Plan
from referee.game.judge.melds.pieces import Piece, longer_as_laid, own_piece
from referee.game.judge.melds.plans import longer_plans, most_gained, most_together, own_plans
from referee.game.judge.melds.prices import ROUNDING, Prices
from referee.game.judge.melds.search import MeldSearch
from referee.game.judge.melds.ways import MeldWays
from referee.game.rulebooks.model import Extended, Ruleset
from referee.game.sets import shape
from referee.game.solver.solve import best_sets, face_value
from referee.game.table import Change, Table, tiles_on
from referee.game.tiles import HIGHEST, JOKER


@dataclass(frozen=True, slots=True)
class FirstMeld:
    """The best first meld found: its pieces, its points, and whether they are enough."""

    pieces: tuple[Piece, ...]
    points: int
    enough: bool = False
    freed: tuple[Freed, ...] = ()
    """The jokers that were freed after it."""


def own_sets(change: Change, rules: Ruleset) -> Table:
    """Return the new sets that are valid and hold only tiles laid in this turn."""
    own, left = [], Counter(change.laid)
    for _, tiles in change.new:
        if counts(tiles, rules) and not Counter(tiles) - left:
            left -= Counter(tiles)
            own.append(tiles)
    return tuple(own)


def first_meld(change: Change, rules: Ruleset, *, told: bool = True) -> FirstMeld:
    """Return the first meld of a turn: the visible one if it is worth enough, or else one that can have come first.

    If there is none that is worth enough, return the one with most points, so that they can be shown to the player.
    (If the tiles laid are worth too little whatever is made of them, only visible sets count.) With `told` off, only
    `enough` is computed.
    """
    visible = seen_pieces(change, rules)
    points = sum(piece.points for piece in visible)
    if not rules.opening.same_turn:
        untouched = len(change.old) == sum(piece.old >= 0 for piece in visible)
        return FirstMeld(visible, points, untouched and points >= rules.opening.minimum)
    hunt = _Hunt(change, rules, MeldWays.for_change(change, rules), told)
    seen = tuple(map(Plan.from_piece, visible))
    if not (hunt.ways.legal(seen) and hunt.note(seen)):
        hunt.look(seen)
    return replace(hunt.best, freed=hunt.ways.way(hunt.plans) or ()) if told else hunt.best


def seen_pieces(change: Change, rules: Ruleset) -> tuple[Piece, ...]:
    """Return the player's own sets, and sets of the table that got longer, as they lie in the end."""
    own = own_sets(change, rules)
    pieces = [own_piece(tiles, rules) for tiles in own]
    if rules.opening.extended is not Extended.NOTHING:
        left = change.laid - Counter(tile for tiles in own for tile in tiles)
        others = [tiles for _, tiles in change.new if tiles not in own]
        pieces += longer_as_laid(change, others, left, rules)
    return tuple(pieces)


_OFTEN_ENOUGH = 50
"""How many plans of one order are tried one by one before prices are used. Chosen by hand."""
_JOKER_WORTH = 5
"""The cost of a joker, in points, in the order by worth. In 1,000 turns (`hard_meld` and `jokers_alone` of the
benchmarks, seeds 0-499) 3 to 6 first melds were found only with prices for any cost from 1 to 12, and 10 for 15."""
_STEPS, _AT_ONCE = 120, 30
"""At most this many steps lower the bound while the best first meld is searched, this many between two searches. This
and the numbers below were chosen by hand by the time that hard first melds take (`python -m benchmarks worst`)."""
FEW, _MORE = 60, 2.0
"""The number of choices that such a search may try at first, and the factor by which it grows each time."""
_STALLED, _STALLED_MORE = 0.5, 12
"""If the steps lowered the bound by less than the first number, the choices grow by the second: more steps would help
little, and choices are cheaper."""
TRIES = ((40, 200), (40, 400), (80, inf))
"""For a first meld that is worth enough: how many steps lower the bound, and then how many choices are tried."""


@dataclass(slots=True)
class _Hunt:
    """Searches for a first meld that need not be visible in the end, because the turn went on after it."""

    change: Change
    rules: Ruleset
    ways: MeldWays
    told: bool
    best: FirstMeld = FirstMeld((), 0)
    plans: Sequence[Plan] = ()
    """The plans of `best`."""

    def note(self, plans: Sequence[Plan]) -> bool:
        """Remember a legal first meld if it is the best so far; return True once one is worth enough."""
        points = sum([plan.points for plan in plans])
        if points > self.best.points:
            pieces = tuple([plan.piece for plan in plans])
            self.plans, self.best = plans, FirstMeld(pieces, points, points >= self.rules.opening.minimum)
        return self.best.enough

    def look(self, seen: Sequence[Plan]) -> None:
        """Try every first meld that could be worth enough, the most likely first."""
        opening, laid = self.rules.opening, self.change.laid
        single: list[Plan] = []
        if opening.extended is not Extended.NOTHING:
            single = sorted(longer_plans(self.change.before, laid, self.rules, 1, self.ways.homes), key=_points)
        obvious = (*sorted(seen, key=_points), *single)
        if self._one_by_one(single, len(single)) or self._one_by_one(obvious, len(obvious)):
            return
        longer, gains = self._longer()
        numbers = sum(tile.number * times for tile, times in laid.items())
        if not longer and self._upper_bound(numbers, gains) >= opening.minimum:
            play = best_sets(laid.elements(), face_value, wraps=self.rules.wraps)
            numbers = sum(tile.number for tile in play.tiles)
            own = [Plan.from_piece(own_piece(tiles, self.rules)) for tiles in play.sets if counts(tiles, self.rules)]
            if self.ways.legal(own) and self.note(own):
                return
        if self._upper_bound(numbers, gains) >= opening.minimum:
            plans = [*own_plans(laid + Counter({JOKER: gains}), self.rules, self.ways.homes), *longer]
            likeliest = sorted(plans, key=_by_density)
            orders = chain((likeliest,), (sorted(plans, key=order) for order in _OTHER_ORDERS))
            if not any(self._one_by_one(ordered, _OFTEN_ENOUGH) for ordered in orders):
                least = self.best.points + 1 if self.told else opening.minimum
                self._search(Prices.for_plans(self.ways, likeliest, least))

    def _one_by_one(self, plans: Iterable[Plan], tries: int) -> bool:
        """Choose greedily: take each plan that fits those chosen before; return True once they are worth enough.

        At most `tries` plans are tried.
        """
        chosen: tuple[Plan, ...] = ()
        hand = Packed.from_hand(self.change.laid)
        code, jokers, frees = hand.code, hand.jokers, self.ways.freed_from(()) or 0
        for plan in plans:
            left = Packed.without(code, plan)
            if not left or jokers < plan.jokers - plan.gains:
                continue
            if plan.old >= 0 and any(plan.old == other.old for other in chosen):
                continue
            tries -= 1
            if tries < 0:
                break
            freed = self.ways.freed_with(chosen, frees, plan, left)
            if freed is not None:
                chosen, frees = (*chosen, plan), freed
                code, jokers = left, jokers - plan.jokers + plan.gains
                if self.note(chosen):
                    return True
        return False

    def _longer(self) -> tuple[list[Plan], int]:
        """Return the plans for sets of the table, and the most jokers that can be exchanged out of them at once."""
        before, laid, opening = self.change.before, self.change.laid, self.rules.opening
        if opening.extended is Extended.NOTHING:
            return [], 0
        together, exchanges = 0, 0
        if opening.exchange_counts and tiles_on(before)[JOKER]:
            together = most_together(before, most_gained(before, laid, self.rules), laid, self.rules)
            exchanges = max(1, together)
        more = laid + Counter({JOKER: exchanges})
        return list(longer_plans(before, more, self.rules, homes=self.ways.homes)), together

    def _upper_bound(self, numbers: int, gains: int) -> int:
        """Return an upper bound for the points of a first meld, given the sum of the numbers and the jokers gained."""
        opening, before, laid = self.rules.opening, self.change.before, self.change.laid
        joker = HIGHEST if opening.joker is None else opening.joker
        most = numbers + (laid[JOKER] + gains) * joker
        if opening.extended is Extended.WHOLE:
            lying = [shape(tiles, self.rules.wraps).value(opening.joker) for tiles in before]
            most += sum(sorted(lying, reverse=True)[: laid.total() + gains])
        return most

    def _search(self, prices: Prices) -> None:
        """Find a first meld that is worth enough; if there is none, and `told` is set, the one with most points."""
        minimum = self.rules.opening.minimum
        for steps, tries in TRIES:  # pragma: no branch - the last search never gives up
            prices.lower(minimum, steps)
            search = MeldSearch.from_prices(prices, minimum, tries)
            if self._search_finds_meld(search):
                return
            if search.tries >= 0:
                break
        if self.told:
            self._find_most(prices, minimum - 1)

    def _find_most(self, prices: Prices, most: int) -> None:
        """Find the first meld with most points, of which there are no more than `most`.

        Two kinds of search take turns. One looks for anything better than the best so far: often there is nothing. The
        other looks for points near the bound: often there is something. If this one fails, `most` falls by a stride
        that doubles each time, since all searches cost about the same; if it succeeds, the stride is half of what is
        left between. If both give up, the bound is lowered first. Once all steps are used, the second never gives up.
        """
        steps, tries, stride = _STEPS, float(FEW), 1
        asked = 0, tries
        while (most := min(most, int(prices.bound + ROUNDING))) > self.best.points:
            least = self.best.points + 1
            any_better = asked != (least, tries)
            wanted = least if any_better else max(least, most - stride + 1)
            if any_better or wanted > least or steps <= 0:
                search = MeldSearch.from_prices(prices, wanted, tries if any_better or steps > 0 else inf)
                found = self._search_finds_meld(search)
                asked = self.best.points + 1, tries
                if found and not any_better:
                    stride = (most - self.best.points + 1) // 2
                elif not found and search.tries >= 0:
                    most, stride = wanted - 1, 2 * stride
                if found or any_better or search.tries >= 0:
                    continue
            before = prices.bound
            prices.lower(least, _AT_ONCE)
            steps -= _AT_ONCE
            tries *= _STALLED_MORE if before - prices.bound < _STALLED else _MORE

    def _search_finds_meld(self, search: MeldSearch) -> bool:
        """Run a search and note what it finds; return whether it found a first meld."""
        found = search.find(Packed.from_hand(self.change.laid))
        if found is not None:
            self.note(found)
        return found is not None


def _by_density(plan: Plan) -> tuple[bool, float]:
    """Sort key: plans that gain jokers first, then those with most points for each tile."""
    return not plan.gains, -plan.density


def _by_worth(plan: Plan) -> int:
    """Sort key: plans with most points first, minus the cost of their jokers."""
    return _JOKER_WORTH * (plan.jokers - plan.gains) - plan.points


def _by_jokers(plan: Plan) -> tuple[int, int]:
    """Sort key: plans that take few jokers first, then those with most points."""
    return plan.jokers - plan.gains, -plan.points


_OTHER_ORDERS = (_by_worth, _by_jokers)
"""Further orders in which plans are tried one by one, after that by density; most first melds are found so."""


def _points(plan: Plan) -> int:
    """Sort key: plans with most points first."""
    return -plan.points
