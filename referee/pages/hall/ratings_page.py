"""The ratings of the club's players over all its tournaments: a list, the history of each player, and files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament.export import csv_of, guarded
from referee.club.tournament.ratings import RatedPlayer, rate_players
from referee.i18n.dates import written_date
from referee.journal.score_formats import csv_file
from referee.page.broadcast import Broadcast
from referee.page.pages import Pages
from referee.page.wording import language_of

NO_STORE = {"Cache-Control": "no-store"}
VERSION = 1
"""The version of the JSON document."""
COLUMNS = ("place", "player", "club", "rating", "mean", "deviation", "matches", "won", "tournaments")


class RatingPages:
    """Answers for the ratings. They are computed anew only when a tournament has changed."""

    def __init__(self, broadcast: Broadcast, pages: Pages) -> None:
        self._broadcast, self._pages = broadcast, pages
        self._for: tuple[Hosted, ...] = ()
        self._rated: list[RatedPlayer] = []

    def routes(self) -> list[Route]:
        """Return the routes of the list, of a player's history, and of the files."""
        return [
            Route("/ratings", self.everybody),
            Route("/ratings/player", self.player),
            Route("/ratings.{kind}", self.file),
        ]

    def _players(self) -> Sequence[RatedPlayer]:
        tournaments = (self._broadcast.facts.tournaments or TournamentFacts()).all
        same = len(tournaments) == len(self._for) and all(
            one.tournament is other.tournament for one, other in zip(tournaments, self._for, strict=True)
        )
        if not same:
            self._rated = rate_players((one.slug, one.t, one.tournament) for one in tournaments)
            self._for = tournaments
        return self._rated

    async def everybody(self, request: Request) -> Response:
        """Answer with the list of all players."""
        players = [_line(place, one) for place, one in _placed(self._players())]
        with_clubs = any(one["club"] for one in players)
        return self._pages.page(request, "ratings.html", players=players, with_clubs=with_clubs)

    async def player(self, request: Request) -> Response:
        """Answer with the history of the player whose name the address has."""
        key = request.query_params.get("name", "")
        found = next(((place, one) for place, one in _placed(self._players()) if one.key == key), None)
        if found is None:
            raise HTTPException(404)
        place, one = found
        language = language_of(request)
        history = [
            {
                "name": stage.name,
                "date": written_date(datetime.fromtimestamp(stage.t).astimezone().date(), language),
                "place": stage.place,
                "players": stage.players,
                "rounds": stage.rounds,
                "before": stage.before,
                "after": stage.after,
                "change": stage.after - stage.before,
            }
            for stage in reversed(one.history)
        ]
        return self._pages.page(request, "rating_history.html", one=_line(place, one), history=history)

    async def file(self, request: Request) -> Response:
        """Answer with the ratings as CSV or JSON."""
        players = list(_placed(self._players()))
        if request.path_params["kind"] == "csv":
            rows = (
                [guarded(cell) if isinstance(cell, str) else cell for cell in _cells(place, one)]
                for place, one in players
            )
            text = csv_of(COLUMNS, rows)
            return Response(csv_file(text), media_type="text/csv", headers=NO_STORE)
        if request.path_params["kind"] == "json":
            told = [{**dict(zip(COLUMNS, _cells(place, one), strict=True)), "history": _stages(one)}
                    for place, one in players]  # fmt: skip
            return JSONResponse({"version": VERSION, "players": told}, headers=NO_STORE)
        raise HTTPException(404)


def _placed(players: Sequence[RatedPlayer]) -> list[tuple[int, RatedPlayer]]:
    """Return the players with their places; those with equal ratings share one."""
    found: list[tuple[int, RatedPlayer]] = []
    for number, one in enumerate(players, 1):
        equal = found and found[-1][1].rating.shown == one.rating.shown
        found.append((found[-1][0] if equal else number, one))
    return found


def _line(place: int, one: RatedPlayer) -> dict[str, Any]:
    return {
        "place": place,
        "key": one.key,
        "name": one.name,
        "club": one.club,
        "rating": one.rating.shown,
        "matches": one.matches,
        "won": one.won,
        "tournaments": len(one.history),
    }


def _cells(place: int, one: RatedPlayer) -> list[Any]:
    rating = one.rating
    return [place, one.name, one.club, rating.shown, round(rating.mean, 4), round(rating.deviation, 4),
            one.matches, one.won, len(one.history)]  # fmt: skip


def _stages(one: RatedPlayer) -> list[dict[str, Any]]:
    return [
        {
            "tournament": stage.tournament,
            "name": stage.name,
            "opened": stage.t,
            "rounds": stage.rounds,
            "place": stage.place,
            "players": stage.players,
            "before": stage.before,
            "after": stage.after,
        }
        for stage in one.history
    ]
