"""What all virtual players have in common: a table, racks, a stock, habits, and reactions to the referee.

The loop around them is short: `act` returns the next press, a look reads the table, and `follow_effects` passes the
effects to the players::

    state, effects = apply(new_match(rules), players.start(0.0))
    while state.phase is not Phase.OVER:
        event = Seen(read(...), t) if state.phase.looks else players.act(state, t)
        state, effects = apply(state, event)
        players.follow_effects(effects)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match.events import Ask, DrawTile, Effect, Event, Started
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.rulebooks import Ruleset
from referee.game.rulebooks.model import Starts
from referee.game.table import Set, Table, in_order
from referee.game.tiles import Tile
from referee.sim.generators import spawn_generator
from referee.sim.players.set_finding import Rack
from referee.sim.scene.layout import SIDES, Spots

NAMES = ("Anna", "Ben", "Clara", "David")


def may_be_told(doubt: Doubt) -> bool:
    """Return whether the referee asks what a tile is, because straightening it did not help."""
    return doubt.offered is not None


class PlayArea(Protocol):
    """The area where the open tiles lie."""

    @property
    def table(self) -> Table:
        """The sets that actually lie there."""

    def lay(self, table: Table, side: float | None = None, spots: Spots | None = None) -> None:
        """Lay `table`; `side` is that of the player who lays it, `spots` where new sets go if there is room."""

    def nudge(self) -> None:
        """Straighten the tiles."""


class BareTable:
    """A play area without positions, for matches without pictures."""

    def __init__(self) -> None:
        self.table: Table = ()

    def lay(self, table: Table, side: float | None = None, spots: Spots | None = None) -> None:  # noqa: ARG002
        """Lay `table`."""
        self.table = table

    def nudge(self) -> None:
        """Do nothing, as there are no positions."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How the players play: probabilities (0 to 1) for each turn, and the range of seconds that they think."""

    slips: float = 0.15
    slips_again: float = 0.25
    time_outs: float = 0.03
    draws_anyway: float = 0.05
    rearranges: float = 0.02
    thinks_s: tuple[float, float] = (4.0, 25.0)


FLAWLESS = Habits(slips=0.0, slips_again=0.0, time_outs=0.0)
"""Players who never do anything wrong."""


@dataclass(frozen=True, slots=True)
class Doing:
    """What a player has just done, for tests and spectators; the referee never gets it."""

    player: int
    told: Notice
    slip: StrEnum | None = None
    """The mistake, if there was one."""
    late: bool = False


def slip_told(slip: StrEnum) -> Notice:
    """Return the notice that tells spectators of a slip."""
    return Notice(f"people.slip_{slip.name.lower()}")


def sets_told(table: Iterable[Set]) -> tuple[Notice, ...]:
    """Return notices that show sets to spectators."""
    return tuple(Notice("judge.own_set", tiles=tiles) for tiles in table)


class Players(ABC):
    """The players of a match and their tiles: `racks`, the `stock` and the play `area`."""

    def __init__(
        self,
        rules: Ruleset,
        rng: np.random.Generator,
        area: PlayArea,
        *,
        players: tuple[str, ...],
        rounds: int = 1,
        habits: Habits | None = None,
    ) -> None:
        """Seat the players; raises BadInput for fewer than two or more than four.

        `rules`: the rule book.
        `rng`: decides everything that happens by chance, except who begins.
        `area`: the area that they lay tiles on.
        `players`: their names, in the order of their seats.
        `rounds`: how many rounds are played.
        `habits`: probabilities of slips and other habits for each turn, and how long players think; None for the usual
            ones.
        """
        if len(players) not in SIDES:
            raise BadInput(f"expected 2-4 players at the virtual table, got {len(players)}")
        self.rules, self.players, self.rounds, self.area = rules, players, rounds, area
        self.racks: list[Rack] = []
        self.stock: list[Tile] = []
        self.foreign: Counter[Tile] = Counter()
        """Tiles of another box that lie on the table."""
        self.doing: Doing | None = None
        self._habits = habits or Habits()
        self._rng = rng
        self._lots = spawn_generator(rng)
        """A generator of its own for who begins, so that this does not change anything else."""
        self._box = in_order(Counter(rules.box.inventory()).elements())

    @abstractmethod
    def start(self, t: float, first: int | None = None) -> Started:
        """Deal, and return the event that starts the match; `first` begins, or by None whoever the rule book says."""

    @abstractmethod
    def act(self, state: State, t: float) -> Event:
        """Let the players do what is due after `t`; return the event that the referee notices."""

    @abstractmethod
    def take_up(self, state: State) -> None:
        """Continue a match under way; hidden tiles are dealt anew, because nobody knows who held which."""

    def _deal_hidden(self, known: Sequence[Iterable[Tile]], hands: Sequence[int], lying: Iterable[Tile]) -> None:
        """Deal racks of `hands` tiles each, including the `known` ones; the rest, except `lying`, is the stock."""
        racks = [Counter(tiles) for tiles in known]
        hidden = Counter(self._box) - Counter(lying)
        for rack in racks:
            hidden -= rack
        left = list(hidden.elements())
        left = [left[i] for i in self._rng.permutation(len(left))]
        self.racks = []
        for rack, hand in zip(racks, hands, strict=True):
            number = max(0, hand - rack.total())
            self.racks.append(rack + Counter(left[:number]))
            left = left[number:]
        self.stock = left

    def who_begins(self, *, first_round: bool = False) -> int | None:
        """Return who begins by the rule book; None if that follows from earlier rounds."""
        if self.rules.starts is Starts.NEXT or (self.rules.starts is Starts.WINNER and not first_round):
            return 0 if first_round else None
        if self.rules.starts is not Starts.DRAWN:
            return int(self._lots.integers(len(self.players)))
        # The highest number begins. Jokers count as 0, and players with equal numbers draw again.
        level = list(range(len(self.players)))
        while len(level) > 1:
            drawn = [self._box[i].number for i in self._lots.permutation(len(self._box))[: len(level)]]
            level = [player for player, number in zip(level, drawn, strict=True) if number == max(drawn)]
        return level[0]

    def follow_effects(self, effects: Iterable[Effect]) -> None:
        """Do what the effects ask of the players: draw tiles, or straighten tiles that cannot be read."""
        for effect in effects:
            match effect:
                case DrawTile(player, count):
                    drawn, self.stock = self.stock[:count], self.stock[count:]
                    self.racks[player] = self.racks[player] + Counter(drawn)
                case Ask(doubts) if not any(may_be_told(doubt) for doubt in doubts):
                    self.area.nudge()

    def everything(self) -> Counter[Tile]:
        """Return all tiles of the box, from racks, table and stock."""
        racks = (tile for rack in self.racks for tile in rack.elements())
        lying = (tile for tiles in self.area.table for tile in tiles)
        return Counter((*racks, *lying, *self.stock)) - self.foreign

    def side(self, player: int) -> float:
        """Return where a player sits, as the angle of a tile that is upright for the player."""
        return SIDES[len(self.players)][player]

    def chance(self, share: float) -> bool:
        """Return True with the probability `share`."""
        return bool(self._rng.random() < share)
