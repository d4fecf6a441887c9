"""Finds the seating of some rounds, by construction if possible, else by search, and a lower bound for its repeats.

A single round is solved exactly with HiGHS, if that is installed (extra `hall`) and there are not too many players. It
is a set partitioning problem. Every possible table is a variable, which is 1 if the table is used. Each player sits at
one table or has a bye, and the number of tables of each size is fixed. The cost of a table follows from the earlier
rounds, so the seating with the least total cost is the best. HiGHS also proves that it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from referee.club.tournament.seating.bounds import fewest_repeats, repeats
from referee.club.tournament.seating.constructions import Round, without_repeats
from referee.club.tournament.seating.search import (
    BYE_WEIGHT,
    SMALL_WEIGHT,
    Before,
    Flags,
    Groups,
    Ints,
    Search,
    uneven,
)
from referee.errors import BadInput

MOST_VARIABLES = 6_000
"""The most possible tables for the exact solution: 20 players at tables of 4 have 4,845, which take a second; 24 have
10,626, which can take four seconds."""
_NODES = 2_000
"""The number of branches after which HiGHS gives up; most rounds need one."""

STEPS = 16_000
"""The number of exchanges in a search, for all its starting points together: at most a second on a desktop computer,
several seconds on a small board."""
_BEGINNINGS = 2
"""The number of starting points of a search. Chosen by hand; `python -m benchmarks seating` measures the repeats."""
PROVED_FROM = 0.9
"""The estimated share of the time of a search that is over when the proof begins."""


def exact_round(groups: Groups, before: Before, *, even: bool = True) -> tuple[int, Ints] | None:
    """Return the cost that the best round adds, and its groups by player; None if it could not be found.

    If `even` is False, only repeats count; the cost is then the least possible number of repeats.
    """
    tables, costs, kinds = _tables(groups, before, even=even)
    wanted = Counter(_kinds(groups))
    wanted[0] = len(before.byes) - sum((groups.sizes * groups.live).tolist())
    chosen = cheapest_tables(tables, costs, kinds, wanted, len(before.byes))
    if chosen is None:
        return None
    return sum(costs[one] for one in chosen), _groups_of(groups, [(kinds[one], tables[one]) for one in chosen])


def cheapest_tables(
    tables: Sequence[tuple[int, ...]],
    costs: Sequence[int],
    kinds: Sequence[int],
    wanted: Counter[int],
    players: int,
) -> list[int] | None:
    """Return which of the possible `tables` seat every player once at the least sum of `costs`; None if not found.

    `kinds`: the size of each table, or 0 for a bye. `wanted`: how many tables of each kind there must be.
    """
    try:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csc_array
    except ImportError:
        return None
    if not tables:
        return None
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
    chosen: list[int] = np.flatnonzero(found.x > 0.5).tolist()
    return chosen


def _kinds(groups: Groups) -> list[int]:
    """Return the kind of each group: the size of the table, or 0 for byes."""
    return [int(size * live) for size, live in zip(groups.sizes, groups.live, strict=True)]


def _tables(groups: Groups, before: Before, *, even: bool) -> tuple[list[tuple[int, ...]], list[int], list[int]]:
    """Return all possible tables, their costs, and their kinds; empty if too many. A bye is a table of one."""
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
    """Return the group of every player, given the chosen tables with their kinds."""
    at = np.zeros(sum(len(table) for _, table in chosen), np.int64)
    free = {kind: [group for group, one in enumerate(_kinds(groups)) if one == kind] for kind, _ in chosen}
    for kind, table in chosen:
        # All byes are in one group; every table is a group of its own.
        at[list(table)] = free[kind].pop() if kind else free[kind][0]
    return at


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of some rounds: the tables and byes of each round, with players as indexes in a list."""

    rounds: tuple[Round, ...]
    byes: tuple[tuple[int, ...], ...]
    repeats: int
    """The repeats that these rounds add."""
    bound: int
    """A lower bound for the repeats that any seating of these rounds adds."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search for seats."""

    share: float
    """The share of the search that is done, from 0 to 1."""
    best: Seating
    """The best seats so far; `bound` may still rise."""
    proving: bool = False
    """Whether the proof that nothing is better follows now; it takes a while, without reports of progress."""


Watch = Callable[[Progress], bool]
"""Called repeatedly with the progress of a search; returns whether the search is to continue."""


