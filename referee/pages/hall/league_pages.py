"""The pages of the leagues: the list, the table of each league, and its files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.club.hall.tournaments.leagues import league_of, table_of
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.tournament.league import export
from referee.club.tournament.league.state import League, RulesChange, Worth
from referee.club.tournament.league.table import LeagueLine, LeagueTable
from referee.game.notice import Notice
from referee.i18n.dates import written_date
from referee.journal.score_formats import csv_file
from referee.page.broadcast import Broadcast
from referee.page.pages import Pages
from referee.page.wording import language_of
from referee.pages.hall.tournament_sheets import amount_of
from referee.pages.hall.traces import moment

NO_STORE = {"Cache-Control": "no-store"}
WORTHS = (Worth.PLACE, Worth.POINTS)
"""What an evening may be worth, as it is offered: values that are comparable come first."""
DEFAULTS: dict[str, Any] = {"name": "", "evenings": 8, "best": 6, "worth": Worth.PLACE, "after": ""}
"""What the form for a new league begins with. Chosen by hand."""


class LeaguePages:
    """Answers for the leagues. A table is computed anew only when a tournament or a league has changed."""

    def __init__(self, broadcast: Broadcast, pages: Pages) -> None:
        self._broadcast, self._pages = broadcast, pages
        self._known: tuple[tuple[object, ...], dict[str, LeagueTable]] = (), {}
        """What the tables were computed from, and the tables by the ids of their leagues; replaced as a whole, since
        threads read it."""

    def routes(self) -> list[Route]:
        """Return the routes of the list, of each league, and of the files."""
        return [
            Route("/leagues", self.everything),
            Route("/leagues.json", self.everything_as_json),
            Route("/league/{id}", self.one),
            Route("/league/{id}/table.{kind}", self.file),
        ]

    @property
    def _facts(self) -> TournamentFacts:
        return self._broadcast.facts.tournaments or TournamentFacts()

    async def _table(self, facts: TournamentFacts, league: League) -> LeagueTable:
        """Return the table of a league; on a Pi, that of a long season takes a moment, so a thread computes it."""
        return await asyncio.to_thread(self._known_table, facts, league)

    def _known_table(self, facts: TournamentFacts, league: League) -> LeagueTable:
        source = (facts.leagues, *(hosted.tournament for hosted in facts.all))
        known = self._known
        if len(source) != len(known[0]) or any(now is not was for now, was in zip(source, known[0], strict=True)):
            known = self._known = (source, {})
        if league.slug not in known[1]:
            known[1][league.slug] = table_of(facts, league)
        return known[1][league.slug]

    def _asked(self, request: Request) -> tuple[TournamentFacts, League]:
        """Return the league that a request names; raises 404 if there is none."""
        facts, slug = self._facts, request.path_params["id"]
        found = next((league for league in facts.leagues if league.slug == slug), None)
        if found is None:
            raise HTTPException(404)
        return facts, found

    async def everything(self, request: Request) -> Response:
        """Answer with the list of all leagues, and for the director with a form for a new one."""
        facts, language = self._facts, language_of(request)
        leagues = [
            {
                "slug": league.slug,
                "name": league.name,
                "founded": _date(league.t, language),
                "state": state_of(await self._table(facts, league)),
            }
            for league in reversed(facts.leagues)
        ]
        former = next(
            (one for one in facts.leagues if one.slug == request.query_params.get("after") and one.ended), None
        )
        return self._pages.page(
            request,
            "leagues.html",
            leagues=leagues,
            former=None if former is None else former.name,
            form=DEFAULTS if former is None else _next_season(former),
            worths=[(worth.value, f"league.worth_{worth.value}") for worth in WORTHS],
            may_write=request.state.may_write,
        )

    async def everything_as_json(self, _: Request) -> Response:
        """Answer with a list of all leagues; `open` is whether another tournament can be added."""
        told = [
            {
                "id": league.slug,
                "name": league.name,
                "evenings": len(league.tournaments),
                "evenings_agreed": league.evenings,
                "ended": league.ended,
                "open": not league.ended and len(league.tournaments) < league.evenings,
            }
            for league in self._facts.leagues
        ]
        return JSONResponse(told, headers=NO_STORE)

    async def one(self, request: Request) -> Response:
        """Answer with the table of a league, and for the director with what can be done."""
        facts, league = self._asked(request)
        former = next((one for one in facts.leagues if one.slug == league.after), None)
        later = next((one for one in facts.leagues if one.after == league.slug), None)
        full = len(league.tournaments) >= league.evenings
        free = [] if full else [hosted for hosted in reversed(facts.all) if league_of(facts, hosted.slug) is None]
        table, language = await self._table(facts, league), language_of(request)
        return self._pages.page(
            request,
            "league.html",
            **table_values(table, language),
            names="\n".join((*(line.name for line in table.lines), *table.awaited)),
            former=former,
            later=later,
            free=[(one.slug, f"{one.tournament.name} · {_date(one.t, language)}") for one in free],
            worths=[(worth.value, f"league.worth_{worth.value}") for worth in WORTHS],
            may_write=request.state.may_write,
        )

    async def file(self, request: Request) -> Response:
        """Answer with the table of a league as CSV or JSON, or as a page for the club's site."""
        facts, league = self._asked(request)
        table = await self._table(facts, league)
        match request.path_params["kind"]:
            case "csv":
                return Response(csv_file(export.table_csv(table)), media_type="text/csv", headers=NO_STORE)
            case "json":
                return JSONResponse(export.as_json(table), headers=NO_STORE)
            case "html":
                values = table_values(table, language_of(request))
                answer = self._pages.page(request, "league_site.html", **values)
                # The rules of the hall's own pages forbid the styles that this page brings along: it is for elsewhere.
                answer.headers["Content-Disposition"] = f'attachment; filename="{league.slug}.html"'
                return answer
        raise HTTPException(404)


