"""Cases in which the referee's count of a hand does not agree: "Rummy!" is called too early, or a hand is incomplete.

Somebody may have forgotten to draw, or was dealt a tile less, and nobody can see the racks. So the referee says what
is missing by its count, and if the player insists, the player is believed.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.judge.judge import judge
from referee.game.match.events import Called, Lamp, Light, OutOfOrder, Say
from referee.game.match.phases import Phase
from referee.game.match.state import State, Transition
from referee.game.match.take_back import last_turn_is_open
from referee.game.notice import Notice
from referee.game.table import Table, laid_tiles

MOST = 3
"""The most tiles that may be left by the count for a call to be asked about. Chosen by hand: a forgotten draw or a
mistake in dealing is a tile or two; with more tiles left, the button was probably held by mistake."""


def may_call(state: State, player: int, t: float) -> bool:
    """Return whether this player can say at `t` that their press was for the last tile."""
    if state.rules.knocking is not None:
        return False
    if state.phase is Phase.LOOKING or state.asked:
        return player == state.current and state.phase.ends_turn
    before = state.before
    if before is None or not last_turn_is_open(state, t) or player != before.current:
        return False
    if before.refused:
        return False  # that turn ended by agreement, not by a press
    return as_called(before, state.table) is not None


def call(state: State, event: Called) -> Transition:
    """Ask whether the last tile was laid in the turn; raises OutOfOrder if the player cannot say so.

    If the turn was accepted meanwhile, it comes back with the table as accepted: the next player may have laid tiles.
    """
    if not may_call(state, event.player, event.t):
        raise OutOfOrder(f"expected a call by whoever has just pressed, got Called (phase {state.phase})")
    if state.phase.ends_turn or state.before is None:
        return replace(state, called=True), ()
    return ask_about(
        replace(state.before, asked=False, sheet=state.sheet, coached=state.coached, closing=state.closing),
        state.table,
    )


def as_called(state: State, table: Table) -> State | None:
    """Return the state in which the current player's hand was just the tiles laid; None if there is nothing to ask.

    There is nothing to ask if the count agrees, or if the player cannot have gone out with this table.
    """
    tiles = laid_tiles(state.table, table)
    with_aside = state.aside is not None and tiles[state.aside] > 0
    for hand in (tiles.total(), tiles.total() - 1) if with_aside else (tiles.total(),):
        told = state.with_seat(replace(state.seat, hand=hand))
        if 0 < hand < state.seat.hand <= hand + MOST:
            verdict = judge(state.table, table, told.turn, state.rules)
            if verdict.accepted and len(verdict.laid) - verdict.aside_used == hand:
                return told
    return None


def ask_about(state: State, table: Table) -> Transition:
    """Tell the player how many tiles are left by the count, and wait for a press or a long press."""
    left = state.seat.hand - (as_called(state, table) or state).seat.hand
    said = Say(Notice("match.calls_rummy", player=state.seat.name, left=left))
    return replace(state, phase=Phase.ASKING, in_question=table), (Lamp(state.current, Light.ASKING), said)
