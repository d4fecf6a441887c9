"""Whether a legal way leads on from a first meld: the jokers that lay on the table with it were bound like any other.

Hundreds of first melds may be asked for, and to ask is dear, so what makes no difference is left out: of the hand all
that can free none of these jokers; of what a joker may stand for the tiles that neither the hand has nor any joker
lying there in the end can stand for, but for their number.

Most often there is no need to ask. Where a way leads on from some pieces one leads on from them and one more as well,
if the hand still holds what frees jokers on the first way, and beside it a tile for each joker of the new piece.
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


@dataclass(slots=True)
class MeldWays:
    """Looks for a legal way from pieces of a first meld to the table after the turn; what it found it knows."""

    change: Change
    rules: Ruleset
    check: JokerCheck
    bound: dict[int, Bound]
    """The sets of the table before with jokers, by index; without those whose jokers cannot have moved by right."""
    telling: dict[bool, frozenset[Tile]]
    """The tiles that can free jokers, or that those may stand for which lie there in the end: in runs, in groups."""
    anywhere: int
    """How many jokers may lie anywhere, since this many are missing or lie in no set."""
    hand: Counter[Tile]
    """The tiles laid, without jokers."""
    homes: Homes
    """What jokers may stand for."""
    alone: set[Plan] = field(default_factory=set)
    """Pieces of which it is known whether they are legal alone."""
    known: dict[Hashable, int | None] = field(default_factory=dict)
    """What `freed_from` found out."""
    kinds: dict[Hashable, int] = field(default_factory=dict)
    stand_for: list[int] = field(default_factory=list)
    """For each kind of bound jokers all bits of the faces that they may stand for."""
    before: list[tuple[int, int]] = field(default_factory=list)
    """Indexes and kinds of the sets in `bound`."""

    @classmethod
    def for_change(cls, change: Change, rules: Ruleset) -> MeldWays:
        """The ways in a turn."""
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
        """Whether there is a way from these pieces."""
        return self.freed_from(plans) is not None

    def freed_from(self, plans: Sequence[Plan]) -> int | None:
        """The tiles of the hand that free jokers on a way from these pieces, as a code; None without a way."""
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
        """The same of these pieces and one more, `frees` being what frees jokers on a way from them alone.

        `left` is the code of the hand without what all of them take.
        """
        if self.rules.joker_rule.freedom is JokerFreedom.EXCHANGED:
            found = freed_at_once(left, frees, plan)
            if found is not None:
                return found
        return self.freed_from((*chosen, plan)) if self._legal_alone(plan) else None

    def _legal_alone(self, plan: Plan) -> bool:
        """Whether there is a way from one piece; where there is none, there never is."""
        if plan not in self.alone:
            self.alone.add(plan)
            plan.lawful = self.legal((plan,))
        return plan.lawful

    def kinds_with(self, kinds: Hashable, plans: Sequence[Plan]) -> Hashable:
        """What tells two choices of pieces apart that take the same tiles: their jokers, and the sets changed.

        `kinds` is the same of all these pieces but the last.
        """
        if plans[-1].old not in self.bound and self._kind_of(plans[-1]) == _NO_JOKERS:
            return kinds
        some = sorted([kind for plan in plans if (kind := self._kind_of(plan)) != _NO_JOKERS])
        return *some, frozenset([plan.old for plan in plans if plan.old in self.bound])

    def way(self, plans: Sequence[Plan]) -> tuple[Freed, ...] | None:
        """The jokers that must have been freed on the way from these pieces to the table after; None without a way."""
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
        """The kind of a piece's jokers."""
        if plan.kind is not None:
            return plan.kind
        bound = plan.piece.bound
        plan.kind = _NO_JOKERS if bound is None else self._kind(bound)
        return plan.kind

    def _kind(self, group: Bound) -> int:
        """A number for jokers that are bound alike, as far as that can matter; `_HOPELESS` where they have no way."""
        ways = frozenset(self._telling(group))
        alike: Hashable = group if group.key in self.check.lying else (group.jokers, ways)
        if not ways:
            return _HOPELESS
        kind = self.kinds.setdefault(alike, len(self.kinds))
        if kind == len(self.stand_for):
            self.stand_for.append(all_of(code_of(frozenset().union(*[tiles for _, tiles, _ in ways]))))
        return kind

    def _telling(self, group: Bound) -> Iterator[tuple[bool, frozenset[Tile], int]]:
        """What the jokers of a set may stand for as far as it matters, and how many more tiles."""
        for in_run, tiles in group.readings:
            telling = tiles & self.telling[in_run]
            others = min(len(tiles) - len(telling), group.jokers, self.anywhere)
            if len(telling) + others >= group.jokers:
                yield in_run, telling, others
