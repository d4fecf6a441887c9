"""What the pages show of groups and teams: their standings. Pure."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from referee.club.tournament import Tournament
from referee.club.tournament.groups import group_name
from referee.club.tournament.standings import group_standings
from referee.club.tournament.teams import team_standings
from referee.game.notice import Notice
from referee.i18n import Wording


def groups(tournament: Tournament, words: Wording) -> list[dict[str, Any]]:
    """Return the groups with their standings; an empty list if there are none, or before they are formed.

    Whether somebody reached the final is told by the standings of all players, not here.
    """
    return [
        {
            "name": group_name(at),
            "lines": [
                {
                    "place": line.shown_place,
                    "name": line.name,
                    "away": words(Notice("tournament_page.away")) if tournament.players[line.player - 1].left else "",
                    "points": rounded(line.points) if line.has_points else None,
                    "score": rounded(line.score) if line.has_points else None,
                    "played": line.played,
                }
                for line in lines
            ],
        }
        for at, lines in enumerate(group_standings(tournament))
    ]


def teams(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the standings of the teams; those who count are the first of the members."""
    return [
        {
            "place": line.shown_place,
            "name": line.team,
            "points": rounded(line.points),
            "score": rounded(line.score),
            "members": [one.name for one in line.members[: line.counted]],
            "others": [one.name for one in line.members[line.counted :]],
        }
        for line in team_standings(tournament)
    ]


def rounded(value: Fraction) -> int | float:
    """Return a number of points with two decimals at most."""
    return int(value) if value.denominator == 1 else round(float(value), 2)
