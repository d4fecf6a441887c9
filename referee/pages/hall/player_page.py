"""A player's own page: my table, my seat, my points, and what comes next; and slips of paper with its QR code.

The page needs no PIN, even where reading the others does: its address is known only to whoever was given the slip. It
asks again every few seconds; as long as the tournament has not changed, the answer is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.club.hall.desk.keeper import DeskFacts
from referee.club.hall.tournaments.player_tokens import token_for
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import Tournament, standings
from referee.club.tournament.rulings import rulings_for
from referee.club.tournament.standings import Played, Standing, of_round
from referee.club.tournament.state import Correction, Player, Rejection, Round, Ruling, Trace
from referee.club.tournament.written import signed, totals
from referee.game.notice import Notice
from referee.letters import alphabetical
from referee.page.access.answers import refusal
from referee.page.broadcast import Broadcast
from referee.page.pages import Pages
from referee.page.wording import language_of
from referee.pages import qr
from referee.pages.hall.addresses import page_address
from referee.pages.hall.agreed_part import match_of
from referee.pages.hall.final_part import (
    is_final_next,
    may_be_undone,
    my_group,
    my_team,
    round_title,
    told_out_of_final,
)
from referee.pages.hall.order_columns import with_scores
from referee.pages.hall.phone_desk import NOW, desk_values, enters_on_phones, table_of
from referee.pages.hall.player_results import rejection_of, result_values
from referee.pages.hall.player_tokens import PlayerTokens
from referee.pages.hall.tournament_saving import PIN_FIRST
from referee.pages.hall.tournament_sheets import amount_of, score_of
from referee.pages.hall.traces import boxes_of, trace

PATH = "/player/"
LEAVERS = "/tournament/leavers.json"
EVERY_S = 8
"""Seconds between two questions of an open page: 256 phones then ask a Pi 32 times a second."""


@dataclass(slots=True)
class _Shown:
    """What the pages show of a tournament; computed once for each of its states."""

    hosted: Hosted
    desk: DeskFacts | None
    number: int
    lines: Mapping[int, Standing]


class PlayerPages:
    """Answers for the players' own pages and for the slips that lead to them."""

    def __init__(self, broadcast: Broadcast, pages: Pages, find_tournament: Callable[[Request], Hosted]) -> None:
        """`find_tournament` returns the tournament that a request names, or raises 404."""
        self._broadcast, self._pages, self._find_tournament = broadcast, pages, find_tournament
        self._tokens, self._shown = PlayerTokens(), dict[str, _Shown]()

    def routes(self) -> list[Route]:
        """Return the routes of the players' pages, of the slips, and of one code."""
        return [
            Route(f"{PATH}{{token}}", self.player),
            Route("/tournament/slips", self.slips),
            Route(LEAVERS, self.leavers),
            Route("/tournament/slip/{number:int}.svg", self.code),
        ]

    @property
    def _facts(self) -> TournamentFacts:
        return self._broadcast.facts.tournaments or TournamentFacts()

    async def player(self, request: Request) -> Response:
        """Answer with the page of the player whose token the address has."""
        found = self.find(request.path_params["token"])
        if found is None:
            raise HTTPException(404)
        hosted, player = found
        shown, now = self._show(hosted), self._broadcast.now()
        desk = desk_values(shown.desk, now, hosted, table_of(hosted, player), player)
        # The language may also be chosen by a cookie or in the address: it is part of what the answer depends on. An
        # announcement that is over makes another page, too, and so does another tournament.
        another = self._facts.another_runs(hosted)
        tag = f'"{self._broadcast.epoch}-{shown.number}-{len(desk["announced"])}-{another:d}-{language_of(request)}"'
        headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Accept-Language, Cookie",
                   NOW: f"{now:.3f}"}  # fmt: skip
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        answer = self._pages.page(
            request, "player.html", every_ms=1000 * EVERY_S, may_read=request.state.may_read,
            **_values(hosted, player, shown.lines), another_runs=another, **desk,
        )  # fmt: skip
        answer.headers.update(headers)
        return answer

    def find(self, token: str) -> tuple[Hosted, int] | None:
        """Return the tournament and the number of the player with this token; None if there is none."""
        facts = self._facts
        found = self._tokens.find(token, facts.secret, facts.all)
        return None if found is None else (next(one for one in facts.all if one.slug == found[0]), found[1])

    def _show(self, hosted: Hosted) -> _Shown:
        known, desk = self._shown.get(hosted.slug), self._broadcast.facts.desk
        if known is None or known.hosted is not hosted or known.desk is not desk:
            same = known is not None and known.hosted is hosted
            lines = known.lines if known is not None and same else _lines(hosted)
            number = 1 + max((one.number for one in self._shown.values()), default=0)
            known = self._shown[hosted.slug] = _Shown(hosted, desk, number, lines)
        return known

    async def slips(self, request: Request) -> Response:
        """Answer with a slip of paper for each player; only for directors, as whoever has all slips has all pages."""
        if not request.state.may_write:
            return refusal(request, 403, PIN_FIRST)
        hosted, secret = self._find_tournament(request), self._facts.secret
        players = [
            {"number": one.number, "name": one.name, "address": self._address(request, hosted, one.number)}
            for one in sorted(hosted.tournament.players, key=lambda one: alphabetical(one.name))
            if secret
        ]
        return self._pages.page(
            request, "player_slips.html", name=hosted.tournament.name, slug=hosted.slug, players=players,
            on_phones=enters_on_phones(self._broadcast.facts, hosted),
        )  # fmt: skip

    async def leavers(self, request: Request) -> Response:
        """Answer with the reasons for which players have left, by their numbers; only for directors."""
        if not request.state.may_write:
            return refusal(request, 403, PIN_FIRST)
        reasons = {str(player): why for player, why in self._find_tournament(request).tournament.left_why}
        return JSONResponse(reasons, headers={"Cache-Control": "no-store"})

    async def code(self, request: Request) -> Response:
        """Answer with the QR code of one player's page."""
        if not request.state.may_write:
            return refusal(request, 403, PIN_FIRST)
        hosted, number = self._find_tournament(request), request.path_params["number"]
        if not self._facts.secret or not 1 <= number <= len(hosted.tournament.players):
            raise HTTPException(404)
        data = qr.svg(self._address(request, hosted, number))
        return Response(data, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    def _address(self, request: Request, hosted: Hosted, number: int) -> str:
        return page_address(request, f"{PATH}{token_for(self._facts.secret, hosted, number)}")


def _lines(hosted: Hosted) -> Mapping[int, Standing]:
    return {line.player: line for line in standings(hosted.tournament)}


def _values(hosted: Hosted, number: int, lines: Mapping[int, Standing]) -> dict[str, Any]:
    """Return the values for the template of a player's page."""
    tournament, result = hosted.tournament, result_values(hosted, number)
    player, line = tournament.players[number - 1], lines.get(number)
    told, how = _told_first(tournament, number, result)
    counted = any(table.points is not None for round_ in tournament.rounds for table in round_.tables)
    return {
        "name": player.name,
        "tournament": tournament.name,
        "title": round_title(tournament),
        "group": my_group(tournament, number),
        "team": my_team(tournament, number),
        "seat": _seat(hosted, number),
        "told": told,
        "how": how,
        "match": match_of(tournament.rules),
        "points": None if line is None else amount_of(line.points),
        "score": None if line is None or not with_scores(tournament.rules) else score_of(line),
        "place": line.shown_place if line is not None and counted else None,
        "without_place": counted and line is not None and line.shown_place is None,
        "players": len(lines),
        "so_far": _so_far(tournament),
        "past": _past(hosted, number),
        "result": result,
        "rulings": [_ruling(one) for one in rulings_for(tournament, number)],
    }


def _ruling(one: Ruling) -> Notice:
    """Return what a player is told of a warning, or of points that the director gave or took."""
    if not one.points:
        return Notice("results.my_warning", why=one.why)
    return Notice("results.my_adjustment", points=signed(one.points), why=one.why)


def _so_far(tournament: Tournament) -> Notice | None:
    """Return why a place is not the last word: rounds or tables are still to be played; None at the end."""
    playing = len(tournament.rounds[-1].missing_tables) if tournament.rounds else 0
    if playing and playing < len(tournament.rounds[-1].tables):
        return Notice("ranks.so_far", tables=playing)
    played = len(tournament.rounds) - bool(playing)
    return None if tournament.ended or not played else Notice("ranks.after_round", round=played)


def _seat(hosted: Hosted, number: int) -> dict[str, Any] | None:
    """Return where a player sits in the round under way; None if nowhere, or if the table has its result."""
    tournament = hosted.tournament
    if tournament.ended or not tournament.under_way:
        return None
    round_ = tournament.rounds[-1]
    at = round_.table_of(number)
    if at is None or round_.tables[at - 1].points is not None:
        return None
    seated = round_.tables[at - 1].players
    places = hosted.rounds[-1].places
    return {
        "table": at,
        "at": places[at - 1] if at <= len(places) else None,
        "seat": seated.index(number) + 1,
        "starts": seated[0] == number,
        "starter": tournament.players[seated[0] - 1].name,
        "players": [(tournament.players[one - 1].name, one == number) for one in seated],
    }


def _told_first(
    tournament: Tournament, number: int, result: Mapping[str, Any] | None
) -> tuple[tuple[Notice, ...], str]:
    """Return what stands in the box at the top, and its kind: "asks", "wrong" or "".

    What became of the result of the own table comes before everything else: often the player must do something.
    """
    rejected = rejection_of(tournament, number)
    if rejected:
        return rejected, "wrong"
    if result is None or result["told"] is None:
        return (_told(tournament, number),), ""
    kind = "wrong" if result["disputed"] else "asks" if result["may_confirm"] else ""
    return (result["told"],), kind


def _told(tournament: Tournament, number: int) -> Notice:
    """Return what the player should do or wait for."""
    if tournament.ended:
        return Notice("ranks.my_over")
    if tournament.under_way and number in tournament.rounds[-1].players:
        return _told_of_round(tournament.rounds[-1], number)
    player = tournament.players[number - 1]
    if not player.here:
        return _told_who_is_away(tournament, player)
    if tournament.under_way:
        return Notice("ranks.my_no_seat", round=len(tournament.rounds))
    return _told_of_next(tournament)


def _told_of_next(tournament: Tournament) -> Notice:
    """Return what comes next for somebody who is here between two rounds."""
    if is_final_next(tournament):
        return Notice("final.my_wait")
    if may_be_undone(tournament):
        return Notice("final.my_in", round=len(tournament.rounds) + 1)
    if not tournament.rounds_left:
        return Notice("ranks.my_last")
    return Notice("ranks.my_next", round=len(tournament.rounds) + 1)


def _told_who_is_away(tournament: Tournament, player: Player) -> Notice:
    """Return what somebody is told who is not here; nothing of points that stay to those who have none."""
    if not player.cut and not player.left:
        return told_out_of_final(tournament, player) or Notice("ranks.my_not_here")
    key = "ranks.my_cut" if player.cut else "ranks.my_left"
    scored = any(player.number in of_round(one, tournament.rules) for one in tournament.rounds)
    return Notice(key if scored else f"{key}_unplayed")


def _told_of_round(round_: Round, number: int) -> Notice:
    """Return what a player of the round under way should do or wait for."""
    at, missing = round_.table_of(number), round_.missing_tables
    if at in missing:
        return Notice("ranks.my_play" if round_.begun else "ranks.my_sit_down")
    return Notice("ranks.my_bye" if at is None else "ranks.my_done", tables=tuple(map(str, missing)))


def _result_of(played: Played) -> Notice | None:
    """Return the place at the table and the points; with equal totals for all nobody has won. None for a bye."""
    if played.place is None:
        return None
    points = amount_of(played.points)
    if played.shared_by > len(played.opponents):
        return Notice("ranks.my_result_equal", points=points)
    key = "ranks.my_result" if played.shared_by == 1 else "ranks.my_result_shared"
    return Notice(key, place=played.place, points=points)


def _past(hosted: Hosted, number: int) -> list[dict[str, Any]]:
    """Return the rounds in which the player has points, the newest first."""
    tournament, boxes, found = hosted.tournament, boxes_of(hosted), []
    for at, round_ in enumerate(tournament.rounds, 1):
        played = of_round(round_, tournament.rules).get(number)
        table = round_.table_of(number)
        if played is None or (table is None and not any(one.points for one in round_.tables)):
            continue
        seated = None if table is None else round_.tables[table - 1]
        points = None if seated is None else seated.points
        changes = [one for one in tournament.traces if _is_change(one, at, table)]
        found.append(
            {
                "round": at,
                "table": table,
                "result": _result_of(played),
                "points": amount_of(played.points),
                "totals": "" if seated is None or points is None else totals(tournament, seated.players, points),
                "changes": [trace(tournament, one, boxes) for one in changes],
            }
        )
    return found[::-1]


def _is_change(one: Trace, round_: int, table: int | None) -> bool:
    """Return whether a change replaced the result of a table, whose players should know of it."""
    replaced = isinstance(one, Correction) or (isinstance(one, Rejection) and one.after is not None)
    return replaced and isinstance(one, Correction | Rejection) and (one.round, one.table) == (round_, table)
