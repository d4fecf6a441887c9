"""The course of a round: deal, end of a turn, the hands at the end, the score."""

from __future__ import annotations

from dataclasses import replace

from referee.game.clock import TurnClock
from referee.game.events import DrawTile, Effect, Lamp, Light, MatchOver, Say, ScoreRound, Sound, Tone
from referee.game.rulesets.base import StockEnd
from referee.game.scoring import RoundScore, hand_points, no_score, score_counted, score_round
from referee.game.state import Phase, Seat, State
from referee.game.table import Table, tiles_on
from referee.game.tiles import Tile
from referee.game.wording import count

Step = tuple[State, tuple[Effect, ...]]


def deal(state: State, first: int, t: float) -> Step:
    """Begin a round with `first`."""
    names = state.sheet.players
    hand = state.rules.hand_size(len(names))
    state = replace(
        state,
        seats=tuple(Seat(name, hand) for name in names),
        table=(),
        stock=state.rules.box.total - hand * len(names),
        first=first,
        passes=0,
        winner=None,
    )
    return _begin_turn(state, first, t)


def finish_turn(state: State, table: Table, draws: int, t: float) -> Step:
    """End the current player's turn with `table` as it lies now and so many tiles to draw."""
    hand = state.seat.hand + tiles_on(state.table).total() - tiles_on(table).total()
    state = replace(state.with_seat(replace(state.seat, hand=hand)), table=table, due=None)
    if hand == 0:
        said = Say(f"{state.seat.name} has laid the last tile.")
        state, effects = _show_hands(replace(state, winner=state.current))
        return state, (Tone(Sound.ROUND_OVER), said, *effects)
    if not draws:
        return _begin_turn(replace(state, passes=0), state.following, t)
    if not state.stock:
        return _cannot_draw(state, t)
    return _draw(state, min(draws, state.stock), t)


def _draw(state: State, number: int, t: float) -> Step:
    seat = replace(state.seat, hand=state.seat.hand + number)
    drawn = (Lamp(state.current, Light.DRAW), DrawTile(state.current, number))
    state = replace(state.with_seat(seat), stock=state.stock - number)
    if not state.stock and state.rules.stock_end is StockEnd.LAST_DRAWN:
        state, effects = _end_by_stock(state)
    else:
        state, effects = _begin_turn(state, state.following, t)
    return state, (*drawn, *effects)


def _cannot_draw(state: State, t: float) -> Step:
    """The stock is empty: the round ends, or the player merely passes."""
    state = replace(state, passes=state.passes + 1)
    if state.rules.stock_end is StockEnd.NOBODY_LAYS and state.passes < len(state.seats):
        said = Say(f"The stock is empty, so {state.seat.name} passes.")
        state, effects = _begin_turn(state, state.following, t)
        return state, (said, *effects)
    return _end_by_stock(state)


def _end_by_stock(state: State) -> Step:
    over = (Tone(Sound.ROUND_OVER), Say("The stock is empty: the round is over."))
    if state.rules.stock_counts:
        state, effects = _show_hands(state)
    else:
        state, effects = _close(state, no_score(len(state.seats)))
    return state, (*over, *effects)


def _begin_turn(state: State, player: int, t: float) -> Step:
    clock = TurnClock(state.rules.turn_seconds).start(t)
    state = replace(state, phase=Phase.TURN, current=player, clock=clock)
    return state, (Lamp(player, Light.TURN), Say(f"{state.seat.name}, it is your turn."))


def _show_hands(state: State) -> Step:
    """Ask the next player with a hidden hand to show it; score the round when there is none."""
    order = [(state.current + step) % len(state.seats) for step in range(1, len(state.seats) + 1)]
    hidden = [seat for seat in order if state.seats[seat].shown is None and seat != state.winner]
    if not hidden:
        return _close(state, _score(state))
    state = replace(state, phase=Phase.SHOWING, current=hidden[0])
    text = f"{state.seat.name}, lay your {count(state.seat.hand, 'tile')} open on the table and press."
    return state, (Lamp(state.current, Light.TURN), Say(text))


def count_hand(state: State, tiles: tuple[Tile, ...], table: Table) -> Step:
    """Take the current player's hand, if it has as many tiles as it must have; `table` is what lies open then."""
    if len(tiles) != state.seat.hand:
        expected = count(state.seat.hand, "tile")
        text = f"{state.seat.name} should have {expected} left, but {len(tiles)} new lie on the table."
        return replace(state, phase=Phase.SHOWING), (Lamp(state.current, Light.REFUSED), Say(text))
    return _show_hands(replace(state.with_seat(replace(state.seat, shown=tiles)), table=table))


def _score(state: State) -> RoundScore:
    hands = [hand_points(seat.shown or (), state.rules) for seat in state.seats]
    if state.winner is None:
        return score_counted(hands, state.rules)
    return score_round(hands, state.winner, state.rules)


def _close(state: State, score: RoundScore) -> Step:
    """Write the round down; the match is over after the rounds agreed."""
    state = replace(
        state, sheet=state.sheet.add(score), clock=TurnClock(state.rules.turn_seconds), winner=score.winner
    )
    if len(state.sheet.rounds) < state.rounds:
        return replace(state, phase=Phase.BETWEEN), (ScoreRound(score),)
    over = MatchOver(state.sheet.leaders(state.rules), state.sheet.totals)
    return replace(state, phase=Phase.OVER), (ScoreRound(score), over)
