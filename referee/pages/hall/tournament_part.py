"""The parts of the hall's page about the tournament.

All their sentences are notices: the stage, the state of the tables, troubles and changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from referee.club.hall.intake import TableView
from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.beginning import free, places, refusal_of, takes_matches
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import Tournament, standings
from referee.club.tournament.reasons import reasons_of
from referee.club.tournament.repeats import count_repeats, fewest
from referee.club.tournament.state import Player, Round, Table
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS
from referee.i18n import Wording
from referee.i18n.dates import written_date
from referee.page.broadcast import Part
from referee.pages.hall.agreed_part import agreed
from referee.pages.hall.final_part import (
    final_offer,
    group_of_table,
    has_newcomers,
    is_final_next,
    may_be_undone,
    round_title,
    stage_notice,
    why_away,
)
from referee.pages.hall.group_part import groups, rounded, teams
from referee.pages.hall.order_columns import NO_POINTS, decided_by, marks, order_heads, order_values
from referee.pages.hall.player_results import takes_minus
from referee.pages.hall.tournament_troubles import troubles
from referee.pages.hall.traces import boxes_of, report_state, ruling_notice, trace

_IDLE = frozenset({"director.table_waits"})
"""The states that are the same at all tables, and so are left out where a table is one line."""


def stage(tournament: Tournament) -> tuple[str, Notice]:
    """Return the stage of a tournament, as a word and as a notice."""
    number, here = len(tournament.rounds), len(tournament.here)
    if tournament.ended:
        return "ended", Notice("director.is_ended")
    if not tournament.players:
        return "entering", Notice("director.is_empty")
    if not number:
        return "entering", Notice("director.is_entering", players=len(tournament.players), here=here)
    if not tournament.under_way:
        between = Notice("director.is_between", round=number, rounds=tournament.rules.rounds)
        return "between", stage_notice(tournament) or between
    if not tournament.rounds[-1].begun:
        return "drawn", Notice("director.is_drawn", round=number)
    missing = tuple(map(str, tournament.rounds[-1].missing_tables))
    return "playing", Notice("director.is_playing", round=number, tables=missing)


def _away(tournament: Tournament, player: Player, words: Wording) -> str:
    """Return why a player who was here is no longer; empty for whoever is here or never came."""
    why = why_away(tournament, player.number) if player.left else None
    return "" if why is None else words(why)


def standings_state(hosted: Hosted, language: str) -> Notice:
    """Return what the standings are, with the day on which the tournament was opened: final, or of which round."""
    tournament = hosted.tournament
    date = written_date(datetime.fromtimestamp(hosted.t).astimezone().date(), language)
    if tournament.ended:
        return Notice("ranks.standings_final", date=date)
    key = "ranks.standings_not_final" if tournament.under_way else "ranks.standings_after"
    return Notice(key, round=len(tournament.rounds), rounds=tournament.rules.rounds, date=date)


def table_state(facts: TournamentFacts, hosted: Hosted, table: int, view: TableView | None) -> Notice:
    """Return the state of a table of the current round."""
    round_, taken = hosted.tournament.rounds[-1], hosted.rounds[-1].taken[table - 1]
    reported = report_state(hosted.tournament, round_.tables[table - 1])
    if reported is not None:
        return reported
    if round_.tables[table - 1].points is not None:
        by_table = taken is not None and taken.points == round_.tables[table - 1].points
        return Notice("director.table_told" if by_table else "director.table_written")
    return _state_of_match(facts, hosted, table, view)


def _state_of_match(facts: TournamentFacts, hosted: Hosted, table: int, view: TableView | None) -> Notice:
    """Return the state of a table that has no result yet."""
    round_, number = hosted.tournament.rounds[-1], len(hosted.rounds)
    found = facts.find_result(number, table)
    if not round_.begun:
        return Notice("director.table_waits")
    if found is not None and found.trouble is not None:
        return Notice("director.table_doubtful")
    if found is not None and found.match is not None:
        played = min(len(found.match.rounds) + 1, max(1, found.match.planned))
        return Notice("director.table_plays", round=played, rounds=max(played, found.match.planned))
    if hosted.rounds[-1].places[table - 1] is None:
        return Notice("director.table_by_phone")
    snapshot = None if view is None else view.snapshot
    if snapshot is not None and snapshot.draw == hosted.draw_id(number, table):
        return Notice("director.table_begins")
    return Notice("director.table_not_begun")


def may_begin_again(facts: TournamentFacts, hosted: Hosted, table: int, view: TableView | None) -> bool:
    """Return whether it makes sense to ask a table to begin once more.

    It must be online and able to begin a match, and must not have begun the match that was drawn.
    """
    round_ = hosted.tournament.rounds[-1]
    if (
        not round_.begun
        or table not in round_.missing_tables
        or view is None
        or not view.online
        or not takes_matches(view)
    ):
        return False
    found = facts.find_result(len(hosted.rounds), table)
    doubtful = found is not None and found.trouble is not None
    return doubtful or table in facts.late or refusal_of(hosted, table, view) is not None


def _facts(facts: HallFacts) -> TournamentFacts:
    return facts.tournaments or TournamentFacts()


def source(facts: HallFacts) -> object:
    """Return the values that this part is made from; of a search for seats, only whether one is running."""
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
    """Return the state of the tournament; None if there is none."""
    known = _facts(facts)
    hosted = known.current
    if hosted is None:
        return None
    tournament = hosted.tournament
    word, told = stage(tournament)
    if known.draws:
        told = Notice("director.is_drawing", round=len(tournament.rounds) + 1)
    round_, title = hosted.last_round, round_title(tournament)
    found = tuple(troubles(known, facts.tables))
    return {
        "name": tournament.name,
        "title": "" if title is None else words(title),
        "ended": tournament.ended,
        "standings_state": words(standings_state(hosted, words.language)),
        "round": len(tournament.rounds),
        "rounds": tournament.rules.rounds,
        "drawn_by": tournament.rules.drawing.value,
        "stage": word,
        "drawing": known.draws,
        "told": words(told),
        "players": [
            {
                "number": one.number,
                "name": one.name,
                "here": one.here,
                "away": _away(tournament, one, words),
                "team": one.team,
                "club": one.club,
                "rating": one.rating,
            }
            for one in tournament.players
        ],
        "ratings": words.all(_what_ratings_do(tournament)),
        "book": _title_of_book(tournament),
        "agreed": agreed(tournament, words),
        "minus": takes_minus(tournament),
        "waits": words.all(_why_nothing_is_drawn(tournament)),
        "tables": [] if round_ is None else _tables(known, hosted, round_, facts, words),
        "byes": [] if round_ is None else [_name(tournament, player) for player in round_.byes],
        "begun": round_ is not None and round_.begun,
        "missing": list(round_.missing_tables) if round_ is not None else [],
        "standings": _standings(tournament, words),
        "counting": tournament.rules.counting.value,
        "ties": [words(head) for head in order_heads(tournament.rules)],
        "decided": decided_by(tournament, words),
        "in_groups": tournament.in_groups,
        "final": tournament.final is not None,
        "final_undo": may_be_undone(tournament),
        "final_offer": final_offer(tournament, words),
        "newcomers": has_newcomers(tournament),
        "groups": groups(tournament, words),
        "teams": teams(tournament),
        "past": [_past(tournament, number) for number in range(1, len(tournament.rounds))],
        "rulings": _rulings(tournament, words),
        "traces": [words.all(trace(tournament, one, boxes_of(hosted))) for one in tournament.traces],
        "repeats": count_repeats(tournament),
        "bound": fewest(tournament),
        "troubles": [words(one) for one, _ in found],
        "trouble_tables": [table for _, table in found],
        "free": free(hosted, facts.tables),
    }


def _why_nothing_is_drawn(tournament: Tournament) -> tuple[Notice, ...]:
    """Return why the next round cannot be drawn now; nothing if it can, or if no other is asked for."""
    if tournament.ended:
        return ()
    if tournament.under_way:
        missing, tables = tournament.rounds[-1].missing_tables, len(tournament.rounds[-1].tables)
        names = tuple(map(str, missing))
        return (Notice("director.draw_waits", missing=len(missing), tables=tables, names=names),)
    if is_final_next(tournament):
        return (Notice("final.waits"),)
    if not tournament.rounds_left and not has_newcomers(tournament):
        return (Notice("director.all_drawn"),)
    least = tournament.rules.smallest
    return (Notice("director.too_few_here", least=least),) if len(tournament.here) < least else ()


def _what_ratings_do(tournament: Tournament) -> tuple[Notice, ...]:
    """Return what depends on the ratings of the players; nothing if nobody has one."""
    if all(one.rating is None for one in tournament.players):
        return ()
    return (Notice(f"director.ratings_{tournament.rules.drawing.value}"),)


def _title_of_book(tournament: Tournament) -> str:
    """Return how the rule book is called on its box; empty if it is of a newer version, or none was chosen."""
    book = RULESETS.get(tournament.rules.book or "")
    return "" if book is None else book.title


def _name(tournament: Tournament, player: int) -> str:
    return tournament.players[player - 1].name


def _tables(
    known: TournamentFacts, hosted: Hosted, round_: Round, facts: HallFacts, words: Wording
) -> list[dict[str, Any]]:
    found = []
    for (number, table), at in zip(enumerate(round_.tables, 1), places(hosted, facts.tables), strict=True):
        view = None if at is None else facts.tables.get(at)
        state = table_state(known, hosted, number, view)
        found.append({
            "number": number,
            "group": group_of_table(hosted.tournament, len(hosted.rounds), table.players),
            "at": at,
            "online": view is not None and view.online,
            "players": [{"number": one, "name": _name(hosted.tournament, one)} for one in table.players],
            "points": None if table.points is None else list(table.points),
            "report": _report(hosted.tournament, table),
            "state": words(state),
            "idle": state.key in _IDLE,
            "again": may_begin_again(known, hosted, number, view),
        })  # fmt: skip
    return found


def _report(tournament: Tournament, table: Table) -> dict[str, Any] | None:
    """Return the result that a player entered and that is not confirmed; None if there is none."""
    if table.report is None or table.points is not None:
        return None
    otherwise, disputed_by = table.report.otherwise, table.report.disputed_by
    return {
        "points": list(table.report.points),
        "by": _name(tournament, table.report.player),
        "disputed": disputed_by is not None,
        "disputed_by": None if disputed_by is None else _name(tournament, disputed_by),
        "otherwise": None if otherwise is None else list(otherwise),
    }


def _past(tournament: Tournament, number: int) -> dict[str, Any]:
    round_ = tournament.rounds[number - 1]
    tables = [
        {
            "number": table,
            "group": group_of_table(tournament, number, one.players),
            "players": [_name(tournament, player) for player in one.players],
            "points": None if one.points is None else list(one.points),
        }
        for table, one in enumerate(round_.tables, 1)
    ]
    return {"round": number, "tables": tables, "byes": [_name(tournament, player) for player in round_.byes]}


def _standings(tournament: Tournament, words: Wording) -> list[dict[str, Any]]:
    """Return the lines of the standings; an empty list before the first result.

    Players without points have none in any column: None, or a dash.
    """
    if not any(table.points is not None for round_ in tournament.rounds for table in round_.tables):
        return []
    return [
        {
            "place": line.shown_place,
            "number": line.player,
            "name": line.name,
            "away": words.all(filter(None, [why_away(tournament, line.player)])),
            "played": line.played,
            "points": rounded(line.points) if line.has_points else None,
            "score": rounded(line.score) if line.has_points else None,
            "mark": " · ".join(map(words, marks(line))),
            "ties": [
                words(Notice("director.amount", amount=rounded(value))) if line.has_points else NO_POINTS
                for value in order_values(tournament.rules, line)
            ],
        }
        for line in standings(tournament)
    ]


def _rulings(tournament: Tournament, words: Wording) -> list[dict[str, Any]]:
    """Return the rulings that hold, the newest first."""
    return [
        {"number": one.number, "told": words.all((ruling_notice(tournament, one), *trace(tournament, one)[1:]))}
        for one in reversed(tournament.rulings)
        if not one.withdrawn
    ]


def _round_source(facts: HallFacts) -> object:
    hosted = _facts(facts).current
    if hosted is None:
        return None
    tournament = hosted.tournament
    return hosted.slug, len(hosted.rounds), hosted.withdrawals, tournament.ended, tournament.final


def _round(facts: HallFacts, _: Wording) -> dict[str, Any] | None:
    hosted = _facts(facts).current
    return None if hosted is None else {"tournament": hosted.slug, "round": len(hosted.rounds)}


def _search_source(facts: HallFacts) -> object:
    return _facts(facts).search


def _search(facts: HallFacts, words: Wording) -> dict[str, Any] | None:
    """Return how far the search for seats is; None if none is running."""
    search = _facts(facts).search
    if search is None:
        return None
    told = Notice("director.is_drawing", round=search.round)
    if search.later:
        told = Notice("director.improving")
    elif search.repeats is not None:
        told = Notice("director.seats_so_far", percent=search.percent, repeats=search.repeats, bound=search.bound)
        if not search.bound:  # that fewer than 0 are impossible goes without saying
            told = Notice("director.seats_unbound", percent=search.percent, repeats=search.repeats)
    return {"told": words(told), "percent": search.percent, "offered": search.offered, "later": search.later}


def _why_source(facts: HallFacts) -> object:
    """Return what the reasons of the seats depend on: the draw, and all that was played before it."""
    hosted = _facts(facts).current
    if hosted is None or hosted.last_round is None:
        return None
    tournament = hosted.tournament
    names = tuple(player.name for player in tournament.players)
    return hosted.slug, tournament.rules, hosted.last_round.draw, tournament.rounds[:-1], tournament.traces, names


def _why(facts: HallFacts, words: Wording) -> dict[str, Any] | None:
    """Return why each player of the last round sits where they sit; None if no round was drawn."""
    hosted = _facts(facts).current
    if hosted is None or hosted.last_round is None:
        return None
    number = len(hosted.rounds)
    reasons = reasons_of(hosted.tournament, number)
    return {
        "round": number,
        "draw": words.all(reasons.draw),
        "tables": [[words.all(player) for player in table] for table in reasons.tables],
        "byes": [words.all(player) for player in reasons.byes],
    }


PARTS: Mapping[str, Part] = {
    "tournament": Part(source, render),
    "tournament-round": Part(_round_source, _round),
    "tournament-search": Part(_search_source, _search),
    "tournament-why": Part(_why_source, _why),
}
"""`tournament-round` identifies the current draw: commands about a draw are stale once there is another."""
