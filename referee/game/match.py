"""The match as a pure state machine: `apply(state, event)` gives the next state and what is to be done about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from referee.errors import BadInput
from referee.game.clock import TurnClock
from referee.game.events import (
    Ask,
    Effect,
    Event,
    HandShown,
    Lamp,
    Light,
    Look,
    OutOfOrder,
    Paused,
    Pressed,
    PutRight,
    Resumed,
    RoundStarted,
    Say,
    Seen,
    Show,
    Sound,
    Started,
    TimeUp,
    Tone,
)
from referee.game.judge import judge
from referee.game.rounds import Step, count_hand, deal, finish_turn
from referee.game.rulesets.base import Ruleset
from referee.game.scoring import ScoreSheet
from referee.game.state import Phase, State
from referee.game.table import Change, in_order, laid, vanished
from referee.game.timeup import consequence, steps_to
from referee.game.verdict import Verdict
from referee.game.wording import listed

__all__ = ["OutOfOrder", "apply", "new_match"]

_LOOKS = {Phase.LOOKING, Phase.ASKING, Phase.TIME_UP, Phase.CHECKING, Phase.COUNTING}


def new_match(rules: Ruleset) -> State:
    """A match by these rules that waits for its players."""
    return State(rules, TurnClock(rules.turn_seconds), ScoreSheet(()))


def apply(state: State, event: Event) -> Step:
    """The state after `event`, and the effects in the order they are due; raises OutOfOrder where it cannot happen."""
    return _HANDLERS[type(event)](state, event)


def _refuse(state: State, event: Event, expected: str) -> OutOfOrder:
    return OutOfOrder(f"expected {expected}, got {type(event).__name__} (phase {state.phase})")


def _started(state: State, event: Started) -> Step:
    if state.phase is not Phase.LOBBY:
        raise _refuse(state, event, "one match at a time")
    state.rules.hand_size(len(event.players))
    if event.rounds < 1 or not 0 <= event.first < len(event.players):
        raise BadInput(f"expected at least 1 round and a first seat at the table, got {event.rounds}, {event.first}")
    state = replace(state, sheet=ScoreSheet(event.players), rounds=event.rounds)
    return deal(state, event.first, event.t)


def _pressed(state: State, event: Pressed) -> Step:
    if event.player != state.current or not state.seats:
        raise _refuse(state, event, "a press of the player whose turn it is")
    looking: tuple[Effect, ...] = (Lamp(event.player, Light.LOOKING), Look())
    match state.phase:
        case Phase.TURN if state.clock.expired(event.t):
            return _time_up(state, TimeUp(event.t))
        case Phase.TURN | Phase.ASKING:
            return replace(state, phase=Phase.LOOKING, clock=state.clock.stop(event.t)), looking
        case Phase.PUTTING_RIGHT:
            return replace(state, phase=Phase.CHECKING), looking
        case Phase.SHOWING:
            return replace(state, phase=Phase.COUNTING), looking
    raise _refuse(state, event, "no press now")


def _seen(state: State, event: Seen) -> Step:
    if state.phase not in _LOOKS:
        raise _refuse(state, event, "a look only after a press")
    if event.doubts:
        return _doubted(state, event)
    match state.phase:
        case Phase.CHECKING:
            return _checked(state, event)
        case Phase.COUNTING:
            return _counted(state, event)
        case Phase.TIME_UP:
            return _judged_late(state, event)
    return _judged(state, event)


def _doubted(state: State, event: Seen) -> Step:
    # Only an ordinary turn has a phase of its own for asking: elsewhere the same look is simply awaited again.
    phase = Phase.ASKING if state.phase is Phase.LOOKING else state.phase
    return replace(state, phase=phase), (Lamp(state.current, Light.ASKING), Ask(event.doubts))


def _judged(state: State, event: Seen) -> Step:
    """The look after a press: the turn ends, or goes on with the clock where it stood."""
    verdict = judge(state.table, event.table, state.turn, state.rules)
    if verdict.accepted:
        return _accepted(state, event, verdict)
    effects = (*_refusal(state, verdict), *(Say(fault.text) for fault in verdict.faults))
    return replace(state, phase=Phase.TURN, clock=state.clock.start(event.t)), effects


def _judged_late(state: State, event: Seen) -> Step:
    """The look after the time was up: a table that is in order still counts."""
    verdict = judge(state.table, event.table, state.turn, state.rules)
    if verdict.accepted:
        return _accepted(state, event, verdict)
    due = consequence(state.table, event.table, state.turn, state.rules)
    state, effects = _checked(replace(state, due=due), event)
    return state, (*_refusal(state, verdict), *effects)


def _accepted(state: State, event: Seen, verdict: Verdict) -> Step:
    effects = (Lamp(state.current, Light.ACCEPTED), Tone(Sound.ACCEPTED), Show(verdict))
    seat = replace(state.seat, opened=state.seat.opened or verdict.opens)
    state, more = finish_turn(state.with_seat(seat), event.table, 0 if verdict.laid else 1, event.t)
    return state, (*effects, *more)


def _refusal(state: State, verdict: Verdict) -> tuple[Effect, ...]:
    return Lamp(state.current, Light.REFUSED), Tone(Sound.REFUSED), Show(verdict)


def _checked(state: State, event: Seen) -> Step:
    """Whether the table lies as it must after the time was up; only then comes the next turn."""
    due = state.due
    if due is None:
        raise _refuse(state, event, "something to put right")
    if not Change.between(event.table, due.target).nothing:
        steps = steps_to(event.table, due.target)
        put_right = PutRight(state.current, due.target, steps)
        return replace(state, phase=Phase.PUTTING_RIGHT), (put_right, *map(Say, steps))
    seat = replace(state.seat, opened=state.seat.opened or due.opens)
    return finish_turn(state.with_seat(seat), event.table, due.draws, event.t)


def _time_up(state: State, event: TimeUp) -> Step:
    if state.phase is not Phase.TURN or not state.clock.expired(event.t):
        raise _refuse(state, event, "a turn whose time is up")
    state = replace(state, phase=Phase.TIME_UP, clock=state.clock.stop(event.t))
    said = Say(f"Time is up, {state.seat.name}.")
    return state, (Tone(Sound.TIME_UP), Lamp(state.current, Light.LOOKING), said, Look())


def _paused(state: State, event: Paused) -> Step:
    if state.phase is not Phase.TURN:
        raise _refuse(state, event, "a pause only while the clock runs")
    return replace(state, phase=Phase.PAUSED, clock=state.clock.stop(event.t)), (Lamp(state.current, Light.OFF),)


def _resumed(state: State, event: Resumed) -> Step:
    """Go on after a pause, or after the power was cut; a look under way is taken again."""
    if state.phase is Phase.PAUSED:
        state = replace(state, phase=Phase.TURN, clock=state.clock.start(event.t))
        return state, (Lamp(state.current, Light.TURN),)
    if state.phase in _LOOKS:
        return state, (Lamp(state.current, Light.LOOKING), Look())
    raise _refuse(state, event, "a pause or a look to go on from")


def _hand_shown(state: State, event: HandShown) -> Step:
    if state.phase is not Phase.SHOWING or event.player != state.current:
        raise _refuse(state, event, "the hand of the player whose turn it is to show it")
    return count_hand(state, event.tiles, state.table)


def _counted(state: State, event: Seen) -> Step:
    """A hand laid open: all that is new on the table, while nothing of the rest may be missing."""
    if gone := vanished(state.table, event.table):
        text = f"Please put {listed(gone.elements())} back on the table."
        return replace(state, phase=Phase.SHOWING), (Lamp(state.current, Light.REFUSED), Say(text))
    return count_hand(state, in_order(laid(state.table, event.table).elements()), event.table)


def _round_started(state: State, event: RoundStarted) -> Step:
    if state.phase is not Phase.BETWEEN:
        raise _refuse(state, event, "the end of a round before the next")
    first = (state.first + 1) % len(state.seats) if event.first is None else event.first
    if not 0 <= first < len(state.seats):
        raise BadInput(f"expected a first seat at the table, got {first}")
    return deal(state, first, event.t)


_HANDLERS: Mapping[type[Event], Callable[[State, Any], Step]] = {
    Started: _started,
    Pressed: _pressed,
    Seen: _seen,
    TimeUp: _time_up,
    Paused: _paused,
    Resumed: _resumed,
    HandShown: _hand_shown,
    RoundStarted: _round_started,
}
