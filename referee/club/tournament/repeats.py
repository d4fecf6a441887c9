"""How often players have met again in the rounds drawn, and a lower bound for that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, groupby

from referee.club.tournament.rules import Drawing
from referee.club.tournament.seating.bounds import fewest_between, fewest_repeats
from referee.club.tournament.state import Round, Tournament


def count_repeats(tournament: Tournament) -> int:
    """Return the repeats of all rounds drawn: the second meeting of a pair counts 1, the third 2, and so on."""
    met = Counter(
        pair for one in tournament.rounds for table in one.tables for pair in combinations(sorted(table.players), 2)
    )
    return sum(times * (times - 1) // 2 for times in met.values())


def fewest(tournament: Tournament) -> int:
    """Return a lower bound for the repeats of the rounds drawn, given their players and sizes of tables.

    Rounds with the same players and sizes are bounded together, and two different rounds as a pair. Every repeat
    belongs to exactly one pair of rounds, so the bounds may be added. The tables of each group count as a round.
    """

    def kind(one: Round) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(sorted(one.players)), tuple(sorted(len(table.players) for table in one.tables))

    kinds = sorted(map(kind, _independent_rounds(tournament)))
    alike = sum(fewest_repeats(len(players), sizes, len(list(rounds))) for (players, sizes), rounds in groupby(kinds))
    differing = 0
    for one, other in combinations(kinds, 2):
        if one != other:
            both = len({*one[0]} & {*other[0]})
            differing += max(fewest_between(both, len(b[1]), a[1]) for a, b in ((one, other), (other, one)))
    return alike + differing


def _independent_rounds(tournament: Tournament) -> Iterator[Round]:
    """Yield the rounds; those in groups as a round for each group that plays."""
    group_of = {player: at for at, group in enumerate(tournament.groups) for player in group}
    for number, one in enumerate(tournament.rounds, 1):
        if tournament.drawing_of(number) is not Drawing.GROUPS:
            yield one
            continue
        for at in range(len(tournament.groups)):
            tables = tuple(table for table in one.tables if group_of[table.players[0]] == at)
            if tables:
                yield Round(tables, tuple(player for player in one.byes if group_of[player] == at))
