"""What can happen in one turn to the jokers of a set on the table, and which tiles that takes.

A joker that is not freed remains the tile that it stands for; so a search may treat it as that tile. A joker is freed
by a tile of the hand only if that tile is laid. Together, the plans of a set cover all legal turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from referee.game.judge.jokers.values import Reading, only_jokers, readings
from referee.game.rulebooks.model import JokerFreedom, JokerSets, Ruleset
from referee.game.table import Set, in_order
from referee.game.tiles import JOKER, Tile

Kept = tuple[Tile, bool]
"""What a joker goes on to stand for, and whether in a run; always False where jokers travel."""


class JokerPlan(NamedTuple):
    """What becomes of the jokers of one set: those that are not `kept` are free.

    The tiles `laid` of the hand must be laid to free them. If the set `stays`, it is not touched at all.
    """

    kept: tuple[Kept, ...] = ()
    laid: tuple[Tile, ...] = ()
    stays: bool = False


FREE = JokerPlan()
STAYS = JokerPlan(stays=True)


def joker_plans(tiles: Set, table: Counter[Tile], hand: Counter[Tile], rules: Ruleset) -> tuple[JokerPlan, ...]:
    """Return all plans for the jokers of a set, those that keep few first; only `FREE` if they are free anyhow."""
    if rules.joker_rule.freedom is JokerFreedom.ALWAYS or JOKER not in tiles:
        return (FREE,)
    ways = [way for way in readings(tiles, rules) if len(way.tiles) >= tiles.count(JOKER)]
    found = dict.fromkeys(plan for way in ways for plan in _plans_in(way, tiles.count(JOKER), table, hand, rules))
    if FREE in found:
        return (FREE,)
    first = (STAYS,) if only_jokers(tiles) and rules.joker_rule.alone is not JokerSets.ALLOWED else ()
    return (*first, *sorted(found, key=lambda plan: len(plan.kept)))


def _plans_in(
    way: Reading, jokers: int, table: Counter[Tile], hand: Counter[Tile], rules: Ruleset
) -> Iterator[JokerPlan]:
    kind = way.in_run and not rules.joker_rule.travels
    lying = table if rules.joker_rule.freedom is JokerFreedom.REPLACED else Counter[Tile]()
    for stood in combinations(in_order(way.tiles), jokers):
        bound = [tile for tile in stood if not lying[tile]]
        held = [tile for tile in bound if hand[tile]]
        for size in range(len(held) + 1):
            for laid in combinations(held, size):
                yield JokerPlan(tuple((tile, kind) for tile in bound if tile not in laid), laid)
