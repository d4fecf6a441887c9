"""Sizes of tables, and lower bounds for repeated meetings, each with its proof.

There are as few tables as possible, filled as evenly as possible, and nobody sits alone. No seating can have fewer
repeats than a lower bound.

Repeats are counted by pairs of players: a pair that has met m times counts m(m - 1)/2, which is the number of pairs of
rounds in which both sat at the same table. So a third meeting of one pair counts more than a second one of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

SMALLEST, LARGEST = 2, 4


def table_sizes(players: int, smallest: int = SMALLEST, largest: int = LARGEST) -> tuple[int, ...]:
    """Return the sizes of the tables, the largest first; they differ by one at most.

    Players without a seat have a bye. There are byes only if no tables of `smallest` to `largest` players seat all.
    """
    for tables in range(-(-players // largest), 0, -1):
        seated = min(players, tables * largest)
        if seated >= tables * smallest:
            each, more = divmod(seated, tables)
            return (each + 1,) * more + (each,) * (tables - more)
    return ()


def byes(players: int, sizes: tuple[int, ...]) -> int:
    """Return how many players have a bye."""
    return players - sum(sizes)


Meetings = Sequence[Sequence[int]]
"""How often each two players have met, as a symmetric matrix with zeros on the diagonal."""


def repeats(meetings: Meetings) -> int:
    """Return the repeats of all pairs."""
    return sum(met * (met - 1) // 2 for player, row in enumerate(meetings) for met in row[:player])


def fewest_repeats(players: int, sizes: Sequence[int], rounds: int, before: Meetings | None = None) -> int:
    """Return a lower bound for the repeats that `rounds` rounds at tables of these sizes add to those of `before`."""
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
    """Return a lower bound for the repeats between two rounds.

    `both`: how many players play in both rounds. `tables`: the number of tables of one round. `sizes`: the sizes of
    the tables of the other round.

    By the pigeonhole principle: if a table seats more of these players than there were tables, two of them sat at the
    same table before.
    """
    new = sum(sizes) - both
    return sum(_least_cost([0] * tables, max(0, size - new)) for size in sizes)


def _least_cost(levels: Iterable[int], total: int) -> int:
    """Return the least cost of `total` meetings, given how often pairs have met (`levels`).

    Each meeting goes to a lowest level, costs as much as its height, and raises it by one.
    """
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
    """Return the cost if all meetings were spread evenly over all pairs; the cost is convex, so this is the least."""
    meetings = rounds * sum(size * (size - 1) // 2 for size in sizes)
    return _least_cost((row[other] for player, row in enumerate(met) for other in range(player)), meetings)


def _cost_over_players(players: int, sizes: Sequence[int], rounds: int) -> int:
    """Return the cost if the meetings of each player were spread evenly over the others, without earlier meetings.

    The sum over the players is convex in the number of their meetings, so it is least if these are spread evenly, too.
    """
    each, more = divmod(rounds * sum(size * (size - 1) for size in sizes), players)
    others = [0] * (players - 1)
    twice = (players - more) * _least_cost(others, each) + more * _least_cost(others, each + 1)
    return -(-twice // 2)


def _between_two(players: int, sizes: Sequence[int]) -> int:
    """Return a lower bound for the repeats between two rounds with the same players and sizes of tables.

    By the pigeonhole principle: if a table seats more players than there were tables, two of them sat at the same
    table before.
    """
    free = players - sum(sizes)  # players with a bye met nobody
    return sum(_least_cost([0] * len(sizes), max(0, size - free)) for size in sizes)


def _cost_of_next_round(met: Meetings, sizes: Sequence[int]) -> int:
    """Return a lower bound for the cost of one more round.

    At best every player meets the players whom it has met least, and the larger tables seat the players whom one more
    meeting costs least.
    """
    low, high = min(sizes), max(sizes)
    others = [sorted(row[:player] + row[player + 1 :]) for player, row in enumerate(map(list, met))]
    seated = sum(sizes)
    at_small = sorted(sum(row[: low - 1]) for row in others)[:seated]
    large = sum(size for size in sizes if size == high) if high > low else 0
    more = sorted(sum(row[low - 1 : high - 1]) for row in others)[:large]
    return -(-(sum(at_small) + sum(more)) // 2)
