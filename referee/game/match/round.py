"""The course of a round: the deal, turns, draws, and the ways in which a round ends.

This includes who begins a round, and the optional time limit for rebuilding.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.errors import BadInput
from referee.game.clock import TurnClock
from referee.game.match.events import DrawTile, Effect, Lamp, Light, OutOfOrder, RebuildBegun, Say, Sound, Tone
from referee.game.match.phases import Phase
from referee.game.match.round_end import close, show_hands
from referee.game.match.state import Seat, State, Transition, without_aside
from referee.game.notice import Notice
from referee.game.rulebooks.model import Fresh, Ruleset, Starts, StockEnd
from referee.game.scoring import no_score
from referee.game.table import Change, Table, laid_tiles, tiles_on
from referee.game.tiles import JOKER, Tile


def usual_first_seat(state: State) -> int:
    """Return the seat that begins the next round if nobody chooses: the last winner if so ruled, else the next seat.

    If the last winner would begin but nobody won the last round, the same player begins again.
    """
    if state.rules.starts is not Starts.WINNER:
        return (state.first + 1) % len(state.seats)
    winner = state.sheet.rounds[-1].winner if state.sheet.rounds else None
    return state.first if winner is None else winner


def way_to_choose_first(state: State) -> Starts | None:
    """Return how the first player is to be chosen (lot, agreement, drawing); None if it follows from the match."""
    starts = state.rules.starts
    if starts is Starts.WINNER and not state.seats:
        return Starts.LOT
    return None if starts in (Starts.NEXT, Starts.WINNER) else starts


__all__ = ["Transition", "begin_turn", "deal", "draw_and_go_on", "finish_turn", "may_go_on"]


def deal(state: State, first: int, aside: Tile | None, t: float) -> Transition:
    """Begin a round with `first`; raises BadInput if the tile set aside is missing, not allowed, or a joker."""
    rules, players = state.rules, len(state.seats)
    _check_aside(aside, rules)
    hand = rules.hand_size(players)
    jokers = rules.jokers_known(players)
    state = replace(
        state,
        seats=tuple(
            Seat(seat.name, hand, jokers=jokers, handicap=seat.handicap, bank=_bank(rules)) for seat in state.seats
        ),
        table=(),
        stock=rules.box.total - hand * players - (aside is not None),
        aside=aside,
        first=first,
        passes=0,
        winner=None,
        in_one_turn=False,
        words=(),
        agreed=(),
    )
    return begin_turn(state, first, t)


def _bank(rules: Ruleset) -> float | None:
    return None if rules.melds is None else rules.timing.bank


def _check_aside(aside: Tile | None, rules: Ruleset) -> None:
    if rules.finish.last_tile and aside is None:
        raise BadInput("expected the tile that lies open aside, got none")
    if not rules.finish.last_tile and aside is not None:
        raise BadInput(f"expected no tile aside by these rules of {rules.name}, got {aside}")
    if aside == JOKER:
        raise BadInput("expected a tile with a number aside, got a joker: put it back and draw another")


def begin_turn(state: State, player: int, t: float) -> Transition:
    """Give the turn to `player` and start the clock."""
    state = replace(
        state,
        phase=Phase.TURN,
        current=player,
        drew=False,
        declared=False,
        called=False,
        in_question=None,
        due=None,
        refused=False,
    )
    clock = TurnClock(_seconds(state)).start(t)
    return replace(state, clock=clock), (
        Lamp(player, Light.TURN),
        Say(Notice("match.your_turn", player=state.seat.name)),
    )


def _seconds(state: State) -> float | None:
    """Return the seconds of the current player's turn if its clock starts with the turn; None without."""
    if state.rules.turn_seconds is None:
        return None
    timing, seat = state.rules.timing, state.seat
    if seat.bank is not None:
        return seconds_of(state)
    return seconds_of(state) if (seat.opened or timing.before_opening) and not timing.rebuilding else None


def seconds_of(state: State) -> float | None:
    """Return the seconds that the current player has once the clock runs; None without a clock."""
    seconds = state.rules.turn_seconds
    return None if seconds is None else seconds + state.seat.handicap + (state.seat.bank or 0.0)


def _charge_bank(state: State, t: float) -> State:
    """Return the state with the time of the turn that ends taken from its player's bank, except for the delay."""
    seat, seconds = state.seat, state.rules.turn_seconds
    if seat.bank is None or seconds is None:
        return state
    used = max(0.0, state.clock.elapsed_s(t) - seconds - seat.handicap)
    return state.with_seat(replace(seat, bank=max(0.0, seat.bank - used)))


def may_go_on(state: State) -> bool:
    """Return whether a player who laid nothing draws and may then still lay, which is possible once in a turn."""
    fresh = state.rules.meld_rules.fresh
    return (
        state.stock > 0
        and not state.drew
        and (fresh is Fresh.PLAYS or (fresh is Fresh.OPENS and not state.seat.opened))
    )


