"""What the rounds so far brought the players: whom they met, byes, places at smaller tables; and the plan that was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from referee.club.tournament.seating.bounds import table_sizes
from referee.club.tournament.seating.search import Before
from referee.club.tournament.state import Round, Tournament


def past_rounds(tournament: Tournament, players: Sequence[int]) -> Before:
    """Return what the rounds so far brought some players.

    A round that a player missed counts as the mean of that round, except for meetings.
    """
    place = {player: at for at, player in enumerate(players)}
    before = Before.nothing(len(place))
    for one in tournament.rounds:
        before.byes[[place[player] for player in one.byes if player in place]] += 1
        for table in one.tables:
            seated = [place[player] for player in table.players if player in place]
            before.meetings[np.ix_(seated, seated)] += 1
        for table_players in _small(one):
            before.small[[place[player] for player in table_players if player in place]] += 1
    for player, at in place.items():
        before.byes[at] += share_of_missed_rounds(tournament, player, lambda one: len(one.byes))
        before.small[at] += share_of_missed_rounds(tournament, player, lambda one: sum(map(len, _small(one))))
    np.fill_diagonal(before.meetings, 0)
    return before


def share_of_missed_rounds(tournament: Tournament, player: int, places: Callable[[Round], int]) -> int:
    """Return the sum of a player's mean shares of the `places` in each round that the player missed.

    It is counted so that a late player is not made to start, or to have a bye, more often than others from then on.
    """
    shares = (Fraction(places(one), len(one.players)) for one in tournament.rounds if player not in one.players)
    return int(sum(shares))


def _small(one: Round) -> list[tuple[int, ...]]:
    largest = max(len(table.players) for table in one.tables)
    return [table.players for table in one.tables if len(table.players) < largest]


def adapted_plan(tournament: Tournament, players: Sequence[int]) -> list[list[tuple[int, ...]]] | None:
    """Return the former plan for some players who are present now, as indexes in their list; None if it does not fit.

    Whoever left is taken out, and whoever came takes a free place. Then players move from the largest tables to the
    smallest until the sizes are right. So if one leaves, the others still meet nobody twice whom they did not before.
    In groups, `players` are those of one group, and the tables of the others are left out.
    """
    rules = tournament.rules
    sizes = table_sizes(len(players), rules.smallest, rules.largest)
    here, left = {player: at for at, player in enumerate(players)}, tournament.rounds_left
    former = [[table for table in draw.tables if here.keys() & {*table}] for draw in tournament.former[:left]]
    byes = any(here.keys() & {*draw.byes} for draw in tournament.former[:left])
    if len(former) < left or sum(sizes) < len(here) or byes:
        return None
    if any(len(tables) != len(sizes) for tables in former):
        return None
    return [_resized([[here[one] for one in table if one in here] for table in tables], sizes) for tables in former]


def _resized(tables: list[list[int]], sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return tables of these sizes with all players, as few of whom as possible leave their tables."""
    ordered = sorted(tables, key=len, reverse=True)
    seated = {player for table in tables for player in table}
    without = [player for player in range(sum(sizes)) if player not in seated]
    for table, size in zip(ordered, sizes, strict=True):
        while len(table) > size:
            without.append(table.pop())
    for table, size in zip(ordered, sizes, strict=True):
        while len(table) < size:
            table.append(without.pop())
    return [tuple(table) for table in ordered]


def seed_of_draw(tournament: Tournament) -> int:
    """Return the seed of the next draw."""
    # If a draw is withdrawn, the next one must be different.
    return tournament.rules.seed + 1_000 * len(tournament.rounds) + len(tournament.traces)
