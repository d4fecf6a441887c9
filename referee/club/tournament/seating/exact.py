"""The next round solved exactly, by HiGHS, where it is installed (extra `hall`) and the players are not too many.

Every table that could be set is a variable, 1 if it is set. Each player sits at one table or has a bye, and of each
size there are as many tables as agreed. What a table costs follows from what was before, so that the sum is least
where the seating is best: a set partition, which HiGHS solves to the proof.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from referee.club.tournament.seating.search import BYE_WEIGHT, SMALL_WEIGHT, Before, Groups, Ints

MOST_VARIABLES = 6_000
"""Possible tables: 20 players at tables of 4 have 4,845, which takes a second; 24 have 10,626 and can take four."""
_NODES = 2_000
"""Branches after which the search is given up; most rounds need one."""


def exact_round(groups: Groups, before: Before, *, even: bool = True) -> tuple[int, Ints] | None:
    """What the best round adds to the cost, and its groups by player; None where that is not found.

    Without `even` only repeats count: then the cost is their exact lower bound.
    """
    try:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csc_array
    except ImportError:
        return None
    tables, costs, kinds = _tables(groups, before, even=even)
    if not tables:
        return None
    players = len(before.byes)
    wanted = Counter(_kinds(groups))
    wanted[0] = players - sum((groups.sizes * groups.live).tolist())
    rows = [row for table, kind in zip(tables, kinds, strict=True) for row in (*table, players + kind)]
    columns = [column for column, table in enumerate(tables) for _ in range(len(table) + 1)]
    limits = np.array([1] * players + [wanted[kind] for kind in range(max(wanted) + 1)])
    matrix = csc_array((np.ones(len(rows)), (rows, columns)), shape=(len(limits), len(tables)))
    found = milp(
        np.array(costs),
        constraints=LinearConstraint(matrix, limits, limits),
        integrality=np.ones(len(tables)),
        bounds=Bounds(0, 1),
        options={"node_limit": _NODES, "mip_rel_gap": 0.0},
    )
    if found.status != 0:
        return None
    chosen = np.flatnonzero(found.x > 0.5).tolist()
    return sum(costs[one] for one in chosen), _groups_of(groups, [(kinds[one], tables[one]) for one in chosen])


def _kinds(groups: Groups) -> list[int]:
    """By group, what seats are alike there: those of tables of one size; byes are 0."""
    return [int(size * live) for size, live in zip(groups.sizes, groups.live, strict=True)]


def _tables(groups: Groups, before: Before, *, even: bool) -> tuple[list[tuple[int, ...]], list[int], list[int]]:
    """Every possible table with its cost and kind; a bye is a table of one. None at all where they are too many."""
    players = len(before.byes)
    small = {int(size) for size, less in zip(groups.sizes, groups.small, strict=True) if less}
    tables: list[tuple[int, ...]] = []
    costs: list[int] = []
    kinds: list[int] = []
    for kind in sorted(set(_kinds(groups))):
        visits = before.small if kind in small else 0 * before.small
        weight = SMALL_WEIGHT * visits if kind else BYE_WEIGHT * before.byes
        for table in combinations(range(players), max(kind, 1)):
            if len(tables) == MOST_VARIABLES:
                return [], [], []
            repeats = sum(before.meetings[one, other] for one, other in combinations(table, 2))
            tables.append(table)
            costs.append(int(repeats + even * weight[list(table)].sum()))
            kinds.append(kind)
    return tables, costs, kinds


def _groups_of(groups: Groups, chosen: list[tuple[int, tuple[int, ...]]]) -> Ints:
    """The group of every player, for chosen tables with their kinds."""
    at = np.zeros(sum(len(table) for _, table in chosen), np.int64)
    free = {kind: [group for group, one in enumerate(_kinds(groups)) if one == kind] for kind, _ in chosen}
    for kind, table in chosen:
        # All byes are in one group, every table in one of its own.
        at[list(table)] = free[kind].pop() if kind else free[kind][0]
    return at
