"""The part of the hall's page that is the tournament."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from referee.club.hall.intake import TableView
from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.beginning import free, places, takes_matches
from referee.club.hall.tournaments.results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import Tournament, standings
from referee.club.tournament.drawing import count_repeats, fewest
from referee.club.tournament.state import Round
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.broadcast import Part
from referee.pages.hall.tournament_notices import TIES, may_begin_again, stage, table_state, trace, troubles


def _facts(facts: HallFacts) -> TournamentFacts:
    return facts.tournaments or TournamentFacts()


def source(facts: HallFacts) -> object:
    """All that the part is made of; of a search for seats only that there is one."""
    known = _facts(facts)
    return (
        replace(known, search=None),
        known.draws,
        tuple((view.name, view.online, _fingerprint(view)) for view in facts.tables.values()),
    )


def _fingerprint(view: TableView) -> object:
    snapshot = view.snapshot
    return None if snapshot is None else (snapshot.draw, snapshot.refused, takes_matches(view))


def render(facts: HallFacts, words: Wording) -> dict[str, Any] | None:
    """The tournament as it stands; None where there is none, and nothing is wrong."""
    known = _facts(facts)
    hosted = known.current
    if hosted is None:
        return None
    tournament = hosted.tournament
    word, told = stage(tournament)
    if known.draws:
        told = Notice("director.is_drawing", round=len(tournament.rounds) + 1)
    round_ = hosted.drawn
    return {
        "name": tournament.name,
        "ended": tournament.ended,
        "round": len(tournament.rounds),
        "rounds": tournament.rules.rounds,
        "stage": word,
        "drawing": known.draws,
        "told": words(told),
        "players": [{"number": one.number, "name": one.name, "here": one.here} for one in tournament.players],
        "tables": [] if round_ is None else _tables(known, hosted, round_, facts, words),
        "byes": [] if round_ is None else [_name(tournament, player) for player in round_.byes],
        "begun": round_ is not None and round_.begun,
        "missing": list(round_.missing) if round_ is not None else [],
        "standings": _standings(tournament, words),
        "ties": [words(Notice(TIES[one])) for one in tournament.rules.tie_breaks if one in TIES],
        "past": [_past(tournament, number) for number in range(1, len(tournament.rounds))],
        "traces": [words.all(trace(tournament, one)) for one in tournament.traces],
        "repeats": count_repeats(tournament),
        "bound": fewest(tournament),
        "troubles": [words(one) for one in troubles(known, facts.tables)],
        "free": free(hosted, facts.tables),
    }


def _name(tournament: Tournament, player: int) -> str:
    return tournament.players[player - 1].name


def _tables(
    known: TournamentFacts, hosted: Hosted, round_: Round, facts: HallFacts, words: Wording
) -> list[dict[str, Any]]:
    found = []
    for (number, table), at in zip(enumerate(round_.tables, 1), places(hosted, facts.tables), strict=True):
        view = None if at is None else facts.tables.get(at)
        found.append({
            "number": number,
            "at": at,
            "online": view is not None and view.online,
            "players": [{"number": one, "name": _name(hosted.tournament, one)} for one in table.players],
            "points": None if table.points is None else list(table.points),
            "state": words(table_state(known, hosted, number, view)),
            "again": may_begin_again(known, hosted, number, view),
        })  # fmt: skip
    return found


def _past(tournament: Tournament, number: int) -> dict[str, Any]:
    round_ = tournament.rounds[number - 1]
    tables = [
        {
            "number": table,
            "players": [_name(tournament, player) for player in one.players],
            "points": None if one.points is None else list(one.points),
        }
        for table, one in enumerate(round_.tables, 1)
    ]
    return {"round": number, "tables": tables, "byes": [_name(tournament, player) for player in round_.byes]}


def _standings(tournament: Tournament, words: Wording) -> list[dict[str, Any]]:
    return [
        {
            "place": line.place,
            "number": line.player,
            "name": line.name,
            "here": tournament.players[line.player - 1].here,
            "played": line.played,
            "points": _number(line.points),
            "ties": [words(Notice("director.amount", amount=_number(value))) for _, value in line.tie_breaks],
        }
        for line in standings(tournament)
    ]


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 2)


def _round_source(facts: HallFacts) -> object:
    hosted = _facts(facts).current
    return None if hosted is None else (hosted.slug, len(hosted.rounds), hosted.withdrawn, hosted.tournament.ended)


def _round(facts: HallFacts, _: Wording) -> dict[str, Any] | None:
    hosted = _facts(facts).current
    return None if hosted is None else {"tournament": hosted.slug, "round": len(hosted.rounds)}


def _search_source(facts: HallFacts) -> object:
    return _facts(facts).search


def _search(facts: HallFacts, words: Wording) -> dict[str, Any] | None:
    """How far the search for seats has come; None while there is none."""
    search = _facts(facts).search
    if search is None:
        return None
    told = Notice("director.is_drawing", round=search.round)
    if search.later:
        told = Notice("director.improving")
    elif search.repeats is not None:
        told = Notice("director.seats_so_far", percent=search.percent, repeats=search.repeats, bound=search.bound)
    return {"told": words(told), "percent": search.percent, "offered": search.offered, "later": search.later}


PARTS: Mapping[str, Part] = {
    "tournament": Part(source, render),
    "tournament-round": Part(_round_source, _round),
    "tournament-search": Part(_search_source, _search),
}
"""The second one says which draw is under way: commands that are about a draw come too late once there is another."""
