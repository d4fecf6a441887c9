"""What the turn that ends a round must do as well: use the tile aside, lay a set of the agreed value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.game.judge.jokers.values import counts, values
from referee.game.judge.tile_aside import Apart
from referee.game.judge.verdict import Fault, FaultKind
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Change, Set, in_order
from referee.game.tiles import Tile


def finish_faults(
    change: Change, apart: Apart, aside: Tile | None, hand: int | None, rules: Ruleset
) -> Iterator[Fault]:
    """What is wrong with the end of a round; nobody is taken to have gone out whose hand is not known."""
    if hand is None:
        return
    out = hand > 0 and change.laid.total() - apart.used >= hand and not change.vanished
    if rules.finish.last_tile and aside is not None and not apart.gone and apart.used != out:
        yield Fault(
            FaultKind.LAST_TILE_RULE,
            (aside,),
            _where(change, aside) if apart.used else (),
            _last_tile_notice(aside, out),
        )
    if out and not _value_met(change, rules):
        key = "judge.last_set_at_least" if rules.finish.at_least else "judge.last_set"
        notice = Notice(key, value=rules.finish.set_value or 0)
        where = tuple(index for index, _ in change.new)
        yield Fault(FaultKind.LAST_SET_RULE, in_order(change.laid.elements()), where, notice)


def _last_tile_notice(aside: Tile, out: bool) -> Notice:
    return Notice("judge.last_tile_unused" if out else "judge.last_tile_too_early", tile=aside)


def _where(change: Change, tile: Tile) -> tuple[int, ...]:
    return tuple(index for index, tiles in change.new if tile in tiles)


def _value_met(change: Change, rules: Ruleset) -> bool:
    """Whether a set laid in this turn has the agreed value, in any reading of its jokers.

    Its numbered tiles must come from the hand; a joker may be one that was freed on the table.
    """
    if rules.finish.set_value is None:
        return True
    own = [tiles for _, tiles in change.new if counts(tiles, rules) and not _count_numbered(tiles) - change.laid]
    return any(_right(tiles, rules) for tiles in own)


def _count_numbered(tiles: Set) -> Counter[Tile]:
    return Counter(tile for tile in tiles if not tile.is_joker)


def _right(tiles: Set, rules: Ruleset) -> bool:
    wanted = rules.finish.set_value or 0
    return any(value == wanted or (rules.finish.at_least and value > wanted) for value in values(tiles, rules))
