"""A press taken back: by mistake pressed too early, or on the way to the tea.

While the referee still looks or asks, the player's turn simply goes on. Once the turn was accepted, the way back stays
open for a short while, until the next player presses; drawn tiles go back then, and the table is judged anew.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.events import Corrected, Event, Lamp, Light, OutOfOrder, Paused, Resumed, Say, Seen, Withdrawn
from referee.game.state import Phase, State, Step

OPEN_S = 15.0
"""Seconds of the next player's turn in which the last one may still take the press back."""


def with_way_back(before: State, event: Event, after: State) -> State:
    """`after` with the turn that `event` has just ended kept for a while, and any older one forgotten."""
    if isinstance(event, Paused | Resumed | Corrected):
        return replace(after, before=before.before)
    ended = isinstance(event, Seen) and before.phase is Phase.LOOKING and after.phase is Phase.TURN
    way = replace(before, phase=Phase.TURN, before=None) if ended and after.current != before.current else None
    return after if after.before is way else replace(after, before=way)


def withdraw(state: State, event: Withdrawn) -> Step:
    """The turn goes on as if its player had not pressed; raises OutOfOrder where no press can be taken back."""
    before, own = state.before, event.player == state.current
    if own and state.rules.knocking is None and state.phase in (Phase.LOOKING, Phase.ASKING):
        state = replace(state, phase=Phase.TURN, asked=False, clock=state.clock.start(event.t))
        return state, (Lamp(event.player, Light.TURN), Say(f"{state.seat.name}, it is still your turn."))
    open_yet = state.phase is Phase.TURN and state.clock.elapsed(event.t) <= OPEN_S
    if open_yet and not own and before is not None and event.player == before.current:
        return _taken_back(state, before, event)
    raise OutOfOrder(f"expected a press that can still be taken back, got Withdrawn (phase {state.phase})")


def _taken_back(state: State, before: State, event: Withdrawn) -> Step:
    drawn = state.seats[event.player].hand > before.seat.hand
    more = " Put the tile that you drew back into the stock." if drawn else ""
    back = replace(before, clock=before.clock.start(event.t), asked=False, sheet=state.sheet)
    return back, (Lamp(event.player, Light.TURN), Say(f"{back.seat.name} plays on.{more}"))
