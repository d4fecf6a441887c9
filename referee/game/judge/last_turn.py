"""Extra demands on the turn that ends a round: to use the tile set aside, to lay a set of the agreed value.

The tile set aside lies open beside the sets until somebody goes out with it (Piatnik's variant of the last tile).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from referee.game.judge.jokers.values import counts, values
from referee.game.judge.verdict import Fault, FaultKind
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Change, Set, Table, in_order, laid_tiles, tiles_on
from referee.game.tiles import Tile


@dataclass(frozen=True, slots=True)
class Apart:
    """Two tables without the tile set aside, and what became of it: used among the tiles laid, or gone altogether."""

    before: Table
    after: Table
    used: bool = False
    gone: bool = False


def set_apart(before: Table, after: Table, aside: Tile | None, hand: int | None, copies: int) -> Apart:
    """Remove the tile set aside, which lies alone, from both tables; the indices of the other sets do not change.

    If it was not seen on either table, it may lie out of sight. Then an equal tile that was laid counts as another
    one, from the hand, unless the hand had too few tiles for that, or all `copies` of the tile are on the table.
    """
    if aside is None:
        return Apart(before, after)
    old, new = remove_tile_aside(before, aside), remove_tile_aside(after, aside)
    came = laid_tiles(old, new)
    if new != after:
        return Apart(old, new)
    if old != before:
        return Apart(old, new, used=came[aside] > 0, gone=not came[aside])
    all_there = tiles_on(new)[aside] >= copies or (hand is not None and came.total() > hand)
    return Apart(old, new, used=came[aside] > 0 and all_there)


def remove_tile_aside(table: Table, aside: Tile) -> Table:
    """Return the table with an empty set in the place where that tile lies alone."""
    if (aside,) not in table:
        return table
    place = table.index((aside,))
    return (*table[:place], (), *table[place + 1 :])


def finish_faults(
    change: Change, apart: Apart, aside: Tile | None, hand: int | None, rules: Ruleset
) -> Iterator[Fault]:
    """Yield what is wrong with the end of a round; a player with an unknown hand is not assumed to have gone out."""
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
