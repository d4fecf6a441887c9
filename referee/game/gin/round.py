"""What the referee knows about a round of Gin, in addition to the state of the match."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from referee.game.gin.hands import Arrangement
from referee.game.table import Set
from referee.game.tiles import Tile

NOTHING = Arrangement((), (), 0)


class Stage(enum.StrEnum):
    """What the current player is about to do."""

    DEALING = "dealing"
    """The dealer deals, and lays one tile open."""
    FIRST_OFFER = "first-offer"
    """The other player may take the open tile, or leave it."""
    SECOND_OFFER = "second-offer"
    """The dealer may take the open tile, or leave it."""
    MUST_DRAW = "must-draw"
    """Nobody wanted the open tile: the first turn begins with a hidden one."""
    TURN = "turn"
    """The current player takes a hidden tile or the last open one, and discards a tile."""
    KNOCKER = "knocker"
    """The player who knocked lays the hand open."""
    TAKING_BACK = "taking-back"
    """The knock was refused, and the hand goes back."""
    OPPONENT = "opponent"
    """The other player lays the hand open."""

    @property
    def offer(self) -> bool:
        """Whether the only choice is to take the open tile or to leave it."""
        return self in (Stage.FIRST_OFFER, Stage.SECOND_OFFER)


@dataclass(frozen=True, slots=True)
class GinRound:
    """The open tiles, and the hands as far as they are known."""

    stage: Stage = Stage.DEALING
    open: Set = ()
    """The discards in order, the latest last."""
    known: tuple[frozenset[Tile], frozenset[Tile]] = (frozenset(), frozenset())
    """For each seat, the tiles that everybody knows to be in the hand, because they were open and were taken."""
    knocks: bool = False
    """Whether the press that the look belongs to was a long one."""
    confirming: bool = False
    """Whether the player was told that nothing has changed; another press confirms that."""
    hidden: frozenset[Tile] = frozenset()
    """What was known of a knocker's hand before it was laid open, in case a misread tile gets the knock refused."""
    laid: Arrangement = NOTHING
    """The knocker's hand as it lies on the table; empty before it is laid."""

    def with_known_tiles(self, seat: int, tiles: frozenset[Tile]) -> GinRound:
        """Return the round, with these tiles known to be in the hand of a seat."""
        return replace(self, known=(tiles, self.known[1]) if seat == 0 else (self.known[0], tiles))
