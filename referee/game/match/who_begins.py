"""Who begins a round, as far as that follows from the match, and by what else it is chosen."""

from __future__ import annotations

from referee.game.match.state import State
from referee.game.rulebooks.model import Starts


def follows(state: State) -> int:
    """The seat that begins the next round where nobody is told: the last winner by such rules, else the next one.

    After a round that nobody has won the same player begins again.
    """
    if state.rules.starts is not Starts.WINNER:
        return (state.first + 1) % len(state.seats)
    winner = state.sheet.rounds[-1].winner if state.sheet.rounds else None
    return state.first if winner is None else winner


def chosen_by(state: State) -> Starts | None:
    """How it is chosen now who begins: by lot, by agreement, by drawing; None where that follows from the match."""
    starts = state.rules.starts
    if starts is Starts.WINNER and not state.seats:
        return Starts.LOT
    return None if starts in (Starts.NEXT, Starts.WINNER) else starts
