"""What the director does with a tournament, as commands of the page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Protocol

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.beginning import places, places_after_move, set_out
from referee.club.hall.tournaments.keeper import Keeper
from referee.club.hall.tournaments.results import contradiction, found_in
from referee.club.hall.tournaments.state import Hosted, HostedEvent, Placed, Taken
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
from referee.page.command import Command, Field, Malformed, Run, one_of, text, whole

MOST_PLAYERS, MOST_ROUNDS, MOST_MATCH_ROUNDS = 256, 30, 100
LONGEST_LIST, LONGEST_REASON = 12_000, 200
LONGEST_SHOWN = 60
"""Of a line of names that is refused."""


class TournamentControls(Protocol):
    """The way from the page to the tournaments."""

    tournaments: Keeper
    book: Ruleset
    """The rule book of the hall's settings."""

    def draw_seed(self) -> int:
        """A seed for a new tournament, from 0: seats and lots follow from it."""


Happens = Callable[[Mapping[str, Any], Hosted, HallFacts, float], Sequence[HostedEvent]]


async def _wait_for_answer(future: Callable[[], Future[None]]) -> Notice | None:
    """Wait until something is done; gives why it could not be."""
    try:
        await asyncio.wrap_future(future())
    except BadInput as error:
        return told_by(error)
    return None


def _changes(happens: Happens) -> Run:
    """A command that lets something happen in the tournament."""

    async def run(values: Mapping[str, Any], _: HallFacts, controls: TournamentControls) -> Notice | None:
        return await _wait_for_answer(
            lambda: controls.tournaments.change(lambda hosted, hall, t: happens(values, hosted, hall, t))
        )

    return run


async def _open(values: Mapping[str, Any], _: HallFacts, controls: TournamentControls) -> Notice | None:
    book = RULESETS[values["book"]] if "book" in values else controls.book
    rules = Rules.by_book(book, values["rounds"], controls.draw_seed())
    least, most = values.get("players_least", rules.smallest), values.get("players_most", rules.largest)
    if not rules.smallest <= least <= most <= rules.largest:
        return Notice("director.sizes", least=rules.smallest, most=rules.largest)
    rules = replace(rules, smallest=least, largest=most, tie_breaks=values.get("ties", rules.tie_breaks))
    rules = replace(rules, match_rounds=values.get("match_rounds"))
    return await _wait_for_answer(lambda: controls.tournaments.open(values["name"], rules))


async def _draw(_: Mapping[str, Any], __: HallFacts, controls: TournamentControls) -> Notice | None:
    return await _wait_for_answer(controls.tournaments.draw)


async def _take(_: Mapping[str, Any], __: HallFacts, controls: TournamentControls) -> Notice | None:
    return await _wait_for_answer(controls.tournaments.take)


async def _begin(values: Mapping[str, Any], _: HallFacts, controls: TournamentControls) -> Notice | None:
    return await _wait_for_answer(lambda: controls.tournaments.begin(values.get("table")))


