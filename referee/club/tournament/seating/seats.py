"""The order of seats at each table, so that every player sits in every seat equally often, not only in the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from referee.club.tournament.seating.bounds import LARGEST

Table = tuple[int, ...]
SWEEPS = 20
"""The most times that all tables are looked at again. Chosen by hand; three are enough for 64 players and 8 rounds."""


def even_seats(tables: Sequence[Table], before: Mapping[int, Sequence[int]]) -> list[Table]:
    """Return the tables with their other players rearranged; whoever sits first remains there.

    `before`: how often each player has sat in each seat so far. Every table gets the order with the least sum of
    squares of those counts, again and again until no table can be improved alone. Of equal orders the present one is
    kept, so an order that was drawn by lot remains so.
    """
    counts = {player: [*before.get(player, ()), *[0] * LARGEST][:LARGEST] for table in tables for player in table}
    found = list(tables)
    for table in found:
        _count(counts, table, 1)
    for _ in range(SWEEPS):
        changed = False
        for number, table in enumerate(found):
            _count(counts, table, -1)
            best = min(
                ((table[0], *rest) for rest in permutations(table[1:])),
                key=lambda order: sum(counts[player][seat] for seat, player in enumerate(order)),
            )
            _count(counts, best, 1)
            changed = changed or best != table
            found[number] = best
        if not changed:
            break
    return found


def _count(counts: Mapping[int, list[int]], table: Table, more: int) -> None:
    for seat, player in enumerate(table):
        counts[player][seat] += more
