"""The tournament as a pure state machine: `apply(tournament, event)` returns the next state, or refuses the event.

1. Players enter, check in and leave at any time; the next draw seats those who are present.
2. A round can be drawn once the one before has all its results. While a table has no result, its players can still
   swap places. While no table has a result, the draw can be withdrawn.
3. A result is entered once for each table. Later it can be changed by a correction only, which leaves a trace.
   A result that a player reports counts once somebody else at the table, or the director, has confirmed it.
4. In a tournament with groups, a final may follow them (`stages`).
5. The tournament ends after its last round, or earlier. After that, only results and names can be corrected, and
   rulings made or withdrawn, unless it is reopened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.club.tournament.events import (
    CUT,
    CheckedIn,
    Described,
    Draw,
    Drawn,
    DrawWithdrawn,
    Ended,
    Entered,
    Event,
    FinalBegun,
    FinalWithdrawn,
    GroupsFormed,
    Left,
    Opened,
    OutOfOrder,
    Planned,
    Renamed,
    Reopened,
    ReportConfirmed,
    ReportDecided,
    ReportDisputed,
    ReportRejected,
    ResultCorrected,
    ResultReported,
    ResultTold,
    RoundBegun,
    RoundsAgreed,
    RulingMade,
    RulingWithdrawn,
    Swapped,
    TeamGiven,
)
from referee.club.tournament.reports import (
    check_points,
    confirm_report,
    decide_report,
    dispute_report,
    reject_report,
    report_result,
    table_of,
    with_trace,
)
from referee.club.tournament.rulings import make_ruling, withdraw_ruling
from referee.club.tournament.stages import begin_final, form_groups, give_team, withdraw_final
from referee.club.tournament.state import (
    Correction,
    Player,
    Reopening,
    Round,
    Swap,
    Table,
    Tournament,
    Withdrawal,
)
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.scoring import ScoreSheet
from referee.letters import NAME_LETTERS, can_be_shown, count_letters, is_too_long

LONGEST_CLUB = 40
MOST_RATING = 9999
"""The highest rating that is accepted; those of chess federations end below 3000."""


def open_tournament(event: Opened) -> Tournament:
    """Return a new tournament without players."""
    return Tournament(tidy_name(event.name), event.rules)


def apply(tournament: Tournament, event: Event) -> Tournament:
    """Return the tournament after `event`; raises OutOfOrder if it cannot happen now, BadInput if it is invalid."""
    if tournament.ended and type(event) not in _ALWAYS:
        raise OutOfOrder(Notice("tournament.over"))
    return _HANDLERS[type(event)](tournament, event)


def replay(events: Iterable[Event]) -> Tournament:
    """Return the tournament after these events; raises BadInput unless the first one opens it."""
    all_of = iter(events)
    first = next(all_of, None)
    if not isinstance(first, Opened):
        raise BadInput(f"expected a tournament to begin with Opened, got {type(first).__name__}")
    tournament = open_tournament(first)
    for event in all_of:
        tournament = apply(tournament, event)
    return tournament


def name_key(name: str) -> str:
    """Return a name without differences in case and spaces; the names in a tournament must differ in this form."""
    return " ".join(name.split()).casefold()


def tidy_name(told: str) -> str:
    """Return the name of a player or tournament with single spaces; raises BadInput if it cannot be one."""
    name = " ".join(told.split())
    if not name:
        raise BadInput(Notice("tournament.no_name"))
    if not can_be_shown(name):
        raise BadInput(Notice("tournament.name_not_shown"))
    if is_too_long(name):
        raise BadInput(Notice("tournament.name_too_long", most=NAME_LETTERS))
    return name


def _own_name(tournament: Tournament, told: str, number: int) -> str:
    """Return the tidied name of a player; raises BadInput if another player has it, in whatever case.

    Names must be unique because score sheets identify players by them.
    """
    name = tidy_name(told)
    if any(name_key(one.name) == name_key(name) and one.number != number for one in tournament.players):
        raise BadInput(Notice("tournament.name_taken", player=name))
    return name


def _player(tournament: Tournament, number: int) -> Player:
    if not 1 <= number <= len(tournament.players):
        raise BadInput(Notice("tournament.no_such_player", player=number))
    return tournament.players[number - 1]


def _opened_again(_: Tournament, event: Opened) -> Tournament:
    raise OutOfOrder(f"expected a tournament to be opened once, got {event.name!r}")


def _enter_player(tournament: Tournament, event: Entered) -> Tournament:
    number = len(tournament.players) + 1
    player = Player(number, _own_name(tournament, event.name, number))
    return replace(tournament, players=(*tournament.players, player))


def _describe_player(tournament: Tournament, event: Described) -> Tournament:
    player, club = _player(tournament, event.player), " ".join(event.club.split())
    check_description(club, event.rating)
    return tournament.with_player(replace(player, club=club, rating=event.rating))


def check_description(club: str, rating: int | None) -> None:
    """Raise BadInput for a club or a rating that nobody can have."""
    if not can_be_shown(club):
        raise BadInput(Notice("tournament.name_not_shown"))
    if count_letters(club) > LONGEST_CLUB:
        raise BadInput(Notice("tournament.club_too_long", most=LONGEST_CLUB))
    if rating is not None and not 0 <= rating <= MOST_RATING:
        raise BadInput(Notice("tournament.no_rating", most=MOST_RATING))


def _rename_player(tournament: Tournament, event: Renamed) -> Tournament:
    player = _player(tournament, event.player)
    return tournament.with_player(replace(player, name=_own_name(tournament, event.name, player.number)))


def _checked_in(tournament: Tournament, event: CheckedIn) -> Tournament:
    player = _player(tournament, event.player)
    if player.here:
        raise OutOfOrder(Notice("tournament.here_already", player=player.name))
    back = tournament.with_player(replace(player, here=True, left=False, cut=False))
    return back.with_reason_for_leaving(player.number, "").without_plan()


def _remove_player(tournament: Tournament, event: Left) -> Tournament:
    player = _player(tournament, event.player)
    if not player.here:
        raise OutOfOrder(Notice("tournament.not_here", player=player.name))
    # Whoever was checked in by mistake before the first round has not left: they have not come yet.
    played = any(event.player in one.players for one in tournament.rounds)
    left = replace(player, here=False, left=played, cut=event.why == CUT)
    why = "" if left.cut else event.why
    return tournament.with_player(left).with_reason_for_leaving(player.number, why).without_plan()


def _rounds_agreed(tournament: Tournament, event: RoundsAgreed) -> Tournament:
    if event.rounds < len(tournament.rounds):
        raise OutOfOrder(Notice("tournament.too_few_rounds", drawn=len(tournament.rounds)))
    return replace(tournament, rules=replace(tournament.rules, rounds=event.rounds)).without_plan()


def check_may_be_drawn(tournament: Tournament) -> None:
    """Raise OutOfOrder unless another round can be drawn."""
    if tournament.ended:
        raise OutOfOrder(Notice("tournament.over"))
    if tournament.under_way:
        missing = tuple(map(str, tournament.rounds[-1].missing_tables))
        raise OutOfOrder(Notice("tournament.results_missing", round=len(tournament.rounds), tables=missing))
    if not tournament.rounds_left:
        raise OutOfOrder(Notice("tournament.all_rounds_drawn", rounds=tournament.rules.rounds))


def check_draw(tournament: Tournament, draw: Draw) -> None:
    """Raise BadInput unless a draw gives every present player exactly one place, at tables of permitted sizes."""
    placed = [player for table in (*draw.tables, draw.byes) for player in table]
    if sorted(placed) != sorted(tournament.here):
        raise BadInput(f"expected one place for each of players {tournament.here}, got {draw}")
    rules = tournament.rules
    if not draw.tables or not all(rules.smallest <= len(table) <= rules.largest for table in draw.tables):
        raise BadInput(f"expected tables of {rules.smallest} to {rules.largest} players, got {draw}")


def _apply_plan(tournament: Tournament, event: Planned) -> Tournament:
    if len(event.draws) > tournament.rounds_left:
        raise OutOfOrder(Notice("tournament.all_rounds_drawn", rounds=tournament.rules.rounds))
    for draw in event.draws:
        check_draw(tournament, draw)
    return replace(tournament, plan=event.draws, former=())


def _apply_draw(tournament: Tournament, event: Drawn) -> Tournament:
    check_may_be_drawn(tournament)
    check_draw(tournament, event.draw)
    as_planned = tournament.plan[:1] == (event.draw,)
    one = Round(tuple(map(Table, event.draw.tables)), event.draw.byes, traces_before=len(tournament.traces))
    plan = tournament.plan[1:] if as_planned else ()
    return replace(tournament, rounds=(*tournament.rounds, one), plan=plan, former=())


def _draw_withdrawn(tournament: Tournament, event: DrawWithdrawn) -> Tournament:
    if not tournament.under_way:
        raise OutOfOrder(Notice("tournament.no_round"))
    last = tournament.rounds[-1]
    told = tuple(str(number) for number in range(1, len(last.tables) + 1) if number not in last.missing_tables)
    if told:
        raise OutOfOrder(Notice("tournament.results_told", tables=told))
    trace = Withdrawal(len(tournament.rounds), last.draw, event.t, event.who, event.why)
    return replace(tournament, rounds=tournament.rounds[:-1], traces=(*tournament.traces, trace), plan=(), former=())


def _round_begun(tournament: Tournament, _: RoundBegun) -> Tournament:
    if not tournament.under_way or tournament.rounds[-1].begun:
        raise OutOfOrder(Notice("tournament.no_round_to_begin"))
    return tournament.with_round(len(tournament.rounds), replace(tournament.rounds[-1], begun=True))


def _end_tournament(tournament: Tournament, _: Ended) -> Tournament:
    if tournament.under_way:
        missing = tuple(map(str, tournament.rounds[-1].missing_tables))
        raise OutOfOrder(Notice("tournament.results_missing", round=len(tournament.rounds), tables=missing))
    return replace(tournament, ended=True, plan=())


def _reopen_tournament(tournament: Tournament, event: Reopened) -> Tournament:
    if not tournament.ended:
        raise OutOfOrder(Notice("tournament.not_over"))
    trace = Reopening(len(tournament.rounds), event.t, event.who, event.why)
    return replace(tournament, ended=False, traces=(*tournament.traces, trace))


def told_by(sheet: ScoreSheet, table: int, t: float) -> ResultTold:
    """Return the result of a table from the score sheet of its match, whose seats are in the order of the draw."""
    return ResultTold(table, sheet.totals, t)


def result_told(tournament: Tournament, event: ResultTold) -> Tournament:
    """Enter the result of a table; with the last result, the round is over."""
    if not tournament.rounds:
        raise OutOfOrder(Notice("tournament.no_round"))
    number = len(tournament.rounds)
    round_ = tournament.rounds[-1]
    table = table_of(round_, number, event.table)
    if table.points is not None:
        raise OutOfOrder(Notice("tournament.results_told", tables=(str(event.table),)))
    check_points(table, event.table, event.points)
    after = tournament.with_round(number, round_.with_table(event.table, Table(table.players, event.points)))
    return with_trace(after, number, event.table, table, event.points, event.t)


def result_corrected(tournament: Tournament, event: ResultCorrected) -> Tournament:
    """Replace a result of any round; the old one is kept as a trace."""
    if not 1 <= event.round <= len(tournament.rounds):
        raise OutOfOrder(Notice("tournament.no_such_round", round=event.round))
    round_ = tournament.rounds[event.round - 1]
    table = table_of(round_, event.round, event.table)
    if table.points is None:
        raise OutOfOrder(Notice("tournament.results_missing", round=event.round, tables=(str(event.table),)))
    check_points(table, event.table, event.points)
    if event.points == table.points:
        raise OutOfOrder(Notice("tournament.stands_so"))
    after = round_.with_table(event.table, replace(table, points=event.points))
    trace = Correction(event.round, event.table, table.points, event.points, event.t, event.who, event.why)
    return replace(tournament.with_round(event.round, after), traces=(*tournament.traces, trace))


def swap_players(tournament: Tournament, event: Swapped) -> Tournament:
    """Let two players exchange places in the round under way; one of them may be a player without a place."""
    if not tournament.under_way:
        raise OutOfOrder(Notice("tournament.no_round"))
    if event.one == event.other:
        raise BadInput(Notice("tournament.swapped_with_self"))
    number = len(tournament.rounds)
    round_ = tournament.rounds[-1]
    for player in (event.one, event.other):
        _check_free(tournament, round_, player)
    if not round_.players & {event.one, event.other}:
        raise OutOfOrder(Notice("tournament.neither_seated"))
    names = {event.one: event.other, event.other: event.one}

    def places(players: Sequence[int]) -> tuple[int, ...]:
        return tuple(names.get(player, player) for player in players)

    # What was reported at a table was about the players who sat there.
    tables = tuple(
        table if places(table.players) == table.players else Table(places(table.players)) for table in round_.tables
    )
    after = replace(round_, tables=tables, byes=places(round_.byes))
    trace = Swap(number, event.one, event.other, event.t, event.who, event.why)
    return replace(tournament.with_round(number, after), traces=(*tournament.traces, trace))


def _check_free(tournament: Tournament, round_: Round, player: int) -> None:
    """Raise OutOfOrder or BadInput unless a player can be swapped.

    The player's table must not have a result yet. A player without a place must be present.
    """
    if not 1 <= player <= len(tournament.players):
        raise BadInput(Notice("tournament.no_such_player", player=player))
    at = round_.table_of(player)
    if at is not None and round_.tables[at - 1].points is not None:
        raise OutOfOrder(Notice("tournament.results_told", tables=(str(at),)))
    entry = tournament.players[player - 1]
    if player not in round_.players and not entry.here:
        raise OutOfOrder(Notice("tournament.not_here", player=entry.name))


_ALWAYS = (Renamed, ResultCorrected, RulingMade, RulingWithdrawn, Reopened)
"""Events that are still permitted after the end."""
_HANDLERS: Mapping[type[Event], Callable[[Tournament, Any], Tournament]] = {
    Opened: _opened_again,
    Entered: _enter_player,
    Described: _describe_player,
    TeamGiven: give_team,
    Renamed: _rename_player,
    CheckedIn: _checked_in,
    Left: _remove_player,
    RoundsAgreed: _rounds_agreed,
    GroupsFormed: form_groups,
    FinalBegun: begin_final,
    FinalWithdrawn: withdraw_final,
    Planned: _apply_plan,
    Drawn: _apply_draw,
    DrawWithdrawn: _draw_withdrawn,
    Swapped: swap_players,
    RoundBegun: _round_begun,
    ResultTold: result_told,
    ResultCorrected: result_corrected,
    ResultReported: report_result,
    ReportConfirmed: confirm_report,
    ReportDisputed: dispute_report,
    ReportRejected: reject_report,
    ReportDecided: decide_report,
    RulingMade: make_ruling,
    RulingWithdrawn: withdraw_ruling,
    Ended: _end_tournament,
    Reopened: _reopen_tournament,
}
