"""What somebody must take care of in a tournament: results in dispute, and tables that are away or do not begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.club.hall.intake import TableView
from referee.club.hall.tournaments.beginning import free, places, refusal_of
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.state import Hosted
from referee.club.protocol import Told
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.pages.hall.traces import dispute


def troubles(facts: TournamentFacts, tables: Mapping[str, TableView]) -> Iterator[tuple[Notice, int | None]]:
    """Yield everything that somebody must take care of, each with its table of the current round."""
    yield from ((one, None) for one in facts.troubles)
    if facts.not_drawn is not None:
        yield facts.not_drawn, None
    hosted = facts.current
    if hosted is None:
        return
    told = [(one.round, one.table, one.trouble) for one in facts.found if one.trouble is not None]
    if hosted.last_round is not None:
        told += ((len(hosted.rounds), table, one) for table, one in _disputes(hosted))
        told += ((len(hosted.rounds), table, one) for table, one in _of_places(facts, hosted, tables))
    now = len(hosted.rounds)
    for round_, table, one in sorted(told, key=lambda each: each[:2]):
        yield one, table if round_ == now else None


def _disputes(hosted: Hosted) -> Iterator[tuple[int, Notice]]:
    """Yield what the director must decide about results that players entered, each with the number of the table."""
    for number, table in enumerate(hosted.tournament.rounds[-1].tables, 1):
        one = dispute(hosted.tournament, number, table)
        if one is not None:
            yield number, one


def _of_places(
    facts: TournamentFacts, hosted: Hosted, tables: Mapping[str, TableView]
) -> Iterator[tuple[int, Notice]]:
    """Yield what is wrong with tables of the current round, each with the number of the table."""
    round_ = hosted.tournament.rounds[-1]
    for number, at in enumerate(places(hosted, tables), 1):
        if number not in round_.missing_tables:
            continue
        if at is None:
            if not round_.begun and free(hosted, tables):  # otherwise its players enter the result
                yield number, Notice("director.unplaced", table=number)
        elif at not in tables or not tables[at].online:
            found = facts.find_result(len(hosted.rounds), number)
            waits = round_.begun and (found is None or found.match is None)
            yield number, Notice("director.waits_for" if waits else "director.away", table=number, at=at)
        elif (why := refusal_of(hosted, number, tables[at])) is not None:
            yield number, Notice("director.refused", table=number, at=at, why=_notice_of_table(why, hosted, number))
        elif number in facts.late:
            yield number, Notice("director.not_begun", table=number, at=at)


def _notice_of_table(why: Told, hosted: Hosted, table: int) -> Notice:
    """Return a table's reason as a notice; if this version does not know it, a notice that says so."""
    seated = hosted.tournament.rounds[-1].tables[table - 1].players
    try:
        return why.notice([hosted.tournament.players[player - 1].name for player in seated])
    except BadInput:
        return Notice("hall.cannot_word")
