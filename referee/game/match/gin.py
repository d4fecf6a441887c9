"""Gin in the state machine of the match.

The phases are those of every match; `Stage` says what the player is doing. Presses, doubts, pauses, corrections and
the end of the match are handled as in other games.

A round consists of the deal, the offers of the first open tile, ordinary turns, and the end of the stock or a knock.
After a knock both hands are laid open and counted, or the knock is refused and the knocker takes the hand back.

The rule book does not say what follows a knock with too much deadwood. Here the knocker takes the hand back, which
everybody has seen, and the turn is over. The turn is also over if a knock that was pressed by mistake is withdrawn
before any tile was shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.game.gin.discards import judge_discard
from referee.game.gin.hands import Arrangement, least_rest
from referee.game.gin.round import GinRound, Stage
from referee.game.gin.showdown import Laying, knockers_hand, knocking_of, opponents_hand, settle
from referee.game.judge.verdict import Verdict
from referee.game.match.events import (
    Effect,
    Event,
    HandShown,
    Lamp,
    Light,
    OutOfOrder,
    Pressed,
    PutRight,
    Reviewed,
    RoundStarted,
    Say,
    Seen,
    Show,
    Sound,
    Started,
    Tone,
)
from referee.game.match.phases import Phase
from referee.game.match.round import begin_turn
from referee.game.match.round_end import close
from referee.game.match.state import State, Transition
from referee.game.notice import Notice
from referee.game.scoring import no_score
from referee.game.table import Table, in_order, tiles_on


def ask_for_deal(state: State, t: float) -> Transition:
    """Begin a round: the dealer lays one tile open and presses."""
    state, _ = begin_turn(replace(state, gin=GinRound()), 1 - state.first, t)
    notice = Notice("gin.deal", player=state.seat.name, hand=state.seat.hand)
    return state, (Lamp(state.current, Light.TURN), Say(notice))


def check_deal(state: State, event: Seen) -> Transition:
    """Check the look after the deal: exactly one tile must lie open, which the other player may then take."""
    tiles = tuple(tiles_on(event.table).elements())
    if len(tiles) != 1 or tiles[0].is_joker:
        notice = Notice("gin.one_tile_open", seen=len(tiles))
        return _again(state, event), (*refusal(state), Say(notice))
    state = replace(state, table=event.table, stock=state.stock - 1)
    after, effects = _hand_over(state, GinRound(Stage.FIRST_OFFER, tiles), event.t)
    return after, (*acceptance(state), *effects)


def look_after_turn(state: State, before: GinRound, event: Seen) -> Transition:
    """Handle the look at the end of a turn: it is over, or goes on, or the player has knocked."""
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
    """Begin the next turn, or end the round if no tile is left to be drawn."""
    never_drawn = knocking_of(state.rules).never_drawn
    if state.stock > never_drawn:
        return _hand_over(state, replace(after, stage=Stage.TURN), t)
    state, effects = close(replace(state, gin=after), no_score(len(state.seats)))
    notice = Notice("gin.drawn_round", left=never_drawn)
    return state, (Tone(Sound.ROUND_OVER), Say(notice), *effects)


def _hand_over(state: State, after: GinRound, t: float) -> Transition:
    after = replace(after, confirming=False, knocks=False)
    state, effects = begin_turn(replace(state, gin=after), state.next_seat, t)
    return state, (*effects, *_hint(after))


def _hint(after: GinRound) -> tuple[Effect, ...]:
    if after.stage.offer:
        return (Say(Notice("gin.take_or_leave", tile=after.open[-1])),)
    if after.stage is Stage.MUST_DRAW:
        return (Say(Notice("gin.take_hidden")),)
    return ()


def _ask_for_hand(state: State, after: GinRound) -> Transition:
    """Ask the player who has knocked to lay the hand open."""
    state = replace(
        state, phase=Phase.SHOWING, gin=replace(after, stage=Stage.KNOCKER, knocks=False, confirming=False)
    )
    notice = Notice("gin.knocks", player=state.seat.name)
    return state, (Lamp(state.current, Light.TURN), Say(notice))


def _again(state: State, event: Seen) -> State:
    return replace(state, phase=Phase.TURN, clock=state.clock.start(event.t), refused=True)


def acceptance(state: State, verdict: Verdict | None = None) -> tuple[Effect, ...]:
    """Return the effects that tell the current player that the turn is accepted."""
    return (Lamp(state.current, Light.ACCEPTED), Tone(Sound.ACCEPTED), *_show_verdict(verdict))


def refusal(state: State, verdict: Verdict | None = None) -> tuple[Effect, ...]:
    """Return the effects that tell the current player that something is wrong."""
    return (Lamp(state.current, Light.REFUSED), Tone(Sound.REFUSED), *_show_verdict(verdict))


def _show_verdict(verdict: Verdict | None) -> tuple[Effect, ...]:
    return () if verdict is None else (Show(verdict),)


def play(state: State, event: Event, usual: Callable[[State, Any], Transition]) -> Transition:
    """Return the state after `event` and the effects; `usual` is the handler of the event in other games.

    Raises OutOfOrder if the event cannot happen now. It is also raised for a hand that is entered instead of laid,
    because that would not show which tiles form sets.
    """
    match event:
        case Started() | RoundStarted():
            return ask_for_deal(usual(state, event)[0], event.t)
        case Pressed():
            after, effects = usual(state, event)
            # The knock is remembered while a doubt is asked about.
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
            return check_deal(state, event)
        case Stage.KNOCKER:
            return check_knockers_hand(state, before, event)
        case Stage.TAKING_BACK:
            return check_hand_taken_back(state, before, event)
        case Stage.OPPONENT:
            return check_opponents_hand(state, before, event)
    return look_after_turn(state, before, event)


def _before_the_look(state: State) -> GinRound:
    """Return the round as it was before the look that is judged again.

    If that look was refused because nothing had changed, it was the first such look: a second one is accepted.
    """
    before = replace(_round(state), confirming=False)
    if before.stage is Stage.TAKING_BACK and state.refused:
        return replace(before.with_known_tiles(state.current, before.hidden), stage=Stage.KNOCKER)
    return before


def _round(state: State) -> GinRound:
    return state.gin or GinRound()


def check_knockers_hand(state: State, before: GinRound, event: Seen) -> Transition:
    """Handle the look at the knocker's hand."""
    if set(tiles_on(event.table)) == set(before.open):
        return _nothing_laid(state, before, event)
    state = replace(state, gin=replace(before, confirming=False))
    laying = knockers_hand(before, event.table, state.current, state.seat.hand, state.rules)
    if laying.too_high:
        return _refuse_knock(state, before, laying, event.table)
    if laying.hand is None:
        return _lay_again(state, laying.wrong)
    effects = acceptance(state)
    said = Say(deadwood_notice(state.seat.name, laying.hand))
    state = _state_after_laying(state, laying, event.table)
    state = replace(state, gin=replace(before, stage=Stage.OPPONENT, laid=laying.hand), current=state.next_seat)
    key = "gin.lay_sets_and_add" if laying.hand.rest else "gin.lay_sets"
    asked = Say(Notice(key, player=state.seat.name))
    return replace(state, phase=Phase.SHOWING), (*effects, said, Lamp(state.current, Light.TURN), asked)


