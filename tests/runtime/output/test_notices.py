"""Why something does not count just now, in one sentence."""

from dataclasses import replace

import pytest
from referee.runtime.output.sentences import in_words, joined_in_words, not_now_in_words, stopped_in_words

from referee.errors import BadInput
from referee.game.judge.verdict import Verdict
from referee.game.match.events import OutOfOrder, Paused, Pressed, PutRight, Resumed, Show, Started, Withdrawn
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.notation import parse_tile
from referee.journal.rows import Setup


def state_of(phase):
    state, _ = apply(Setup("rummikub").state(), Started(("Anna", "Ben"), 0.0))
    return replace(state, phase=phase)


@pytest.mark.parametrize(
    ("event", "phase", "said"),
    [
        (Pressed(1, 3.0), Phase.TURN, "It is Anna's turn."),
        (Pressed(1, 3.0), Phase.LOOKING, "It is Anna's turn."),
        (Pressed(1, 3.0), Phase.SHOWING, "It is Anna's turn to lay the hand down."),
        (Pressed(0, 3.0), Phase.LOOKING, "One moment: the referee is looking."),
        (Pressed(0, 3.0), Phase.PAUSED, "The match is paused: press start to go on."),
        (Pressed(1, 3.0), Phase.BETWEEN, "The round is over: press start for the next one."),
        (Pressed(0, 3.0), Phase.OVER, "The match is over: press start for another one."),
        (Withdrawn(0, 3.0), Phase.TURN, "That press can no longer be taken back."),
        (Paused(3.0), Phase.LOOKING, "Not now: the referee waits for something else."),
    ],
)
def test_what_cannot_happen_now_is_answered_in_one_sentence(event, phase, said):
    state = state_of(phase)
    with pytest.raises(OutOfOrder) as refused:
        apply(state, event)
    assert not_now_in_words(event, state, refused.value) == said


def test_other_refusals_speak_for_themselves():
    assert not_now_in_words(Paused(0.0), state_of(Phase.TURN), BadInput("Two names are the same.")) == (
        "Two names are the same."
    )


def test_a_pause_is_told_when_it_begins_and_ends():
    state = state_of(Phase.TURN)
    paused, _ = apply(state, Paused(3.0))
    resumed, _ = apply(paused, Resumed(4.0))
    assert stopped_in_words(Paused(3.0), state, paused) == "The match is paused: press start to go on."
    assert stopped_in_words(Resumed(4.0), paused, resumed) == "The match goes on: Anna, it is your turn."
    assert stopped_in_words(Pressed(0, 5.0), resumed, resumed) is None


@pytest.mark.parametrize(
    ("button", "among", "long", "said"),
    [
        (0, {0}, False, "Anna joins; Anna plays."),
        (1, {0, 1}, False, "Ben joins; Anna and Ben play."),
        (0, {0, 1}, True, "Anna joins and begins; Anna and Ben play."),
        (0, set(), False, "Anna leaves."),
        (2, {2}, False, "Button 3 joins."),
    ],
)
def test_who_sits_down_and_who_plays_is_told(button, among, long, said):
    assert joined_in_words(("Anna", "Ben"), button, among, long=long) == said


def test_an_accepted_turn_is_told_with_its_points():
    tile = (parse_tile("R10"),)
    assert in_words(Show(Verdict(True, tile, 30)), state_of(Phase.TURN)) == ("Accepted, 30 points.",)
    assert in_words(Show(Verdict(True)), state_of(Phase.TURN)) == ()  # the tile to be drawn says it
    assert in_words(Show(Verdict(True, tile, 10)), Setup("gin").state()) == ("Accepted.",)
    assert in_words(Show(Verdict(False, tile)), state_of(Phase.TURN)) == ()


def test_what_must_be_put_right_is_told_step_by_step():
    steps = ("Take the red 7 into your hand.", "Put the blue 9 on the table again.")
    assert in_words(PutRight(0, (), steps), state_of(Phase.PUTTING_RIGHT)) == steps
