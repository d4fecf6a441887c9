"""Jokers on the table: which of them were moved although nothing set them free.

A joker is free once a fitting tile could have taken its place: any tile that may stand where the joker stood and lay
within reach during the turn. That tile need not lie there in the end, for after the exchange the set may be rebuilt. A
joker that is not free must still do its old work: stand for a tile it already stood for, in what is left of its set
(or, where the rules let it travel, anywhere).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from referee.game.matching import unmatched
from referee.game.rulesets.base import JokerFreedom, Ruleset
from referee.game.sets import Shape, shape
from referee.game.table import Change, Set
from referee.game.tiles import Tile


def freed(old: Shape, reach: Counter[Tile]) -> int:
    """How many jokers of a set can be replaced by tiles within reach."""
    if old.all_jokers:
        return min(old.jokers, reach.total())
    return max((min(old.jokers, sum(reach[tile] > 0 for tile in way)) for way in old.readings), default=old.jokers)


def moved_unfreed(old: Iterable[Set], new: Sequence[Set], reach: Counter[Tile], rules: Ruleset) -> tuple[Set, ...]:
    """The old sets that lost a joker which nothing had freed, in the kindest reading of the turn."""
    if rules.joker_rule.freedom is JokerFreedom.ALWAYS:
        return ()
    places = [s for tiles in new if (s := shape(tiles, rules.wraps)).jokers for _ in range(s.jokers)]
    bound = []
    for tiles in old:
        seen = shape(tiles, rules.wraps)
        if seen.jokers:
            bound += [(tiles, seen)] * (seen.jokers - freed(seen, reach))
    stays = [[_same_work(seen, place, rules.joker_rule.travels) for place in places] for _, seen in bound]
    return tuple(bound[row][0] for row in unmatched(stays))


def reach_of(change: Change, rules: Ruleset) -> Counter[Tile]:
    """The tiles that may take a joker's place in this turn."""
    return change.numbered_laid if rules.joker_rule.freedom is JokerFreedom.EXCHANGED else change.around


def _same_work(old: Shape, new: Shape, travels: bool) -> bool:
    """Whether a joker of `old` may lie in `new` without having been freed."""
    if not new.valid:
        return True  # the set itself is refused; its joker gives no second reason
    alike = old.all_jokers or new.all_jokers or not old.roles.isdisjoint(new.roles)
    return alike and (travels or _companions(old, new))


def _companions(old: Shape, new: Shape) -> bool:
    """Whether a tile of the old set, joker or not, is still beside the joker."""
    return (Counter(old.tiles) & Counter(new.tiles)).total() > 1
