"""The seats of the rounds in groups: each group by itself, and all groups together in each round."""

from __future__ import annotations

from collections.abc import Sequence

from referee.club.tournament.events import OutOfOrder
from referee.club.tournament.groups import meets_everybody, pairs_left, present
from referee.club.tournament.past_rounds import adapted_plan, past_rounds, seed_of_draw
from referee.club.tournament.seating.bounds import table_sizes
from referee.club.tournament.seating.schedule import Seating, seat
from referee.club.tournament.state import Tournament
from referee.club.tournament.teams import mates
from referee.game.notice import Notice

NOBODY = Seating((), (), 0, 0)


def group_seating(tournament: Tournament, steps: int) -> Seating:
    """Return the seats of the remaining rounds in groups, as indexes in the list of present players.

    Whoever does not play in a round, because the group is of odd size or has fewer rounds to play, has a bye. Raises
    OutOfOrder if somebody who is present is in no group, or no group has enough players.
    """
    here = {player: at for at, player in enumerate(tournament.here)}
    groups = [present(tournament, group) for group in tournament.groups]
    if sum(map(len, groups)) < len(here):
        raise OutOfOrder(Notice("tournament.no_groups"))
    found = [_seats_of_group(tournament, at, players, steps // len(groups)) for at, players in enumerate(groups)]
    rounds = max(len(one.rounds) for one in found)
    if not rounds:
        raise OutOfOrder(Notice("tournament.too_few", fewest=tournament.rules.smallest, here=max(map(len, groups))))
    tables: list[list[tuple[int, ...]]] = [[] for _ in range(rounds)]
    for players, one in zip(groups, found, strict=True):
        for number, of_group in enumerate(one.rounds):
            tables[number] += [tuple(here[players[place]] for place in table) for table in of_group]
    seated = [{player for table in one for player in table} for one in tables]
    return Seating(
        tuple(map(tuple, tables)),
        tuple(tuple(at for at in range(len(here)) if at not in one) for one in seated),
        sum(one.repeats for one in found),
        sum(one.bound for one in found),
    )


def _seats_of_group(tournament: Tournament, at: int, players: Sequence[int], steps: int) -> Seating:
    """Return the seats of one group, as indexes in the list of its present players."""
    rules = tournament.rules
    sizes = table_sizes(len(players), rules.smallest, rules.largest)
    if not sizes:
        return NOBODY
    if meets_everybody(rules):
        place = {player: number for number, player in enumerate(players)}
        pairs = pairs_left(tournament, tournament.groups[at])[: tournament.rounds_left]
        rounds = tuple(tuple(tuple(place[player] for player in pair) for pair in one) for one in pairs)
        return Seating(rounds, ((),) * len(rounds), 0, 0)
    start = adapted_plan(tournament, players)
    return seat(
        len(players),
        sizes,
        tournament.rounds_left,
        seed_of_draw(tournament) + 7 * at,
        before=past_rounds(tournament, players) if tournament.rounds else None,
        steps=steps,
        start=None if start is None else tuple(map(tuple, start)),
        apart=mates(tournament, players),
    )
