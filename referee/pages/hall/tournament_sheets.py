"""Sheets and files of a tournament beyond those for other programs: a page for the club's site, and certificates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import Tournament, standings
from referee.club.tournament.export import meetings_csv
from referee.club.tournament.standings import Standing
from referee.game.notice import Notice
from referee.i18n.dates import written_date
from referee.journal.score_formats import csv_file
from referee.page.pages import Pages
from referee.page.wording import language_of
from referee.pages.hall.final_part import group_of_table, why_away
from referee.pages.hall.group_part import groups, rounded, teams
from referee.pages.hall.order_columns import decided_by, marks, order_heads, order_values, with_scores

NO_STORE = {"Cache-Control": "no-store"}


def sheet_routes(pages: Pages, find_tournament: Callable[[Request], Hosted]) -> list[Route]:
    """Return the routes; `find_tournament` returns the tournament that a request names, or raises 404."""

    async def site(request: Request) -> Response:
        hosted = find_tournament(request)
        answer = pages.page(request, "tournament_site.html", **_sheet(hosted, language_of(request)))
        # The rules of the hall's own pages forbid the styles that this page brings along: it is for elsewhere.
        answer.headers["Content-Disposition"] = f'attachment; filename="{hosted.slug}.html"'
        return answer

    async def certificates(request: Request) -> Response:
        return pages.page(
            request, "tournament_certificates.html", **_sheet(find_tournament(request), language_of(request))
        )

    async def meetings(request: Request) -> Response:
        lines = meetings_csv(find_tournament(request).tournament)
        return Response(csv_file(lines), media_type="text/csv", headers=NO_STORE)

    return [
        Route("/tournament.html", site),
        Route("/tournament/certificates", certificates),
        Route("/tournament-meetings.csv", meetings),
    ]


def _sheet(hosted: Hosted, language: str) -> dict[str, Any]:
    """Return the values for the templates: standings, and rounds with their tables."""
    tournament = hosted.tournament
    played = any(table.points is not None for round_ in tournament.rounds for table in round_.tables)
    return {
        "name": tournament.name,
        "slug": hosted.slug,
        "ended": tournament.ended,
        "amount": lambda points: Notice("director.amount", amount=points),
        "date": written_date(datetime.fromtimestamp(hosted.t).astimezone().date(), language),
        "with_scores": with_scores(tournament.rules),
        "with_clubs": any(player.club for player in tournament.players),
        "ties": order_heads(tournament.rules),
        "decided": lambda words: decided_by(tournament, words),
        "lines": _lines(tournament) if played else [],
        "groups": lambda words: groups(tournament, words) if played else [],
        "teams": teams(tournament) if played else [],
        "rounds": _rounds(tournament),
    }


def _lines(tournament: Tournament) -> list[dict[str, Any]]:
    return [
        {
            "place": line.shown_place,
            "name": line.name,
            "club": tournament.players[line.player - 1].club,
            "has_points": line.has_points,
            "marks": marks(line),
            "away": why_away(tournament, line.player),
            "points": amount_of(line.points),
            "score": score_of(line),
            "played": line.played,
            "rounds": sum(points is not None for points in line.rounds),
            "ties": [amount_of(value) for value in order_values(tournament.rules, line)],
        }
        for line in standings(tournament)
    ]


def _rounds(tournament: Tournament) -> list[dict[str, Any]]:
    def name(player: int) -> str:
        return tournament.players[player - 1].name

    return [
        {
            "number": number,
            "tables": [
                {
                    "number": at,
                    "group": group_of_table(tournament, number, table.players),
                    "players": [
                        (name(player), None if table.points is None else table.points[seat])
                        for seat, player in enumerate(table.players)
                    ],
                }
                for at, table in enumerate(round_.tables, 1)
            ],
            "byes": ", ".join(map(name, round_.byes)),
        }
        for number, round_ in enumerate(tournament.rounds, 1)
    ]


@dataclass(frozen=True, slots=True)
class Score:
    """What decides a place where more than the points does: the score, and what of it is for the opponents."""

    score: Notice
    strength: Notice


def score_of(line: Standing) -> Score:
    """Return the score of a line of the standings."""
    return Score(amount_of(line.score), amount_of(line.strength))


def amount_of(value: Fraction) -> Notice:
    """Return a number of points as a notice, since languages write fractions differently."""
    return Notice("director.amount", amount=rounded(value))
