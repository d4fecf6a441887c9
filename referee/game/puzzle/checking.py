"""Compares what lies on a table with a puzzle, first with its beginning, then with all of its solutions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.game.judge.judge import judge
from referee.game.notice import Notice
from referee.game.puzzle.making import ANY_TURN, Puzzle
from referee.game.table import Set, Table, in_order, tiles_on
from referee.game.tiles import Tile

MOST_TOLD = 3
"""The most sets that are named as not yet lying there; the others follow at the next look."""


def check_beginning(puzzle: Puzzle, seen: Table) -> tuple[Notice, ...]:
    """Return what must be changed so that the table of a puzzle lies there; nothing if it does."""
    missing = tiles_on(puzzle.table) - tiles_on(seen)
    wrong = (*_wrong("puzzle.missing", missing), *_wrong("puzzle.too_many", tiles_on(seen) - tiles_on(puzzle.table)))
    return wrong or tuple(_other_sets(puzzle.table, seen))[:MOST_TOLD]


def check_solution(puzzle: Puzzle, seen: Table) -> tuple[Notice, ...]:
    """Return what keeps the table that is seen from being a solution; nothing if it is one.

    Every legal turn by the rule book counts that lays exactly the hand.
    """
    wanted = tiles_on((*puzzle.table, puzzle.hand))
    gone, to_lay = tiles_on(puzzle.table) - tiles_on(seen), wanted - tiles_on(seen)
    wrong = (
        *_wrong("puzzle.missing", gone),
        *_wrong("puzzle.still_to_lay", to_lay - gone),
        *_wrong("puzzle.too_many", tiles_on(seen) - wanted),
    )
    if wrong:
        return wrong
    return tuple(fault.notice for fault in judge(puzzle.table, seen, ANY_TURN, puzzle.rules).told_faults)


def _wrong(key: str, tiles: Counter[Tile]) -> tuple[Notice, ...]:
    return (Notice(key, tiles=in_order(tiles.elements())),) if tiles else ()


def _other_sets(table: Table, seen: Table) -> Iterator[Notice]:
    """Yield the sets of a table that do not lie there yet; a set may be read from either side."""
    there: Counter[Set] = Counter(map(in_order, seen))
    for tiles in table:
        if there[in_order(tiles)]:
            there[in_order(tiles)] -= 1
        else:
            yield Notice("puzzle.lay_set", tiles=tiles)