def state_of(table: LeagueTable) -> Notice:
    """Return how far the season is, and whether the table is final."""
    league, played = table.league, len(table.evenings)
    if not table.provisional:
        return Notice("league.final")
    if table.open:
        return Notice("league.provisional_open", evenings=tuple(str(one.number) for one in table.open))
    if table.missing:
        return Notice("league.provisional_missing")
    if played < league.evenings:
        return Notice("league.provisional", evening=played, evenings=league.evenings)
    return Notice("league.all_played")


def table_values(table: LeagueTable, language: str) -> dict[str, Any]:
    """Return the values that the templates show of a league."""
    league = table.league
    return {
        "league": league,
        "state": state_of(table),
        "counting": Notice("league.counting", best=league.best, evenings=league.evenings),
        "worth": f"league.worth_{league.worth.value}_text",
        "evenings": [
            {
                "number": one.number,
                "slug": one.contest.slug,
                "name": one.contest.tournament.name,
                "date": _date(one.contest.t, language),
                "players": one.players,
                "ended": one.ended,
            }
            for one in table.evenings
        ],
        "with_clubs": any(line.club for line in table.lines),
        "lines": [_line(line) for line in table.lines],
        "awaited": table.awaited,
        "missing": list(_missing(table.missing)),
        "changes": [_change(one) for one in reversed(league.changes)],
    }


def _change(one: RulesChange) -> tuple[Notice, ...]:
    """Return what held before a change of the rules, and who changed it, when and why."""
    worth = Notice(f"league.worth_{one.worth.value}")
    return (
        Notice("league.until_then", best=one.best, evenings=one.evenings, worth=worth),
        Notice("results.changed_at", when=moment(one.t)),
        Notice("director.changed_by", who=one.who.rstrip(" .")),  # the sentence adds a full stop
        Notice("director.changed_why", why=one.why.rstrip(" .")),
    )


def _line(line: LeagueLine) -> dict[str, Any]:
    return {
        "place": line.place,
        "name": line.name,
        "club": line.club,
        "total": amount_of(line.total),
        "played": line.played,
        "scores": [
            (number, None if score is None else amount_of(score.value), score is not None and score.counts)
            for number, score in enumerate(line.scores, 1)
        ],
    }


def _missing(slugs: Sequence[str]) -> Iterator[tuple[str, Notice]]:
    for slug in slugs:
        yield slug, Notice("league.missing", slug=slug)


def _next_season(league: League) -> dict[str, Any]:
    """Return what the form for the next season of a league begins with."""
    told = {"name": league.name, "evenings": league.evenings, "best": league.best, "worth": league.worth}
    return {**told, "after": league.slug}


def _date(t: float, language: str) -> str:
    return written_date(datetime.fromtimestamp(t).astimezone().date(), language)
