"""The leagues of a hall: what the director may change about them, given all tournaments and leagues. Pure.

A tournament belongs to one league at most. `Keeper` stores the events before they take effect.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.state import slug_of
from referee.club.tournament import OutOfOrder
from referee.club.tournament.league.state import (
    EveningAdded,
    EveningRemoved,
    Founded,
    League,
    LeagueEvent,
    RulesChanged,
    SeasonEnded,
    SeasonReopened,
    Worth,
    apply_league,
    found_league,
)
from referee.club.tournament.league.table import Contest, LeagueTable, league_table
from referee.errors import BadInput
from referee.game.notice import Notice

MOST_LEAGUES = 200
"""The most leagues of a hall. Chosen by hand: more than a club founds in a century."""


class LeagueStep(NamedTuple):
    """The events of a change, and the id of the league that they are about."""

    league: str
    events: Sequence[LeagueEvent]


LeagueChange = Callable[[TournamentFacts, Collection[str], float], LeagueStep]
"""Returns the step of a change, from the facts, the ids that are taken and the time; raises BadInput if the change is
not possible."""


def after_step(leagues: Sequence[League], step: LeagueStep) -> tuple[League, ...]:
    """Return all leagues after a step; raises OutOfOrder or BadInput if it is not possible."""
    now = {league.slug: league for league in leagues}
    for event in step.events:
        if isinstance(event, Founded):
            now[step.league] = found_league(step.league, event)
        else:
            now[step.league] = apply_league(now[step.league], event)
    return tuple(now.values())


def find_league(facts: TournamentFacts, slug: str) -> League:
    """Return the league with this id; raises OutOfOrder if there is none."""
    found = next((league for league in facts.leagues if league.slug == slug), None)
    if found is None:
        raise OutOfOrder(Notice("league.none"))
    return found


def league_of(facts: TournamentFacts, tournament: str) -> League | None:
    """Return the league that a tournament belongs to; None if it belongs to none."""
    return next((league for league in facts.leagues if tournament in league.tournaments), None)


def table_of(facts: TournamentFacts, league: League) -> LeagueTable:
    """Return the table of a league, with the names of the players of the season before."""
    contests = [Contest(hosted.slug, hosted.t, hosted.tournament) for hosted in facts.all]
    former = next((one for one in facts.leagues if one.slug == league.after), None)
    before = None if former is None else league_table(former, contests)
    return league_table(league, contests, before)


def found(name: str, evenings: int, best: int, worth: Worth, after: str = "") -> LeagueChange:
    """Found a league; `after` is the id of the league whose next season it is."""

    def change(facts: TournamentFacts, taken: Collection[str], t: float) -> LeagueStep:
        if len(facts.leagues) >= MOST_LEAGUES:
            raise BadInput(Notice("league.too_many", most=MOST_LEAGUES))
        if after and not find_league(facts, after).ended:
            raise OutOfOrder(Notice("league.end_it_first", league=find_league(facts, after).name))
        event = Founded(name, evenings, best, worth, t, after)
        return LeagueStep(slug_of(name, taken, "league"), (replace(event, name=found_league("", event).name),))

    return change


def add_evening(league: str, tournament: str) -> LeagueChange:
    """Make a tournament an evening of a league."""

    def change(facts: TournamentFacts, _: Collection[str], t: float) -> LeagueStep:
        chosen, other = find_league(facts, league), league_of(facts, tournament)
        if not any(hosted.slug == tournament for hosted in facts.all):
            raise OutOfOrder(Notice("league.no_tournament"))
        if other is not None and other is not chosen:
            raise OutOfOrder(Notice("league.in_another", league=other.name))
        return LeagueStep(league, (EveningAdded(tournament, t),))

    return change


def remove_evening(league: str, tournament: str) -> LeagueChange:
    """Remove a tournament from a league."""

    def change(facts: TournamentFacts, _: Collection[str], t: float) -> LeagueStep:
        find_league(facts, league)
        return LeagueStep(league, (EveningRemoved(tournament, t),))

    return change


def change_rules(league: str, evenings: int, best: int, worth: Worth, who: str, why: str) -> LeagueChange:
    """Change what was agreed on for a league: its table is computed anew by that."""

    def change(facts: TournamentFacts, _: Collection[str], t: float) -> LeagueStep:
        find_league(facts, league)
        return LeagueStep(league, (RulesChanged(evenings, best, worth, t, who, why),))

    return change


def end_season(league: str) -> LeagueChange:
    """End the season of a league, once all its tournaments have ended."""

    def change(facts: TournamentFacts, _: Collection[str], t: float) -> LeagueStep:
        chosen = find_league(facts, league)
        for hosted in facts.all:
            if hosted.slug in chosen.tournaments and not hosted.tournament.ended:
                raise OutOfOrder(Notice("league.evening_open", tournament=hosted.tournament.name))
        return LeagueStep(league, (SeasonEnded(t),))

    return change


def reopen_season(league: str) -> LeagueChange:
    """Undo the end of a season."""

    def change(facts: TournamentFacts, _: Collection[str], t: float) -> LeagueStep:
        find_league(facts, league)
        return LeagueStep(league, (SeasonReopened(t),))

    return change
