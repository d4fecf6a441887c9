"""Turns of Gin: the deal, the offers of the first open tile, ordinary turns, and the end of the stock."""

from __future__ import annotations

from dataclasses import replace

from referee.game.gin.discards import judge_discard
from referee.game.gin.round import GinRound, Stage
from referee.game.gin.showdown import knocking_of
from referee.game.judge.verdict import Verdict
from referee.game.match.events import Effect, Lamp, Light, Say, Seen, Show, Sound, Tone
from referee.game.match.phases import Phase
from referee.game.match.round import begin_turn
from referee.game.match.round_end import close
from referee.game.match.state import State, Transition
from referee.game.notice import Notice
from referee.game.scoring import no_score
from referee.game.table import tiles_on


def ask_for_deal(state: State, t: float) -> Transition:
    """Begin a round: the dealer lays one tile open and presses."""
    state, _ = begin_turn(replace(state, gin=GinRound()), 1 - state.first, t)
    notice = Notice("gin.deal", player=state.seat.name, hand=state.seat.hand)
    return state, (Lamp(state.current, Light.TURN), Say(notice))


def dealt(state: State, event: Seen) -> Transition:
    """The look after the deal: exactly one tile lies open, and the other player may take it."""
    tiles = tuple(tiles_on(event.table).elements())
    if len(tiles) != 1 or tiles[0].is_joker:
        notice = Notice("gin.one_tile_open", seen=len(tiles))
        return _again(state, event), (*refusal(state), Say(notice))
    state = replace(state, table=event.table, stock=state.stock - 1)
    after, effects = _hand_over(state, GinRound(Stage.FIRST_OFFER, tiles), event.t)
    return after, (*acceptance(state), *effects)


def look_after_turn(state: State, before: GinRound, event: Seen) -> Transition:
    """The look at the end of a turn: it is over, or it goes on, or the player has knocked."""
    answer = judge_discard(before, event.table, state.current, state.rules.box)
    verdict = answer.verdict
    if not verdict.accepted:
        state = replace(_again(state, event), gin=answer.after)
        return state, (*refusal(state, verdict), *(Say(fault.notice) for fault in verdict.faults))
    state = replace(state, table=event.table, stock=state.stock - answer.drew)
    effects = acceptance(state, verdict)
    if before.knocks:
        after, more = _ask_for_hand(state, answer.after)
    elif answer.left:
        following = Stage.SECOND_OFFER if before.stage is Stage.FIRST_OFFER else Stage.MUST_DRAW
        after, more = _hand_over(state, replace(answer.after, stage=following), event.t)
    else:
        after, more = end_turn(state, answer.after, event.t)
    return after, (*effects, *more)


def end_turn(state: State, after: GinRound, t: float) -> Transition:
    """Go on to the next turn, or end the round where no tile is left to be drawn."""
    never_drawn = knocking_of(state.rules).never_drawn
    if state.stock > never_drawn:
        return _hand_over(state, replace(after, stage=Stage.TURN), t)
    state, effects = close(replace(state, gin=after), no_score(len(state.seats)))
    notice = Notice("gin.drawn_round", left=never_drawn)
    return state, (Tone(Sound.ROUND_OVER), Say(notice), *effects)


def _hand_over(state: State, after: GinRound, t: float) -> Transition:
    after = replace(after, confirming=False, knocks=False)
    state, effects = begin_turn(replace(state, gin=after), state.following, t)
    return state, (*effects, *_hint(after))


def _hint(after: GinRound) -> tuple[Effect, ...]:
    if after.stage.offer:
        return (Say(Notice("gin.take_or_leave", tile=after.open[-1])),)
    if after.stage is Stage.MUST_DRAW:
        return (Say(Notice("gin.take_hidden")),)
    return ()


def _ask_for_hand(state: State, after: GinRound) -> Transition:
    """A knock: the player lays the hand open."""
    state = replace(
        state, phase=Phase.SHOWING, gin=replace(after, stage=Stage.KNOCKER, knocks=False, confirming=False)
    )
    notice = Notice("gin.knocks", player=state.seat.name)
    return state, (Lamp(state.current, Light.TURN), Say(notice))


def _again(state: State, event: Seen) -> State:
    return replace(state, phase=Phase.TURN, clock=state.clock.start(event.t), refused=True)


def acceptance(state: State, verdict: Verdict | None = None) -> tuple[Effect, ...]:
    """What tells the current player that all is well."""
    return (Lamp(state.current, Light.ACCEPTED), Tone(Sound.ACCEPTED), *_show_verdict(verdict))


def refusal(state: State, verdict: Verdict | None = None) -> tuple[Effect, ...]:
    """What tells the current player that something is wrong."""
    return (Lamp(state.current, Light.REFUSED), Tone(Sound.REFUSED), *_show_verdict(verdict))


def _show_verdict(verdict: Verdict | None) -> tuple[Effect, ...]:
    return () if verdict is None else (Show(verdict),)
