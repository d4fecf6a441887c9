"""Rummy! against the count, and hands that do not agree with it: asked about, believed only when insisted on."""

from dataclasses import replace

import pytest

from referee.game.doubt import Doubt
from referee.game.match.events import (
    Called,
    Insisted,
    Lamp,
    Light,
    OutOfOrder,
    Paused,
    Pressed,
    Resumed,
    Say,
    ScoreRound,
    Seen,
    Started,
    TakeLook,
    TimeUp,
    Withdrawn,
)
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.match.rummy_call import MOST, may_call
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.i18n import ENGLISH

OPENING = parse_table("R11 R12 R13 | B2 B3 B4")
"""Six tiles, enough for a first meld."""
ILLEGAL = parse_table("R11 R12 B13 | B2 B3 B4")


def begun(hands=(8, 5), rules="ravensburger", options=None):
    """A round in which by the count everybody has so many tiles left."""
    state, _ = apply(new_match(ruleset(rules).choose(**(options or {}))), Started(("Ann", "Ben"), 0.0))
    return replace(state, seats=tuple(replace(seat, hand=hand) for seat, hand in zip(state.seats, hands, strict=True)))


def after(state, *events):
    effects = ()
    for event in events:
        state, effects = apply(state, event)
    return state, effects


def said(effects):
    return " ".join(ENGLISH(effect.notice) for effect in effects if isinstance(effect, Say))


PRESSED = (Pressed(0, 7.0), Seen(OPENING, 8.0))
CALLED = (*PRESSED, Called(0, 8.5))
QUESTION = Notice("match.calls_rummy", player="Ann", left=2)


