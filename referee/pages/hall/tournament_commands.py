"""The commands with which the director runs a tournament."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.beginning import places, places_after_move, set_out
from referee.club.hall.tournaments.keeper import Keeper
from referee.club.hall.tournaments.round_results import contradiction, found_in
from referee.club.hall.tournaments.state import Hosted, HostedEvent, Placed, Taken
from referee.club.tournament import OutOfOrder, Rules, Tournament, apply
from referee.club.tournament.events import (
    CUT,
    CheckedIn,
    DrawWithdrawn,
    Ended,
    Entered,
    FinalWithdrawn,
    Left,
    Renamed,
    ReportDecided,
    ResultCorrected,
    ResultTold,
    RoundsAgreed,
    Swapped,
    TeamGiven,
)
from referee.club.tournament.groups import final_of
from referee.club.tournament.machine import check_may_be_drawn, name_key
from referee.club.tournament.reports import check_by_book, check_sum
from referee.club.tournament.rules import (
    Counting,
    Drawing,
)
from referee.club.tournament.seating.bounds import SMALLEST
from referee.club.tournament.standings import ranking
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.game.rulebooks import RULESETS, Ruleset
from referee.page.command import Asked, Command, Done, NoFields
from referee.pages.hall.seatless import told_of_gone, told_of_seats
from referee.pages.hall.tournament_fields import (
    MOST_PLAYERS,
    BeginFields,
    CheckInFields,
    CorrectFields,
    CutFields,
    EnterFields,
    FinalFields,
    LeaveFields,
    OpenFields,
    PlaceFields,
    ReasonFields,
    RenameFields,
    ResultFields,
    RoundsFields,
    SwapFields,
    TeamFields,
)

MOST_BAD_LINES = 20
"""The most lines of a list of names that one refusal names."""
LONGEST_SHOWN = 60
"""The most letters that are shown of a line of names that is refused."""


class TournamentControls(Protocol):
    """What the page can ask of the tournaments."""

    tournaments: Keeper
    book: Ruleset
    """The rule book of the hall's settings."""

    def draw_seed(self) -> int:
        """Return a seed for a new tournament, at least 0; it decides the seats and the drawing of lots."""


F = TypeVar("F")
Happens = Callable[[F, Hosted, HallFacts, float], Sequence[HostedEvent]]
"""Returns the events of a command, given its fields, the tournament, the facts of the hall and the time."""
Told = Callable[[F, Tournament], tuple[Notice, ...]]
"""Returns what the answer to a command says besides, given its fields and the tournament before."""


class Odd(BadInput):
    """Totals that cannot, or hardly can, be right by the rule book; the director may enter them, but is asked once."""


def check_totals(
    event: ResultTold | ResultCorrected | ReportDecided, tournament: Tournament, sure: bool | None
) -> Sequence[HostedEvent]:
    """Return the event of a result; raises Odd, with the question, if it cannot be right by the rule book.

    Raises BadInput if the tournament does not take the event at all. Nobody is asked who is `sure` of the totals.
    """
    apply(tournament, event)
    try:
        check_by_book(event.points, tournament.rules)
        check_sum(event.points, tournament.rules)
    except BadInput as error:
        if not sure:
            raise Odd(Notice("director.all_the_same", why=told_by(error))) from error
    return [event]


async def wait_for_answer(future: Callable[[], Future[None]]) -> Notice | Asked | None:
    """Wait for the result; return why it was refused, or the question asked, None if it was carried out."""
    try:
        await asyncio.wrap_future(future())
    except Odd as error:
        return Asked(told_by(error))
    except BadInput as error:
        return told_by(error)
    return None


def _changes(
    happens: Happens[F], told: Told[F] = lambda *_: ()
) -> Callable[[F, Any, Any], Awaitable[Notice | Asked | Done | None]]:
    """Return a command that applies the events of `happens` to the tournament."""

    async def run(fields: F, facts: HallFacts, controls: TournamentControls) -> Notice | Asked | Done | None:
        before = None if facts.tournaments is None else facts.tournaments.current
        refused = await wait_for_answer(
            lambda: controls.tournaments.change(lambda hosted, hall, t: happens(fields, hosted, hall, t))
        )
        if refused is not None or before is None:
            return refused
        notices = told(fields, before.tournament)
        return Done(notices) if notices else None

    return run


