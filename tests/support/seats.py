"""Seats counted naively, and all of them for small numbers: to check what is clever."""

from collections import Counter
from itertools import combinations, product


def checked_rounds(rounds, byes, players, sizes):
    """Assert that everybody has one place in every round, at tables of these sizes."""
    for tables, free in zip(rounds, byes, strict=True):
        assert sorted([player for table in tables for player in table] + list(free)) == list(range(players))
        assert sorted(map(len, tables)) == sorted(sizes)


def repeats_of(rounds, before=None):
    """Repeats that rounds add: every meeting costs as many as there were before it."""
    met = Counter(before or {})
    cost = 0
    for tables in rounds:
        for table in tables:
            for pair in combinations(sorted(table), 2):
                cost += met[pair]
                met[pair] += 1
    return cost


def visits(rounds, players, smaller_than):
    """How often everybody sat at a table smaller than that."""
    count = Counter(player for tables in rounds for table in tables if len(table) < smaller_than for player in table)
    return [count[player] for player in range(players)]


def unevenness(counts):
    """Pairs of visits by the same player, beyond those that an even spread has."""
    each, more = divmod(sum(counts), len(counts))
    even = [each + 1] * more + [each] * (len(counts) - more)
    return sum(count * (count - 1) for count in counts) // 2 - sum(count * (count - 1) for count in even) // 2


def all_rounds(players, sizes):
    """Every way to seat players (a tuple) at tables of these sizes; whoever is left has a bye."""
    if not sizes:
        return [()]
    found = []
    for table in combinations(players, sizes[0]):
        rest = tuple(player for player in players if player not in table)
        found += [(table, *others) for others in all_rounds(rest, sizes[1:]) if not _twin(table, others)]
    return found


def _twin(table, others):
    """Whether two tables of one size stand the other way round elsewhere in the list."""
    return any(len(other) == len(table) and other < table for other in others)


def all_schedules(players, sizes, rounds):
    """Every schedule of so many rounds, with its byes; the first round may stand for all."""
    everybody = tuple(range(players))
    ways = all_rounds(everybody, tuple(sizes))
    for chosen in product(ways, repeat=rounds - 1):
        schedule = (ways[0], *chosen)
        seated = [{player for table in tables for player in table} for tables in schedule]
        yield schedule, [[player for player in everybody if player not in here] for here in seated]
