"""Gin in the state machine of the match: what its events mean here.

The phases are those of every match; `Stage` tells what the player is doing. Presses, doubts, pauses, corrections and
the end of the match are the usual ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.game.gin.round import GinRound, Stage
from referee.game.match.events import Event, HandShown, OutOfOrder, Pressed, Reviewed, RoundStarted, Seen, Started
from referee.game.match.gin.knock import knocker_laid, opponent_laid, taken_back
from referee.game.match.gin.turns import ask_for_deal, dealt, look_after_turn
from referee.game.match.phases import Phase
from referee.game.match.state import State, Transition


def play(state: State, event: Event, usual: Callable[[State, Any], Transition]) -> Transition:
    """The state after `event`, and the effects; `usual` handles the event in other games.

    Raises OutOfOrder where the event cannot happen, among them a hand that is told instead of laid, for it would not
    tell which tiles are sets.
    """
    match event:
        case Started() | RoundStarted():
            return ask_for_deal(usual(state, event)[0], event.t)
        case Pressed():
            after, effects = usual(state, event)
            # A doubt does not make a knock forgotten.
            knocks = event.long or (state.asked and _round(state).knocks)
            return replace(after, gin=replace(_round(state), knocks=knocks)), effects
        case Seen() if not event.doubts and state.phase.awaits_table and state.phase is not Phase.TIME_UP:
            return _apply_look(replace(state, asked=False, words=event.words), event)
        case Reviewed():
            after, effects = usual(state, event)
            return replace(after, refused=False, gin=_before_the_look(state)), effects
        case HandShown():
            raise OutOfOrder(f"expected hands laid open on the table, got {type(event).__name__}")
    return usual(state, event)


def _apply_look(state: State, event: Seen) -> Transition:
    before = _round(state)
    match before.stage:
        case Stage.DEALING:
            return dealt(state, event)
        case Stage.KNOCKER:
            return knocker_laid(state, before, event)
        case Stage.TAKING_BACK:
            return taken_back(state, before, event)
        case Stage.OPPONENT:
            return opponent_laid(state, before, event)
    return look_after_turn(state, before, event)


def _before_the_look(state: State) -> GinRound:
    """The round as it was before the look that is judged anew.

    A look on which nothing had changed was the first such one, else it would not have been refused.
    """
    before = replace(_round(state), confirming=False)
    if before.stage is Stage.TAKING_BACK and state.refused:
        return replace(before.knowing(state.current, before.hidden), stage=Stage.KNOCKER)
    return before


def _round(state: State) -> GinRound:
    return state.gin or GinRound()
