"""How well a tournament finds the strongest player: Swiss draw and seats by lot, in simulated events.

Every player has a strength, drawn from a normal distribution. At a table each one's result is the strength plus luck,
both in the same unit, and the best result takes the first place. The points of the places and the standings are those
of a tournament with its default rules. Each event has two standings: by the points alone, and by points and the
strength of opponents (`Counting.STRENGTH`), as a Swiss tournament of more than two players a table has unless the
director chooses otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.report import Row
from referee.club.tournament import Counting, Rules, apply, open_tournament, standings
from referee.club.tournament.drawing import draws, next_draw
from referee.club.tournament.events import CheckedIn, Draw, Drawn, Entered, Opened, ResultTold
from referee.club.tournament.repeats import count_repeats
from referee.club.tournament.rules import Drawing
from referee.club.tournament.seating import Seating, table_sizes
from referee.club.tournament.state import Tournament

PLAYERS, ROUNDS, EVENTS = 64, 7, 1_000
LUCK = 1.0
"""The standard deviation of the luck in one match, in standard deviations of the strength. Chosen by hand: of two
players one deviation apart, the stronger is ahead in 76 % of matches."""
UNIT = 10_000
"""The points of a match in a unit of strength."""


@dataclass(frozen=True)
class Order:
    """How near the standings of an event come to the true order."""

    winner_rank: int
    """The true rank of the winner, 1 for the strongest player."""
    spearman: float
    """The rank correlation of the standings with the strengths."""


@dataclass(frozen=True)
class Outcome:
    """What became of one event."""

    by_points: Order
    by_strength: Order
    repeats: int


def measure() -> list[Row]:
    """Measure the Swiss draw and seats by lot in the same events, with both standings, and their margins."""
    swiss = [play_event(seed, draw_by_standings) for seed in range(EVENTS)]
    lot = [play_event(seed, draw_by_lot) for seed in range(EVENTS)]
    best = [one.by_strength for one in swiss]
    on = f"{PLAYERS} players, {ROUNDS} rounds, tables of 4"
    return [
        _row_of("Swiss draw, standings by points", on, swiss, [one.by_points for one in swiss]),
        _row_of("Swiss draw, standings by points and strength", on, swiss, best),
        _row_of("seats by lot, standings by points", on, lot, [one.by_points for one in lot]),
        _row_of("seats by lot, standings by points and strength", on, lot, [one.by_strength for one in lot]),
        _margin("both by points", on, [one.by_points for one in swiss], [one.by_points for one in lot]),
        _margin("by strength, and by lot by points", on, best, [one.by_points for one in lot], must_reach=True),
        _margin("both by strength", on, best, [one.by_strength for one in lot]),
    ]


def play_event(seed: int, draw: Callable[[Tournament, np.random.Generator], Draw]) -> Outcome:
    """Play a whole tournament; the same seed gives the same strengths, and each player the same luck in each round."""
    rng = np.random.default_rng([seed, 0])
    strength, luck = rng.normal(size=PLAYERS), rng.normal(scale=LUCK, size=(ROUNDS, PLAYERS))
    lots = np.random.default_rng([seed, 1])
    tournament = open_tournament(Opened("Simulated", Rules(ROUNDS, seed=seed, drawing=Drawing.SWISS), 0.0))
    for number in range(1, PLAYERS + 1):
        tournament = apply(apply(tournament, Entered(f"Player {number}", 0.0)), CheckedIn(number, 0.0))
    for round_ in range(ROUNDS):
        tournament = apply(tournament, Drawn(draw(tournament, lots), 0.0))
        result = np.rint(UNIT * (strength + luck[round_])).astype(int).tolist()
        for table, one in enumerate(tournament.rounds[-1].tables, 1):
            told = tuple(result[player - 1] for player in one.players)
            tournament = apply(tournament, ResultTold(table, told, 0.0))
    return _outcome(tournament, strength.tolist())


def _outcome(tournament: Tournament, strength: Sequence[float]) -> Outcome:
    by_points, by_strength = (
        _order(replace(tournament, rules=replace(tournament.rules, counting=counting)), strength)
        for counting in (Counting.POINTS, Counting.STRENGTH)
    )
    return Outcome(by_points, by_strength, count_repeats(tournament))


def _order(tournament: Tournament, strength: Sequence[float]) -> Order:
    order = [line.player for line in standings(tournament)]
    true = sorted(range(1, PLAYERS + 1), key=lambda player: -strength[player - 1])
    rank = {player: place for place, player in enumerate(true, 1)}
    apart = sum((rank[player] - place) ** 2 for place, player in enumerate(order, 1))
    return Order(rank[order[0]], 1 - 6 * apart / (PLAYERS * (PLAYERS**2 - 1)))


def draw_by_standings(tournament: Tournament, _: np.random.Generator) -> Draw:
    """Return the Swiss draw."""
    return next_draw(tournament)


def draw_by_lot(tournament: Tournament, rng: np.random.Generator) -> Draw:
    """Return seats by lot, in which only the order at each table is evened out."""
    order = iter(rng.permutation(PLAYERS).tolist())
    tables = tuple(tuple(next(order) for _ in range(size)) for size in table_sizes(PLAYERS))
    return draws(tournament, Seating((tables,), ((),), 0, 0))[0]


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some values, and half the width of its 95 % confidence interval."""
    mean = float(np.mean(values))
    return mean, 1.96 * float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def _row_of(what: str, on: str, events: Sequence[Outcome], orders: Sequence[Order]) -> Row:
    rank, about = interval([one.winner_rank for one in orders])
    spearman, near = interval([one.spearman for one in orders])
    best = sum(one.winner_rank == 1 for one in orders) / len(orders)
    repeats = sum(one.repeats for one in events) / len(events)
    figure = (
        f"winner's true rank {rank:.2f} ± {about:.2f}, the strongest wins {100 * best:.0f} %; "
        f"Spearman {spearman:.3f} ± {near:.3f}; {repeats:.1f} repeats an event"
    )
    return Row(what, on, figure, f"{len(orders)} events", "", None)


def _margin(what: str, on: str, swiss: Sequence[Order], lot: Sequence[Order], *, must_reach: bool = False) -> Row:
    rank, about = interval([b.winner_rank - a.winner_rank for a, b in zip(swiss, lot, strict=True)])
    spearman, near = interval([a.spearman - b.spearman for a, b in zip(swiss, lot, strict=True)])
    figure = f"rank of the winner better by {rank:.2f} ± {about:.2f}, Spearman better by {spearman:.3f} ± {near:.3f}"
    reached = rank - about > 0 and spearman - near > 0
    target, reached_or_none = ("both better, beyond the intervals", reached) if must_reach else ("", None)
    return Row(f"Swiss draw against seats by lot: {what}", on, figure, f"{len(swiss)} events", target, reached_or_none)
