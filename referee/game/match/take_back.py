"""Taking back a press that was made too early or by mistake.

While the referee still looks or asks, taking the press back simply continues the player's turn. After the turn was
accepted, its player can take it back for a short while, until the next player presses. Then drawn tiles go back to the
stock, and the table is judged again at the next press.

A turn that ended the round can be taken back as long as no hand has been shown, however long that takes: in it, too, a
tile may have been misread. If no hand is to be shown, the round is scored at once, and the turn stands.

The same is possible after a turn that counted by agreement: it is refused again, or if time was up, the table must be
put right after all.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.match.events import (
    Agreed,
    Coached,
    Corrected,
    Effect,
    Event,
    Insisted,
    Lamp,
    Light,
    MatchTimeUp,
    OutOfOrder,
    Paused,
    Pressed,
    RebuildBegun,
    Resumed,
    Say,
    Seen,
    Settled,
    TakeLook,
    Withdrawn,
)
from referee.game.match.phases import Phase
from referee.game.match.state import State, Transition
from referee.game.notice import Notice

OPEN_S = 15.0
"""Seconds of the next player's turn in which a press may still be taken back. Chosen by hand."""


def keep_turn_open(before: State, event: Event, after: State) -> State:
    """Return `after` with `State.before` updated: the turn that `event` has ended is kept, and can be taken back.

    An older turn is forgotten, unless `event` is one that does not concern the turn.
    """
    if isinstance(event, Paused | Resumed | Corrected | Settled | RebuildBegun | Coached | MatchTimeUp):
        return replace(after, before=before.before)
    looked = isinstance(event, Seen | Pressed | Insisted) and before.phase.ends_turn
    ended = looked and after.phase in (Phase.TURN, Phase.SHOWING) and after.current != before.current
    way = replace(before, phase=Phase.TURN, before=None) if ended else None
    if isinstance(event, Agreed) and after.phase in (Phase.TURN, Phase.SHOWING):
        way = replace(before, clock=before.clock.stop(event.t), before=None)
    return after if after.before is way else replace(after, before=way)


def last_turn_is_open(state: State, t: float) -> bool:
    """Return whether the turn that has just ended may still be taken back at `t`."""
    return state.phase is Phase.TURN and state.before is not None and state.clock.elapsed_s(t) <= OPEN_S


def may_withdraw(state: State, player: int, t: float) -> bool:
    """Return whether this player may take back their last press at `t`."""
    if player == state.current:
        return state.rules.knocking is None and state.phase.ends_turn
    is_open = state.phase is Phase.SHOWING or last_turn_is_open(state, t)
    return is_open and state.before is not None and player == state.before.current


def withdraw(state: State, event: Withdrawn) -> Transition:
    """Continue the turn as if its player had not pressed; raises OutOfOrder if no press can be taken back."""
    if not may_withdraw(state, event.player, event.t):
        raise OutOfOrder(f"expected a press that can still be taken back, got Withdrawn (phase {state.phase})")
    if event.player != state.current and state.before is not None:
        return _reopen_turn(state, state.before, event)
    state = replace(
        state, phase=Phase.TURN, asked=False, called=False, in_question=None, clock=state.clock.start(event.t)
    )
    return state, (Lamp(event.player, Light.TURN), Say(Notice("match.still_your_turn", player=state.seat.name)))


def _reopen_turn(state: State, before: State, event: Withdrawn) -> Transition:
    drawn = state.seats[event.player].hand > before.seat.hand
    key = "match.plays_on_without_drawn" if drawn else "match.plays_on"
    back = replace(before, asked=False, called=False, in_question=None, coached=state.coached, closing=state.closing)
    sheet = replace(state.sheet, agreements=before.sheet.agreements)
    told: tuple[Effect, ...] = (Say(Notice(key, player=back.seat.name)),)
    if sheet != state.sheet:
        told = (Say(Notice("match.agreed_no_more")), *told)
    if before.phase is Phase.PUTTING_RIGHT:
        back = replace(back, phase=Phase.CHECKING, sheet=sheet)
        return back, (Lamp(event.player, Light.LOOKING), *told, TakeLook())
    back = replace(back, clock=before.clock.start(event.t), sheet=sheet)
    return back, (Lamp(event.player, Light.TURN), *told)
