"""The state of a league: its rules, and which tournaments are its evenings. Pure; times are passed in.

1. A league is founded with a number of evenings, and the number of them that count for each player.
2. Tournaments are added to it and removed from it; their order is that in which they were opened.
3. What was agreed on may be changed, with a name and a reason; what was agreed on before stays known.
4. Once the season has ended, nothing is added, removed or changed, unless it is reopened. Corrections in its
   tournaments still count.

Nothing of the table is stored: `table.py` computes it from the tournaments.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.club.tournament.events import OutOfOrder
from referee.club.tournament.machine import tidy_name
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.journal.codec import from_text, to_text
from referee.journal.errors import Unknown

LEAST_EVENINGS, MOST_EVENINGS = 2, 20
"""How many evenings a league may have. Chosen by hand: clubs have 6 to 10 in a season."""


class Worth(enum.StrEnum):
    """What an evening is worth to a player."""

    POINTS = "points"
    """The points in the standings of the tournament, as they are."""
    PLACE = "place"
    """Points for the place, from 100 for the first to 0 for the last, however many players there are."""


@dataclass(frozen=True, slots=True)
class Founded:
    """A league was founded; `after` is the id of the league whose next season it is, empty if it has none."""

    name: str
    evenings: int
    best: int
    worth: Worth
    t: float
    after: str = ""


@dataclass(frozen=True, slots=True)
class EveningAdded:
    """The tournament with this id became an evening of the league."""

    tournament: str
    t: float


@dataclass(frozen=True, slots=True)
class EveningRemoved:
    """The tournament with this id is no evening of the league any more."""

    tournament: str
    t: float


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """Somebody changed what was agreed on, for a reason: the evenings, how many count, and what each is worth."""

    evenings: int
    best: int
    worth: Worth
    t: float
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class SeasonEnded:
    """The season is over."""

    t: float


@dataclass(frozen=True, slots=True)
class SeasonReopened:
    """The end of the season was undone."""

    t: float


LeagueEvent = Founded | EveningAdded | EveningRemoved | RulesChanged | SeasonEnded | SeasonReopened
EVENTS: Mapping[str, type[Any]] = {
    "founded": Founded,
    "evening-added": EveningAdded,
    "evening-removed": EveningRemoved,
    "rules-changed": RulesChanged,
    "season-ended": SeasonEnded,
    "season-reopened": SeasonReopened,
}
"""Every event by the name under which it is stored, which must never change, even if the class is renamed."""
_NAMES = {event: kind for kind, event in EVENTS.items()}


@dataclass(frozen=True, slots=True)
class RulesChange:
    """A change of what was agreed on: what held before it, when it was made, by whom and why."""

    evenings: int
    best: int
    worth: Worth
    t: float
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class League:
    """A league after the events so far; `slug` is its id, which is unique within the hall."""

    slug: str
    name: str
    evenings: int
    """How many evenings were agreed on."""
    best: int
    """How many of them count for each player."""
    worth: Worth
    t: float
    """When it was founded."""
    after: str = ""
    """The id of the league whose next season it is; empty if it has none."""
    tournaments: tuple[str, ...] = ()
    """The ids of its tournaments, in the order in which they were added."""
    ended: bool = False
    changes: tuple[RulesChange, ...] = ()
    """The changes of evenings, best and worth, the oldest first."""


def event_to_text(event: LeagueEvent) -> tuple[str, str]:
    """Return the kind of an event, and its fields as one line of JSON."""
    return _NAMES[type(event)], to_text(event, type(event))


def event_from_text(kind: str, body: str) -> LeagueEvent:
    """Return the event of `kind` and `body`; raises Unknown if only a newer version may know it."""
    if kind not in EVENTS:
        raise Unknown(f"expected an event out of {', '.join(EVENTS)}, found {kind!r}: a newer referee wrote it")
    event: LeagueEvent = from_text(body, EVENTS[kind])
    return event


def found_league(slug: str, event: Founded) -> League:
    """Return a new league without evenings; raises BadInput if its rules are impossible."""
    _check_rules(event.evenings, event.best)
    return League(slug, tidy_name(event.name), event.evenings, event.best, event.worth, event.t, event.after)


def _check_rules(evenings: int, best: int) -> None:
    """Raise BadInput if rules are impossible."""
    if not LEAST_EVENINGS <= evenings <= MOST_EVENINGS:
        raise BadInput(f"expected {LEAST_EVENINGS} to {MOST_EVENINGS} evenings, got {evenings}")
    if not 1 <= best <= evenings:
        raise BadInput(Notice("league.best_of", evenings=evenings))


def apply_league(league: League, event: LeagueEvent) -> League:
    """Return the league after `event`; raises OutOfOrder if it cannot happen now, BadInput if it is invalid."""
    match event:
        case Founded():
            raise OutOfOrder(f"expected a new league, found {league.slug}")
        case SeasonReopened():
            if not league.ended:
                raise OutOfOrder(Notice("league.not_ended"))
            return replace(league, ended=False)
    if league.ended:
        raise OutOfOrder(Notice("league.is_ended", league=league.name))
    match event:
        case EveningAdded():
            return _add_evening(league, event.tournament)
        case EveningRemoved():
            if event.tournament not in league.tournaments:
                raise OutOfOrder(Notice("league.not_in_it", league=league.name))
            rest = tuple(slug for slug in league.tournaments if slug != event.tournament)
            return replace(league, tournaments=rest)
        case RulesChanged():
            return _change_rules(league, event)
        case SeasonEnded():
            return replace(league, ended=True)


def _add_evening(league: League, tournament: str) -> League:
    if tournament in league.tournaments:
        raise OutOfOrder(Notice("league.in_it_already", league=league.name))
    if len(league.tournaments) >= league.evenings:
        raise OutOfOrder(Notice("league.is_full", league=league.name, evenings=league.evenings))
    return replace(league, tournaments=(*league.tournaments, tournament))


def _change_rules(league: League, event: RulesChanged) -> League:
    _check_rules(event.evenings, event.best)
    if not event.who.strip() or not event.why.strip():
        raise BadInput(Notice("league.who_and_why"))
    if event.evenings < len(league.tournaments):
        raise OutOfOrder(Notice("league.is_full", league=league.name, evenings=len(league.tournaments)))
    if (event.evenings, event.best, event.worth) == (league.evenings, league.best, league.worth):
        raise OutOfOrder(Notice("league.same_rules", league=league.name))
    before = RulesChange(league.evenings, league.best, league.worth, event.t, event.who.strip(), event.why.strip())
    changes = (*league.changes, before)
    return replace(league, evenings=event.evenings, best=event.best, worth=event.worth, changes=changes)


def replay_league(slug: str, events: Iterable[LeagueEvent]) -> League:
    """Return the league after these events; raises BadInput unless the first one founds it."""
    all_of = iter(events)
    first = next(all_of, None)
    if not isinstance(first, Founded):
        raise BadInput(f"expected a league to begin with Founded, got {type(first).__name__}")
    league = found_league(slug, first)
    for event in all_of:
        league = apply_league(league, event)
    return league
