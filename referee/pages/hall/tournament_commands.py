"""The commands with which the director runs a tournament."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Annotated, Any, Protocol, TypeVar

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.beginning import places, places_after_move, set_out
from referee.club.hall.tournaments.keeper import Keeper
from referee.club.hall.tournaments.round_results import contradiction, found_in
from referee.club.hall.tournaments.state import Hosted, HostedEvent, Placed, Taken
from referee.club.protocol.documents import MOST_ROUNDS as MOST_MATCH_ROUNDS
from referee.club.tournament import OutOfOrder, Rules, TieBreak, Tournament, apply
from referee.club.tournament.events import (
    CUT,
    CheckedIn,
    DrawWithdrawn,
    Ended,
    Entered,
    Left,
    Renamed,
    ResultCorrected,
    ResultTold,
    RoundsAgreed,
    Swapped,
    TeamGiven,
)
from referee.club.tournament.groups import final_of
from referee.club.tournament.machine import check_may_be_drawn, name_key
from referee.club.tournament.reports import MOST_POINTS
from referee.club.tournament.rules import (
    LARGEST_GROUP,
    LARGEST_TEAM,
    SMALLEST_GROUP,
    Counting,
    Drawing,
    GroupStage,
    Scheme,
)
from referee.club.tournament.seating.bounds import LARGEST, SMALLEST
from referee.club.tournament.standings import ranking
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.game.rulebooks import RULESETS, Ruleset
from referee.journal.codec import Codec
from referee.page.command import Command, Done, Malformed, NoFields, one_line, one_of, read_only, several, text, whole
from referee.pages.hall.orders import LONGEST_TABLE

MOST_PLAYERS, MOST_ROUNDS = 256, 30
GROUP_SIZE, FINAL_ROUNDS = 4, 3
"""What is taken if a tournament with groups is opened without saying so. Chosen by hand."""
MOST_FOR_A_BYE = max(Scheme().four)
"""A bye is worth no more than a won table."""
LONGEST_LIST, LONGEST_REASON, LONGEST_WHO, LONGEST_TYPED = 12_000, 200, 40, 200
LONGEST_LEAGUE = 64
"""The most letters of the id of a league."""
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


Player = Annotated[int, whole(1, MOST_PLAYERS)]
Table = Annotated[int, whole(1, MOST_PLAYERS)]
Rounds = Annotated[int, whole(1, MOST_ROUNDS)]
Size = Annotated[int | None, whole(SMALLEST, LARGEST)]
Name = Annotated[str, text(0, LONGEST_TYPED)]
Points = Annotated[tuple[int, ...], several(whole(-MOST_POINTS, MOST_POINTS), LARGEST, SMALLEST)]
Who = Annotated[str, text(0, LONGEST_WHO, one_line)]
Why = Annotated[str, text(0, LONGEST_REASON, one_line)]


def _ties() -> Codec:
    some = several(one_of(*TieBreak), len(TieBreak), 0)

    def read(value: Any) -> tuple[TieBreak, ...]:
        found: tuple[TieBreak, ...] = some.read(value)
        if len(set(found)) < len(found):
            raise Malformed(f"expected every tie-break once, found {', '.join(found)}")
        return found

    return read_only(read, {**some.schema, "uniqueItems": True})


@dataclass(frozen=True, slots=True)
class OpenFields:
    """A new tournament. None means: as the rule book or the settings of the hall have it."""

    name: Name
    rounds: Rounds
    ties: Annotated[tuple[TieBreak, ...] | None, _ties()] = None
    players_least: Size = None
    players_most: Size = None
    book: Annotated[str | None, one_of(*RULESETS)] = None
    match_rounds: Annotated[int | None, whole(1, MOST_MATCH_ROUNDS)] = None
    drawing: Annotated[Drawing | None, one_of(*Drawing)] = None
    bye: Annotated[int | None, whole(0, MOST_FOR_A_BYE)] = None
    counting: Annotated[Counting | None, one_of(*Counting)] = None
    league: Annotated[str, text(0, LONGEST_LEAGUE, one_line)] = ""
    """The id of the league of which it is an evening; empty: of none."""
    group_size: Annotated[int | None, whole(SMALLEST_GROUP, LARGEST_GROUP)] = None
    final_rounds: Annotated[int | None, whole(1, MOST_ROUNDS)] = None
    final: Annotated[Drawing | None, one_of(Drawing.PLANNED, Drawing.SWISS)] = None
    carried: bool | None = None
    team_counts: Annotated[int | None, whole(1, LARGEST_TEAM)] = None

    @property
    def groups(self) -> GroupStage | None:
        """The groups and the final, with what is not told filled in; None if the rounds are not drawn in groups."""
        if self.drawing is not Drawing.GROUPS:
            return None
        size = GROUP_SIZE if self.group_size is None else self.group_size
        rounds = FINAL_ROUNDS if self.final_rounds is None else self.final_rounds
        return GroupStage(size, rounds, self.final or Drawing.PLANNED, self.carried is not False)


@dataclass(frozen=True, slots=True)
class EnterFields:
    """The names of players, one per line."""

    names: Annotated[str, text(0, LONGEST_LIST)]


@dataclass(frozen=True, slots=True)
class CheckInFields:
    """A player who is present; None: all are."""

    player: Annotated[int | None, whole(1, MOST_PLAYERS)] = None


@dataclass(frozen=True, slots=True)
class LeaveFields:
    """A player who leaves."""

    player: Player
    why: Why = ""


@dataclass(frozen=True, slots=True)
class RenameFields:
    """The new name of a player."""

    player: Player
    name: Name


@dataclass(frozen=True, slots=True)
class RoundsFields:
    """How many rounds the tournament has."""

    rounds: Rounds


@dataclass(frozen=True, slots=True)
class CutFields:
    """How many players play on, from the first in the standings."""

    players: Annotated[int, whole(SMALLEST, MOST_PLAYERS)]


@dataclass(frozen=True, slots=True)
class FinalFields:
    """How many of each group play the final, and whether the best of the next places fill its tables."""

    first: Annotated[int, whole(1, MOST_PLAYERS)]
    fill: bool | None = None


@dataclass(frozen=True, slots=True)
class TeamFields:
    """The team of a player; empty: none."""

    player: Player
    team: Annotated[str, text(0, LONGEST_TYPED, one_line)] = ""


@dataclass(frozen=True, slots=True)
class ReasonFields:
    """Who makes a change, and why."""

    who: Who = ""
    why: Why = ""


@dataclass(frozen=True, slots=True)
class SwapFields:
    """Two players who change seats."""

    one: Player
    other: Player
    who: Who = ""
    why: Why = ""


@dataclass(frozen=True, slots=True)
class PlaceFields:
    """A table of the round, and the name of the club's table at which it plays; empty: none."""

    table: Table
    at: Annotated[str, text(0, LONGEST_TABLE, one_line)] = ""