def draw_and_go_on(state: State, table: Table, t: float) -> Transition:
    """Let the current player draw in the middle of the turn; the clock runs on from where it stopped."""
    state, effects = _draw(replace(state, table=without_aside(state, table)), 1)
    if _ends_with_the_stock(state):
        state, more = _end_by_stock(state)
        return state, (*effects, *more)
    said = Say(Notice("match.draw_and_go_on", player=state.seat.name))
    return replace(state, phase=Phase.TURN, drew=True, clock=state.clock.start(t)), (*effects, said)


def finish_turn(state: State, table: Table, t: float, *, draws: int, opens: bool) -> Transition:
    """End the current player's turn with this table; `draws` tiles are drawn, `opens`: it was a first meld."""
    table = without_aside(state, table)
    came, first_meld = laid_tiles(state.table, table), not state.seat.opened
    state = _with_table(_charge_bank(state, t), table, opens)
    if state.seat.hand == 0:
        return _gone_out(state, first_meld)
    if draws and not state.stock and state.rules.stock_end is not StockEnd.NOBODY_LAYS:
        return _end_by_stock(state)
    effects: tuple[Effect, ...] = ()
    idle = not came and not state.stock and not state.drew
    state = replace(state, passes=state.passes + 1 if idle else 0)
    if draws and state.stock:
        state, effects = _draw(state, min(draws, state.stock))
    elif draws:
        effects = (Say(Notice("match.passes", player=state.seat.name)),)
    over = _ends_with_the_stock(state) or _nobody_lays(state)
    state, more = _end_by_stock(state) if over else begin_turn(state, state.next_seat, t)
    return state, (*effects, *more)


def _with_table(state: State, table: Table, opens: bool) -> State:
    """Return the state with the new table, and the hand and the tile set aside adjusted to it."""
    seat, came = state.seat, laid_tiles(state.table, table)
    more = tiles_on(state.table)
    more.subtract(tiles_on(table))
    aside_used = state.aside is not None and came[state.aside] > 0 and came.total() > seat.hand
    jokers = None if seat.jokers is None else seat.jokers + more[JOKER]
    seat = replace(seat, hand=seat.hand + more.total() + aside_used, opened=seat.opened or opens, jokers=jokers)
    return replace(state.with_seat(seat), table=table, aside=None if aside_used else state.aside)


def _draw(state: State, number: int) -> Transition:
    seat = replace(state.seat, hand=state.seat.hand + number)
    state = replace(state.with_seat(seat), stock=state.stock - number)
    return state, (Lamp(state.current, Light.DRAW), DrawTile(state.current, number))


def _ends_with_the_stock(state: State) -> bool:
    return not state.stock and state.rules.stock_end is StockEnd.LAST_DRAWN


def _nobody_lays(state: State) -> bool:
    return state.rules.stock_end is StockEnd.NOBODY_LAYS and state.passes >= len(state.seats)


def _gone_out(state: State, first_meld: bool) -> Transition:
    said = Say(Notice("match.gone_out", player=state.seat.name))
    state, effects = show_hands(replace(state, winner=state.current, in_one_turn=first_meld))
    return state, (Tone(Sound.ROUND_OVER), said, *effects)


def _end_by_stock(state: State) -> Transition:
    over = (Tone(Sound.ROUND_OVER), Say(Notice("match.stock_empty")))
    if state.rules.meld_rules.stock_counts:
        state, effects = show_hands(state)
    else:
        state, effects = close(state, no_score(len(state.seats)))
    return state, (*over, *effects)


def may_begin(state: State) -> bool:
    """Return whether the clock is waiting for a rebuilding to begin."""
    if state.phase is not Phase.TURN or seconds_of(state) is None:
        return False
    return state.rules.timing.rebuilding and state.clock.seconds is None


def begins_rebuilding(before: Table, now: Table) -> bool:
    """Return whether a set of the table was taken apart; adding tiles to a set is not rebuilding."""
    change = Change.between(before, now)
    room = [Counter(tiles) for _, tiles in sorted(change.new, key=lambda one: len(one[1]))]
    for old in sorted(map(Counter, change.old), key=Counter.total, reverse=True):
        where = next((tiles for tiles in room if not old - tiles), None)
        if where is None:
            return True
        where -= old
    return False


def rebuild_begun(state: State, event: RebuildBegun) -> Transition:
    """Start the clock; raises OutOfOrder if it does not wait for a rebuilding."""
    seconds = seconds_of(state)
    if not may_begin(state) or seconds is None:
        raise OutOfOrder(f"expected a turn whose clock waits, got RebuildBegun (phase {state.phase})")
    state = replace(state, clock=state.clock.with_limit(seconds, event.t))
    return state, (Say(Notice("match.rebuild_begun", player=state.seat.name)),)