def check_opponents_hand(state: State, before: GinRound, event: Seen) -> Transition:
    """Handle the look at the opponent's hand, and score the round."""
    laying = opponents_hand(before, event.table, state.current, state.seat.hand, state.rules)
    if laying.hand is None:
        return _lay_again(state, laying.wrong)
    effects = acceptance(state)
    state = _state_after_laying(state, laying, event.table)
    knocker, rests = state.next_seat, [laying.hand.points] * 2
    rests[knocker] = before.laid.points
    score = settle(knocker, (rests[0], rests[1]), not before.laid.rest, state.rules)
    points = max(score.scores)
    winner = state.seats[score.scores.index(points)].name
    told = (
        Say(deadwood_notice(state.seat.name, laying.hand)),
        Say(Notice("gin.gets_points", player=winner, points=points)),
    )
    state, more = close(state, score)
    return state, (*effects, Tone(Sound.ROUND_OVER), *told, *more)


def check_hand_taken_back(state: State, before: GinRound, event: Seen) -> Transition:
    """Handle the look after a refused knock: only the open row must lie there."""
    if steps := _steps(before, event.table):
        put_right = PutRight(state.current, state.table, steps)
        return replace(state, phase=Phase.PUTTING_RIGHT), (put_right,)
    return end_turn(state, before, event.t)


def _nothing_laid(state: State, before: GinRound, event: Seen) -> Transition:
    if before.confirming:
        after, effects = end_turn(state, before, event.t)
        return after, (Say(Notice("gin.no_knock", player=state.seat.name)), *effects)
    notice = Notice("gin.lay_or_do_not_knock", hand=state.seat.hand)
    return _lay_again(replace(state, gin=replace(before, confirming=True)), (notice,))


def _refuse_knock(state: State, before: GinRound, laying: Laying, table: Table) -> Transition:
    """Refuse a knock with too much deadwood: the hand goes back, and its tiles are now known to everybody."""
    known = before.with_known_tiles(state.current, frozenset(laying.tiles))
    after = replace(known, stage=Stage.TAKING_BACK, confirming=False, hidden=before.known[state.current])
    least, below = least_rest(laying.tiles, state.rules), knocking_of(state.rules).below
    notice = Notice("gin.knock_too_high", least=least, below=below)
    steps = _steps(after, table)
    effects = (*refusal(state), Say(notice), PutRight(state.current, state.table, steps))
    return replace(state, phase=Phase.PUTTING_RIGHT, refused=True, gin=after), effects


def _steps(before: GinRound, table: Table) -> tuple[Notice, ...]:
    """Return the steps that lead back to the open row."""
    seen, row = set(tiles_on(table)), set(before.open)
    steps = []
    if seen - row:
        steps.append(Notice("judge.take_into_hand", tiles=in_order(seen - row)))
    if row - seen:
        steps.append(Notice("judge.put_on_table", tiles=in_order(row - seen)))
    return tuple(steps)


def _state_after_laying(state: State, laying: Laying, table: Table) -> State:
    """Return the state with the current player's tiles laid on the table."""
    return replace(state.with_seat(replace(state.seat, hand=0, shown=laying.tiles)), table=table)


def _lay_again(state: State, notices: tuple[Notice, ...]) -> Transition:
    effects: tuple[Effect, ...] = (*refusal(state), *map(Say, notices))
    return replace(state, phase=Phase.SHOWING, refused=True), effects


def deadwood_notice(name: str, hand: Arrangement) -> Notice:
    """Return a notice of the deadwood of a hand laid open."""
    if not hand.rest:
        return Notice("gin.no_tile_left", player=name)
    return Notice("gin.left_with", player=name, points=hand.points)