@dataclass(frozen=True, slots=True)
class BeginFields:
    """The table that is to begin; None: all."""

    table: Annotated[int | None, whole(1, MOST_PLAYERS)] = None


@dataclass(frozen=True, slots=True)
class ResultFields:
    """The points of a table of this round, in the order of the seats."""

    table: Table
    points: Points


@dataclass(frozen=True, slots=True)
class CorrectFields:
    """The points of a table of any round."""

    round: Rounds
    table: Table
    points: Points
    who: Who = ""
    why: Why = ""


F = TypeVar("F")
Happens = Callable[[F, Hosted, HallFacts, float], Sequence[HostedEvent]]
"""Returns the events of a command, given its fields, the tournament, the facts of the hall and the time."""


async def wait_for_answer(future: Callable[[], Future[None]]) -> Notice | None:
    """Wait for the result; return why it was refused, None if it was carried out."""
    try:
        await asyncio.wrap_future(future())
    except BadInput as error:
        return told_by(error)
    return None


def _changes(happens: Happens[F]) -> Callable[[F, Any, Any], Awaitable[Notice | None]]:
    """Return a command that applies the events of `happens` to the tournament."""

    async def run(fields: F, _: HallFacts, controls: TournamentControls) -> Notice | None:
        return await wait_for_answer(
            lambda: controls.tournaments.change(lambda hosted, hall, t: happens(fields, hosted, hall, t))
        )

    return run


async def _open(fields: OpenFields, _: HallFacts, controls: TournamentControls) -> Notice | None:
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


async def _draw(_: NoFields, __: HallFacts, controls: TournamentControls) -> Notice | None:
    return await wait_for_answer(controls.tournaments.draw)


async def _take(_: NoFields, __: HallFacts, controls: TournamentControls) -> Notice | None:
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
    return [final_of(hosted.tournament, fields.first, t, fill=fields.fill is not False)]


def _move_table(fields: PlaceFields, hosted: Hosted, hall: HallFacts, t: float) -> Sequence[HostedEvent]:
    table, at = fields.table, fields.at or None
    before = places(hosted, hall.tables)
    told = Placed(places_after_move(hosted, hall.tables, table, at), t)
    begun = hosted.last_round is not None and hosted.last_round.begun
    if begun and at is not None and at not in before:
        # No table of this round has played there before, so results that are already there do not count for it.
        return [told, set_out(hall, t, at, named=hosted.rounds[-1].named)]
    return [told]


def _enter_result(fields: ResultFields, _: Hosted, __: HallFacts, t: float) -> Sequence[HostedEvent]:
    return [ResultTold(fields.table, fields.points, t)]


def _correct_result(fields: CorrectFields, hosted: Hosted, hall: HallFacts, t: float) -> Sequence[HostedEvent]:
    """Correct a result. If the table has sent other points, entering the same points again confirms them."""
    number, table, points = fields.round, fields.table, fields.points
    for one in found_in(hosted, hall.results):
        if (one.round, one.table) == (number, table) and one.match is not None and contradiction(hosted, one):
            stands = hosted.tournament.rounds[number - 1].tables[table - 1].points == points
            if stands and one.points is not None:
                return [Taken(number, table, one.match.key.table, one.match.begun, one.points, t)]
    return [ResultCorrected(number, table, points, t, fields.who, fields.why)]


ROUND = ("tournament-round",)
"""Commands about a draw are stale once there is another draw."""


def command_of(fields: type[F], happens: Happens[F], about: tuple[str, ...] = ()) -> Command[F]:
    """Return a command that applies the events of `happens` to the tournament."""
    return Command(fields, _changes(happens), about)


COMMANDS: Mapping[str, Command[Any]] = {
    "tournament-open": Command(OpenFields, _open),
    "tournament-enter": command_of(EnterFields, _enter_players),
    "tournament-check-in": command_of(CheckInFields, _checked_in),
    "tournament-leave": command_of(LeaveFields, lambda told, _, __, t: [Left(told.player, t, told.why)]),
    "tournament-rename": command_of(RenameFields, lambda told, _, __, t: [Renamed(told.player, told.name, t)]),
    "tournament-rounds": command_of(RoundsFields, lambda told, _, __, t: [RoundsAgreed(told.rounds, t)]),
    "tournament-cut": command_of(CutFields, _cut_players, ROUND),
    "tournament-final": command_of(FinalFields, _begin_final, ROUND),
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
