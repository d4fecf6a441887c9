"""The first meld: whether there is an order of laying in which it came first and was worth enough.

First come sets laid complete from the hand. Where the book lets sets of the table count that get longer (or whose
joker is exchanged), those come too; everything else stays as it is. Only then, and only if the book allows it in the
same turn, anything follows that a player may do who has a first meld, with the tiles that are left. So the first meld
may no longer lie there to be seen: some of the tiles laid must do. Jokers in it lay on the table once it lay there,
and from then on they are bound like any other. Sets that were rebuilt never count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from referee.game.judge.jokers.moved import Freed
from referee.game.judge.jokers.values import counts
from referee.game.judge.meld_hand import Packed, Plan, most_brought, most_gains, worthwhile
from referee.game.judge.meld_pieces import Piece, longer_as_laid, own_piece
from referee.game.judge.meld_plans import longer_plans, most_gained, most_together, own_plans
from referee.game.judge.meld_ways import MeldWays
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
    """The new sets that lie there complete and hold only tiles laid in this turn."""
    own, left = [], Counter(change.laid)
    for _, tiles in change.new:
        if counts(tiles, rules) and not Counter(tiles) - left:
            left -= Counter(tiles)
            own.append(tiles)
    return tuple(own)


def first_meld(change: Change, rules: Ruleset, *, told: bool = True) -> FirstMeld:
    """The first meld of a turn: what can be seen of it, or else what can have come before the rest.

    Where it is not `told`, only whether it is enough is right.
    """
    visible = seen_pieces(change, rules)
    points = sum(piece.points for piece in visible)
    if not rules.opening.same_turn:
        untouched = len(change.old) == sum(piece.old >= 0 for piece in visible)
        return FirstMeld(visible, points, untouched and points >= rules.opening.minimum)
    hunt = _Hunt.of(change, rules, told)
    seen = tuple(map(Plan.of, visible))
    if hunt.ways.legal(seen):
        hunt.note(seen, points)
    if not hunt.best.enough:
        hunt.look()
    return replace(hunt.best, freed=hunt.ways.way(hunt.plans) or ()) if told else hunt.best


def seen_pieces(change: Change, rules: Ruleset) -> tuple[Piece, ...]:
    """Own sets, and sets of the table that got longer, as they lie on the table in the end."""
    own = own_sets(change, rules)
    pieces = [own_piece(tiles, rules) for tiles in own]
    if rules.opening.extended is not Extended.NOTHING:
        left = change.laid - Counter(tile for tiles in own for tile in tiles)
        others = [tiles for _, tiles in change.new if tiles not in own]
        pieces += longer_as_laid(change, others, left, rules)
    return tuple(pieces)


@dataclass(slots=True)
class _Hunt:
    """Looks for a first meld that was built on before the turn ended."""

    change: Change
    rules: Ruleset
    ways: MeldWays
    longer: tuple[Plan, ...] = ()
    worth: dict[int, int] = field(default_factory=dict)
    """What sets of the table count that can get longer."""
    lying: Sequence[tuple[int, int]] = ()
    """The same, those that count most first."""
    gaining: Counter[int] = field(default_factory=Counter)
    """The most jokers that can be exchanged out of each set of the table."""
    gains: int = 0
    """And all together."""
    together: int = 0
    """No more than these at once, as a tile of the hand is exchanged for one joker only."""
    twins: dict[int, int] = field(default_factory=dict)
    """For a set of the table the one before it that is just the same, if there is one."""
    joker: int = HIGHEST
    """The most that a joker counts."""
    known: int = 0
    """So many points make no difference: they are not more than those of the best, or not enough and not told."""
    best: FirstMeld = FirstMeld((), 0)
    plans: Sequence[Plan] = ()
    """Those of the best."""

    @classmethod
    def of(cls, change: Change, rules: Ruleset, told: bool) -> _Hunt:
        joker = HIGHEST if rules.opening.joker is None else rules.opening.joker
        ways = MeldWays.of(change, rules)
        return cls(change, rules, ways, joker=joker, known=0 if told else rules.opening.minimum - 1)

    def _find_longer(self) -> None:
        """Find what can be made of the sets of the table, and the most that it can bring."""
        before, rules = self.change.before, self.rules
        exchanges = tiles_on(before)[JOKER] if rules.opening.exchange_counts else 0
        if exchanges:
            self.gaining = most_gained(before, self.change.laid, rules)
            self.gains = self.gaining.total()
            self.together = most_together(before, self.gaining, self.change.laid, rules)
            exchanges = max(1, self.together)
        self.longer = tuple(longer_plans(before, self.change.laid + Counter({JOKER: exchanges}), rules))
        if rules.opening.extended is Extended.WHOLE:
            for old in {plan.old for plan in self.longer}:
                self.worth[old] = shape(before[old], rules.wraps).value(rules.opening.joker)
        self.twins = self.ways.twins()
        self.lying = sorted(self.worth.items(), key=lambda lies: -lies[1])

    def _at_a_glance(self) -> bool:
        """Whether single tiles laid on to sets of the table, the most valuable first, are enough already."""
        laid = self.change.laid
        chosen: tuple[Plan, ...] = ()
        for plan in sorted(longer_plans(self.change.before, laid, self.rules, most=1), key=lambda plan: -plan.points):
            then = (*chosen, plan)
            fresh = all(plan.old != other.old for other in chosen)
            if fresh and Packed.of(laid).can(then) and self.ways.legal(then):
                chosen = then
                if self.note(chosen, sum([plan.points for plan in chosen])):
                    return True
        return False

    def note(self, plans: Sequence[Plan], points: int) -> bool:
        """Remember a legal first meld if it is the best so far; True once one is worth enough."""
        if points > self.best.points:
            pieces = tuple([plan.piece for plan in plans])
            self.plans, self.best = plans, FirstMeld(pieces, points, points >= self.rules.opening.minimum)
            self.known = max(self.known, points)
        return self.best.enough

    def look(self) -> None:
        """Try every first meld that could be worth enough, the likeliest first."""
        rules, laid = self.rules, self.change.laid
        if rules.opening.extended is not Extended.NOTHING:
            if self._at_a_glance():
                return
            self._find_longer()
        numbers = sum(tile.number * times for tile, times in laid.items())
        if not self._enough(0, numbers, laid.total(), laid[JOKER], frozenset()):
            return
        if not self.longer:
            play = best_sets(laid.elements(), face_value, wraps=rules.wraps)
            numbers = sum(tile.number for tile in play.tiles)
            if not self._enough(0, numbers, laid.total(), laid[JOKER], frozenset()):
                return
            own = [Plan.of(own_piece(tiles, rules)) for tiles in play.sets if counts(tiles, rules)]
            if self.ways.legal(own) and self.note(own, sum([plan.points for plan in own])):
                return
        plans = [*own_plans(laid + Counter({JOKER: self.together}), rules), *self.longer]
        # Pieces that bring much for every tile come first: where they do not make it, the others need not be tried.
        plans.sort(key=lambda plan: (not plan.gains, -plan.density))
        self._extend((), 0, plans, Packed.of(laid), numbers)

    def _enough(self, points: int, numbers: int, tiles: int, jokers: int, used: frozenset[int]) -> bool:
        """Whether so many tiles left in the hand, worth at most `numbers`, could still bring enough points."""
        lacking = self.rules.opening.minimum - points - numbers - (jokers + self.gains) * self.joker
        if lacking <= 0 or not self.worth:
            return lacking <= 0
        lying = [worth for old, worth in self.lying if old not in used]
        return sum(lying[: max(0, tiles + self.gains)]) >= lacking

    def _extend(
        self, chosen: tuple[Plan, ...], points: int, plans: Sequence[Plan], hand: Packed, numbers: int
    ) -> bool:
        """Add pieces to those chosen until they are worth enough; what is illegal stays so with more.

        What is left out changes nothing that is told: with it no joker laid ahead could still be exchanged, or the
        points would be neither enough nor more than the best so far, or the same was tried with a set just the same.
        """
        used = frozenset([-1, *(plan.old for plan in chosen)])
        tiles, minimum, joker, twins = hand.tiles + self.gains, self.rules.opening.minimum, self.joker, self.twins
        to_gain = self.together - sum([plan.gains for plan in chosen])
        coming = self.gains - sum([self.gaining[old] for old in used])
        for index, plan in enumerate(plans):
            gains, worth = plan.gains, points + plan.points
            if not gains and points + tiles * plan.density < minimum:
                return False
            # Of sets that are just the same the first is taken first.
            if twins and twins.get(plan.old, -1) not in used:
                continue
            rest, jokers = min(numbers, hand.value - plan.value), hand.jokers - plan.jokers + gains
            # Plans with which jokers are exchanged come first: after them no joker comes any more.
            to_come = to_gain - gains if gains else 0
            if not self.worth and (
                worth + rest + (jokers + to_come) * joker <= self.known
                or worth + rest + (jokers + self.gains) * joker < minimum
            ):
                continue
            # Jokers may be exchanged first and laid afterwards, whichever piece they belong to.
            if jokers < 0 and ((plan.jokers and not gains) or jokers + coming < self.gaining[plan.old]):
                continue
            left = hand.without(plan)
            could = self._enough(worth, rest, left.tiles, left.jokers, used | {plan.old})
            if not could or not self.ways.legal_alone(plan) or not self.ways.legal(chosen, plan):
                continue
            if left.jokers >= 0 and self.note((*chosen, plan), worth):
                return True
            others = self._others(worth, left, to_come, plans[index + 1 :], plan.old)
            if others and self._extend((*chosen, plan), worth, others, left, rest):
                return True
        return False

    def _others(self, points: int, left: Packed, to_come: int, plans: Sequence[Plan], old: int) -> list[Plan]:
        """The plans that can follow, so many jokers being still to come at most."""
        others = [plan for plan in left.held(plans, old) if plan.lawful]
        to_come = min(to_come, most_gains(others))
        if left.jokers < 0 and left.jokers + min(to_come, most_brought(others)) < 0:
            return []
        jokers = left.jokers + to_come
        return worthwhile(others, left, jokers, self.known - points, whole=bool(self.worth))
