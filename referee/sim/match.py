"""A match at the virtual table: people, their tiles, and the camera above."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from referee.game.events import Effect, Event, Started
from referee.game.rulesets import Ruleset
from referee.game.state import State
from referee.sim.arrays import Image
from referee.sim.finding import Rack
from referee.sim.gin_people import GinPeople
from referee.sim.people import People
from referee.sim.players import FLAWLESS, LOOKS, NAMES, BareTable, Doing, Habits, PlayArea, Players
from referee.sim.table import Setting, VirtualTable

__all__ = ["FLAWLESS", "LOOKS", "NAMES", "BareTable", "Doing", "Habits", "VirtualMatch", "people_for"]


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
        self.table = VirtualTable(setting or Setting.usual(rules.box), rng)
        self.people = people_for(rules, rng, self.table, players=players, rounds=rounds, habits=habits)
        self.rules, self.players, self.rounds = rules, players, rounds

    @property
    def racks(self) -> list[Rack]:
        """What stands on everybody's rack."""
        return self.people.racks

    @property
    def doing(self) -> Doing | None:
        """What a player has just done."""
        return self.people.doing

    def start(self, t: float, first: int = 0) -> Started:
        """Deal, and tell the referee who plays."""
        return self.people.start(t, first)

    def act(self, state: State, t: float) -> Event:
        """Let the people do what is due after `t`; the event that the referee then notices."""
        return self.people.act(state, t)

    def heard(self, effects: Iterable[Effect]) -> None:
        """Let the people follow what the referee says."""
        self.people.heard(effects)

    def picture(self, *, hand: bool = False) -> Image:
        """The camera's picture now; with `hand`, of somebody who is still laying: (height_px, width_px, 3) BGR."""
        reaching = self.doing.player if hand and self.doing else None
        return self.table.picture([rack.total() for rack in self.racks], reaching)
