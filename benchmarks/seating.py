"""Repeated meetings in the seats of tournaments, compared with proven lower bounds, and the time to find seats."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.report import Row
from referee.club.tournament import Rules, apply, next_draw, open_tournament
from referee.club.tournament.drawing import seating, starters
from referee.club.tournament.events import CheckedIn, Drawn, Entered, Left, Opened, ResultTold
from referee.club.tournament.seating import Seating, seat, table_sizes
from referee.club.tournament.state import Tournament

PLAYERS = range(3, 65)
ROUNDS = range(3, 9)
SECONDS = 10.0
"""The longest time for a schedule on one slow core."""
SLOWER = 5
"""How many times slower than this machine that core is assumed to be."""


@dataclass(frozen=True)
class Case:
    """A schedule, and the seconds that it took on one core."""

    players: int
    seating: Seating
    seconds: float

    @property
    def above(self) -> int:
        """Repeats above the bound."""
        return self.seating.repeats - self.seating.bound

    def spread(self, visits: Iterable[int]) -> int:
        """Return the greatest difference between the numbers of visits of two players."""
        count = Counter(visits)
        return max(count[player] for player in range(self.players)) - min(
            count[player] for player in range(self.players)
        )


def measure() -> list[Row]:
    """Measure a large tournament, all smaller ones by rounds, and one in which players come and go."""
    large = _case(64, 8)
    cases = {rounds: [_case(players, rounds) for players in PLAYERS] for rounds in ROUNDS}
    everyone = [case for some in cases.values() for case in some]
    return [
        row_of("64 players, 8 rounds, tables of 4", [large], wanted=True),
        *(row_of(f"{PLAYERS[0]}-{PLAYERS[-1]} players, {rounds} rounds", some) for rounds, some in cases.items()),
        _evenness(everyone),
        _coming_and_going(),
    ]


def _case(players: int, rounds: int) -> Case:
    start = time.process_time()
    found = seat(players, table_sizes(players), rounds, seed=1)
    return Case(players, found, time.process_time() - start)


def row_of(on: str, cases: Sequence[Case], *, wanted: bool = False) -> Row:
    """Return a row with the number of schedules that provably have the fewest repeats; `wanted`: all must."""
    proven = sum(not case.above for case in cases)
    gaps = sorted((case.above for case in cases), reverse=True)
    worst = max(case.seconds for case in cases)
    total, bound = (sum(getattr(case.seating, what) for case in cases) for what in ("repeats", "bound"))
    figure = f"{proven} at the bound, at most {gaps[0]} above; {total} repeats, bound {bound}; {worst:.2f} s worst"
    fast = SLOWER * worst <= SECONDS
    target = f"≤ {SECONDS / SLOWER:g} s here" + (", all at the bound" if wanted else "")
    reached = fast and (proven == len(cases) or not wanted)
    count = f"{len(cases)} schedule{'s' * (len(cases) > 1)}"
    return Row("seats: repeated meetings", on, figure, count, target, reached)


def _evenness(cases: Sequence[Case]) -> Row:
    starts, small = 0, 0
    for case in cases:
        tables = [table for one in case.seating.rounds for table in one]
        largest = max(map(len, tables))
        starts = max(starts, case.spread(starters(tables, {})))
        small = max(small, case.spread(player for table in tables if len(table) < largest for player in table))
    figure = f"starts differ by {starts} at most, places at smaller tables by {small}"
    return Row("seats: who starts, who sits at smaller tables", "the same", figure, f"{len(cases)} schedules",
               "starts by ≤ 1", starts <= 1)  # fmt: skip


def _coming_and_going() -> Row:
    """Measure a tournament of about 60 players in which, before each of eight rounds, four leave and five come."""
    tournament = open_tournament(Opened("Coming and going", Rules(8, seed=1), 0.0))
    for _ in range(58):
        tournament = _newcomer(tournament)
    added, bound, seconds = 0, 0, 0.0
    for number in range(8):
        for player in tournament.here[number * 7 : number * 7 + 4]:
            tournament = apply(tournament, Left(player, 0.0))
        for _ in range(5):
            tournament = _newcomer(tournament)
        start = time.process_time()
        plan = seating(tournament)
        seconds = max(seconds, time.process_time() - start)
        tournament = apply(tournament, Drawn(next_draw(tournament), 0.0))
        for table, one in enumerate(tournament.rounds[-1].tables, 1):
            tournament = apply(tournament, ResultTold(table, tuple(range(len(one.players))), 0.0))
        added, bound = added + plan.repeats, bound + plan.bound
    figure = f"{added} repeats in all plans, bound {bound}; {seconds:.2f} s worst"
    reached = added == bound and SLOWER * seconds <= SECONDS
    return Row("seats: players come and go before every round", f"{len(tournament.here)} players, 8 rounds", figure,
               "8 plans", f"at the bound, ≤ {SECONDS / SLOWER:g} s here", reached)  # fmt: skip


def _newcomer(tournament: Tournament) -> Tournament:
    number = len(tournament.players) + 1
    return apply(apply(tournament, Entered(f"Player {number}", 0.0)), CheckedIn(number, 0.0))
