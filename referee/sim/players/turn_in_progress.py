"""A turn in the making: what an honest player has laid so far, each step allowed by the rule book by itself."""

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
    """What a player sees: the sets, the rack, whether a first meld has been laid, the rules, the tile aside."""

    table: Table
    rack: Rack
    opened: bool
    rules: Ruleset
    aside: Tile | None = None
    stock: tuple[Tile, ...] = ()
    """What somebody could draw secretly."""

    @property
    def turn(self) -> Turn:
        """What the judge must know about the turn."""
        return Turn(self.opened, self.rack.total(), aside=self.aside)


@dataclass(slots=True)
class Laying:
    """The table and the rack while somebody lays.

    `before` are the sets as the turn began, `own` are sets laid whole, still as they were laid.
    """

    rules: Ruleset
    before: frozenset[Set]
    sets: list[Set]
    rack: Rack
    laid: Counter[Tile] = field(default_factory=Counter)
    own: list[Set] = field(default_factory=list)

    @classmethod
    def begin(cls, seen: Situation) -> Laying:
        """Before the first step."""
        return cls(seen.rules, frozenset(seen.table), list(seen.table), Counter(seen.rack))

    def copy(self) -> Laying:
        """Return a copy, so that the turn can be continued in two ways."""
        return Laying(self.rules, self.before, list(self.sets), Counter(self.rack), Counter(self.laid), list(self.own))

    def become(self, other: Laying) -> None:
        """Go on as the other, a copy of this one that went further."""
        self.sets, self.rack, self.laid, self.own = other.sets, other.rack, other.laid, other.own

    @property
    def table(self) -> Table:
        """The table as it lies now."""
        return tuple(self.sets)

    @property
    def wraps(self) -> bool:
        """Whether runs go on from 13 to 1."""
        return self.rules.wraps

    @property
    def room(self) -> int:
        """How many more tiles may be laid."""
        held = self.rack.total()
        return held if self.rules.cap is None else min(held, self.rules.cap - self.laid.total())

    @property
    def usable(self) -> Rack:
        """The tiles the player is ready to lay: jokers are kept while the rack is full."""
        return self.rack if self.rack.total() <= 6 else without_jokers(self.rack)

    def take(self, tiles: Counter[Tile]) -> None:
        """Take tiles from the rack to lay them."""
        self.laid += tiles
        self.rack = self.rack - tiles

    def lay(self, tiles: Set) -> None:
        """Lay a set out of the rack."""
        self.take(Counter(tiles))
        self.sets.append(tiles)
        self.own.append(tiles)

    def replace(self, index: int, tiles: Set) -> None:
        """Let other tiles lie where a set lay; what came from the rack is told to `take`."""
        if self.sets[index] in self.own:
            self.own.remove(self.sets[index])
        self.sets[index] = tiles

    def add(self, index: int, tile: Tile, longer: Set) -> None:
        """Lay one tile of the rack on to a set."""
        self.take(Counter((tile,)))
        self.replace(index, longer)

    def extensions(self) -> dict[Tile, list[tuple[int, Set]]]:
        """For every tile that makes a set on the table longer, those sets by index and how they then lie."""
        ways: dict[Tile, list[tuple[int, Set]]] = {}
        for index, tiles in enumerate(self.sets):
            for tile, longer in extensions(tiles, self.wraps):
                ways.setdefault(tile, []).append((index, longer))
        return ways

    def put(self, old: dict[int, Set], new: Table) -> None:
        """Lay `new` in place of the sets `old`; tiles that were not there come from the rack."""
        for tiles in old.values():
            if tiles in self.own:
                self.own.remove(tiles)
        self.take(tiles_on(new) - tiles_on(old.values()))
        self.sets = [tiles for index, tiles in enumerate(self.sets) if index not in old] + list(new)
