"""Checks whether the rest of a turn can follow legally from a first meld, given where the jokers are in the end.

The jokers of a first meld are bound to what they stand for, like any joker on the table. `JokerCheck` searches for a
legal way for them to the table after the turn. That search is expensive, and hundreds of first melds may need it; so
its results are cached, under keys that leave out whatever cannot make a difference: tiles of the hand that can free
none of the jokers, and tiles that a joker may stand for but that neither the hand contains nor any joker after the
turn can stand for (of these only the number matters).

Often no search is needed. If there is a way from some pieces, there is one from them and another piece as well,
if the hand still has the tiles that free jokers on the first way, and one more for each joker of that piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from referee.game.judge.jokers.moved import Bound, Freed, JokerCheck, bound_on
from referee.game.judge.jokers.values import counts, readings
from referee.game.judge.melds.hand import Homes, Packed, Plan, all_of, code_of, freed_at_once, in_none
from referee.game.rulebooks.model import JokerFreedom, Ruleset
from referee.game.table import Change
from referee.game.tiles import JOKER, Tile

_NO_JOKERS, _HOPELESS = -1, -2
"""Kinds of sets without jokers, and of sets whose jokers have no legal way."""


@dataclass(slots=True)
class MeldWays:
    """Searches for a legal way from the pieces of a first meld to the table after the turn, and caches the results."""

    change: Change
    rules: Ruleset
    check: JokerCheck
    bound: dict[int, Bound]
    """The sets with jokers before the turn, by index, without those whose jokers cannot have been moved legally."""
    telling: dict[bool, frozenset[Tile]]
    """The tiles that can free jokers, or that jokers after the turn may stand for; by whether in a run."""
    anywhere: int
    """How many jokers may stand for anything: those that are missing, or that lie in no valid set."""
    hand: Counter[Tile]
    """The tiles laid, without jokers."""
    homes: Homes
    """What the jokers of a first meld may stand for."""
    alone: set[Plan] = field(default_factory=set)
    """Plans for which `lawful` has been determined."""
    known: dict[Hashable, int | None] = field(default_factory=dict)
    """Cache of `freed_from()`."""
    kinds: dict[Hashable, int] = field(default_factory=dict)
    """The numbers that `_kind()` has assigned."""
    stand_for: list[int] = field(default_factory=list)
    """For each kind of bound jokers, a mask with all bits of the tiles that they may stand for."""
    before: list[tuple[int, int]] = field(default_factory=list)
    """Index and kind of each set in `bound`."""

    @classmethod
    def for_change(cls, change: Change, rules: Ruleset) -> MeldWays:
        """Prepare the checks for one turn."""
        check = JokerCheck.for_change(change, rules)
        sets = {i: group for i, tiles in enumerate(change.before) for group in bound_on((tiles,), rules)}
        stuck = check.stuck(list(sets.values()), change.numbered_laid)
        bound = {i: group for n, (i, group) in enumerate(sets.items()) if n not in stuck}
        freedom, travels = rules.joker_rule.freedom, rules.joker_rule.travels
        around = check.reach if freedom is JokerFreedom.REPLACED else frozenset(change.laid)
        seen = [way for place in check.places for way in readings(place, rules)]
        ends = {
            in_run: frozenset[Tile]().union(*[way.tiles for way in seen if travels or way.in_run == in_run])
            for in_run in (True, False)
        }
        telling = {in_run: around | tiles for in_run, tiles in ends.items()}
        anywhere = check.excused + sum([place.count(JOKER) for place in check.places if not counts(place, rules)])
        if freedom is JokerFreedom.EXCHANGED:
            hand, own_tile = Packed.from_hand(change.laid).code, rules.opening.joker is None
            homes = Homes(in_none(ends[True]), in_none(ends[False]), hand, anywhere, own_tile)
        elif freedom is JokerFreedom.REPLACED:
            homes = Homes(in_none(telling[True]), in_none(telling[False]), anywhere=anywhere)
        else:
            homes = Homes()
        ways = cls(change, rules, check, bound, telling, anywhere, change.numbered_laid, homes)
        ways.before = [(index, ways._kind(group)) for index, group in bound.items()]
        return ways

    def legal(self, plans: Sequence[Plan]) -> bool:
        """Return whether there is a legal way from these plans."""
        return self.freed_from(plans) is not None

    def freed_from(self, plans: Sequence[Plan]) -> int | None:
        """Return the code of the tiles of the hand that free jokers on a way from these plans; None without a way."""
        freedom = self.rules.joker_rule.freedom
        kinds = [self._kind_of(plan) for plan in plans]
        if self.before:
            replaced = [plan.old for plan in plans]
            kinds += [kind for index, kind in self.before if index not in replaced]
        kinds = [kind for kind in kinds if kind != _NO_JOKERS]
        if not kinds or freedom is JokerFreedom.ALWAYS:
            return 0
        if _HOPELESS in kinds:
            return None
        used = 0
        if freedom is JokerFreedom.EXCHANGED:
            used = sum([plan.code for plan in plans])
            used &= reduce(or_, [self.stand_for[kind] for kind in kinds])
        kinds.sort()
        key = (*kinds, used)
        if key not in self.known:
            way = self.way(plans)
            self.known[key] = None if way is None else code_of(tile for freed in way for tile in freed.tiles)
        return self.known[key]

    def freed_with(self, chosen: Sequence[Plan], frees: int, plan: Plan, left: int) -> int | None:
        """Return `freed_from()` of `chosen` and one more plan; `frees` is the result for `chosen`.

        `left` is the code of the hand without the tiles of all these plans.
        """
        if self.rules.joker_rule.freedom is JokerFreedom.EXCHANGED:
            found = freed_at_once(left, frees, plan)
            if found is not None:
                return found
        return self.freed_from((*chosen, plan)) if self._legal_alone(plan) else None

    def _legal_alone(self, plan: Plan) -> bool:
        """Whether there is a way from this plan on its own; if not, there is none with other plans either."""
        if plan not in self.alone:
            self.alone.add(plan)
            plan.lawful = self.legal((plan,))
        return plan.lawful

    def kinds_with(self, kinds: Hashable, plans: Sequence[Plan]) -> Hashable:
        """Return a key for how the jokers of `plans` are bound, which differs if the legal continuations may differ.

        It consists of the kinds of their jokers and the sets with jokers that they change. `kinds` is the key of all
        plans but the last.
        """
        if plans[-1].old not in self.bound and self._kind_of(plans[-1]) == _NO_JOKERS:
            return kinds
        some = sorted([kind for plan in plans if (kind := self._kind_of(plan)) != _NO_JOKERS])
        return *some, frozenset([plan.old for plan in plans if plan.old in self.bound])

    def way(self, plans: Sequence[Plan]) -> tuple[Freed, ...] | None:
        """Return the jokers that must have been freed between these plans and the table after; None without a way."""
        pieces, hand = [plan.piece for plan in plans], self.hand.copy()
        if self.rules.joker_rule.freedom is JokerFreedom.EXCHANGED:
            for piece in pieces:
                for tile in piece.uses:
                    if tile.number:
                        hand[tile] -= 1
        replaced = {piece.old for piece in pieces}
        sets = [group for index, group in self.bound.items() if index not in replaced]
        return self.check.way([*sets, *(piece.bound for piece in pieces if piece.bound is not None)], hand)

    def _kind_of(self, plan: Plan) -> int:
        """Return the kind of the jokers of a plan."""
        if plan.kind is not None:
            return plan.kind
        bound = plan.piece.bound
        plan.kind = _NO_JOKERS if bound is None else self._kind(bound)
        return plan.kind

    def _kind(self, group: Bound) -> int:
        """Return a number that is equal for jokers bound alike, as far as it can matter; `_HOPELESS` without a way."""
        ways = frozenset(self._telling(group))
        alike: Hashable = group if group.key in self.check.lying else (group.jokers, ways)
        if not ways:
            return _HOPELESS
        kind = self.kinds.setdefault(alike, len(self.kinds))
        if kind == len(self.stand_for):
            self.stand_for.append(all_of(code_of(frozenset().union(*[tiles for _, tiles, _ in ways]))))
        return kind

    def _telling(self, group: Bound) -> Iterator[tuple[bool, frozenset[Tile], int]]:
        """Yield for each reading what its jokers may stand for, as far as it matters, and how many other tiles."""
        for in_run, tiles in group.readings:
            telling = tiles & self.telling[in_run]
            others = min(len(tiles) - len(telling), group.jokers, self.anywhere)
            if len(telling) + others >= group.jokers:
                yield in_run, telling, others
