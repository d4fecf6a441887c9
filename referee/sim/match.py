"""A match at the virtual table: players, their tiles, and the camera above."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from referee.game.match.events import Effect, Event, Started
from referee.game.match.state import State
from referee.game.rulebooks import Ruleset
from referee.sim.players.gin_people import GinPeople
from referee.sim.players.people import People
from referee.sim.players.players import FLAWLESS, NAMES, BareTable, Doing, Habits, PlayArea, Players
from referee.sim.players.set_finding import Rack
from referee.sim.scene.arrays import Image
from referee.sim.scene.light import Glare
from referee.sim.scene.scene import Placed
from referee.sim.table import Setting, VirtualTable

__all__ = ["FLAWLESS", "NAMES", "BareTable", "Doing", "Habits", "VirtualMatch", "people_for"]

MIRRORED_MM = 24.0
"""The radius of a reflected lamp: it makes one tile unreadable, and disturbs those beside it less."""
NEAR_MM = 15.0
"""The longest distance from a place that the referee asks about to the middle of the tile that is meant."""


def people_for(
    rules: Ruleset,
    rng: np.random.Generator,
    area: PlayArea,
    *,
    players: tuple[str, ...] = NAMES,
    rounds: int = 1,
    habits: Habits | None = None,
) -> Players:
    """Return players for a rule book: of Gin if it has knocking, otherwise of Rummy."""
    kind = People if rules.knocking is None else GinPeople
    return kind(rules, rng, area, players=players, rounds=rounds, habits=habits)


class VirtualMatch:
    """The players of one match, their table, and the camera that takes pictures of it."""

    def __init__(
        self,
        rules: Ruleset,
        rng: np.random.Generator,
        *,
        players: tuple[str, ...] = NAMES,
        rounds: int = 1,
        habits: Habits | None = None,
        setting: Setting | None = None,
    ) -> None:
        """Set up the table and the players; nothing is dealt before `start()`.

        `rules`: the rule book.
        `rng`: decides everything that happens by chance.
        `players`: the names of 2 to 4 players, in the order of their seats.
        `rounds`: how many rounds are played.
        `habits`: probabilities of slips and other habits for each turn, and how long players think; None for the usual
            ones.
        `setting`: the table, the camera and the tiles; None for the usual ones for the box of the rule book.
        """
        self.table = VirtualTable(setting or Setting.usual(rules.box), rng)
        self.people = people_for(rules, rng, self.table, players=players, rounds=rounds, habits=habits)
        self.rules, self.players, self.rounds = rules, players, rounds

    @property
    def racks(self) -> list[Rack]:
        """The tiles on the rack of each player."""
        return self.people.racks

    @property
    def last_action(self) -> Doing | None:
        """What a player has just done; None if nobody has done anything yet."""
        return self.people.doing

    def start(self, t: float, first: int | None = None) -> Started:
        """Deal, and return the event that starts the match; `first` begins, or by None whoever the rule book says."""
        return self.people.start(t, first)

    def take_up(self, state: State) -> None:
        """Let the players continue a match under way; hidden tiles are dealt anew."""
        self.people.take_up(state)

    def act(self, state: State, t: float) -> Event:
        """Let the players do what is due after `t`; return the event that the referee notices."""
        return self.people.act(state, t)

    def follow_effects(self, effects: Iterable[Effect]) -> None:
        """Let the players do what the referee's effects ask of them."""
        self.people.follow_effects(effects)

    def truth(self, x_mm: float, y_mm: float) -> str | None:
        """Return the tile at a place, in notation or as `back`, as a player would answer; None if there is none."""
        tiles = self.table.layout.tiles
        nearest = min(tiles, key=lambda tile: math.hypot(tile.x_mm - x_mm, tile.y_mm - y_mm), default=None)
        if nearest is None or math.hypot(nearest.x_mm - x_mm, nearest.y_mm - y_mm) > NEAR_MM:
            return None
        return "back" if nearest.tile is None else str(nearest.tile)

    def mirror(self, tile: Placed | None) -> None:
        """Let a lamp be reflected in a tile from now on; None ends that."""
        setting = self.table.setting
        glare = () if tile is None else (Glare(tile.x_mm, tile.y_mm, MIRRORED_MM, 0.97),)
        self.table.setting = replace(setting, light=replace(setting.light, glare=glare))

    def picture(self, *, hand: bool = False) -> Image:
        """Return a camera picture, (height_px, width_px, 3) BGR; with `hand`, it shows the last player's hand."""
        reaching = self.last_action.player if hand and self.last_action else None
        return self.table.picture([rack.total() for rack in self.racks], reaching)

    def frames(self) -> Iterator[Image]:
        """Return an endless iterator of pictures of the present table, each with different noise."""
        return self.table.frames([rack.total() for rack in self.racks])
