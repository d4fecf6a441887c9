"""A press taken back: while the referee looks or asks, and for a short while after the turn was accepted."""

from dataclasses import replace

import pytest

from referee.game.doubt import Doubt
from referee.game.match.events import Lamp, Light, OutOfOrder, Paused, Pressed, Resumed, Say, Seen, Started, Withdrawn
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.i18n import ENGLISH

OPENING = parse_table("R11 R12 R13 | B2 B3 B4")


def after(*events, rules="ravensburger"):
    state, effects = new_match(ruleset(rules)), ()
    for event in (Started(("Ann", "Ben"), 0.0), *events):
        state, effects = apply(state, event)
    return state, effects


def said(effects):
    return " ".join(ENGLISH(effect.notice) for effect in effects if isinstance(effect, Say))


@pytest.mark.parametrize("doubts", [(), (Doubt("R11 or R1"),)])
def test_while_the_referee_looks_or_asks_the_turn_simply_goes_on(doubts):
    looked = (Seen(OPENING, 8.0, doubts),) if doubts else ()
    state, effects = after(Pressed(0, 7.0), *looked, Withdrawn(0, 20.0))
    assert state.phase is Phase.TURN
    assert state.clock.seconds_left(21.0) == 120 - 7 - 1
    assert effects == (Lamp(0, Light.TURN), Say(Notice("match.still_your_turn", player="Ann")))


def test_an_accepted_turn_can_be_taken_back_for_a_while():
    state, effects = after(Pressed(0, 7.0), Seen(OPENING, 8.0), Withdrawn(0, 12.0))
    assert (state.phase, state.current, state.table) == (Phase.TURN, 0, ())
    assert [(seat.hand, seat.opened) for seat in state.seats] == [(14, False), (14, False)]
    assert state.clock.seconds_left(13.0) == 120 - 7 - 1
    assert said(effects) == "Ann plays on."


def test_a_turn_that_was_accepted_after_a_doubt_can_be_taken_back_too():
    """The tiles were straightened, and the referee looked again without a press."""
    doubted = (Pressed(0, 7.0), Seen(OPENING, 8.0, (Doubt("R11 or R1"),)), Seen(OPENING, 10.0))
    state, effects = after(*doubted, Withdrawn(0, 12.0))
    assert (state.phase, state.current, state.table, state.asked) == (Phase.TURN, 0, (), False)
    assert state.clock.seconds_left(13.0) == 120 - 7 - 1
    assert said(effects) == "Ann plays on."


def test_a_tile_drawn_by_mistake_goes_back():
    state, effects = after(Pressed(0, 7.0), Seen((), 8.0), Withdrawn(0, 12.0))
    assert (state.stock, state.seats[0].hand) == (80, 14)
    assert said(effects) == "Ann plays on. Return the tile you drew to the stock."


def going_out(rules="ravensburger", hands=(6, 3), **fields):
    state, _ = apply(new_match(ruleset(rules)), Started(("Ann", "Ben"), 0.0))
    seats = tuple(replace(seat, hand=hand) for seat, hand in zip(state.seats, hands, strict=True))
    return replace(state, seats=seats, **fields)


def play(state, *events):
    effects = ()
    for event in events:
        state, effects = apply(state, event)
    return state, effects


def test_a_turn_that_went_out_can_be_taken_back_until_a_hand_is_shown():
    """A tile in it may have been misread like in any other turn; nothing has been counted yet."""
    out = going_out()
    state, _ = play(out, Pressed(0, 7.0), Seen(OPENING, 8.0))
    assert (state.phase, state.current, state.winner) == (Phase.SHOWING, 1, 0)
    state, effects = play(state, Withdrawn(0, 100.0))
    assert (state.phase, state.current, state.winner, state.table) == (Phase.TURN, 0, None, ())
    assert (state.seats, state.stock) == (out.seats, out.stock)
    assert state.clock.seconds_left(101.0) == 120 - 7 - 1
    assert said(effects) == "Ann plays on."
    state, _ = play(state, Pressed(0, 110.0), Seen(OPENING, 111.0))
    assert (state.phase, state.winner) == (Phase.SHOWING, 0)


def test_so_can_the_turn_with_which_the_stock_was_used_up():
    state = going_out("brettspielnetz", hands=(9, 9), stock=1)
    state, _ = play(state, Pressed(0, 7.0), Seen((), 8.0))
    assert (state.phase, state.current, state.winner) == (Phase.SHOWING, 1, None)
    state, effects = play(state, Withdrawn(0, 9.0))
    assert (state.phase, state.current, state.stock, state.seat.hand) == (Phase.TURN, 0, 1, 9)
    assert said(effects) == "Ann plays on. Return the tile you drew to the stock."


@pytest.mark.parametrize(
    "then",
    [
        pytest.param((Pressed(1, 20.0),), id="a hand is looked at"),
        pytest.param((Pressed(1, 20.0), Seen((*OPENING, *parse_table("K1")), 21.0)), id="a hand does not agree"),
        pytest.param((Pressed(1, 20.0), Seen((*OPENING, *parse_table("K1 K2 K3")), 21.0)), id="all hands were shown"),
    ],
)
def test_once_a_hand_was_shown_the_turn_that_went_out_stands(then):
    state, _ = play(going_out(), Pressed(0, 7.0), Seen(OPENING, 8.0), *then)
    with pytest.raises(OutOfOrder):
        apply(state, Withdrawn(0, 22.0))


def test_a_pause_in_between_does_not_matter():
    state, _ = after(Pressed(0, 7.0), Seen((), 8.0), Paused(9.0), Resumed(500.0), Withdrawn(0, 505.0))
    assert state.current == 0


def test_what_came_before_is_not_kept_twice():
    state, _ = after(Pressed(0, 1.0), Seen((), 2.0), Pressed(1, 3.0), Seen((), 4.0))
    assert state.before is not None
    assert state.before.before is None


@pytest.mark.parametrize(
    "events",
    [
        pytest.param((Withdrawn(0, 1.0),), id="nothing pressed"),
        pytest.param((Pressed(0, 1.0), Withdrawn(1, 2.0)), id="somebody else's press"),
        pytest.param((Pressed(0, 1.0), Seen((), 2.0), Withdrawn(0, 18.0)), id="too late"),
        pytest.param((Pressed(0, 1.0), Seen((), 2.0), Withdrawn(1, 3.0)), id="the next player"),
        pytest.param((Pressed(0, 1.0), Seen((), 2.0), Pressed(1, 3.0), Withdrawn(0, 4.0)), id="the next one pressed"),
        pytest.param((Pressed(0, 1.0), Seen((), 2.0), Withdrawn(0, 3.0), Withdrawn(0, 4.0)), id="twice"),
        pytest.param((Pressed(0, 1.0), Seen((), 2.0), Paused(3.0), Withdrawn(0, 4.0)), id="in a pause"),
    ],
)
def test_otherwise_it_is_refused_and_nothing_changes(events):
    state, _ = after(*events[:-1])
    with pytest.raises(OutOfOrder, match="a press that can still be taken back"):
        apply(state, events[-1])


def test_in_gin_no_press_is_taken_back():
    with pytest.raises(OutOfOrder):
        after(Pressed(1, 1.0), Withdrawn(1, 2.0), rules="gin")