async def _open(fields: OpenFields, _: HallFacts, controls: TournamentControls) -> Notice | Asked | None:
    book = controls.book if fields.book is None else RULESETS[fields.book]
    rules = Rules.by_book(book, fields.rounds, controls.draw_seed())
    least = rules.smallest if fields.players_least is None else fields.players_least
    most = rules.largest if fields.players_most is None else fields.players_most
    if not rules.smallest <= least <= most <= rules.largest:
        return Notice("director.sizes", least=rules.smallest, most=rules.largest)
    ties = rules.tie_breaks if fields.ties is None else fields.ties
    drawing = rules.drawing if fields.drawing is None else fields.drawing
    scheme = rules.scheme if fields.bye is None else replace(rules.scheme, bye=fields.bye)
    rules = replace(rules, smallest=least, largest=most, tie_breaks=ties, match_rounds=fields.match_rounds)
    counting = _suits(drawing, most) if fields.counting is None else fields.counting
    rules = replace(rules, scheme=scheme, counting=counting, team_counts=fields.team_counts)
    rules = replace(rules, drawing=drawing, groups=fields.groups)
    return await wait_for_answer(lambda: controls.tournaments.open(fields.name, rules, fields.league))


def _suits(drawing: Drawing, most: int) -> Counting:
    """Return what decides the order if the director leaves it open.

    With the Swiss draw, winners meet winners, and their points alone would order the players worse than seats by lot
    do (`python -m benchmarks swiss`). Tables of two follow the rules of chess federations, by which points come first.
    """
    return Counting.STRENGTH if drawing is Drawing.SWISS and most > SMALLEST else Counting.POINTS


async def _draw(_: NoFields, __: HallFacts, controls: TournamentControls) -> Notice | Asked | None:
    return await wait_for_answer(controls.tournaments.draw)


async def _take(_: NoFields, __: HallFacts, controls: TournamentControls) -> Notice | Asked | None:
    return await wait_for_answer(controls.tournaments.take)


async def _begin(fields: BeginFields, _: HallFacts, controls: TournamentControls) -> Notice | Done | None:
    """Begin the round; the answer names the tables that cannot begin yet."""
    try:
        told = await asyncio.wrap_future(controls.tournaments.begin(fields.table))
    except BadInput as error:
        return told_by(error)
    return Done(told) if told else None


def _enter_players(fields: EnterFields, hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
    lines = re.split(r"\r\n|\r|\n", fields.names)  # line numbers must be those that the text box shows
    names = [name for line in lines if (name := line.strip())]
    if not names:
        raise BadInput(Notice("tournament.no_name"))
    if len(hosted.tournament.players) + len(names) > MOST_PLAYERS:
        raise BadInput(Notice("director.too_many", most=MOST_PLAYERS))
    entered = [Entered(name, t) for name in names]
    if len(entered) > 1:
        _check_lines(lines, hosted.tournament, t)
    return entered


def _check_lines(lines: Sequence[str], tournament: Tournament, t: float) -> None:
    """Raise BadInput if lines are not valid new names, with the number of each and the reason."""
    first: dict[str, int] = {}
    bad: list[Notice] = []
    for number, line in enumerate(lines, 1):
        name = line.strip()
        if not name:
            continue
        try:
            tournament = apply(tournament, Entered(name, t))
        except BadInput as error:
            shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)
            shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[: LONGEST_SHOWN - 1]}…"
            same = first.get(name_key(name))
            why = told_by(error) if same is None else Notice("director.name_in_line", line=same)
            bad.append(Notice("director.bad_line", line=number, name=shown, why=why))
        first.setdefault(name_key(name), number)
    if bad:
        raise BadInput(Notice("director.bad_lines", lines=tuple(bad[:MOST_BAD_LINES])))


def _tell_who_came(fields: CheckInFields, before: Tournament) -> tuple[Notice, ...]:
    came = [one.number for one in before.players if not one.here and fields.player in (None, one.number)]
    return told_of_seats(before, came)


