"""How players are spread over tables, and lower bounds of repeated meetings, each with its proof.

Tables are as few as possible, all of them as full, and nobody is alone. No seating whatever can have fewer repeats.

Repeats are counted over pairs of players: a pair that has met m times counts m(m - 1)/2, which is the number of
pairs of rounds in which both sat at one table. A third meeting thus weighs more than a second one elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

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


Meetings = Sequence[Sequence[int]]
"""How often two players have met; 0 of everybody with oneself."""


def repeats(meetings: Meetings) -> int:
    """The repeats of all pairs."""
    return sum(met * (met - 1) // 2 for player, row in enumerate(meetings) for met in row[:player])


def fewest_repeats(players: int, sizes: Sequence[int], rounds: int, before: Meetings | None = None) -> int:
    """A lower bound of the repeats that `rounds` rounds add, at tables of these sizes after the meetings `before`."""
    if players < 2 or not sizes or not rounds:
        return 0
    met = before or [[0] * players] * players
    between = rounds * (rounds - 1) // 2 * _between_two(players, sizes)
    return max(
        _cost_over_pairs(met, sizes, rounds),
        _cost_over_players(players, sizes, rounds),
        rounds * _cost_of_next_round(met, sizes) + between,
    )


def fewest_between(both: int, tables: int, sizes: Sequence[int]) -> int:
    """A lower bound of the repeats of a round at tables of these sizes; `both` of its players sat at `tables` before.

    Pigeonholes: a table with more of them than there were tables seats two from one of them.
    """
    new = sum(sizes) - both
    return sum(_least_cost([0] * tables, max(0, size - new)) for size in sizes)


def _least_cost(levels: Iterable[int], total: int) -> int:
    """The least that `total` meetings cost: each goes to a lowest level, costs its height and raises it by one."""
    count = Counter(levels)
    cost = 0
    height = min(count)
    while total:
        here = count[height]
        poured = min(here, total)
        cost += poured * height
        total -= poured
        count[height + 1] += here
        height += 1
    return cost


def _cost_over_pairs(met: Meetings, sizes: Sequence[int], rounds: int) -> int:
    """Return the cost of spreading all meetings evenly over all pairs: the cost is convex, so nothing is cheaper."""
    meetings = rounds * sum(size * (size - 1) // 2 for size in sizes)
    return _least_cost((row[other] for player, row in enumerate(met) for other in range(player)), meetings)


def _cost_over_players(players: int, sizes: Sequence[int], rounds: int) -> int:
    """Return the cost with the meetings of each player alone spread evenly over the others, as if nobody had met.

    The sum over players is convex in what each of them has, so that least is an even spread again.
    """
    each, more = divmod(rounds * sum(size * (size - 1) for size in sizes), players)
    others = [0] * (players - 1)
    twice = (players - more) * _least_cost(others, each) + more * _least_cost(others, each + 1)
    return -(-twice // 2)


def _between_two(players: int, sizes: Sequence[int]) -> int:
    """Pigeonholes: a table larger than the number of tables before seats two from one of them."""
    free = players - sum(sizes)  # whoever had a bye met nobody
    return sum(_least_cost([0] * len(sizes), max(0, size - free)) for size in sizes)


def _cost_of_next_round(met: Meetings, sizes: Sequence[int]) -> int:
    """One more round: every player meets at least those whom it met least; the larger tables seat who loses least."""
    low, high = min(sizes), max(sizes)
    others = [sorted(row[:player] + row[player + 1 :]) for player, row in enumerate(map(list, met))]
    seated = sum(sizes)
    at_small = sorted(sum(row[: low - 1]) for row in others)[:seated]
    large = sum(size for size in sizes if size == high) if high > low else 0
    more = sorted(sum(row[low - 1 : high - 1]) for row in others)[:large]
    return -(-(sum(at_small) + sum(more)) // 2)
