"""Divides players into groups of even size and strength, with team mates in different groups as far as possible.

Players are listed by strength and cut into rows of as many players as there are groups; each row gives one player to
each group. Without teams the rows go to and fro: 1 2 3, then 6 5 4, then 7 8 9 (a serpentine).

With teams this is a colouring of the edges of a bipartite graph: each player is an edge between a row and a team, and
each group is a colour. No two edges of a row or a team may have the same colour. By a theorem of König as many colours
as the largest row or team has edges are enough, so team mates are always in different groups unless a team is larger
than the number of groups. Such a team is spread over the groups as evenly as possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence


def number_of_groups(players: int, size: int, smallest: int) -> int:
    """Return how many groups of about `size` players there are; none is smaller than a table, `smallest`.

    The sizes of the groups are as near to `size` as possible; of two numbers that are equally near, the smaller one.
    """

    def off(groups: int) -> int:
        return max(abs(players // groups - size), abs(-(-players // groups) - size))

    return min(range(1, max(1, players // smallest) + 1), key=off)


def divide(players: Sequence[int], groups: int, teams: Mapping[int, Hashable]) -> tuple[tuple[int, ...], ...]:
    """Return the groups, of sizes that differ by one at most.

    `players`: the players, the strongest first. `teams`: the team of each player who is in one.
    """
    at: dict[int, int] = {}
    members: Counter[Hashable] = Counter()
    in_row: dict[tuple[int, int], int] = {}
    in_team: dict[tuple[Hashable, int], int] = {}
    units: dict[int, Hashable] = {}
    for number, player in enumerate(players):
        row, place = divmod(number, groups)
        team = teams.get(player)
        # Of a team that is larger than the number of groups, the next members count as another team.
        unit: Hashable = ("alone", player) if team is None else (team, members[team] // groups)
        members[team] += 1
        units[player] = unit
        wished = groups - 1 - place if row % 2 else place
        order = sorted(range(groups), key=lambda group: (abs(group - wished), group))
        free_in_row = [group for group in order if (row, group) not in in_row]
        free_in_team = [group for group in order if (unit, group) not in in_team]
        both = [group for group in free_in_row if group in free_in_team]
        if both:
            chosen = both[0]
        else:
            chosen = free_in_row[0]
            _exchange(unit, chosen, free_in_team[0], (at, units, in_row, in_team))
        at[player] = chosen
        in_row[row, chosen] = in_team[unit, chosen] = player
    return tuple(tuple(player for player in players if at[player] == group) for group in range(groups))


def _exchange(
    unit: Hashable,
    one: int,
    other: int,
    made: tuple[dict[int, int], dict[int, Hashable], dict[tuple[int, int], int], dict[tuple[Hashable, int], int]],
) -> None:
    """Free the group `one` for a team: exchange both groups along the chain of rows and teams that begins there."""
    at, units, in_row, in_team = made
    rows = {player: row for (row, _), player in in_row.items()}
    chain: list[int] = []
    player = in_team.get((unit, one))
    wanted = other
    while player is not None:
        chain.append(player)
        by_row = len(chain) % 2 == 1
        player = in_row.get((rows[player], wanted)) if by_row else in_team.get((units[player], wanted))
        wanted = one if wanted == other else other
    for moved in chain:
        del in_row[rows[moved], at[moved]], in_team[units[moved], at[moved]]
    for moved in chain:
        at[moved] = other if at[moved] == one else one
        in_row[rows[moved], at[moved]] = in_team[units[moved], at[moved]] = moved
