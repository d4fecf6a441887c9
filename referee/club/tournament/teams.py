"""Teams: whose members must not meet, and their standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from referee.club.tournament.rules import TieBreak
from referee.club.tournament.seating.search import MATES_WEIGHT, Ints
from referee.club.tournament.standings import Standing, standings
from referee.club.tournament.state import Tournament


def mates(tournament: Tournament, players: Sequence[int]) -> Ints | None:
    """Return by pair of some players what it costs that team mates meet; None if there are no team mates."""
    teams = [tournament.players[player - 1].team for player in players]
    same = [[MATES_WEIGHT * (one == other != "") for other in teams] for one in teams]
    found: Ints = np.array(same, np.int64).reshape(len(teams), len(teams))
    np.fill_diagonal(found, 0)
    return found if found.any() else None


def mates_of(tournament: Tournament, player: int) -> frozenset[int]:
    """Return the other members of a player's team."""
    team = tournament.players[player - 1].team
    return frozenset(one.number for one in tournament.players if team and one.team == team and one.number != player)


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """A team's line in the standings of the teams."""

    place: int
    """The place; teams that are equal in everything have the same one."""
    team: str
    members: tuple[Standing, ...]
    """The members who have a place in the standings, the best first."""
    counted: int
    """How many of them count, from the first."""
    points: Fraction
    """The points of those who count, added up."""
    score: Fraction
    """What decides the order before any tie-break: the scores of those who count, added up (`Counting`)."""
    tie_breaks: tuple[tuple[TieBreak, Fraction], ...]
    """The tie-breaks that are a single number, added up as well."""

    @property
    def shown_place(self) -> int | None:
        """Return the place; None as long as none of the members has a result."""
        return self.place if any(one.shown_place is not None for one in self.members) else None


def team_standings(tournament: Tournament) -> tuple[TeamStanding, ...]:
    """Return the standings of the teams, the best first.

    The best members of a team count, as many as agreed on, with what decides the order of the players: their points,
    and the strength of their opponents if that counts. Of teams with equal scores, the tie-breaks that are numbers
    decide, each added up over the same members.
    """
    members: dict[str, list[Standing]] = {one.team: [] for one in tournament.players if one.team}
    for line in standings(tournament):
        team = tournament.players[line.player - 1].team
        if team:
            members[team].append(line)
    lines = [_line(tournament, team, of_team) for team, of_team in members.items()]
    ordered = sorted(lines, key=_value, reverse=True)
    return tuple(
        TeamStanding(
            1 + sum(_value(other) > _value(line) for other in lines),
            line.team, line.members, line.counted, line.points, line.score, line.tie_breaks,
        )
        for line in ordered
    )  # fmt: skip


def _line(tournament: Tournament, team: str, members: Sequence[Standing]) -> TeamStanding:
    # In a final, whoever missed it may have a higher score than a finalist.
    best = sorted(members, key=lambda line: (-line.score, line.place))
    most = tournament.rules.team_counts
    counting = best[:most]
    names = [name for name, _ in counting[0].tie_breaks] if counting else []
    sums = [sum((line.tie_breaks[at][1] for line in counting), Fraction(0)) for at in range(len(names))]
    points = sum((line.points for line in counting), Fraction(0))
    score = sum((line.score for line in counting), Fraction(0))
    return TeamStanding(0, team, tuple(best), len(counting), points, score, tuple(zip(names, sums, strict=True)))


def _value(line: TeamStanding) -> tuple[Fraction, ...]:
    return (line.score, *(value for _, value in line.tie_breaks))
