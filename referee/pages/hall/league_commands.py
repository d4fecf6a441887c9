"""The commands with which the director runs leagues over a season."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.leagues import (
    LeagueChange,
    add_evening,
    change_rules,
    end_season,
    found,
    remove_evening,
    reopen_season,
)
from referee.club.tournament.league.state import LEAST_EVENINGS, MOST_EVENINGS, Worth
from referee.game.notice import Notice
from referee.page.command import Asked, Command, one_line, one_of, text, whole
from referee.pages.hall.tournament_commands import TournamentControls, wait_for_answer
from referee.pages.hall.tournament_fields import LONGEST_LEAGUE, LONGEST_TYPED, Who, Why

Id = Annotated[str, text(1, LONGEST_LEAGUE, one_line)]


@dataclass(frozen=True, slots=True)
class FoundFields:
    """A new league; `after` is the id of the league whose next season it is."""

    name: Annotated[str, text(0, LONGEST_TYPED)]
    evenings: Annotated[int, whole(LEAST_EVENINGS, MOST_EVENINGS)]
    best: Annotated[int, whole(1, MOST_EVENINGS)]
    worth: Annotated[Worth, one_of(*Worth)]
    after: Annotated[str, text(0, LONGEST_LEAGUE, one_line)] = ""


@dataclass(frozen=True, slots=True)
class RulesFields:
    """The id of a league, its new rules, and who changes them and why."""

    league: Id
    evenings: Annotated[int, whole(LEAST_EVENINGS, MOST_EVENINGS)]
    best: Annotated[int, whole(1, MOST_EVENINGS)]
    worth: Annotated[Worth, one_of(*Worth)]
    who: Who = ""
    why: Why = ""


@dataclass(frozen=True, slots=True)
class EveningFields:
    """The id of a league, and that of a tournament."""

    league: Id
    tournament: Id


@dataclass(frozen=True, slots=True)
class LeagueFields:
    """The id of a league."""

    league: Id


F = TypeVar("F")


def _changes(change_of: Callable[[F], LeagueChange]) -> Callable[[F, Any, Any], Awaitable[Notice | Asked | None]]:
    """Return a command that changes the leagues."""

    async def run(fields: F, _: HallFacts, controls: TournamentControls) -> Notice | Asked | None:
        return await wait_for_answer(lambda: controls.tournaments.change_leagues(change_of(fields)))

    return run


COMMANDS: Mapping[str, Command[Any]] = {
    "league-found": Command(
        FoundFields, _changes(lambda told: found(told.name, told.evenings, told.best, told.worth, told.after))
    ),
    "league-rules": Command(
        RulesFields,
        _changes(lambda told: change_rules(told.league, told.evenings, told.best, told.worth, told.who, told.why)),
    ),
    "league-add": Command(EveningFields, _changes(lambda told: add_evening(told.league, told.tournament))),
    "league-remove": Command(EveningFields, _changes(lambda told: remove_evening(told.league, told.tournament))),
    "league-end": Command(LeagueFields, _changes(lambda told: end_season(told.league))),
    "league-reopen": Command(LeagueFields, _changes(lambda told: reopen_season(told.league))),
}
