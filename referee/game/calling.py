"""A count that does not agree with the rack: "Rummy!" called too early by the count, or a hand that is not complete.

Somebody has forgotten to draw, or was dealt a tile less, and nobody can see the racks. So the count is neither
believed blindly nor given up in silence: the referee tells what is missing by the count, and whoever then insists is
believed.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.events import Called, Lamp, Light, OutOfOrder, Say
from referee.game.judge import judge
from referee.game.state import Phase, State, Step
from referee.game.table import Table, laid
from referee.game.undo import last_turn_is_open
from referee.game.verdict import Verdict
from referee.game.wording import count

MOST = 3
"""A draw forgotten, a mistake in dealing: that is a tile or two. With more tiles left the call is taken for a button
that was held by mistake."""


def may_call(state: State, player: int, t: float) -> bool:
    """Whether this player can say at `t` that the own press was for the last tile."""
    if state.rules.knocking is not None:
        return False
    if state.phase is Phase.LOOKING:
        return player == state.current
    before = state.before
    if before is None or not last_turn_is_open(state, t) or player != before.current:
        return False
    return state.seats[player].hand <= MOST and laid(before.table, state.table).total() > 0


def call(state: State, event: Called) -> Step:
    """Ask about the turn as one in which the last tile was laid; raises OutOfOrder where it was not that turn.

    A turn that was accepted meanwhile comes back as it was accepted: the next player may have laid tiles by now.
    """
    if not may_call(state, event.player, event.t):
        raise OutOfOrder(f"expected a call by whoever has just pressed, got Called (phase {state.phase})")
    said = Say(f"{state.seats[event.player].name} says Rummy!")
    if state.phase is Phase.LOOKING or state.before is None:
        return replace(state, called=True), (said,)
    after, effects = ask_about(replace(state.before, asked=False, sheet=state.sheet), state.table)
    return after, (said, *effects)


def left_by_the_count(state: State, verdict: Verdict) -> int:
    """How many tiles the current player should have left after this turn, where that can be asked about; else 0."""
    left = state.seat.hand - len(verdict.laid) + verdict.aside_used
    return left if verdict.accepted and verdict.laid and left <= MOST else 0


def ask_about(state: State, table: Table) -> Step:
    """Tell the player what is left by the count, and wait for a press, or for a held one; `table` was accepted."""
    left = left_by_the_count(state, judge(state.table, table, state.turn, state.rules))
    text = (
        f"By my count {state.seat.name} has {count(left, 'tile')} left: "
        "hold the button if the rack is empty, or press to play on."
    )
    return replace(state, phase=Phase.ASKING, in_question=table), (Lamp(state.current, Light.ASKING), Say(text))


def believed(state: State, verdict: Verdict) -> State:
    """The state in which the current player has held just what was laid in this turn."""
    return state.with_seat(replace(state.seat, hand=len(verdict.laid) - verdict.aside_used))
