"""A match at the virtual table: people, their tiles, and the camera above."""

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
"""A lamp so large is mirrored in one tile until that cannot be read, and less in those beside it."""
NEAR_MM = 15.0
"""Somebody who is asked about a place means the tile whose middle is nearer than this."""


def people_for(
    rules: Ruleset,
    rng: np.random.Generator,
    area: PlayArea,
    *,
    players: tuple[str, ...] = NAMES,
    rounds: int = 1,
    habits: Habits | None = None,
) -> Players:
    """People who play by these rules."""
    kind = People if rules.knocking is None else GinPeople
    return kind(rules, rng, area, players=players, rounds=rounds, habits=habits)


class VirtualMatch:
    """The people of one match at a table that a camera looks at."""

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
        """Lay the table and seat the people; nothing is dealt before `start()`.

        `rules`: the rule book.
        `rng`: decides everything that happens by chance.
        `players`: the names of 2 to 4 players, in the order of their seats.
        `rounds`: how many rounds are played; 1 by default.
        `habits`: chances of slips and other habits for each turn, and how long people think. None: the usual ones.
        `setting`: the table, the camera and the tiles. None: the usual ones for the box of the rule book.
        """
        self.table = VirtualTable(setting or Setting.usual(rules.box), rng)
        self.people = people_for(rules, rng, self.table, players=players, rounds=rounds, habits=habits)
        self.rules, self.players, self.rounds = rules, players, rounds

    @property
    def racks(self) -> list[Rack]:
        """What stands on everybody's rack."""
        return self.people.racks

    @property
    def last_action(self) -> Doing | None:
        """What a player has just done."""
        return self.people.doing

    def start(self, t: float, first: int | None = None) -> Started:
        """Deal, and tell the referee who plays, and who begins if that is not chosen by the book's way."""
        return self.people.start(t, first)

    def take_up(self, state: State) -> None:
        """Let the people sit down at a match under way, with what is hidden dealt anew."""
        self.people.take_up(state)

    def act(self, state: State, t: float) -> Event:
        """Let the people do what is due after `t`; the event that the referee then notices."""
        return self.people.act(state, t)

    def follow_effects(self, effects: Iterable[Effect]) -> None:
        """Let the people follow what the referee says."""
        self.people.follow_effects(effects)

    def truth(self, x_mm: float, y_mm: float) -> str | None:
        """What somebody who is asked about a tile says it is, in notation or `back`; None where no tile lies there."""
        tiles = self.table.layout.tiles
        nearest = min(tiles, key=lambda tile: math.hypot(tile.x_mm - x_mm, tile.y_mm - y_mm), default=None)
        if nearest is None or math.hypot(nearest.x_mm - x_mm, nearest.y_mm - y_mm) > NEAR_MM:
            return None
        return "back" if nearest.tile is None else str(nearest.tile)

    def mirror(self, tile: Placed | None) -> None:
        """Let a lamp be mirrored in a tile from now on; in none with None."""
        setting = self.table.setting
        glare = () if tile is None else (Glare(tile.x_mm, tile.y_mm, MIRRORED_MM, 0.97),)
        self.table.setting = replace(setting, light=replace(setting.light, glare=glare))

    def picture(self, *, hand: bool = False) -> Image:
        """The camera's picture now; with `hand`, of somebody who is still laying: (height_px, width_px, 3) BGR."""
        reaching = self.last_action.player if hand and self.last_action else None
        return self.table.picture([rack.total() for rack in self.racks], reaching)

    def frames(self) -> Iterator[Image]:
        """More pictures of the table as it lies now, each with noise of its own."""
        return self.table.frames([rack.total() for rack in self.racks])
