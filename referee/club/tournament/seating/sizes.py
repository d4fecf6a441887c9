"""How players are spread over tables: as few tables as possible, all of them as full, nobody alone."""

from __future__ import annotations

SMALLEST, LARGEST = 2, 4


def table_sizes(players: int, smallest: int = SMALLEST, largest: int = LARGEST) -> tuple[int, ...]:
    """The sizes of the tables, the largest first; they differ by one at most.

    Who finds no seat there has a bye: only where no tables of `smallest` to `largest` hold all.
    """
    for tables in range(-(-players // largest), 0, -1):
        seated = min(players, tables * largest)
        if seated >= tables * smallest:
            each, more = divmod(seated, tables)
            return (each + 1,) * more + (each,) * (tables - more)
    return ()


def byes(players: int, sizes: tuple[int, ...]) -> int:
    """How many find no seat."""
    return players - sum(sizes)
