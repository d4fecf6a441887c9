"""A turn in progress: what an honest player has laid so far, in steps that the rule book allows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from referee.game.judge.judge import Turn
from referee.game.rulebooks import Ruleset
from referee.game.table import Set, Table, tiles_on
from referee.game.tiles import Tile
from referee.sim.players.set_finding import Rack, extensions, without_jokers


@dataclass(frozen=True, slots=True)
class Situation:
    """The situation before a turn: the sets, the rack, whether a first meld was laid, the rules, the tile aside."""

    table: Table
    rack: Rack
    opened: bool
    rules: Ruleset
    aside: Tile | None = None
    stock: tuple[Tile, ...] = ()
    """The tiles that a player could draw secretly."""

    @property
    def turn(self) -> Turn:
        """What the judge needs to know about the turn."""
        return Turn(self.opened, self.rack.total(), aside=self.aside)


@dataclass(slots=True)
class Laying:
    """The table and the rack during a turn.

    `before` has the sets at the beginning of the turn, and `own` the sets laid from the rack that are still unchanged.
    """

    rules: Ruleset
    before: frozenset[Set]
    sets: list[Set]
    rack: Rack
    laid: Counter[Tile] = field(default_factory=Counter)
    own: list[Set] = field(default_factory=list)

    @classmethod
    def begin(cls, seen: Situation) -> Laying:
        """Return the turn before its first step."""
        return cls(seen.rules, frozenset(seen.table), list(seen.table), Counter(seen.rack))

    def copy(self) -> Laying:
        """Return a copy, so that the turn can be continued in two ways."""
        return Laying(self.rules, self.before, list(self.sets), Counter(self.rack), Counter(self.laid), list(self.own))

    def become(self, other: Laying) -> None:
        """Take over the progress of `other`, a copy that was continued."""
        self.sets, self.rack, self.laid, self.own = other.sets, other.rack, other.laid, other.own

    @property
    def table(self) -> Table:
        """The present table."""
        return tuple(self.sets)

    @property
    def wraps(self) -> bool:
        """Whether 1 may follow 13 in a run."""
        return self.rules.wraps

    @property
    def room(self) -> int:
        """How many more tiles may be laid."""
        held = self.rack.total()
        return held if self.rules.cap is None else min(held, self.rules.cap - self.laid.total())

    @property
    def usable(self) -> Rack:
        """The tiles that the player is willing to lay: without jokers as long as there are more than six."""
        return self.rack if self.rack.total() <= 6 else without_jokers(self.rack)

    def take(self, tiles: Counter[Tile]) -> None:
        """Take tiles from the rack to lay them."""
        self.laid += tiles
        self.rack = self.rack - tiles

    def lay(self, tiles: Set) -> None:
        """Lay a set from the rack."""
        self.take(Counter(tiles))
        self.sets.append(tiles)
        self.own.append(tiles)

    def replace(self, index: int, tiles: Set) -> None:
        """Replace a set with other tiles; the caller must `take` those that come from the rack."""
        if self.sets[index] in self.own:
            self.own.remove(self.sets[index])
        self.sets[index] = tiles

    def add(self, index: int, tile: Tile, longer: Set) -> None:
        """Add one tile from the rack to a set."""
        self.take(Counter((tile,)))
        self.replace(index, longer)

    def extensions(self) -> dict[Tile, list[tuple[int, Set]]]:
        """Return, for every tile that extends a set on the table, the indexes of such sets and the extended sets."""
        ways: dict[Tile, list[tuple[int, Set]]] = {}
        for index, tiles in enumerate(self.sets):
            for tile, longer in extensions(tiles, self.wraps):
                ways.setdefault(tile, []).append((index, longer))
        return ways

    def put(self, old: dict[int, Set], new: Table) -> None:
        """Replace the sets `old` with `new`; additional tiles come from the rack."""
        for tiles in old.values():
            if tiles in self.own:
                self.own.remove(tiles)
        self.take(tiles_on(new) - tiles_on(old.values()))
        self.sets = [tiles for index, tiles in enumerate(self.sets) if index not in old] + list(new)
