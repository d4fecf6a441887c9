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
from referee.club.tournament import Rules, TieBreak, Tournament, apply
from referee.club.tournament.events import (
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
)
from referee.club.tournament.machine import MOST_POINTS, name_key
from referee.club.tournament.seating.bounds import LARGEST, SMALLEST
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.game.rulebooks import RULESETS, Ruleset
from referee.journal.codec import Codec
from referee.page.command import Command, Done, Malformed, NoFields, one_line, one_of, read_only, several, text, whole
from referee.pages.hall.orders import LONGEST_TABLE

MOST_PLAYERS, MOST_ROUNDS = 256, 30
LONGEST_LIST, LONGEST_REASON, LONGEST_WHO = 12_000, 200, 40
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
Name = Annotated[str, text(0, 200)]
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


async def _wait_for_answer(future: Callable[[], Future[None]]) -> Notice | None:
    """Wait for the result; return why it was refused, None if it was carried out."""
    try:
        await asyncio.wrap_future(future())
    except BadInput as error:
        return told_by(error)
    return None


def _changes(happens: Happens[F]) -> Callable[[F, Any, Any], Awaitable[Notice | None]]:
    """Return a command that applies the events of `happens` to the tournament."""

    async def run(fields: F, _: HallFacts, controls: TournamentControls) -> Notice | None:
        return await _wait_for_answer(
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
    rules = replace(rules, smallest=least, largest=most, tie_breaks=ties, match_rounds=fields.match_rounds)
    return await _wait_for_answer(lambda: controls.tournaments.open(fields.name, rules))


async def _draw(_: NoFields, __: HallFacts, controls: TournamentControls) -> Notice | None:
    return await _wait_for_answer(controls.tournaments.draw)


async def _take(_: NoFields, __: HallFacts, controls: TournamentControls) -> Notice | None:
    return await _wait_for_answer(controls.tournaments.take)


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
    """Raise BadInput for the first line that is not a valid new name, with its number and the reason."""
    first: dict[str, int] = {}
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
            raise BadInput(Notice("director.bad_line", line=number, name=shown, why=why)) from error
        first[name_key(name)] = number


def _checked_in(fields: CheckInFields, hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
    if fields.player is not None:
        return [CheckedIn(fields.player, t)]
    return [CheckedIn(one.number, t) for one in hosted.tournament.players if not one.here]


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


_ROUND = ("tournament-round",)
"""Commands about a draw are stale once there is another draw."""


def _command(fields: type[F], happens: Happens[F], about: tuple[str, ...] = ()) -> Command[F]:
    return Command(fields, _changes(happens), about)


COMMANDS: Mapping[str, Command[Any]] = {
    "tournament-open": Command(OpenFields, _open),
    "tournament-enter": _command(EnterFields, _enter_players),
    "tournament-check-in": _command(CheckInFields, _checked_in),
    "tournament-leave": _command(LeaveFields, lambda told, _, __, t: [Left(told.player, t, told.why)]),
    "tournament-rename": _command(RenameFields, lambda told, _, __, t: [Renamed(told.player, told.name, t)]),
    "tournament-rounds": _command(RoundsFields, lambda told, _, __, t: [RoundsAgreed(told.rounds, t)]),
    "tournament-draw": Command(NoFields, _draw, _ROUND),
    "tournament-take": Command(NoFields, _take, _ROUND),
    "tournament-withdraw": _command(
        ReasonFields, lambda told, _, __, t: [DrawWithdrawn(t, told.who, told.why)], _ROUND
    ),
    "tournament-swap": _command(
        SwapFields, lambda told, _, __, t: [Swapped(told.one, told.other, t, told.who, told.why)], _ROUND
    ),
    "tournament-place": _command(PlaceFields, _move_table, _ROUND),
    "tournament-begin": Command(BeginFields, _begin, _ROUND),
    "tournament-result": _command(ResultFields, _enter_result, _ROUND),
    "tournament-correct": _command(CorrectFields, _correct_result),
    "tournament-end": _command(NoFields, lambda _, __, ___, t: [Ended(t)], _ROUND),
}
