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
from referee.game.match.state import State, Step
from referee.game.table import Table, in_order, tiles_on
from referee.game.wording import count, listed


def knocker_laid(state: State, before: GinRound, event: Seen) -> Step:
    """The look at the knocker's hand."""
    if set(tiles_on(event.table)) == set(before.open):
        return _nothing_laid(state, before, event)
    state = replace(state, gin=replace(before, confirming=False))
    laying = knockers_hand(before, event.table, state.current, state.seat.hand, state.rules)
    if laying.too_high:
        return _refused(state, before, laying, event.table)
    if laying.hand is None:
        return _lay_again(state, laying.wrong)
    effects = acceptance(state)
    said = Say(_left_with(state.seat.name, laying.hand))
    state = _laid(state, laying, event.table)
    state = replace(state, gin=replace(before, stage=Stage.OPPONENT, laid=laying.hand), current=state.following)
    added = " and tiles that fit the sets of the knocker" if laying.hand.rest else ""
    text = f"{state.seat.name}, lay your sets{added}, every other tile by itself, and press."
    return replace(state, phase=Phase.SHOWING), (*effects, said, Lamp(state.current, Light.TURN), Say(text))


def opponent_laid(state: State, before: GinRound, event: Seen) -> Step:
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
    told = (Say(_left_with(state.seat.name, laying.hand)), Say(f"{winner} gets {count(points, 'point')}."))
    state, more = close(state, score)
    return state, (*effects, Tone(Sound.ROUND_OVER), *told, *more)


def taken_back(state: State, before: GinRound, event: Seen) -> Step:
    """The look after a refused knock: only the open row lies there."""
    if steps := _steps(before, event.table):
        put_right = PutRight(state.current, state.table, steps)
        return replace(state, phase=Phase.PUTTING_RIGHT), (put_right,)
    return end_turn(state, before, event.t)


def _nothing_laid(state: State, before: GinRound, event: Seen) -> Step:
    if before.confirming:
        after, effects = end_turn(state, before, event.t)
        return after, (Say(f"{state.seat.name} does not knock after all."), *effects)
    text = f"Lay your {count(state.seat.hand, 'tile')} open, or press again if you do not want to knock."
    return _lay_again(replace(state, gin=replace(before, confirming=True)), (text,))


def _refused(state: State, before: GinRound, laying: Laying, table: Table) -> Step:
    """A knock with too high a rest: the hand goes back, and everybody knows it now."""
    after = replace(before.knowing(state.current, frozenset(laying.tiles)), stage=Stage.TAKING_BACK, confirming=False)
    least, below = least_rest(laying.tiles, state.rules), knocking_of(state.rules).below
    text = f"The knock does not count: your rest is {least} at least, and must be less than {below}."
    steps = _steps(after, table)
    effects = (*refusal(state), Say(text), PutRight(state.current, state.table, steps))
    return replace(state, phase=Phase.PUTTING_RIGHT, gin=after), effects


def _steps(before: GinRound, table: Table) -> tuple[str, ...]:
    """What leads back to the open row."""
    seen, row = set(tiles_on(table)), set(before.open)
    steps = []
    if seen - row:
        steps.append(f"Take {listed(in_order(seen - row))} into your hand.")
    if row - seen:
        steps.append(f"Put {listed(in_order(row - seen))} on the table again.")
    return tuple(steps)


def _laid(state: State, laying: Laying, table: Table) -> State:
    """The state in which the current player's tiles lie on the table."""
    return replace(state.with_seat(replace(state.seat, hand=0, shown=laying.tiles)), table=table)


def _lay_again(state: State, texts: tuple[str, ...]) -> Step:
    effects: tuple[Effect, ...] = (*refusal(state), *map(Say, texts))
    return replace(state, phase=Phase.SHOWING), effects


def _left_with(name: str, hand: Arrangement) -> str:
    return f"{name} is left with {count(hand.points, 'point')}." if hand.rest else f"{name} has no tile left."
