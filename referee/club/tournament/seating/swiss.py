"""The Swiss draw of one round: players who are near each other in the standings meet, and nobody meets again.

Players are numbered by their places in the standings, from 0. Seats minimise, in this order:

1. byes of players who have had more byes than others;
2. meetings of team mates, then repeated meetings, counted as everywhere: the second meeting of a pair counts 1, the
   third 2 more;
3. the place of whoever has a bye: it goes to the last player in the standings who may have it;
4. the distance: the sum of the squares of the differences between the places of those who sit together. So a table
   seats neighbours of the standings, and whoever must leave their score group goes to the nearest one. If a player
   floated down or up in the round before, `FLOAT_WEIGHT` is added for each player by whom they would do so again;
5. places at smaller tables of players who have had more of them than others.

Tables of two follow the Monrad system: from the first to the last in the standings, each player who is still free
meets the next one in the standings whom they have not met, provided that all the others can still be paired without
a repeat. For other tables the standings are first cut into tables as well as possible, and then a tabu search
exchanges players. Up to 20 players are solved to a proven optimum if the extra `hall` is installed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from referee.club.tournament.seating.bounds import fewest_repeats
from referee.club.tournament.seating.monrad import pair_by_standings
from referee.club.tournament.seating.schedule import MOST_VARIABLES, cheapest_tables
from referee.club.tournament.seating.search import Ints
from referee.errors import BadInput

FLOAT_WEIGHT = 12
"""What it costs if a player floats twice in a row in the same direction, as a distance. Chosen by hand: it makes the
neighbour float at a table of three or four, and somebody up to three places away at a table of two."""
STEPS = 1_500
"""The most exchanges of the search."""
PATIENCE = 150, 500
"""After how many exchanges without a better round the search ends, without repeats and with some. Chosen by hand."""
TENURE = (2, 8)
"""For how many exchanges a player stays where they were moved: a random number from the first value to below the
second."""

Tables = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The players of a round, by their places in the standings, the best first."""

    score: Ints
    """By player, a number for the points; players with equal points have the same number, more points a higher one."""
    meetings: Ints
    byes: Ints
    small: Ints
    """How often each player has sat at a smaller table."""
    floated: Ints
    """By player, 1 if they floated up in the round before, -1 if down, else 0."""
    apart: Ints | None = None
    """By pair, what it costs more that they meet, in repeats, as for team mates; None: nothing."""

    @property
    def meetings_and_apart(self) -> Ints:
        """What it costs that two players meet, in repeats."""
        return self.meetings if self.apart is None else self.meetings + self.apart


@dataclass(frozen=True, slots=True)
class SwissRound:
    """The seats of one round; at each table the players in the order of the standings, the best table first."""

    tables: Tables
    byes: tuple[int, ...]
    repeats: int
    """How many repeats the round adds."""
    bound: int
    """A proven lower bound for these."""
    proven: bool
    """Whether no other seats are better by the rules above; for tables of two, whether the Monrad system was kept."""


