"""A count that does not agree with the rack: "Rummy!" called too early by the count, or a hand that is not complete.

Somebody has forgotten to draw, or was dealt a tile less, and nobody can see the racks. So the count is neither
believed blindly nor given up in silence: the referee tells what is missing by the count, and whoever then insists is
believed.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.events import Called, Insisted, Lamp, Light, Look, OutOfOrder, Say
from referee.game.state import Claim, Phase, State, Step
from referee.game.table import laid
from referee.game.undo import last_turn_is_open
from referee.game.verdict import Verdict
from referee.game.wording import count

MOST = 3
"""A draw forgotten, a mistake in dealing: that is a tile or two. With more tiles left the call is taken for a button
that was held by mistake."""


def in_question(state: State) -> bool:
    """Whether players were told that the count does not agree, and the referee waits for what they say."""
    if state.phase is Phase.SHOWING:
        return state.claim is Claim.CALLED
    return state.phase is Phase.ASKING and not state.asked and state.claim is Claim.CALLED


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
    """Judge the turn anew as one in which the last tile was laid; raises OutOfOrder where it was not that turn."""
    if not may_call(state, event.player, event.t):
        raise OutOfOrder(f"expected a call by whoever has just pressed, got Called (phase {state.phase})")
    said = Say(f"{state.seats[event.player].name} says Rummy!")
    if state.phase is Phase.LOOKING or state.before is None:
        return replace(state, claim=Claim.CALLED), (said,)
    turn = replace(state.before, phase=Phase.LOOKING, claim=Claim.CALLED, asked=False, sheet=state.sheet)
    return turn, (said, Lamp(event.player, Light.LOOKING), Look())


def insist(state: State, event: Insisted) -> Step:
    """Look once more, and take the player's word for the count; raises OutOfOrder where nothing is in question."""
    if not in_question(state) or event.player != state.current:
        raise OutOfOrder(f"expected the player whose tiles are in question, got Insisted (phase {state.phase})")
    phase = Phase.COUNTING if state.phase is Phase.SHOWING else Phase.LOOKING
    return replace(state, phase=phase, claim=Claim.INSISTED), (Lamp(event.player, Light.LOOKING), Look())


def left_by_the_count(state: State, verdict: Verdict) -> int:
    """How many tiles the current player should have left after this turn, if that is to be asked about; else 0."""
    left = state.seat.hand - len(verdict.laid) + verdict.aside_used
    asked = verdict.accepted and verdict.laid and state.claim is not Claim.NONE
    return left if asked and left <= MOST else 0


def ask_about(state: State, left: int) -> Step:
    """Tell the player what is left by the count, and wait for a press, or for a held one."""
    text = (
        f"By my count {state.seat.name} has {count(left, 'tile')} left: "
        "hold the button if the rack is empty, or press to play on."
    )
    return replace(state, phase=Phase.ASKING, claim=Claim.CALLED), (Lamp(state.current, Light.ASKING), Say(text))


def believed(state: State, verdict: Verdict) -> State:
    """The state in which the current player has held just what was laid in this turn."""
    return state.with_seat(replace(state.seat, hand=len(verdict.laid) - verdict.aside_used))