def _enter_players(values: Mapping[str, Any], hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
    lines = re.split(r"\r\n|\r|\n", values["names"])  # only what a box of text shows as lines has a number there
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
    """Raise BadInput for the first line that is no name of another player, with its number and what is wrong."""
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


def _checked_in(values: Mapping[str, Any], hosted: Hosted, _: HallFacts, t: float) -> Sequence[HostedEvent]:
    if "player" in values:
        return [CheckedIn(values["player"], t)]
    return [CheckedIn(one.number, t) for one in hosted.tournament.players if not one.here]


def _move_table(values: Mapping[str, Any], hosted: Hosted, hall: HallFacts, t: float) -> Sequence[HostedEvent]:
    table, at = values["table"], values.get("at") or None
    before = places(hosted, hall.tables)
    told = Placed(places_after_move(hosted, hall.tables, table, at), t)
    begun = hosted.drawn is not None and hosted.drawn.begun
    if begun and at is not None and at not in before:
        # Nobody of this round has played there; what is there has nothing to do with it.
        return [told, set_out(hall, t, at, named=hosted.rounds[-1].named)]
    return [told]


def _enter_result(values: Mapping[str, Any], _: Hosted, __: HallFacts, t: float) -> Sequence[HostedEvent]:
    return [ResultTold(values["table"], values["points"], t)]


def _correct_result(values: Mapping[str, Any], hosted: Hosted, hall: HallFacts, t: float) -> Sequence[HostedEvent]:
    """A correction; where a table contradicts what stands there, the same again says that it is to stay."""
    number, table, points = values["round"], values["table"], values["points"]
    for one in found_in(hosted, hall.results):
        if (one.round, one.table) == (number, table) and one.match is not None and contradiction(hosted, one):
            stands = hosted.tournament.rounds[number - 1].tables[table - 1].points == points
            if stands and one.points is not None:
                return [Taken(number, table, one.match.key.table, one.match.begun, one.points, t)]
    return [ResultCorrected(number, table, points, t, values.get("who", ""), values.get("why", ""))]


def _line(longest: int) -> Field:
    """A field with a line of text, which may be empty; blanks of all kinds become one, what cannot be shown goes."""
    each = text(0, longest)

    def value(told: Any) -> str:
        letters = (one for one in each.value(told) if one.isprintable() or one.isspace())
        return " ".join("".join(letters).split())

    return Field(each.schema, value, needed=False)


def _several(each: Field, least: int, most: int) -> Field:
    """A field with a list."""

    def value(told: Any) -> tuple[Any, ...]:
        if not isinstance(told, list) or not least <= len(told) <= most:
            raise Malformed(f"expected a list of {least} to {most}, found {str(told)[:40]!r}")
        return tuple(map(each.value, told))

    return Field({"type": "array", "items": each.schema, "minItems": least, "maxItems": most}, value)


def _ties() -> Field:
    several = _several(one_of(*(one.value for one in TieBreak)), 0, len(TieBreak))

    def value(told: Any) -> tuple[TieBreak, ...]:
        found = tuple(map(TieBreak, several.value(told)))
        if len(set(found)) < len(found):
            raise Malformed(f"expected every tie-break once, found {', '.join(found)}")
        return found

    return Field({**several.schema, "uniqueItems": True}, value, needed=False)


def _as_optional(one: Field) -> Field:
    return replace(one, needed=False)


_ROUND = ("tournament-round",)
"""What is about the draw comes too late once there is another one."""
_PLAYER, _TABLE = whole(1, MOST_PLAYERS), whole(1, MOST_PLAYERS)
_POINTS = _several(whole(-MOST_POINTS, MOST_POINTS), SMALLEST, LARGEST)
_WHO, _WHY, _SIZE = _line(40), _line(LONGEST_REASON), _as_optional(whole(SMALLEST, LARGEST))

Fields = Mapping[str, Field]


def _command(happens: Happens, fields: Fields, about: tuple[str, ...] = ()) -> Command:
    return Command(about, _changes(happens), fields)


COMMANDS: Mapping[str, Command] = {
    "tournament-open": Command(
        (),
        _open,
        {
            "name": text(0, 200),
            "rounds": whole(1, MOST_ROUNDS),
            "ties": _ties(),
            "players_least": _SIZE,
            "players_most": _SIZE,
            "book": _as_optional(one_of(*RULESETS)),
            "match_rounds": _as_optional(whole(1, MOST_MATCH_ROUNDS)),
        },
    ),
    "tournament-enter": _command(_enter_players, {"names": text(0, LONGEST_LIST)}),
    "tournament-check-in": _command(_checked_in, {"player": _as_optional(_PLAYER)}),
    "tournament-leave": _command(
        lambda values, _, __, t: [Left(values["player"], t, values.get("why", ""))], {"player": _PLAYER, "why": _WHY}
    ),
    "tournament-rename": _command(
        lambda values, _, __, t: [Renamed(values["player"], values["name"], t)],
        {"player": _PLAYER, "name": text(0, 200)},
    ),
    "tournament-rounds": _command(
        lambda values, _, __, t: [RoundsAgreed(values["rounds"], t)], {"rounds": whole(1, MOST_ROUNDS)}
    ),
    "tournament-draw": Command(_ROUND, _draw),
    "tournament-take": Command(_ROUND, _take),
    "tournament-withdraw": _command(
        lambda values, _, __, t: [DrawWithdrawn(t, values.get("who", ""), values.get("why", ""))],
        {"who": _WHO, "why": _WHY},
        _ROUND,
    ),
    "tournament-swap": _command(
        lambda values, _, __, t: [
            Swapped(values["one"], values["other"], t, values.get("who", ""), values.get("why", ""))
        ],
        {"one": _PLAYER, "other": _PLAYER, "who": _WHO, "why": _WHY},
        _ROUND,
    ),
    "tournament-place": _command(_move_table, {"table": _TABLE, "at": _line(32)}, _ROUND),
    "tournament-begin": Command(_ROUND, _begin, {"table": _as_optional(_TABLE)}),
    "tournament-result": _command(_enter_result, {"table": _TABLE, "points": _POINTS}, _ROUND),
    "tournament-correct": _command(
        _correct_result,
        {"round": whole(1, MOST_ROUNDS), "table": _TABLE, "points": _POINTS, "who": _WHO, "why": _WHY},
    ),
    "tournament-end": _command(lambda _, __, ___, t: [Ended(t)], {}, _ROUND),
}
