"""After a knock: the knocker's hand, the opponent's hand, and the score; or a knock refused and the hand taken back.

The book does not say what follows a knock with too high a rest. Here the knocker takes the hand back, which everybody
has seen, and the turn is over; so it is when a knock is withdrawn before any tile was shown, after a press by mistake.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.gin.hands import Arrangement, least_rest
from referee.game.gin.laying import Laying, knockers_hand, opponents_hand
from referee.game.gin.round import GinRound, Stage
from referee.game.gin.showdown import knocking_of, settle
from referee.game.match.events import Effect, Lamp, Light, PutRight, Say, Seen, Sound, Tone
from referee.game.match.gin.turns import acceptance, end_turn, refusal
from referee.game.match.phases import Phase
from referee.game.match.round_end import close
from referee.game.match.state import State, Transition
from referee.game.notice import Notice
from referee.game.table import Table, in_order, tiles_on


def knocker_laid(state: State, before: GinRound, event: Seen) -> Transition:
    """The look at the knocker's hand."""
    if set(tiles_on(event.table)) == set(before.open):
        return _nothing_laid(state, before, event)
    state = replace(state, gin=replace(before, confirming=False))
    laying = knockers_hand(before, event.table, state.current, state.seat.hand, state.rules)
    if laying.too_high:
        return _refuse_knock(state, before, laying, event.table)
    if laying.hand is None:
        return _lay_again(state, laying.wrong)
    effects = acceptance(state)
    said = Say(left_with(state.seat.name, laying.hand))
    state = _laid(state, laying, event.table)
    state = replace(state, gin=replace(before, stage=Stage.OPPONENT, laid=laying.hand), current=state.following)
    key = "gin.lay_sets_and_add" if laying.hand.rest else "gin.lay_sets"
    asked = Say(Notice(key, player=state.seat.name))
    return replace(state, phase=Phase.SHOWING), (*effects, said, Lamp(state.current, Light.TURN), asked)


def opponent_laid(state: State, before: GinRound, event: Seen) -> Transition:
    """The look at the opponent's hand, after which the round is scored."""
    laying = opponents_hand(before, event.table, state.current, state.seat.hand, state.rules)
    if laying.hand is None:
        return _lay_again(state, laying.wrong)
    effects = acceptance(state)
    state = _laid(state, laying, event.table)
    knocker, rests = state.following, [laying.hand.points] * 2
    rests[knocker] = before.laid.points
    score = settle(knocker, (rests[0], rests[1]), not before.laid.rest, state.rules)
    points = max(score.scores)
    winner = state.seats[score.scores.index(points)].name
    told = (Say(left_with(state.seat.name, laying.hand)), Say(Notice("gin.gets_points", player=winner, points=points)))
    state, more = close(state, score)
    return state, (*effects, Tone(Sound.ROUND_OVER), *told, *more)


def taken_back(state: State, before: GinRound, event: Seen) -> Transition:
    """The look after a refused knock: only the open row lies there."""
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
    """A knock with too high a rest: the hand goes back, and everybody knows it now."""
    known = before.knowing(state.current, frozenset(laying.tiles))
    after = replace(known, stage=Stage.TAKING_BACK, confirming=False, hidden=before.known[state.current])
    least, below = least_rest(laying.tiles, state.rules), knocking_of(state.rules).below
    notice = Notice("gin.knock_too_high", least=least, below=below)
    steps = _steps(after, table)
    effects = (*refusal(state), Say(notice), PutRight(state.current, state.table, steps))
    return replace(state, phase=Phase.PUTTING_RIGHT, refused=True, gin=after), effects


def _steps(before: GinRound, table: Table) -> tuple[Notice, ...]:
    """What leads back to the open row."""
    seen, row = set(tiles_on(table)), set(before.open)
    steps = []
    if seen - row:
        steps.append(Notice("judge.take_into_hand", tiles=in_order(seen - row)))
    if row - seen:
        steps.append(Notice("judge.put_on_table", tiles=in_order(row - seen)))
    return tuple(steps)


def _laid(state: State, laying: Laying, table: Table) -> State:
    """The state in which the current player's tiles lie on the table."""
    return replace(state.with_seat(replace(state.seat, hand=0, shown=laying.tiles)), table=table)


def _lay_again(state: State, notices: tuple[Notice, ...]) -> Transition:
    effects: tuple[Effect, ...] = (*refusal(state), *map(Say, notices))
    return replace(state, phase=Phase.SHOWING, refused=True), effects


def left_with(name: str, hand: Arrangement) -> Notice:
    """What a hand laid open counts."""
    if not hand.rest:
        return Notice("gin.no_tile_left", player=name)
    return Notice("gin.left_with", player=name, points=hand.points)