@dataclass(frozen=True)
class Costs:
    """The rules above as costs: of each pair that sits together, of each bye and of each place at a smaller table."""

    players: Ranked
    tables: tuple[int, ...]
    """The sizes of the tables."""

    @cached_property
    def _weights(self) -> tuple[int, int, int, int]:
        """What a unit of distance, a place in the standings for a bye, a repeat and a bye too many cost.

        Each is more than all that counts less.
        """
        count = len(self.players.score)
        pairs, free = sum(size * (size - 1) // 2 for size in self.tables), count - sum(self.tables)
        distance = int(np.ptp(self.players.small)) * count + 1
        place = distance * (pairs * (count**2 + 2 * FLOAT_WEIGHT) + 1)
        repeat = place * (free * count + 1)
        bye = repeat * (pairs * (int(self.players.meetings_and_apart.max(initial=0)) + 1) + 1)
        return distance, place, repeat, bye

    @property
    def repeat(self) -> int:
        """What a repeat costs; a round that costs less has none."""
        return self._weights[2]

    @cached_property
    def pair(self) -> Ints:
        """The costs of all pairs, as a symmetric matrix with zeros on the diagonal."""
        distance, _, repeat, _ = self._weights
        apart = self.distance + FLOAT_WEIGHT * self.floats_again
        found: Ints = repeat * self.players.meetings_and_apart + distance * apart
        np.fill_diagonal(found, 0)
        return found

    @cached_property
    def distance(self) -> Ints:
        """By pair, the square of the difference between their places."""
        place = np.arange(len(self.players.score))
        squares: Ints = (place[:, None] - place[None, :]) ** 2
        return squares

    @cached_property
    def floats_again(self) -> Ints:
        """By pair, by how many of the two the other would float as in the round before."""
        higher = self.players.score[None, :] - self.players.score[:, None]
        again = (np.sign(higher) == self.players.floated[:, None]) & (self.players.floated[:, None] != 0)
        counts: Ints = again.astype(np.int64) + again.T
        return counts

    @cached_property
    def single(self) -> Ints:
        """By player, the cost of a place at a large table, at a smaller one, and of a bye."""
        _, higher, _, bye = self._weights
        players, place = self.players, np.arange(len(self.players.score))
        rest = bye * (players.byes - players.byes.min()) + higher * (len(place) - 1 - place)
        return np.stack([0 * place, players.small - players.small.min(), rest], axis=1)

    def of_table(self, table: Sequence[int], kind: int) -> int:
        """Return the cost of a table; `kind` is 0 for a large one, 1 for a smaller one and 2 for a bye."""
        alone = int(self.single[list(table), kind].sum())
        return alone + sum(int(self.pair[one, other]) for one, other in combinations(table, 2))

    def of_round(self, tables: Tables, byes: Sequence[int]) -> int:
        """Return the cost of a round."""
        kinds = [int(len(table) < max(self.tables)) for table in tables]
        return sum(map(self.of_table, tables, kinds)) + sum(self.of_table((one,), 2) for one in byes)


def swiss_round(players: Ranked, sizes: Sequence[int], seed: int) -> SwissRound:
    """Return the Swiss draw for tables of these sizes; the same arguments give the same seats.

    Raises BadInput if there are too few players for the tables, or no table.
    """
    count = len(players.score)
    if not sizes or count < sum(sizes):
        raise BadInput(f"expected tables that some of {count} players fill, got {tuple(sizes)}")
    costs = Costs(players, tuple(sorted(sizes, reverse=True)))
    found = monrad_pairs(players, sizes)
    proven = found is not None
    if found is None:
        found, proven = best_tables(costs), True
    if found is None:
        found, proven = _search(costs, _cut(costs), np.random.default_rng(seed)), False
    tables, byes = found
    added = sum(int(players.meetings[one, other]) for table in tables for one, other in combinations(table, 2))
    is_least = proven and not byes and players.apart is None
    bound = added if is_least else fewest_repeats(count, sizes, 1, players.meetings.tolist())
    by_place = (tuple(sorted(table)) for table in tables)
    ordered = tuple(sorted(by_place, key=lambda table: (sum(table) / len(table), table)))
    return SwissRound(ordered, tuple(sorted(byes)), added, bound, proven)


Found = tuple[Tables, tuple[int, ...]]


def monrad_pairs(players: Ranked, sizes: Sequence[int]) -> Found | None:
    """Return the pairs of the Monrad system; None for other tables than of two, or if a repeat is unavoidable."""
    count = len(players.score)
    if set(sizes) != {2} or count - sum(sizes) > 1:
        return None
    last_first = range(count - 1, -1, -1)
    fewest = players.byes.min()
    resting: list[tuple[int, ...]] = [()]
    if count > sum(sizes):
        resting = [(one,) for one in last_first if players.byes[one] == fewest]
    for byes in resting:
        free = [one for one in range(count) if one not in byes]
        pairs = pair_by_standings(free, players.meetings_and_apart == 0)
        if pairs is not None:
            return pairs, byes
    return None


def best_tables(costs: Costs) -> Found | None:
    """Return the best round, which HiGHS has proven; None if HiGHS is not installed or there are too many players."""
    count = len(costs.players.score)
    free, large = count - sum(costs.tables), max(costs.tables)
    tables: list[tuple[int, ...]] = []
    prices: list[int] = []
    kinds: list[int] = []
    byes = costs.players.byes
    resting = np.flatnonzero(byes <= np.sort(byes)[free - 1]).tolist() if free else []
    if sum(math.comb(count, size) for size in set(costs.tables)) + len(resting) > MOST_VARIABLES:
        return None
    for size in sorted({*costs.tables, *([0] if free else [])}):
        for table in combinations(range(count) if size else resting, max(size, 1)):
            tables.append(table)
            kinds.append(size)
            prices.append(costs.of_table(table, int(size < large) if size else 2))
    wanted = Counter(costs.tables)
    wanted[0] = free
    chosen = cheapest_tables(tables, prices, kinds, wanted, count)
    if chosen is None:
        return None
    return (
        tuple(tables[one] for one in chosen if kinds[one]),
        tuple(tables[one][0] for one in chosen if not kinds[one]),
    )


def _cut(costs: Costs) -> Found:
    """Return the standings cut into tables from the first place to the last, at the least cost.

    The byes go to the last players of those who have had the fewest.
    """
    count = len(costs.players.score)
    free = count - sum(costs.tables)
    byes = tuple(sorted(sorted(range(count), key=lambda one: (costs.players.byes[one], -one))[:free]))
    rest = [one for one in range(count) if one not in byes]
    large, small = max(costs.tables), min(costs.tables)
    many, few = costs.tables.count(large), costs.tables.count(small) if small < large else 0
    best: dict[tuple[int, int], tuple[int, Tables]] = {(0, 0): (0, ())}
    for larges in range(many + 1):
        for smalls in range(few + 1):
            at = larges * large + smalls * small
            ways = []
            for size, came in ((large, (larges - 1, smalls)), (small, (larges, smalls - 1))):
                if came in best:
                    table = tuple(rest[at - size : at])
                    cost, before = best[came]
                    ways.append((cost + costs.of_table(table, int(size < large)), (*before, table)))
            if ways:
                best[larges, smalls] = min(ways)
    return best[many, few][1], byes


def _search(costs: Costs, found: Found, rng: np.random.Generator) -> Found:
    """Return the best round of a tabu search that begins at `found`: in each step two players exchange places."""
    tables, byes = found
    groups = [*map(list, tables), *([list(byes)] if byes else [])]
    live = np.array([1] * len(tables) + [0] * bool(byes), np.int64)
    kinds = np.array([int(len(table) < max(costs.tables)) for table in tables] + [2] * bool(byes))
    count = len(costs.players.score)
    at = np.zeros(count, np.int64)
    for number, group in enumerate(groups):
        at[group] = number
    until = np.zeros(count, np.int64)
    upper = np.triu(np.ones((count, count), np.bool_), 1)
    cost = least = costs.of_round(tables, byes)
    best, since = at.copy(), 0
    for step in range(STEPS):
        gain = exchange_costs(costs, at, live, kinds)
        barred = (until > step)[:, None] | (until > step)[None, :]
        allowed = upper & (at[:, None] != at[None, :]) & (~barred | (gain < least - cost))
        if not allowed.any():
            break
        choices = np.flatnonzero(np.where(allowed, gain, np.iinfo(np.int64).max) == gain[allowed].min())
        one, other = divmod(int(choices[rng.integers(len(choices))]), count)
        cost += int(gain[one, other])
        at[one], at[other] = at[other], at[one]
        until[[one, other]] = step + 1 + rng.integers(*TENURE, 2)
        since += 1
        if cost < least:
            least, best, since = cost, at.copy(), 0
        if since > PATIENCE[least >= costs.repeat]:
            break
    rounds = tuple(tuple(np.flatnonzero(best == number).tolist()) for number in range(len(groups)))
    return rounds[: len(tables)], rounds[len(tables)] if byes else ()


def exchange_costs(costs: Costs, at: Ints, live: Ints, kinds: Ints) -> Ints:
    """Return what the exchange of each two players adds to the cost."""
    return exchange_sums(costs.pair, at, live, costs.single[:, kinds])


def exchange_sums(pair: Ints, at: Ints, live: Ints, single: Ints | int = 0) -> Ints:
    """Return what the exchange of each two players adds to the sum of `pair` over all who sit together.

    `at`: by player, the group; `live`: by group, 1 for a table and 0 for byes; `single`: by player and group, what is
    added for the place.
    """
    member = (at[:, None] == np.arange(len(live))[None, :]) * live
    with_group = (pair @ member + single)[:, at]
    joins = with_group - pair * live[at] - with_group.diagonal()[:, None]
    gains: Ints = joins + joins.T
    return gains
