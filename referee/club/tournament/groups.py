"""The groups of a tournament: who is in which, who meets whom there, and who reaches the final."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from referee.club.tournament.events import FinalBegun, GroupsFormed
from referee.club.tournament.rules import Rules
from referee.club.tournament.seating.bounds import SMALLEST
from referee.club.tournament.seating.division import divide, number_of_groups
from referee.club.tournament.seating.round_robin import Pairs, remaining_rounds
from referee.club.tournament.stages import check_final_may_begin, team_key
from referee.club.tournament.standings import group_standings, standings
from referee.club.tournament.state import Tournament
from referee.errors import BadInput
from referee.game.notice import Notice

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def group_name(at: int) -> str:
    """Return the name of a group, by its index: A to Z, then AA, AB and so on."""
    return LETTERS[at] if at < len(LETTERS) else LETTERS[at // len(LETTERS) - 1] + LETTERS[at % len(LETTERS)]


def meets_everybody(rules: Rules) -> bool:
    """Return whether everybody of a group meets everybody once: at tables of two."""
    return rules.largest == SMALLEST


def groups_due(tournament: Tournament, t: float) -> GroupsFormed | None:
    """Return the event that must come before the next draw in groups; None if the groups are right as they are.

    Before the first round everybody who is present is divided anew. Later, whoever has come is added to the group with
    the fewest present players. At tables of two the number of rounds follows from the meetings that are left.
    """
    if not tournament.in_groups or not tournament.here:
        return None
    groups = _with_newcomers(tournament) if tournament.rounds else _divide(tournament)
    rounds = tournament.rules.rounds
    if meets_everybody(tournament.rules):
        needed = len(tournament.rounds) + max((len(pairs_left(tournament, group)) for group in groups), default=0)
        # The director may have agreed on fewer rounds than are needed; with new players it is agreed on anew.
        rounds = needed if groups != tournament.groups else min(rounds, needed)
        rounds = max(rounds, len(tournament.rounds), 1)
    if groups == tournament.groups and rounds == tournament.rules.rounds:
        return None
    return GroupsFormed(groups, rounds, t)


def _divide(tournament: Tournament) -> tuple[tuple[int, ...], ...]:
    """Divide the present players: by their ratings if there are any, those without one at the end; else by lot."""
    rules, here = tournament.rules, tournament.here
    rng = np.random.default_rng([rules.seed, len(tournament.traces), 2])
    lots = [here[at] for at in rng.permutation(len(here)).tolist()]
    ratings = {one.number: one.rating for one in tournament.players}
    by_strength = sorted(lots, key=lambda player: -(ratings[player] or 0))
    teams = {one.number: team_key(one.team) for one in tournament.players if one.team}
    size = rules.groups.size if rules.groups is not None else len(here)
    groups = divide(by_strength, number_of_groups(len(here), size, rules.smallest), teams)
    # The order within a group decides who meets whom in which round.
    return tuple(tuple(group[at] for at in rng.permutation(len(group)).tolist()) for group in groups)


def _with_newcomers(tournament: Tournament) -> tuple[tuple[int, ...], ...]:
    groups = [list(group) for group in tournament.groups]
    here = {*tournament.here}
    for player in tournament.here:
        if tournament.group_of(player) is None:
            min(groups, key=lambda group: len(here & {*group})).append(player)
    return tuple(map(tuple, groups))


def present(tournament: Tournament, group: Sequence[int]) -> tuple[int, ...]:
    """Return the players of a group who are present."""
    here = {*tournament.here}
    return tuple(player for player in group if player in here)


def pairs_left(tournament: Tournament, group: Sequence[int]) -> tuple[Pairs, ...]:
    """Return the pairs of a group for each round that is left, at tables of two."""
    members = {*group}
    met = {
        frozenset(pair)
        for one in tournament.rounds
        for table in one.tables
        for pair in combinations(table.players, 2)
        if members.issuperset(pair)
    }
    former = [
        [(table[0], table[1]) for table in draw.tables if members.issuperset(table)]
        for draw in tournament.plan or tournament.former
    ]
    return remaining_rounds(group, present(tournament, group), met, former, len(tournament.traces))


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody who may reach the final."""

    player: int
    group: int
    """The index of their group."""
    place: int | None
    """The place in the standings of the group; None without a result."""
    rank: int
    """How many present players of the group are ahead."""
    overall: int
    """How many of all players are ahead."""


def contenders(tournament: Tournament) -> tuple[Contender, ...]:
    """Return everybody who may reach the final, in the order in which they do: a final takes the first so many."""
    overall = {line.player: at for at, line in enumerate(standings(tournament))}
    ranked = [
        sorted(
            (line for line in lines if tournament.players[line.player - 1].here),
            key=lambda line: (line.place, overall[line.player]),
        )
        for lines in group_standings(tournament)
    ]
    found = (
        Contender(line.player, group, line.shown_place, rank, overall[line.player])
        for group, lines in enumerate(ranked)
        for rank, line in enumerate(lines)
    )
    return tuple(sorted(found, key=lambda one: (one.rank, one.overall)))


def count_finalists(rules: Rules, order: Sequence[Contender], first: int, *, fill: bool) -> int:
    """Return how many of the `contenders` reach the final, see `qualified`."""
    wanted = sum(one.rank < first for one in order)
    return min(len(order), -(-wanted // rules.largest) * rules.largest) if fill else wanted


def qualified(tournament: Tournament, first: int, *, fill: bool) -> tuple[int, ...]:
    """Return who reaches the final, the best first: the first so many of each group.

    If `fill` is set and these do not fill tables of the largest size, the best of the next places of all groups play
    on, too, until they do or nobody is left. They are compared in the standings over all groups.
    Raises OutOfOrder if the final cannot begin, BadInput if too few would play it.
    """
    check_final_may_begin(tournament)
    order, rules = contenders(tournament), tournament.rules
    wanted = count_finalists(rules, order, first, fill=fill)
    if wanted < rules.smallest:
        raise BadInput(Notice("tournament.too_few", fewest=rules.smallest, here=wanted))
    return tuple(one.player for one in sorted(order[:wanted], key=lambda one: one.overall))


def final_of(tournament: Tournament, first: int, t: float, *, fill: bool) -> FinalBegun:
    """Return the event that begins the final with the first so many of each group, see `qualified`."""
    players = qualified(tournament, first, fill=fill)
    rounds = tournament.rules.groups.final_rounds if tournament.rules.groups is not None else 1
    return FinalBegun(players, rounds, t)
