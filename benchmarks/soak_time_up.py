"""Checks turns whose time was up, and who begins a round, from the true tiles."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.match.events import Effect, Event, Lamp, Light, RoundStarted, Seen
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.rulebooks.model import Starts
from referee.game.table import Table, tiles_on
from referee.game.tiles import JOKER

PENALTY = {"rummikub": 3, "brettspielnetz": 1}
"""How many tiles are drawn after the table was put back, by book. By other books, the player takes the tiles that are
in no valid set."""


@dataclass
class LateTurns:
    """Records how a turn began, and whether it was refused when its time was up."""

    table: Table = ()
    stock: int = 0
    opened: bool = False
    drew: bool = False
    """Whether a tile was drawn in the middle of the turn."""
    refused: bool = False
    torn: bool = False
    """Whether numbered tiles were missing from the table when it was refused."""

    def begin(self, state: State, lying: Table, stock: int) -> None:
        """Record the beginning of a turn."""
        self.table, self.stock, self.opened = lying, stock, state.seat.opened
        self.drew = self.refused = self.torn = False

    def looked(self, before: State, event: Event, effects: tuple[Effect, ...]) -> None:
        """Record an event of the turn."""
        if isinstance(event, Seen) and before.phase is Phase.TIME_UP and not event.doubts:
            self.refused = any(isinstance(effect, Lamp) and effect.light is Light.REFUSED for effect in effects)
            gone = tiles_on(self.table) - tiles_on(event.table)
            self.torn = any(not tile.is_joker for tile in gone)

    def wrong(self, rules: str, lying: Table, stock: int) -> str | None:
        """Return what is wrong by the rules when the next turn begins; None if nothing is."""
        if not self.refused:
            return None
        drawn, laid_nothing = self.stock - stock, tiles_on(lying) == tiles_on(self.table)
        if rules in PENALTY:
            due = PENALTY[rules] if self.opened else 1
            if not laid_nothing:
                return "the table was not put back when the time was up"
        else:
            due = 1 if laid_nothing or self.drew else 0
            if tiles_on(lying)[JOKER] < tiles_on(self.table)[JOKER] and not self.torn:
                return "a joker of the table went to a hand when the time was up"
        if drawn != min(due, self.stock):
            return f"{drawn} tiles were drawn when the time was up, expected {due} of {self.stock}"
        return None


def wrong_first(before: State, event: Event, state: State) -> str | None:
    """Return what is wrong if the wrong player begins a round, else None."""
    if not isinstance(event, RoundStarted):
        return None
    winner = before.sheet.rounds[-1].winner
    by_itself = {
        Starts.NEXT: (before.first + 1) % len(before.seats),
        Starts.WINNER: before.first if winner is None else winner,
    }
    expected = by_itself.get(before.rules.starts, event.first)
    return None if state.first == expected else f"seat {state.first} begins, expected {expected}"
