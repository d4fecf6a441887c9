"""Sets that are laid out in rows, so that their order tells what the jokers stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from referee.game.judge.jokers.plans import Kept
from referee.game.judge.jokers.values import only_jokers, readings_anyhow, row_of
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Set, Table, in_order
from referee.game.tiles import JOKER, Tile


def lay_rows(sets: Iterable[Set], kept: Counter[Kept], rules: Ruleset) -> Table:
    """Return the sets with runs in ascending order, and with jokers for the tiles that they go on to stand for."""
    rows = [list(_in_row(tiles, rules)) for tiles in sets]
    for tile, in_run in kept.elements():
        homes = [row for row in rows if tile in row]
        right = [row for row in homes if rules.joker_rule.travels or _is_run(row) == in_run]
        home = min(right or homes, key=lambda row: row.count(JOKER))
        home[home.index(tile)] = JOKER
    return tuple(map(tuple, rows))


def _in_row(tiles: Set, rules: Ruleset) -> Set:
    runs = [way for way in readings_anyhow(tiles, rules) if way.in_run] if not only_jokers(tiles) else []
    return row_of(tiles, max(runs, key=lambda way: sum(t.number for t in way.tiles))) if runs else in_order(tiles)


def _is_run(row: list[Tile]) -> bool:
    return len({tile.colour for tile in row if not tile.is_joker}) < 2
