"""Why somebody who is nearer in the standings does not sit at a player's table, in a round drawn by the standings.

The draw minimises a sum over all tables, so the nearest player may be needed elsewhere. Each claim here was computed:
whoever is nearer changes places with each player at the table who is farther away, and what gets worse is named.
The seats are those of the draw, before the director exchanged players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from referee.club.tournament.drawing import ranked_players
from referee.club.tournament.events import Draw
from referee.club.tournament.seating.search import Ints
from referee.club.tournament.seating.swiss import FLOAT_WEIGHT, Costs, exchange_sums, monrad_pairs
from referee.club.tournament.standings import ranking
from referee.club.tournament.state import Swap, Tournament


class Obstacle(StrEnum):
    """What gets worse if two players change places; the first that applies, by the rules of the draw."""

    MATES = "mates_meet"
    """More team mates meet."""
    AGAIN = "more_repeats"
    """There are more repeats."""
    FARTHER = "no_nearer"
    """All tables together are no nearer in the standings."""
    FLOATS = "floats_again"
    """More players float twice in a row in the same direction."""
    NONE = "none"
    """Nothing: the standings are no longer those of the draw, or the search has not found these seats."""


@dataclass(frozen=True, slots=True)
class Nearer:
    """Those who are nearer to a player than somebody at the table but do not sit there, the nearest first."""

    met: tuple[int, ...] = ()
    """Who met the player before."""
    mates: tuple[int, ...] = ()
    """Who is in the same team."""
    byes: tuple[int, ...] = ()
    """Who has a bye."""
    paired: tuple[int, ...] = ()
    """Who got another partner when tables of two were paired from the top of the standings."""
    needed: tuple[int, ...] = ()
    """Whose every exchange with somebody farther away has an obstacle."""
    obstacles: tuple[Obstacle, ...] = ()
    """The obstacles of these."""
    others: tuple[int, ...] = ()
    """Everybody else: some exchange would be an improvement."""


def as_drawn(tournament: Tournament, number: int) -> Draw:
    """Return the seats of a round before the director exchanged players."""
    draw = tournament.rounds[number - 1].draw
    for swap in reversed(tournament.traces_since(number)):
        if isinstance(swap, Swap) and swap.round == number:
            back = {swap.one: swap.other, swap.other: swap.one}
            tables = tuple(tuple(back.get(player, player) for player in table) for table in draw.tables)
            draw = Draw(tables, tuple(back.get(player, player) for player in draw.byes))
    return draw


@dataclass(frozen=True)
class DrawnSeats:
    """The seats of a round as they were drawn by the standings."""

    before: Tournament
    """The tournament before the round."""
    draw: Draw

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The players, the first in the standings first."""
        players = [player for table in (*self.draw.tables, self.draw.byes) for player in table]
        return ranking(self.before, sorted(players))

    @cached_property
    def place(self) -> dict[int, int]:
        """By player, the place in this order, from 0."""
        return {player: at for at, player in enumerate(self.order)}

    @cached_property
    def costs(self) -> Costs:
        """What the draw minimised."""
        return Costs(ranked_players(self.before, self.order), tuple(sorted(map(len, self.draw.tables), reverse=True)))

    @cached_property
    def is_paired_from_top(self) -> bool:
        """Whether these are the pairs of the Monrad system."""
        pairs = monrad_pairs(self.costs.players, self.costs.tables)
        own = {frozenset(self.place[player] for player in table) for table in self.draw.tables}
        return pairs is not None and {*map(frozenset, pairs[0])} == own

    @cached_property
    def obstacles(self) -> list[list[Obstacle]]:
        """By the places of two players, what gets worse if they change places."""
        at = np.zeros(len(self.order), np.int64)
        for number, table in enumerate((*self.draw.tables, self.draw.byes)):
            at[[self.place[player] for player in table]] = number
        live = np.array([1] * len(self.draw.tables) + [0])

        def added(pair: Ints) -> Ints:
            return exchange_sums(pair, at, live)

        players = self.costs.players
        mates = added(np.zeros_like(players.meetings) if players.apart is None else players.apart)
        apart, distance = added(players.meetings_and_apart), added(self.costs.distance)
        in_all = distance + FLOAT_WEIGHT * added(self.costs.floats_again)
        found = np.select(
            [(apart > 0) & (mates > 0), apart > 0, (apart == 0) & (in_all >= 0) & (distance >= 0),
             (apart == 0) & (in_all >= 0)],
            list(range(4)), 4,
        )  # fmt: skip
        every = [*Obstacle]
        return [[every[one] for one in row] for row in found.tolist()]

    def rounds_at_small_tables(self, player: int) -> int:
        """Return how often a player has sat at a table that was smaller than others before."""
        return int(self.costs.players.small[self.place[player]])

    def nearer(self, player: int, others: Sequence[int]) -> Nearer:
        """Return those who are nearer to a player than one of the `others` at the table but sit elsewhere."""
        own = self.place[player]
        distance = {one: abs(at - own) for one, at in self.place.items()}
        farthest = max(distance[other] for other in others)
        elsewhere = [one for one in self.order if one not in (player, *others) and distance[one] < farthest]
        groups: dict[str, list[int]] = {}
        obstacles: set[Obstacle] = set()
        for one in sorted(elsewhere, key=distance.__getitem__):
            group = self._why_elsewhere(own, one)
            if not group:
                farther = [other for other in others if distance[other] > distance[one]]
                here = {self.obstacles[self.place[one]][self.place[other]] for other in farther}
                group = "others" if Obstacle.NONE in here else "needed"
                obstacles |= here if group == "needed" else set()
            groups.setdefault(group, []).append(one)
        named = {group: tuple(players) for group, players in groups.items()}
        return Nearer(obstacles=tuple(one for one in Obstacle if one in obstacles), **named)

    def _why_elsewhere(self, own: int, one: int) -> str:
        """Return the field of `Nearer` for a player who does not sit with the one in place `own`.

        It is empty if exchanges decide.
        """
        at, players = self.place[one], self.costs.players
        if players.meetings[own, at]:
            return "met"
        if players.apart is not None and players.apart[own, at]:
            return "mates"
        if one in self.draw.byes:
            return "byes"
        return "paired" if self.is_paired_from_top else ""