def seat(
    players: int,
    sizes: Sequence[int],
    rounds: int,
    seed: int,
    *,
    before: Before | None = None,
    steps: int = STEPS,
    watch: Watch | None = None,
    start: Sequence[Round] | None = None,
    apart: Ints | None = None,
) -> Seating:
    """Return seats for `rounds` rounds.

    They distribute byes evenly; apart from that, they have few repeats and distribute places at smaller tables evenly.
    The same arguments give the same seats, unless `watch` ends the search; then these are the best seats found so far.
    Raises BadInput if there are too few players for the tables, or no table.

    `players`: the number of players; they are numbered from 0, and those without a seat have a bye.
    `sizes`: the number of players at each table, the same in every round.
    `rounds`: how many rounds to seat.
    `seed`: the seed of all random numbers in the search.
    `before`: meetings, byes and places at smaller tables in the rounds before. If it is None, there were none, and
        known constructions without repeats are tried, too.
    `steps`: the number of exchanges of players in all, half as many more with `start`; the default takes about a
        second on a desktop computer.
    `watch`: called repeatedly with the progress; the search ends if it returns False.
    `start`: seats with which the search starts, besides its own starting points.
    `apart`: by pair of players, what each of their meetings costs more, in repeats. It makes team mates sit apart, and
        counts in no repeats or bounds.
    """
    if not sizes or players < sum(sizes):
        raise BadInput(f"expected tables that some of {players} players fill, got {tuple(sizes)}")
    played = before or Before.nothing(players)
    known = played if apart is None else replace(played, meetings=played.meetings + apart)
    groups = Groups.for_tables(players, sizes)
    rng = np.random.default_rng(seed)
    enough = repeats(known.meetings.tolist()) + fewest_repeats(players, sizes, rounds, known.meetings.tolist())
    bound = fewest_repeats(players, sizes, rounds, played.meetings.tolist())
    beginnings = list(_beginnings(groups, rounds, rng, constructed=before is None))
    if start is not None:
        beginnings.insert(0, _groups_at(start, groups))
    best = _BestSeats(groups, played, bound, watch)
    for number, at in enumerate(beginnings):
        best.part = PROVED_FROM * number / len(beginnings), PROVED_FROM / len(beginnings)
        search = Search(groups, known, at, rng)
        if not search.repeats and search.is_fair:
            best.keep_fair(search.cost, at)
        best.keep(*search.improve(steps // _BEGINNINGS, enough, best.report))
        if best.stopped or best.cost <= enough:
            break
    best.prefer_fair(Search(groups, known, best.at, rng).repeats)
    provable = rounds == 1 and best.cost > enough and not best.stopped
    if provable and best.report_proof():
        best.at, proven = _exactly(groups, known, best.at, bound)
        best.bound = bound if apart is not None else proven
    return best.seating(best.at)


class _BestSeats:
    """The best seats of a search so far; reports the progress to whoever watches.

    `part` is where the share of the search that is in progress begins, and how large it is. `stopped` is true once
    `watch` has ended the search.
    """

    def __init__(self, groups: Groups, played: Before, bound: int, watch: Watch | None) -> None:
        self._groups, self._played, self._watch = groups, played, watch
        self._repeats_before = repeats(played.meetings.tolist())
        self._fair: tuple[int, Ints] | None = None
        self._found = False
        self.bound, self.part, self.stopped = bound, (0.0, 1.0), False
        self.cost = 0
        self.at: Ints = np.zeros((0, 0), np.int64)

    def keep(self, cost: int, at: Ints) -> None:
        """Keep seats if they are the first ones, or better than all before."""
        if not self._found or cost < self.cost:
            self._found, self.cost, self.at = True, cost, at

    def keep_fair(self, cost: int, at: Ints) -> None:
        """Keep seats without repeats that are as even as fairness needs, unless there are some already."""
        self._fair = self._fair or (cost, at.copy())

    def prefer_fair(self, found_repeats: int) -> None:
        """Take the fair seats without repeats if the best ones have repeats.

        The search accepts repeats for more evenness than fairness needs.
        """
        if self._fair is not None and found_repeats:
            self.cost, self.at = self._fair

    def report(self, share: float, cost: int, at: Ints) -> bool:
        """Report the progress of the part of the search that goes on; return whether it is to continue."""
        if self._watch is None:
            return True
        begin, length = self.part
        newest = at if not self._found or cost < self.cost else self.at
        return self._goes_on(Progress(begin + share * length, self.seating(newest)))

    def report_proof(self) -> bool:
        """Report that the proof begins; return whether the search is to continue."""
        return self._watch is None or self._goes_on(Progress(PROVED_FROM, self.seating(self.at), proving=True))

    def _goes_on(self, progress: Progress) -> bool:
        self.stopped = self._watch is not None and not self._watch(progress)
        return not self.stopped

    def seating(self, at: Ints) -> Seating:
        """Return the seats of these groups, by round and player (rounds, players)."""
        rng = np.random.default_rng(0)  # Search needs one, but counting repeats draws nothing.
        added = Search(self._groups, self._played, at, rng).repeats - self._repeats_before
        return _seating(self._groups, at, added, self.bound)


def _groups_at(rounds: Sequence[Round], groups: Groups) -> Ints:
    """Return the group of each player by round; players who sit at no table are in the group for byes."""
    at = np.full((len(rounds), int(groups.sizes.sum())), len(groups.sizes) - 1, np.int64)
    for number, tables in enumerate(rounds):
        # The search needs the tables in order of size, the largest first.
        for table, seated in enumerate(sorted(tables, key=len, reverse=True)):
            at[number, list(seated)] = table
    return at


def _exactly(groups: Groups, before: Before, at: Ints, bound: int) -> tuple[Ints, int]:
    """Return the best seats of one round, and the least possible number of repeats.

    If the exact solution takes too long, return `at` and `bound` unchanged.
    """
    best = exact_round(groups, before)
    if best is None:
        return at, bound
    plain = bool(groups.live.all()) and not groups.small.any()
    fewest = best if plain else exact_round(groups, before, even=False)
    return best[1][None, :], bound if fewest is None else fewest[0]


def _beginnings(groups: Groups, rounds: int, rng: np.random.Generator, *, constructed: bool) -> Iterator[Ints]:
    """Yield the starting points of a search: one from a construction, if there is one, and random seats."""
    places = np.repeat(np.arange(len(groups.sizes)), groups.sizes)
    by_chance = [np.array([rng.permutation(places) for _ in range(rounds)]) for _ in range(_BEGINNINGS)]
    if constructed and groups.live.all():
        # Players are assigned to the construction at random, or all tournaments of the same size would be alike.
        order = rng.permutation(len(places))
        for number, tables in enumerate(_construct_rounds(groups.sizes.tolist(), rounds)):
            for table, seated in enumerate(tables):
                by_chance[0][number, order[list(seated)]] = table
    yield from by_chance


def _construct_rounds(sizes: list[int], rounds: int) -> tuple[Round, ...]:
    """Return rounds without repeats.

    To get smaller tables, players who never meet are left out of full ones, so that no table loses two players.
    """
    largest = max(sizes)
    full = without_repeats(len(sizes), largest, rounds)
    left_out = _players_to_leave_out(full, largest * len(sizes), largest * len(sizes) - sum(sizes))
    names = {player: name for name, player in enumerate(sorted({*range(largest * len(sizes))} - {*left_out}))}
    if len(names) > sum(sizes):
        return ()
    smaller = (tuple(tuple(names[one] for one in table if one in names) for table in tables) for tables in full)
    return tuple(tuple(sorted(tables, key=len, reverse=True)) for tables in smaller)


def _players_to_leave_out(rounds: Sequence[Round], players: int, count: int) -> list[int]:
    """Return `count` players who never meet, chosen so that smaller tables are distributed evenly; empty if none."""
    met = np.eye(players, dtype=np.int64)
    for tables in rounds:
        for table in tables:
            met[np.ix_(table, table)] = 1
    best: tuple[int, list[int]] | None = None
    for chosen in _strangers(~met.astype(np.bool_), [], count):
        if best is None or _unevenness(met, chosen) < best[0]:
            best = _unevenness(met, chosen), chosen
        if best[0] == 0:
            break
    return best[1] if best else []


def _strangers(unmet: Flags, chosen: list[int], count: int) -> Iterator[list[int]]:
    """Yield every choice of `count` players who never meet; `count` is at most 3, less than the seats of a table."""
    if len(chosen) == count:
        yield chosen
        return
    for one in np.flatnonzero(unmet[:, chosen].all(1)).tolist():
        if not chosen or one > chosen[-1]:
            yield from _strangers(unmet, [*chosen, one], count)


def _unevenness(met: Ints, chosen: list[int]) -> int:
    """Return how unevenly the other players would sit at smaller tables if the chosen ones were left out."""
    return uneven(np.delete(met[:, chosen].sum(1), chosen))


def _seating(groups: Groups, at: Ints, added: int, bound: int) -> Seating:
    tables = int(groups.live.sum())
    rounds = tuple(
        tuple(tuple(np.flatnonzero(one == table).tolist()) for table in range(len(groups.sizes))) for one in at
    )
    byes = tuple(tuple(player for group in one[tables:] for player in group) for one in rounds)
    return Seating(tuple(one[:tables] for one in rounds), byes, added, bound)
