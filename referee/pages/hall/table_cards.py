"""Cards and result slips for the tables of a tournament, on paper, and the page to which their QR codes lead.

A card has a table's number and stays on the table for the whole tournament. Its code leads to a page that everybody
may see: who sits there in the round under way, and the result. To enter a result each player has an own page, since a
card lies where everybody at the table could act as everybody else.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.club.hall.tournaments.player_tokens import BYTES, token_for
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted
from referee.game.notice import Notice
from referee.page.access.answers import refusal
from referee.page.broadcast import Broadcast
from referee.page.pages import Pages
from referee.pages import qr
from referee.pages.hall.addresses import page_address
from referee.pages.hall.agreed_part import match_of
from referee.pages.hall.final_part import group_of_table, round_title
from referee.pages.hall.phone_desk import NOW, desk_values, enters_on_phones, is_in_round
from referee.pages.hall.player_page import EVERY_S
from referee.pages.hall.player_results import takes_minus
from referee.pages.hall.tournament_fields import MOST_PLAYERS
from referee.pages.hall.tournament_saving import PIN_FIRST
from referee.pages.hall.traces import report_state

PATH = "/at/"
MOST_CARDS = MOST_PLAYERS // 2
NO_STORE = {"Cache-Control": "no-store"}


def table_token(secret: bytes, hosted: Hosted, table: int) -> str:
    """Return the token of a table's page.

    It is made from the first player's, and so is kept as that one is if the tournament is restored at another hall.
    """
    made = hmac.new(token_for(secret, hosted, 1).encode(), f"table/{table}".encode(), hashlib.sha256).digest()
    return base64.b32encode(made[:BYTES]).decode().lower()


def cards_needed(hosted: Hosted) -> int:
    """Return the number of tables: the most of any round; before the first draw, as many as the players here fill."""
    tournament = hosted.tournament
    drawn = max((len(round_.tables) for round_ in tournament.rounds), default=0)
    return drawn or min(MOST_CARDS, -(-len(tournament.here) // tournament.rules.largest))


class TableCards:
    """Answers for cards and result slips of the tables, and for the page of one table."""

    def __init__(self, broadcast: Broadcast, pages: Pages, find_tournament: Callable[[Request], Hosted]) -> None:
        """`find_tournament` returns the tournament that a request names, or raises 404."""
        self._broadcast, self._pages, self._find_tournament = broadcast, pages, find_tournament
        self._tables: dict[str, tuple[str, int]] = {}
        self._known: set[str] = set()

    def routes(self) -> list[Route]:
        """Return the routes of the sheets, of the codes on them, and of the tables' pages."""
        return [
            Route(f"{PATH}{{token}}", self.table),
            Route("/tournament/table-cards", self.cards),
            Route("/tournament/result-slips", self.slips),
            Route("/tournament/table-code/{number:int}.svg", self.code),
        ]

    @property
    def _facts(self) -> TournamentFacts:
        return self._broadcast.facts.tournaments or TournamentFacts()

    async def cards(self, request: Request) -> Response:
        """Answer with a card for each table number."""
        return self._sheet(request, "table_cards.html", lambda hosted: list(range(1, cards_needed(hosted) + 1)))

    async def slips(self, request: Request) -> Response:
        """Answer with a slip for each table of the round that was drawn last, to write its result on."""
        return self._sheet(request, "result_slips.html", _slips)

    def _sheet(self, request: Request, template: str, tables: Callable[[Hosted], list[Any]]) -> Response:
        if not request.state.may_write:
            return refusal(request, 403, PIN_FIRST)
        hosted = self._find_tournament(request)
        name, number = hosted.tournament.name, len(hosted.rounds)
        has_codes = bool(self._facts.secret and hosted.tournament.players)
        return self._pages.page(
            request, template, name=name, slug=hosted.slug, round=number, tables=tables(hosted), has_codes=has_codes,
            takes_minus=takes_minus(hosted.tournament), address=lambda table: self._address(request, hosted, table),
            match=match_of(hosted.tournament.rules),
            on_phones=lambda table: enters_on_phones(self._broadcast.facts, hosted, table),
        )  # fmt: skip

    async def code(self, request: Request) -> Response:
        """Answer with the QR code of one table's page."""
        if not request.state.may_write:
            return refusal(request, 403, PIN_FIRST)
        hosted, number = self._find_tournament(request), request.path_params["number"]
        if not self._facts.secret or not hosted.tournament.players or not 1 <= number <= MOST_CARDS:
            raise HTTPException(404)
        data = qr.svg(self._address(request, hosted, number))
        return Response(data, media_type="image/svg+xml", headers=NO_STORE)

    def _address(self, request: Request, hosted: Hosted, table: int) -> str:
        return page_address(request, f"{PATH}{table_token(self._facts.secret, hosted, table)}")

    async def table(self, request: Request) -> Response:
        """Answer with the page of the table whose token the address has."""
        found = self.find(request.path_params["token"])
        if found is None:
            raise HTTPException(404)
        hosted, number = found
        now = self._broadcast.now()
        at = number if is_in_round(hosted, number) else None
        desk = desk_values(self._broadcast.facts.desk, now, hosted, at, None)
        answer = self._pages.page(
            request, "table_of_hall.html", every_ms=1000 * EVERY_S, may_read=request.state.may_read,
            **_values(hosted, number), another_runs=self._facts.another_runs(hosted), **desk,
        )  # fmt: skip
        answer.headers[NOW] = f"{now:.3f}"
        return answer

    def find(self, token: str) -> tuple[Hosted, int] | None:
        """Return the tournament and the number of the table with this token; None if there is none."""
        facts = self._facts
        found = self._find(token, facts)
        return None if found is None else (next(one for one in facts.all if one.slug == found[0]), found[1])

    def _find(self, token: str, facts: TournamentFacts) -> tuple[str, int] | None:
        for hosted in facts.all if facts.secret else ():
            if hosted.slug not in self._known and hosted.tournament.players:
                self._known.add(hosted.slug)
                for number in range(1, MOST_CARDS + 1):
                    self._tables[table_token(facts.secret, hosted, number)] = hosted.slug, number
        return self._tables.get(token)


def _slips(hosted: Hosted) -> list[dict[str, Any]]:
    if hosted.last_round is None:
        return []
    names = {player.number: player.name for player in hosted.tournament.players}
    return [
        {
            "number": number,
            "group": group_of_table(hosted.tournament, len(hosted.rounds), table.players),
            "players": [names[player] for player in table.players],
        }
        for number, table in enumerate(hosted.last_round.tables, 1)
    ]


def _values(hosted: Hosted, number: int) -> dict[str, Any]:
    """Return the values for the template of a table's page."""
    tournament, round_ = hosted.tournament, hosted.last_round
    there = not tournament.ended and round_ is not None and number <= len(round_.tables)
    table = round_.tables[number - 1] if there and round_ is not None else None
    state: Notice | None = None if table is None else report_state(tournament, table)
    players = [] if table is None else [tournament.players[player - 1].name for player in table.players]
    points = [None] * len(players) if table is None or table.points is None else list(table.points)
    return {
        "tournament": tournament.name,
        "title": round_title(tournament),
        "ended": tournament.ended,
        "table": number,
        "at": hosted.rounds[-1].places[number - 1] if table is not None else None,
        "players": list(zip(players, points, strict=True)),
        "state": state,
        "waits": table is not None and table.points is None,
        "match": match_of(tournament.rules),
    }