class TestRummy:
    def test_against_the_count_the_turn_that_has_passed_on_comes_back(self):
        state, effects = after(begun(), *CALLED)
        assert effects == (Lamp(0, Light.ASKING), Say(QUESTION))
        assert (state.phase, state.current, state.table, state.seat.hand) == (Phase.ASKING, 0, (), 8)
        assert state.in_question == OPENING
        assert state.clock.seconds_left(99.0) == 120 - 7

    def test_a_call_while_the_referee_looks_is_heard(self):
        state, effects = after(begun(), Pressed(0, 7.0), Called(0, 7.8))
        assert effects == ()
        assert said(after(state, Seen(OPENING, 9.0))[1]) == ENGLISH(QUESTION)

    def test_a_doubt_in_between_does_not_make_it_forgotten(self):
        doubted = (Pressed(0, 7.0), Called(0, 7.8), Seen(OPENING, 8.0, (Doubt("R11 or R1"),)), Pressed(0, 9.0))
        assert said(after(begun(), *doubted, Seen(OPENING, 10.0))[1]) == ENGLISH(QUESTION)

    def test_a_call_while_the_referee_asks_about_a_tile_is_heard(self):
        doubted = (Pressed(0, 7.0), Seen(OPENING, 7.2, (Doubt("R11 or R1"),)), Called(0, 7.8))
        assert said(after(begun(), *doubted, Seen(OPENING, 9.0))[1]) == ENGLISH(QUESTION)

    def test_whoever_insists_is_out(self):
        state, effects = after(begun(), *CALLED, Insisted(0, 12.0))
        assert (state.phase, state.winner, state.current, state.table) == (Phase.SHOWING, 0, 1, OPENING)
        assert (state.seats[0].hand, state.in_question) == (0, None)
        assert said(effects).startswith("Ann has laid the last tile.")

    def test_whoever_presses_plays_on(self):
        state, effects = after(begun(), *CALLED, Pressed(0, 12.0))
        assert (state.phase, state.current, state.table, state.clock.since) == (Phase.TURN, 1, OPENING, 12.0)
        assert [seat.hand for seat in state.seats] == [2, 5]
        assert (state.called, state.in_question) == (False, None)
        assert "Ben, it is your turn." in said(effects)

    def test_whoever_has_pressed_to_play_on_may_still_take_the_press_back(self):
        state, _ = after(begun(), *CALLED, Pressed(0, 12.0), Withdrawn(0, 14.0))
        assert (state.phase, state.current, state.seat.hand, state.in_question) == (Phase.TURN, 0, 8, None)

    def test_a_cut_repeats_the_question(self):
        state, effects = after(begun(), *CALLED, Resumed(50.0))
        assert effects == (Lamp(0, Light.ASKING), Say(QUESTION))
        assert (state.phase, state.in_question) == (Phase.ASKING, OPENING)

    def test_whoever_insisted_by_mistake_takes_it_back(self):
        state, effects = after(begun(), *CALLED, Insisted(0, 12.0), Withdrawn(0, 60.0))
        assert (state.phase, state.current, state.winner, state.seat.hand) == (Phase.TURN, 0, None, 8)
        assert said(effects) == "Ann plays on."
        assert state.clock.seconds_left(61.0) == 120 - 7 - 1

    def test_but_not_once_somebody_shows_the_hand(self):
        shown = (Pressed(1, 20.0), Seen((*OPENING, *parse_table("K1 | K2")), 21.0))
        state, _ = after(begun(), *CALLED, Insisted(0, 12.0), *shown)
        with pytest.raises(OutOfOrder):
            apply(state, Withdrawn(0, 22.0))

    def test_nothing_is_asked_where_the_round_cannot_end_so_by_these_rules(self):
        state, _ = after(begun(rules="piatnik", options={"winning-set": "12"}), *PRESSED)
        assert (state.phase, state.current) == (Phase.TURN, 1)
        assert not may_call(state, 0, 8.5)

    @pytest.mark.parametrize("table", [OPENING, parse_table("R11 R12 R13 | B2 B3 B4 | K5 K6 K7")])
    def test_the_tile_aside_is_used_by_whoever_says_so(self, table):
        """By the count the aside tile would lie there too early: six tiles with it, and eight in the hand."""
        state, _ = apply(
            new_match(ruleset("piatnik").choose(**{"last-tile": "on"})),
            Started(("Ann", "Ben"), 0.0, aside=parse_table("R13")[0][0]),
        )
        hand = sum(map(len, table)) - 1 + 2
        state = state.with_seat(replace(state.seat, hand=hand))
        state, effects = after(state, Pressed(0, 7.0), Called(0, 7.8), Seen(table, 8.0))
        assert said(effects) == ENGLISH(QUESTION)
        state, effects = after(state, Insisted(0, 9.0))
        assert (state.phase, state.winner, state.aside) == (Phase.SHOWING, 0, None)

    def test_pressed_shortly_such_a_turn_is_refused_as_ever(self):
        state, _ = apply(
            new_match(ruleset("piatnik").choose(**{"last-tile": "on"})),
            Started(("Ann", "Ben"), 0.0, aside=parse_table("R13")[0][0]),
        )
        lying = parse_table("R13 B13 K13")
        state = replace(state.with_seat(replace(state.seat, hand=7, opened=True)), table=lying)
        state, effects = after(state, Pressed(0, 7.0), Called(0, 7.8), Seen((*lying, *OPENING), 8.0))
        assert said(effects) == ENGLISH(QUESTION)
        state, effects = after(state, Pressed(0, 9.0))
        assert (state.phase, state.current, state.called, state.in_question) == (Phase.TURN, 0, False, None)
        assert Lamp(0, Light.REFUSED) in effects

    def test_a_call_with_the_press_that_drew_holds_for_no_later_one(self):
        state = begun(rules="piatnik", options={"fresh-tile": "always"})
        state, _ = after(state, Pressed(0, 7.0), Called(0, 7.8), Seen((), 8.0))
        assert (state.phase, state.drew, state.called) == (Phase.TURN, True, False)

    def test_a_call_that_agrees_with_the_count_asks_nothing(self):
        state, _ = after(begun((6, 5)), Pressed(0, 7.0), Called(0, 7.8), Seen(OPENING, 8.0))
        assert (state.phase, state.winner) == (Phase.SHOWING, 0)

    @pytest.mark.parametrize(("hand", "table"), [(6 + MOST + 1, OPENING), (8, ())])
    def test_with_many_tiles_left_or_none_laid_a_held_button_means_nothing(self, hand, table):
        state, _ = after(begun((hand, 5)), Pressed(0, 7.0), Called(0, 7.8), Seen(table, 8.0))
        assert (state.phase, state.current, state.called) == (Phase.TURN, 1, False)
        assert not may_call(state, 0, 8.5)

    def test_a_call_that_agrees_says_nothing_about_hands_that_are_shown(self):
        state, _ = after(begun((6, 5)), Pressed(0, 7.0), Called(0, 7.8), Seen(OPENING, 8.0))
        state, effects = after(state, Pressed(1, 20.0), Seen((*OPENING, *parse_table("K1")), 21.0))
        assert "hold the button" in said(effects)

    def test_a_press_taken_back_takes_the_call_back(self):
        state, _ = after(begun(), Pressed(0, 7.0), Called(0, 7.8), Withdrawn(0, 8.0))
        assert (state.phase, state.called) == (Phase.TURN, False)

    def test_a_turn_taken_back_takes_the_call_back(self):
        called = (Pressed(0, 7.0), Called(0, 7.8), Seen(OPENING, 8.0), Withdrawn(0, 9.0))
        assert after(begun((14, 5)), *called)[0].called is False

    @pytest.mark.parametrize(
        "events",
        [
            pytest.param((Called(0, 1.0),), id="nothing pressed"),
            pytest.param((Pressed(0, 1.0), Called(1, 2.0)), id="somebody else"),
            pytest.param((*PRESSED, Called(1, 8.5)), id="the next player"),
            pytest.param((*PRESSED, Called(0, 30.0)), id="too late"),
            pytest.param((*PRESSED, Pressed(1, 9.0), Called(0, 9.5)), id="the next one pressed"),
            pytest.param((Pressed(0, 7.0), Seen(ILLEGAL, 8.0), Called(0, 8.5)), id="refused"),
            pytest.param((*PRESSED, Paused(8.2), Called(0, 8.5)), id="in a pause"),
            pytest.param((TimeUp(130.0), Called(0, 131.0)), id="time up"),
            pytest.param((*PRESSED, Insisted(0, 8.5)), id="nothing in question"),
            pytest.param((*CALLED, Insisted(1, 12.0)), id="somebody else insists"),
            pytest.param((*CALLED, Called(0, 12.0)), id="twice"),
        ],
    )
    def test_otherwise_it_is_refused_and_nothing_changes(self, events):
        state, _ = after(begun(), *events[:-1])
        with pytest.raises(OutOfOrder):
            apply(state, events[-1])

    def test_in_gin_a_held_button_knocks(self):
        state, _ = apply(new_match(ruleset("gin")), Started(("Ann", "Ben"), 0.0))
        assert not may_call(replace(state, phase=Phase.LOOKING), state.current, 1.0)