def _checked_in(fields: CheckInFields, hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
    if fields.player is not None:
        return [CheckedIn(fields.player, t)]
    return [CheckedIn(one.number, t) for one in hosted.tournament.players if not one.here]


def _cut_players(fields: CutFields, hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
    """Let only the first players in the standings play on: all the others leave, and keep their points."""
    tournament = hosted.tournament
    if tournament.in_groups:
        raise OutOfOrder(Notice("director.cut_by_groups"))
    check_may_be_drawn(tournament)
    if not tournament.rounds:
        raise OutOfOrder(Notice("director.no_standings_yet"))
    out = ranking(tournament, tournament.here)[fields.players :]
    if not out:
        raise OutOfOrder(Notice("director.nobody_out", here=len(tournament.here)))
    return [Left(player, t, CUT) for player in sorted(out)]


def _begin_final(fields: FinalFields, hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
    begun = final_of(hosted.tournament, fields.first, t, fill=fields.fill is not False)
    if fields.players is not None and {*fields.players} != {*begun.players}:
        raise OutOfOrder(Notice("final.changed"))
    return [begun]


def _move_table(fields: PlaceFields, hosted: Hosted, hall: HallFacts, t: float) -> Sequence[HostedEvent]:
    table, at = fields.table, fields.at or None
    before = places(hosted, hall.tables)
    told = Placed(places_after_move(hosted, hall.tables, table, at), t)
    begun = hosted.last_round is not None and hosted.last_round.begun
    if begun and at is not None and at not in before:
        # No table of this round has played there before, so results that are already there do not count for it.
        return [told, set_out(hall, t, at, named=hosted.rounds[-1].named)]
    return [told]


def _enter_result(fields: ResultFields, hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
    return check_totals(ResultTold(fields.table, fields.points, t), hosted.tournament, fields.sure)


def _correct_result(fields: CorrectFields, hosted: Hosted, hall: HallFacts, t: float) -> Sequence[HostedEvent]:
    """Correct a result. If the table has sent other points, entering the same points again confirms them."""
    number, table, points = fields.round, fields.table, fields.points
    for one in found_in(hosted, hall.results):
        if (one.round, one.table) == (number, table) and one.match is not None and contradiction(hosted, one):
            stands = hosted.tournament.rounds[number - 1].tables[table - 1].points == points
            if stands and one.points is not None:
                return [Taken(number, table, one.match.key.table, one.match.begun, one.points, t)]
    corrected = ResultCorrected(number, table, points, t, fields.who, fields.why)
    return check_totals(corrected, hosted.tournament, fields.sure)


ROUND = ("tournament-round",)
"""Commands about a draw are stale once there is another draw."""


def command_of(
    fields: type[F], happens: Happens[F], about: tuple[str, ...] = (), told: Told[F] = lambda *_: ()
) -> Command[F]:  # fmt: skip
    """Return a command that applies the events of `happens` to the tournament."""
    return Command(fields, _changes(happens, told), about)


COMMANDS: Mapping[str, Command[Any]] = {
    "tournament-open": Command(OpenFields, _open),
    "tournament-enter": command_of(EnterFields, _enter_players),
    "tournament-check-in": command_of(CheckInFields, _checked_in, told=_tell_who_came),
    "tournament-leave": command_of(
        LeaveFields,
        lambda told, _, __, t: [Left(told.player, t, told.why)],
        told=lambda fields, before: told_of_gone(before, fields.player),
    ),
    "tournament-rename": command_of(RenameFields, lambda told, _, __, t: [Renamed(told.player, told.name, t)]),
    "tournament-rounds": command_of(RoundsFields, lambda told, _, __, t: [RoundsAgreed(told.rounds, t)]),
    "tournament-cut": command_of(CutFields, _cut_players, ROUND),
    "tournament-final": command_of(FinalFields, _begin_final, ROUND),
    "tournament-final-withdraw": command_of(
        ReasonFields, lambda told, _, __, t: [FinalWithdrawn(t, told.who, told.why)], ROUND
    ),
    "tournament-team": command_of(TeamFields, lambda told, _, __, t: [TeamGiven(told.player, told.team, t)]),
    "tournament-draw": Command(NoFields, _draw, ROUND),
    "tournament-take": Command(NoFields, _take, ROUND),
    "tournament-withdraw": command_of(
        ReasonFields, lambda told, _, __, t: [DrawWithdrawn(t, told.who, told.why)], ROUND
    ),
    "tournament-swap": command_of(
        SwapFields, lambda told, _, __, t: [Swapped(told.one, told.other, t, told.who, told.why)], ROUND
    ),
    "tournament-place": command_of(PlaceFields, _move_table, ROUND),
    "tournament-begin": Command(BeginFields, _begin, ROUND),
    "tournament-result": command_of(ResultFields, _enter_result, ROUND),
    "tournament-correct": command_of(CorrectFields, _correct_result),
    "tournament-end": command_of(NoFields, lambda _, __, ___, t: [Ended(t)], ROUND),
}
