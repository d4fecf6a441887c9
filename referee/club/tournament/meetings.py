"""How often players have met again, and how few meetings would have been possible."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby

from referee.club.tournament.seating.bounds import fewest_between, fewest_repeats
from referee.club.tournament.state import Round, Tournament


def count_repeats(tournament: Tournament) -> int:
    """The repeats of all rounds drawn: a pair that meets again counts 1, for the third time 2 more, and so on."""
    met = Counter(
        pair for one in tournament.rounds for table in one.tables for pair in combinations(sorted(table.players), 2)
    )
    return sum(times * (times - 1) // 2 for times in met.values())


def fewest(tournament: Tournament) -> int:
    """No seats whatever of these rounds, with the players and tables that they had, have fewer repeats.

    Rounds with the same players and tables are bounded together. Of two that differ each may repeat the other; every
    repeat belongs to one pair of rounds, so all of it adds up.
    """

    def kind(one: Round) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(sorted(one.players)), tuple(sorted(len(table.players) for table in one.tables))

    kinds = sorted(map(kind, tournament.rounds))
    alike = sum(fewest_repeats(len(players), sizes, len(list(rounds))) for (players, sizes), rounds in groupby(kinds))
    differing = 0
    for one, other in combinations(kinds, 2):
        if one != other:
            both = len({*one[0]} & {*other[0]})
            differing += max(fewest_between(both, len(b[1]), a[1]) for a, b in ((one, other), (other, one)))
    return alike + differing