class TestHandsShown:
    LAID = (*OPENING, *parse_table("K1 | K2"))

    def shown(self, *events):
        """Ann goes out, and Ben, who should have three tiles left, shows two."""
        return after(begun((6, 3)), *PRESSED, Pressed(1, 20.0), Seen(self.LAID, 21.0), *events)

    def test_a_tile_less_than_the_count_is_asked_about(self):
        state, effects = self.shown()
        assert state.in_question == self.LAID
        assert effects == (
            Lamp(1, Light.REFUSED),
            Say(Notice("match.hold_if_right", what=Notice("match.miscounted", player="Ben", hand=3, shown=2))),
        )

    def test_whoever_insists_has_shown_all(self):
        state, effects = self.shown(Insisted(1, 25.0))
        assert (state.phase, effects) == (Phase.COUNTING, (Lamp(1, Light.LOOKING), TakeLook()))
        state, effects = after(state, Seen(self.LAID, 26.0))
        assert said(effects) == "It counts as it stands: Ben should have 3 tiles left, but 2 were shown."
        (score,) = [effect.score for effect in effects if isinstance(effect, ScoreRound)]
        assert score.hands == (0, 3)
        assert (state.phase, state.seats[1].hand) == (Phase.OVER, 0)

    def test_whoever_finds_the_tile_and_presses_is_counted_as_ever(self):
        found = (*self.LAID, *parse_table("K3"))
        _, effects = self.shown(Pressed(1, 25.0), Seen(found, 26.0))
        (score,) = [effect.score for effect in effects if isinstance(effect, ScoreRound)]
        assert score.hands == (0, 6)
        assert said(effects) == ""

    def test_a_tile_that_is_found_meanwhile_counts(self):
        _, effects = self.shown(Insisted(1, 25.0), Seen((*self.LAID, *parse_table("K3")), 26.0))
        (score,) = [effect.score for effect in effects if isinstance(effect, ScoreRound)]
        assert score.hands == (0, 6)

    def test_a_hand_insisted_on_in_vain_is_asked_about_anew(self):
        state, _ = self.shown(Insisted(1, 25.0), Seen(self.LAID[1:], 26.0), Pressed(1, 27.0), Seen(self.LAID, 28.0))
        assert (state.phase, state.in_question, state.called) == (Phase.SHOWING, self.LAID, False)

    def test_nobody_can_insist_on_tiles_that_the_box_does_not_hold(self):
        many = (*OPENING, *parse_table("K1 | K1 | K1 | K2"))
        state, effects = self.shown(Pressed(1, 25.0), Seen(many, 26.0), Insisted(1, 27.0), Seen(many, 28.0))
        assert said(effects) == "There can't be 3 black 1s: the box has only 2."
        assert (state.phase, state.in_question) == (Phase.SHOWING, None)
