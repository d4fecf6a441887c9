"""The end of a round: hands are shown one after the other, the round is scored, and the match may end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.game.clock import TurnClock
from referee.game.judge.best_turn import best_turn
from referee.game.match.events import Effect, Lamp, Light, MatchOver, Say, ScoreRound
from referee.game.match.phases import Phase
from referee.game.match.state import Seat, State, Transition, without_aside
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset, WinnerGets
from referee.game.scoring import RoundScore, hand_points, score_counted, score_round
from referee.game.table import Table, in_order, laid_tiles, tiles_on, vanished_tiles
from referee.game.tiles import JOKER, Tile

QUESTIONS = 300
"""How many questions are asked at most in the search for a first meld in a hand, which bounds its time."""


def show_hands(state: State) -> Transition:
    """Ask the next player with a hidden hand to show it; score the round when nobody needs to."""
    order = [(state.current + step) % len(state.seats) for step in range(1, len(state.seats) + 1)]
    hidden = [seat for seat in order if state.seats[seat].shown is None and seat != state.winner]
    won_by_itself = state.winner is not None and state.rules.scoring.winner_gets is WinnerGets.ONE
    if won_by_itself or not hidden:
        score = _score(state)
        state, effects = close(state, score)
        return state, (*_unopened(state, score.hands), *effects)
    return ask_for_hand(replace(state, current=hidden[0]))


def ask_for_hand(state: State) -> Transition:
    """Ask the current player to show the hand."""
    notice = Notice("match.show_hand", player=state.seat.name, hand=state.seat.hand)
    state = replace(state, phase=Phase.SHOWING, called=False, in_question=None)
    return state, (Lamp(state.current, Light.TURN), Say(notice))


def take_entered_hand(state: State, tiles: tuple[Tile, ...]) -> Transition:
    """Accept the current player's hand as it was entered; the tiles need not be shown."""
    if miscounted := _miscount_notice(state, tiles):
        return _again(state, Notice("match.sentence", what=miscounted))
    if wrong := _impossible(state, tiles):
        return _again(state, wrong)
    return show_hands(state.with_seat(replace(state.seat, shown=in_order(tiles))))


def take_shown_hand(state: State, table: Table) -> Transition:
    """Accept the current player's hand: the tiles that are new on the table. No other tile may be missing.

    If their number does not agree with the count, the player is told; if the player insists, the hand is accepted.
    """
    if gone := vanished_tiles(state.table, table):
        return _again(state, Notice("match.put_back", tiles=in_order(gone.elements())))
    if laid_tiles(state.table, table).total() != state.seat.hand:
        table = without_aside(state, table)
    tiles = in_order(laid_tiles(state.table, table).elements())
    miscounted = _miscount_notice(state, tiles)
    if miscounted and not state.called:
        return _again(state, Notice("match.hold_if_right", what=miscounted), table)
    if wrong := _impossible(state, tiles):
        return _again(state, wrong)
    seat = replace(state.seat, shown=tiles, hand=0)
    after, effects = show_hands(replace(state.with_seat(seat), table=table, called=False))
    return after, (*((Say(Notice("match.counts_as_it_lies", what=miscounted)),) if miscounted else ()), *effects)


def _again(state: State, notice: Notice, in_question: Table | None = None) -> Transition:
    state = replace(state, phase=Phase.SHOWING, called=False, in_question=in_question)
    return state, (Lamp(state.current, Light.REFUSED), Say(notice))


def _miscount_notice(state: State, tiles: tuple[Tile, ...]) -> Notice | None:
    """Return how the current player's hand differs from the count; None if it agrees."""
    seat = state.seat
    if len(tiles) != seat.hand:
        return Notice("match.miscounted", player=seat.name, hand=seat.hand, shown=len(tiles))
    jokers = tiles.count(JOKER)
    if seat.jokers is not None and jokers != seat.jokers:
        return Notice("match.miscounted_jokers", player=seat.name, jokers=seat.jokers, shown=jokers)
    return None


def _impossible(state: State, tiles: tuple[Tile, ...]) -> Notice | None:
    """Return why these tiles cannot be a hand, as the box does not hold so many; None if they can."""
    box = state.rules.box
    told = (other.shown or () for other in state.seats if other.hand)
    everywhere = tiles_on((*state.table, *told, tiles, () if state.aside is None else (state.aside,)))
    for tile in in_order(everywhere):
        most = box.jokers if tile.is_joker else box.copies
        if everywhere[tile] > most:
            return Notice("match.more_than_box", tiles=(tile,) * everywhere[tile], most=most)
    return None


def points_against(seat: Seat, rules: Ruleset) -> int:
    """Return what the hand of a player counts at the end of a round."""
    scoring, hand = rules.scoring, seat.shown or ()
    if seat.opened or scoring.unopened is None or scoring.withheld is None:
        return hand_points(hand, rules)
    if scoring.withheld == scoring.unopened:
        return scoring.unopened
    # It counts as withheld only if it is proven that the hand holds a first meld.
    return scoring.withheld if best_turn((), hand, rules, opened=False, questions=QUESTIONS).laid else scoring.unopened


def _unopened(state: State, hands: Sequence[int]) -> Iterator[Effect]:
    """Yield what is said of each hand that counts otherwise than its tiles."""
    if state.rules.scoring.unopened is None:
        return
    for seat, points in zip(state.seats, hands, strict=True):
        if not seat.opened:
            yield Say(Notice("match.unopened", player=seat.name, points=points))


def _score(state: State) -> RoundScore:
    hands = [points_against(seat, state.rules) for seat in state.seats]
    if state.winner is None:
        return score_counted(hands, state.rules)
    return score_round(hands, state.winner, state.rules, in_one_turn=state.in_one_turn)


def close(state: State, score: RoundScore) -> Transition:
    """Write the round on the score sheet; the match continues with the next round, or is over."""
    state = replace(
        state,
        sheet=state.sheet.add(score),
        phase=Phase.BETWEEN,
        clock=TurnClock(state.rules.turn_seconds),
        winner=score.winner,
        called=False,
        in_question=None,
    )
    state, effects = settle(state)
    return state, (ScoreRound(score, len(state.sheet.rounds)), *effects)


def settle(state: State) -> Transition:
    """End the match if it is over by the score sheet; otherwise wait for the next round."""
    if not state.closing and not state.sheet.is_over(state.rules, state.rounds):
        return replace(state, phase=Phase.BETWEEN), ()
    over = MatchOver(state.sheet.leaders(state.rules), state.sheet.totals)
    return replace(state, phase=Phase.OVER), (over,)
