"""The search for the turn that lays most of a hand: branch and bound over what becomes of the jokers.

It begins with all jokers free; no rule book allows more than the solver then finds. If the judge refuses that, the
turns are divided: by the plans for the jokers of one set, by the set in which a joker remains, or by a tile that is
not laid. Each part has a bound from the solver, and the part with the highest bound is next. So the first turn that
the judge accepts is the best one, unless he has refused another for a reason that these parts do not express, or the
search has come to its end before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from referee.game.judge.best.arranging import keep_sets, lay_out
from referee.game.judge.best.parts import Part
from referee.game.judge.first_meld import first_meld
from referee.game.judge.jokers.plans import FREE, STAYS, JokerPlan, joker_plans
from referee.game.judge.jokers.values import change_by, only_jokers
from referee.game.judge.judge import Turn, judge_without_advice
from referee.game.judge.verdict import FaultKind, Verdict
from referee.game.rulebooks.model import Extended, JokerSets, Ruleset
from referee.game.solver import Play, best_play
from referee.game.solver.solve import face_value, most_points, one_each
from referee.game.table import Set, Table, in_order, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Tile

MOST_QUESTIONS = 1500
"""How many questions the solver is asked before the search ends. Chosen by hand, as it bounds the time."""

_MELD_SEARCH = 5
"""For how many questions a search for a first meld counts, by the time that it takes."""


class Proposal(NamedTuple):
    """Tiles of the hand to lay, and the table after that."""

    laid: Set
    table: Table


class Waiting(NamedTuple):
    """A part with its best play; those with the highest bound come first, of these the one most divided."""

    minus_bound: int
    minus_depth: int
    number: int
    part: Part
    play: Play


@dataclass(slots=True)
class TurnSearch:
    """A search among the turns that lead from the table `before` over `table` to another one.

    Both tables are the same, or a first meld has been laid on the second; its tiles are `first`.
    """

    before: Table
    table: Table
    rules: Ruleset
    turn: Turn
    points: bool
    best: Proposal
    first: Counter[Tile] = field(default_factory=Counter)
    left: int = MOST_QUESTIONS
    unexplained: int = 0
    """The highest bound of a part in which the judge refused a turn for a reason that the parts do not express."""
    plans: list[tuple[JokerPlan, ...]] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    seen: set[object] = field(default_factory=set)

    def run(self, hand: Set) -> int:
        """Search for a better turn than `best`; return a bound that no legal turn among these exceeds."""
        self._push(self._first_part(hand), 0)
        while self.waiting:
            here = heappop(self.waiting)
            if self.left <= 0:
                return max(-here.minus_bound, self.unexplained)
            verdict = self._examine(here.part, here.play)
            if verdict.accepted:
                break
            for part in self._divide(here, verdict):
                self._push(part, here.minus_depth - 1)
        return max(self.value(self.best.laid), self.unexplained)

    def improve(self, proposal: Proposal) -> None:
        """Note a legal turn if it is better than the best one so far."""
        if self.value(proposal.laid) > self.value(self.best.laid):
            self.best = proposal

    def value(self, laid: Iterable[Tile]) -> int:
        """Return what counts: the number of tiles or their points."""
        return sum(tile.number if self.points else 1 for tile in laid)

    @property
    def _only_own(self) -> bool:
        """Whether all sets of the table stay, since the first meld must be made of own sets and ends the turn."""
        opening = self.rules.opening
        return not (self.turn.opened or opening.same_turn) and opening.extended is Extended.NOTHING

    def _first_part(self, hand: Set) -> Part:
        """Return the part of all turns, with every decision that is clear."""
        part = Part.whole(self.table, hand)
        lying, held = tiles_on(self.table), Counter(hand)
        for index, tiles in enumerate(self.table):
            plans = (STAYS,) if self._only_own else joker_plans(tiles, lying, held, self.rules)
            self.plans.append(plans)
            if len(plans) == 1:
                part = part.with_plan(index, tiles, plans[0], self.rules) or part
        return part

    def _push(self, part: Part, minus_depth: int) -> None:
        """Keep a part for later if it can be better than the best turn so far."""
        if part.key in self.seen:
            return
        self.seen.add(part.key)
        play = self._play(part)
        if play is None or not self._may_open(part):
            return
        bound = self.value(self._laid(part, play))
        if not self.points and self.rules.cap is not None:
            bound = min(bound, self.rules.cap)
        if bound > self.value(self.best.laid):
            heappush(self.waiting, Waiting(-bound, minus_depth, len(self.seen), part, play))

    def _play(self, part: Part) -> Play | None:
        self.left -= 1
        return best_play(
            in_order(part.must.elements()),
            in_order(part.hand.elements()),
            face_value if self.points else one_each,
            wraps=self.rules.wraps,
            joker_sets=self._joker_sets,
        )

    @property
    def _joker_sets(self) -> bool:
        return self.rules.joker_rule.alone is JokerSets.ALLOWED or any(map(only_jokers, self.table))

    def _may_open(self, part: Part) -> bool:
        """Whether some of the tiles that a part can lay may be a first meld, or none is needed."""
        if self.turn.opened or self.first:
            return True
        if self._only_own:
            self.left -= 1
            tiles, opening = part.must + part.hand, self.rules.opening
            worth = most_points(tiles.elements(), wraps=self.rules.wraps)
            return worth + tiles[JOKER] * (HIGHEST if opening.joker is None else opening.joker) >= opening.minimum
        self.left -= _MELD_SEARCH
        heap = in_order((part.laid + part.hand).elements())
        return first_meld(change_by(self.rules, self.before, (*self.before, heap)), self.rules, told=False).enough

    def _laid(self, part: Part, play: Play) -> Set:
        return in_order((*play.tiles, *part.laid.elements(), *self.first.elements()))

    def _examine(self, part: Part, play: Play) -> Verdict:
        """Have the judge decide about the best play of a part; it becomes the best turn if he accepts it."""
        laid = self._laid(part, play)
        self.left -= len(self.table) + 2 * _MELD_SEARCH
        for after in (
            keep_sets(self.table, part, play.sets, self.rules, joker_sets=self._joker_sets),
            lay_out(part, play.sets, self.rules),
        ):
            verdict = judge_without_advice(self.before, after, self.turn, self.rules)
            if verdict.accepted:
                self.improve(Proposal(laid, after))
                break
        return verdict

    def _divide(self, here: Waiting, verdict: Verdict) -> Iterator[Part]:
        """Yield the parts of a part whose best play the judge has refused."""
        part = here.part
        undecided = [index for index, plan in enumerate(part.plans) if plan is None]
        if undecided:
            moved = [fault.tiles for fault in verdict.faults if fault.kind is FaultKind.JOKER_NOT_REPLACED]
            index = next((index for index in undecided if self.table[index] in moved), undecided[0])
            found = [part.with_plan(index, self.table[index], plan, self.rules) for plan in self.plans[index]]
            yield from (then for then in found if then is not None)
        elif part.kept.total() and not self.rules.joker_rule.travels and not self._only_own:
            yield from part.settle(self.rules)
        elif not self.turn.opened and part.hand[JOKER] and self.rules.opening.joker is None:
            yield part.without(JOKER, 1)
            for tile in self._faces():
                yield part.with_joker_as(tile)
        else:
            yield from self._leave_sets(part, verdict)
            yield from self._leave_out(here)

    def _faces(self) -> Iterator[Tile]:
        for number in range(HIGHEST, 0, -1):
            for colour in self.rules.colours:
                yield Tile(number, colour)

    def _leave_sets(self, part: Part, verdict: Verdict) -> Iterator[Part]:
        """Yield the parts in which a set stays of which the judge has refused that it was broken up."""
        broken = [fault.tiles for fault in verdict.faults if fault.kind is FaultKind.ORIGINAL_BROKEN_UP]
        for index, tiles in enumerate(self.table):
            if tiles in broken and part.plans[index] == FREE and Counter(tiles) <= part.must:
                yield part.with_set_left(index, tiles)

    def _leave_out(self, here: Waiting) -> Iterator[Part]:
        """Yield the parts without one of the tiles of a play that was refused.

        A turn with all of them is left out. There is none if the book allows fewer tiles, or if their points are too
        few whatever the sets.
        """
        laid = self._laid(here.part, here.play)
        if not self._only_own and (self.rules.cap is None or len(laid) <= self.rules.cap):
            self.unexplained = max(self.unexplained, -here.minus_bound)
        for tile, times in Counter(here.play.tiles).items():
            yield here.part.without(tile, times)
