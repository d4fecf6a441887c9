"""Giving everyone a place of their own, where that can be done."""

from __future__ import annotations

from collections.abc import Sequence


def unmatched(edges: Sequence[Sequence[bool]]) -> tuple[int, ...]:
    """The rows left over when as many as possible get a column of their own; `edges[row][column]` says who fits."""
    owner: dict[int, int] = {}

    def settle(row: int, seen: set[int]) -> bool:
        for column, fits in enumerate(edges[row]):
            if fits and column not in seen:
                seen.add(column)
                if column not in owner or settle(owner[column], seen):
                    owner[column] = row
                    return True
        return False

    return tuple(row for row in range(len(edges)) if not settle(row, set()))
