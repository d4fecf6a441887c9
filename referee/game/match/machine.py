"""The match as a pure state machine: `apply(state, event)` returns the next state and the effects to carry out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from referee.errors import BadInput
from referee.game.clock import TurnClock
from referee.game.match.agreement import agree, review
from referee.game.match.correction import correct
from referee.game.match.events import (
    Agreed,
    Ask,
    Called,
    Coached,
    Corrected,
    Declared,
    Event,
    HandShown,
    Insisted,
    Lamp,
    Light,
    MatchTimeUp,
    OutOfOrder,
    Paused,
    Pressed,
    RebuildBegun,
    Resumed,
    Reviewed,
    RoundStarted,
    Say,
    Seen,
    Settled,
    Sound,
    Started,
    TakeLook,
    TimeUp,
    Tone,
    Withdrawn,
)
from referee.game.match.gin import play
from referee.game.match.immaterial_doubts import common_outcome
from referee.game.match.match_time import end_match_time
from referee.game.match.phases import Phase
from referee.game.match.round import deal, rebuild_begun, usual_first_seat
from referee.game.match.round_end import ask_for_hand, take_entered_hand, take_shown_hand
from referee.game.match.rummy_call import ask_about, call
from referee.game.match.state import Seat, State, Transition
from referee.game.match.take_back import keep_turn_open, withdraw
from referee.game.match.turn import (
    check_after_time_up,
    end_turn_despite_call,
    insist,
    judge_after_time_up,
    judge_look,
    settle,
)
from referee.game.notice import Notice
from referee.game.rulebooks.model import JokerSets, Ruleset
from referee.game.scoring import ScoreSheet

__all__ = ["OutOfOrder", "apply", "new_match"]


def new_match(rules: Ruleset) -> State:
    """Return a match by these rules that waits for its players."""
    return State(rules, TurnClock(rules.turn_seconds), ScoreSheet(()))


def apply(state: State, event: Event) -> Transition:
    """Return the state after `event` and the effects in order; raises OutOfOrder if it cannot happen now."""
    if isinstance(event, Seen) and event.unsure:
        step = common_outcome(state, event, apply)
        if step is None:
            raise OutOfOrder("expected doubts that change nothing, got Seen with a tile that does")
        return step
    handler = _HANDLERS[type(event)]
    after, effects = handler(state, event) if state.rules.knocking is None else play(state, event, handler)
    return (after if isinstance(event, Withdrawn) else keep_turn_open(state, event, after)), effects


def _refuse(state: State, event: Event, expected: str) -> OutOfOrder:
    return OutOfOrder(f"expected {expected}, got {type(event).__name__} (phase {state.phase})")


def _start(state: State, event: Started) -> Transition:
    if state.phase is not Phase.LOBBY:
        raise _refuse(state, event, "one match at a time")
    names = event.players
    state.rules.hand_size(len(names))
    if not all(names) or len(set(names)) < len(names):
        raise BadInput(f"expected a name of its own for every player, got {', '.join(map(repr, names))}")
    if event.rounds < 1 or not 0 <= event.first < len(names):
        raise BadInput(f"expected at least 1 round and a first seat at the table, got {event.rounds}, {event.first}")
    handicaps = _handicaps(event, state.rules.turn_seconds)
    seats = tuple(Seat(name, handicap=seconds) for name, seconds in zip(names, handicaps, strict=True))
    state = replace(state, seats=seats, sheet=ScoreSheet(names), rounds=event.rounds, coach=event.coach, began=event.t)
    return deal(state, event.first, event.aside, event.t)


def _handicaps(event: Started, seconds: int | None) -> tuple[float, ...]:
    """Return the seconds added for each seat; raises BadInput if somebody would have no time left."""
    handicaps = event.handicaps or (0.0,) * len(event.players)
    if len(handicaps) != len(event.players):
        raise BadInput(f"expected a handicap for each of {len(event.players)} players, got {len(handicaps)}")
    for handicap in handicaps:
        if not math.isfinite(handicap) or (seconds is not None and seconds + handicap <= 0):
            raise BadInput(f"expected handicaps that leave everybody some of {seconds} seconds, got {handicap}")
    return handicaps


def _press(state: State, event: Pressed) -> Transition:
    if event.player != state.current or not state.seats:
        raise _refuse(state, event, "a press of the player whose turn it is")
    if state.phase is Phase.TURN and state.clock.is_expired(event.t):
        return _time_up(state, TimeUp(event.t))
    if state.phase.look is None and not state.asked:
        raise _refuse(state, event, "no press now")
    if state.phase is Phase.ASKING and state.in_question is not None:
        return end_turn_despite_call(state, event)
    # While a doubt awaits its answer, a press asks for another look.
    phase = state.phase.look or state.phase
    state = replace(state, phase=phase, clock=state.clock.stop(event.t), in_question=None)
    state = replace(state, asked=False, refused=False)
    return state, (Lamp(event.player, Light.LOOKING), TakeLook())


def _declare(state: State, event: Declared) -> Transition:
    if not state.phase.has_clock or event.player != state.current:
        raise _refuse(state, event, "a declaration of the player whose turn it is")
    if state.rules.melds is None or state.rules.joker_rule.alone is not JokerSets.DECLARED:
        raise _refuse(state, event, f"no declaration by these rules of {state.rules.name}")
    return replace(state, declared=True), (Say(Notice("match.declared", player=state.seat.name)),)


def _look(state: State, event: Seen) -> Transition:
    if not state.phase.awaits_table or state.in_question is not None:
        raise _refuse(state, event, "a look only after a press")
    state = replace(state, words=event.words)
    if event.doubts:
        return _ask_about_doubts(state, event)
    state = replace(state, asked=False)
    match state.phase:
        case Phase.CHECKING:
            return check_after_time_up(state, event)
        case Phase.COUNTING:
            return take_shown_hand(state, event.table)
        case Phase.TIME_UP:
            return judge_after_time_up(state, event)
    return judge_look(state, event)


def _ask_about_doubts(state: State, event: Seen) -> Transition:
    # Only an ordinary turn has a phase of its own for asking: elsewhere the same look is simply awaited again.
    phase = Phase.ASKING if state.phase is Phase.LOOKING else state.phase
    return replace(state, phase=phase, asked=True), (Lamp(state.current, Light.ASKING), Ask(event.doubts))


def _time_up(state: State, event: TimeUp) -> Transition:
    if state.phase is not Phase.TURN or not state.clock.is_expired(event.t):
        raise _refuse(state, event, "a turn whose time is up")
    state = replace(state, phase=Phase.TIME_UP, clock=state.clock.stop(event.t))
    said = Say(Notice("match.time_up", player=state.seat.name))
    return state, (Tone(Sound.TIME_UP), Lamp(state.current, Light.LOOKING), said, TakeLook())


def _pause(state: State, event: Paused) -> Transition:
    if state.phase is not Phase.TURN:
        raise _refuse(state, event, "a pause only while the clock runs")
    return replace(state, phase=Phase.PAUSED, clock=state.clock.stop(event.t)), (Lamp(state.current, Light.OFF),)


def _resume(state: State, event: Resumed) -> Transition:
    """Go on after a pause or a power cut: an unfinished look is taken again, and what was asked for is repeated."""
    match state.phase:
        case Phase.ASKING if state.in_question is not None:
            return ask_about(state, state.in_question)
        case Phase.PAUSED:
            state = replace(state, phase=Phase.TURN, clock=state.clock.start(event.t))
            return state, (Lamp(state.current, Light.TURN),)
        case Phase.SHOWING:
            return ask_for_hand(state)
        case Phase.PUTTING_RIGHT:
            state = replace(state, phase=Phase.CHECKING)
    if not state.phase.awaits_table:
        raise _refuse(state, event, "a pause, a look or a request to go on from")
    return replace(state, asked=False), (Lamp(state.current, Light.LOOKING), TakeLook())


def _hand_shown(state: State, event: HandShown) -> Transition:
    if state.phase is not Phase.SHOWING or event.player != state.current:
        raise _refuse(state, event, "the hand of the player whose turn it is to show it")
    return take_entered_hand(state, event.tiles)


def _round_started(state: State, event: RoundStarted) -> Transition:
    if state.phase is not Phase.BETWEEN:
        raise _refuse(state, event, "the end of a round before the next")
    first = usual_first_seat(state) if event.first is None else event.first
    if not 0 <= first < len(state.seats):
        raise BadInput(f"expected a first seat at the table, got {first}")
    return deal(state, first, event.aside, event.t)


def _coach(state: State, event: Coached) -> Transition:
    """Note that somebody asked what can be laid: everybody learns of it, and nothing else changes."""
    if not state.coach or not state.phase.in_match:
        raise _refuse(state, event, "a match in which all have agreed that anybody may ask what can be laid")
    if event.player != (state.current if state.phase.in_round else None):
        raise _refuse(state, event, "the player whose turn it is")
    told = (
        Notice("match.coached_between", laid=event.laid)
        if event.player is None
        else Notice("match.coached", player=state.seat.name, laid=event.laid)
    )
    return replace(state, coached=(*state.coached, event.player)), (Say(told),)


_HANDLERS: Mapping[type[Event], Callable[[State, Any], Transition]] = {
    Started: _start,
    Pressed: _press,
    Declared: _declare,
    Called: call,
    Insisted: insist,
    Seen: _look,
    Settled: settle,
    Reviewed: review,
    Agreed: agree,
    TimeUp: _time_up,
    MatchTimeUp: end_match_time,
    RebuildBegun: rebuild_begun,
    Paused: _pause,
    Resumed: _resume,
    HandShown: _hand_shown,
    RoundStarted: _round_started,
    Corrected: correct,
    Coached: _coach,
    Withdrawn: withdraw,
}
