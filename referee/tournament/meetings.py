"""How often players have met again, and how few meetings would have been possible."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby

from referee.tournament.seating.bounds import fewest_repeats
from referee.tournament.state import Round, Tournament


def repeated(tournament: Tournament) -> int:
    """The repeats of all rounds drawn: a pair that meets again counts 1, for the third time 2 more, and so on."""
    met = Counter(
        pair for one in tournament.rounds for table in one.tables for pair in combinations(sorted(table.players), 2)
    )
    return sum(times * (times - 1) // 2 for times in met.values())


def fewest(tournament: Tournament) -> int:
    """No seats whatever of these rounds, with the players and tables that they had, have fewer repeats.

    Rounds with the same players and tables are bounded together; what others add to them can only be more.
    """

    def kind(one: Round) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(sorted(one.players)), tuple(sorted(len(table.players) for table in one.tables))

    alike = groupby(sorted(map(kind, tournament.rounds)))
    return sum(fewest_repeats(len(players), sizes, len(list(rounds))) for (players, sizes), rounds in alike)
