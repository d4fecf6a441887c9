"""Finds the results of a tournament's rounds among the matches of the hall's tables, and reports doubtful ones. Pure.

1. The match of a table of the draw is played at the table of the hall that is its place. It is the match with the id
   of the draw or, if there is none, the first match without an id that began after the round. A match that was given
   up does not count.
2. The match counts if the number of players is as drawn and, as far as names are known, the same people play, and if
   its rule book scores as the tournament does.
3. Its result is taken over once the match is over. If it changes later, that is a correction by the table.
4. A result that the director has entered stays. If that of the match differs, the difference is only reported.

`TournamentFacts` is all that the page shows of tournaments: one frozen value, replaced whenever something changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from referee.club.hall.results import KeptResult, MatchKey, superseded_matches
from referee.club.hall.tournaments.state import Hosted, HostedEvent, HostedRound, Started, Taken, numbers
from referee.club.tournament.events import ResultCorrected, ResultTold
from referee.club.tournament.league.state import League
from referee.club.tournament.reports import MOST_POINTS
from referee.club.tournament.state import Table
from referee.club.tournament.written import totals
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS

EARLY_S = 90.0
"""Seconds by which a match may seem to have begun before its round: the skew of the table's clock is known only
roughly."""


@dataclass(frozen=True, slots=True)
class Found:
    """The match that was found for one table of a draw."""

    round: int
    table: int
    match: KeptResult | None = None
    """The match that is or was played there."""
    points: tuple[int, ...] | None = None
    """Its points in the order of the draw, once it is over and fits."""
    trouble: Notice | None = None


Results = Mapping[MatchKey, KeptResult]


def matches_of(results: Results) -> dict[str, list[KeptResult]]:
    """Return the matches of each table in the order in which they began, without superseded results."""
    superseded = superseded_matches(results.values())
    tables: dict[str, list[KeptResult]] = {}
    for one in sorted(results.values(), key=lambda one: (one.key.table, one.begun)):
        if one.key not in superseded:
            tables.setdefault(one.key.table, []).append(one)
    return tables


def found_in(hosted: Hosted, results: Results) -> tuple[Found, ...]:
    """Return what was found for every table of every round that has begun."""
    matches = matches_of(results)
    return tuple(
        _find_result(hosted, number, table, matches)
        for number, round_ in enumerate(hosted.tournament.rounds, 1)
        if round_.begun
        for table in range(1, len(round_.tables) + 1)
    )


def news(hosted: Hosted, found: Iterable[Found], t: float) -> tuple[HostedEvent, ...]:
    """Return the events for new results and corrections. Once they have been applied, there are no more."""
    events: list[HostedEvent] = []
    for one in found:
        events += _news(hosted, one, t)
    return tuple(events)


def contradiction(hosted: Hosted, found: Found) -> bool:
    """Return whether the match has another result than the one that the director has entered."""
    table, taken = _table(hosted, found), _taken_result(hosted, found)
    if found.points is None or table.points is None or found.points == table.points:
        return False
    return taken is None or (taken.points not in (found.points, table.points))


def _news(hosted: Hosted, found: Found, t: float) -> Iterator[HostedEvent]:
    table, taken, match, points = _table(hosted, found), _taken_result(hosted, found), found.match, found.points
    if match is None or points is None or contradiction(hosted, found):
        return
    if taken is not None and taken.points == points:
        return
    if table.points is None:
        yield ResultTold(found.table, points, t)
    elif table.points != points:
        yield ResultCorrected(found.round, found.table, points, t, who=match.key.table)
    yield Taken(found.round, found.table, match.key.table, match.begun, points, t)


def _table(hosted: Hosted, found: Found) -> Table:
    return hosted.tournament.rounds[found.round - 1].tables[found.table - 1]


def _taken_result(hosted: Hosted, found: Found) -> Taken | None:
    return hosted.rounds[found.round - 1].taken[found.table - 1]


def _find_result(hosted: Hosted, number: int, table: int, matches: Mapping[str, list[KeptResult]]) -> Found:
    round_, none = hosted.rounds[number - 1], Found(number, table)
    taken, at = round_.taken[table - 1], round_.places[table - 1]
    if taken is not None:
        match = next((one for one in matches.get(taken.at, ()) if one.begun == taken.begun), None)
        return none if match is None else _judge_match(hosted, number, table, match)
    if at is None:
        return none
    there = list(_candidates(hosted, number, table, matches.get(at, [])))
    played = [one for one in there if not one.given_up]
    match = next((one for one in played if _misfit(hosted, number, table, one) is None), None)
    if match is not None or played:
        return _judge_match(hosted, number, table, match or played[0])
    if not there:
        return none
    told = Notice("director.given_up", table=table, at=at)
    return Found(number, table, there[-1], None, None if _has_result(hosted, number, table) else told)


def _candidates(hosted: Hosted, number: int, table: int, there: list[KeptResult]) -> Iterator[KeptResult]:
    """Yield the matches that may be the one of this table, the most certain first."""
    round_ = hosted.rounds[number - 1]
    own = hosted.draw_id(number, table)
    yield from (one for one in there if one.draw == own)
    others = {hosted.draw_id(number, other) for other in range(1, len(round_.places) + 1)} - {own}
    for one in there:
        # If the director moved the table after the round began, a match at its place may have another table's id.
        may_be = one.draw is None or (table in round_.moved and one.draw in others)
        if may_be and _begun_since(round_, one):
            yield one


def _begun_since(round_: HostedRound, match: KeptResult) -> bool:
    clock = round_.clocks.get(match.key.table)
    if Started(match.key.table, match.begun) in round_.known:
        return False
    try:
        return clock is None or datetime.fromisoformat(match.begun).timestamp() >= clock - EARLY_S
    except ValueError:  # the date does not exist
        return True


def _judge_match(hosted: Hosted, number: int, table: int, match: KeptResult) -> Found:
    """Return what was found for a table, given its match: the result if the match is over and fits, or the trouble."""
    order, at = _seats(hosted, number, table, match), match.key.table
    misfit = _misfit(hosted, number, table, match)
    if misfit is not None or order is None:
        return Found(number, table, match, None, None if _has_result(hosted, number, table) else misfit)
    if match.given_up:
        return Found(number, table, match)
    if not match.over:
        taken = hosted.rounds[number - 1].taken[table - 1]
        goes_on = None if taken is None else Notice("director.goes_on", round=number, table=table, at=at)
        return Found(number, table, match, None, goes_on)
    found = Found(number, table, match, tuple(match.totals[seat] for seat in order))
    if contradiction(hosted, found):
        points = totals(hosted.tournament, _table(hosted, found).players, found.points or ())
        return replace(found, trouble=Notice("director.contradicts", round=number, table=table, at=at, points=points))
    return found


def _has_result(hosted: Hosted, number: int, table: int) -> bool:
    return hosted.tournament.rounds[number - 1].tables[table - 1].points is not None


def _misfit(hosted: Hosted, number: int, table: int, match: KeptResult) -> Notice | None:
    """Return why a match is not the one that was drawn; None if it is."""
    seated, at = hosted.tournament.rounds[number - 1].tables[table - 1].players, match.key.table
    if not len(match.players) == len(match.totals) == len(seated):
        return Notice("director.other_players", table=table, at=at, players=len(match.players), drawn=len(seated))
    if _seats(hosted, number, table, match) is None:
        names = tuple(name for name in match.players if name is not None)
        return Notice("director.other_names", table=table, at=at, names=names)
    book = RULESETS.get(match.rules)
    if book is not None and book.scoring.highest_wins != hosted.tournament.rules.highest_wins:
        return Notice("director.other_book", table=table, at=at, book=book.title)
    if any(abs(total) > MOST_POINTS for total in match.totals):
        return Notice("director.too_much", table=table, at=at)
    return None


def _seats(hosted: Hosted, number: int, table: int, match: KeptResult) -> tuple[int, ...] | None:
    """Return the seat of each player in the order of the draw; None if other people played."""
    seated = hosted.tournament.rounds[number - 1].tables[table - 1].players
    unnamed = match.draw is not None and not hosted.rounds[number - 1].named
    if None in match.players or unnamed:  # without names, the seats are in the order of the draw
        return tuple(range(len(seated)))
    names = [" ".join(str(name).split()).casefold() for name in match.players]
    for known in (hosted.rounds[number - 1].names, numbers(hosted.tournament)):
        played = [known.get(name) for name in names]
        if sorted(seated) == sorted(one or 0 for one in played):
            return tuple(played.index(player) for player in seated)
    return None


@dataclass(frozen=True, slots=True)
class SeatSearch:
    """The progress of the search for the seats of a round, or for better seats in the rounds after it."""

    round: int
    percent: int = 0
    repeats: int | None = None
    """The repeats of the best seats so far; None before there are any."""
    bound: int = 0
    """A lower bound for the repeats."""
    offered: bool = False
    """Whether the director may accept the best seats so far."""
    later: bool = False
    """Whether it improves the seats of the rounds after the drawn one."""


@dataclass(frozen=True, slots=True)
class TournamentFacts:
    """The tournaments of a hall; `current` is the one that was opened last."""

    all: tuple[Hosted, ...] = ()
    """In the order in which they were opened."""
    found: tuple[Found, ...] = ()
    """The matches found for the rounds of the current tournament."""
    late: frozenset[int] = frozenset()
    """Tables of the current round that were asked to begin and have not begun in time."""
    troubles: tuple[Notice, ...] = ()
    """What could not be stored or read."""
    search: SeatSearch | None = None
    """The progress of the search for seats; None while there is none."""
    not_drawn: Notice | None = None
    """Why the last search for seats failed; None if it did not."""
    secret: bytes = field(default=b"", repr=False)
    """The secret for the addresses of the players' own pages; empty: they have none. No page shows it."""
    leagues: tuple[League, ...] = ()
    """In the order in which they were founded."""

    @property
    def current(self) -> Hosted | None:
        """The tournament that was opened last; None if there is none."""
        return self.all[-1] if self.all else None

    def another_runs(self, hosted: Hosted) -> bool:
        """Return whether a tournament is over and another one has been opened since and is not."""
        current = self.current
        return hosted.tournament.ended and current is not None and not current.tournament.ended

    @property
    def draws(self) -> bool:
        """Whether seats for the next round are being found."""
        return self.search is not None and not self.search.later

    def find_result(self, round_: int, table: int) -> Found | None:
        """Return what was found for a table of a round."""
        return next((one for one in self.found if (one.round, one.table) == (round_, table)), None)
