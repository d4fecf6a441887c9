"""Why something does not count just now, in one sentence."""

from dataclasses import replace

import pytest

from referee.errors import BadInput
from referee.game.judge.verdict import Verdict
from referee.game.match.events import (
    DrawTile,
    MatchOver,
    OutOfOrder,
    Paused,
    Pressed,
    PutRight,
    Resumed,
    ScoreRound,
    Show,
    Started,
    Withdrawn,
)
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.notation import parse_tile
from referee.game.notice import Notice
from referee.game.scoring import RoundScore
from referee.i18n import ENGLISH
from referee.journal.rows import Setup
from referee.table.output.notices import back_after_a_cut, not_now, pause_notice, sat_down, told_of


def state_of(phase):
    state, _ = apply(Setup("rummikub").state(), Started(("Anna", "Ben"), 0.0))
    return replace(state, phase=phase)


@pytest.mark.parametrize(
    ("event", "phase", "said"),
    [
        (Pressed(1, 3.0), Phase.TURN, "It is Anna's turn."),
        (Pressed(1, 3.0), Phase.LOOKING, "It is Anna's turn."),
        (Pressed(1, 3.0), Phase.SHOWING, "It is Anna's turn to show the hand."),
        (Pressed(0, 3.0), Phase.LOOKING, "One moment: the referee is looking."),
        (Pressed(0, 3.0), Phase.PAUSED, "The match is paused: press start to go on."),
        (Pressed(1, 3.0), Phase.BETWEEN, "The round is over: press start for the next one."),
        (Pressed(0, 3.0), Phase.OVER, "The match is over: press start for another one."),
        (Withdrawn(0, 3.0), Phase.TURN, "That press can no longer be taken back."),
        (Paused(3.0), Phase.LOOKING, "Not now: the referee is waiting for something else."),
    ],
)
def test_what_cannot_happen_now_is_answered_in_one_sentence(event, phase, said):
    state = state_of(phase)
    with pytest.raises(OutOfOrder) as refused:
        apply(state, event)
    assert ENGLISH(not_now(event, state, refused.value)) == said


def test_other_refusals_speak_for_themselves():
    told = not_now(Paused(0.0), state_of(Phase.TURN), BadInput("Two names are the same."))
    assert ENGLISH(told) == "Two names are the same."
    notice = Notice("play.one_tile_aside")
    assert not_now(Paused(0.0), state_of(Phase.TURN), BadInput(notice)) == notice


def test_a_pause_is_told_when_it_begins_and_ends():
    state = state_of(Phase.TURN)
    paused, _ = apply(state, Paused(3.0))
    resumed, _ = apply(paused, Resumed(4.0))
    assert ENGLISH(pause_notice(Paused(3.0), state, paused)) == "The match is paused: press start to go on."
    assert ENGLISH(pause_notice(Resumed(4.0), paused, resumed)) == "The match goes on: Anna, it is your turn."
    assert pause_notice(Pressed(0, 5.0), resumed, resumed) is None


@pytest.mark.parametrize(
    ("button", "among", "long", "said"),
    [
        (0, {0}, False, "Anna joins; Anna is playing."),
        (1, {0, 1}, False, "Ben joins; Anna and Ben are playing."),
        (0, {0, 1}, True, "Anna joins and begins; Anna and Ben are playing."),
        (0, set(), False, "Anna leaves."),
        (2, {2}, False, "Button 3 joins."),
        (2, {0, 2}, True, "Button 3 joins and begins; Anna is playing."),
        (0, {1}, False, "Anna leaves; Ben is playing."),
    ],
)
def test_who_sits_down_and_who_plays_is_told(button, among, long, said):
    assert ENGLISH(sat_down(("Anna", "Ben"), button, among, long=long)) == said


def said_of(effect, state):
    return [ENGLISH(told) for told in told_of(effect, state)]


def test_an_accepted_turn_is_told_with_its_points():
    tile = (parse_tile("R10"),)
    assert said_of(Show(Verdict(True, tile, 30)), state_of(Phase.TURN)) == ["Accepted, 30 points."]
    assert told_of(Show(Verdict(True)), state_of(Phase.TURN)) == ()  # the tile to be drawn says it
    assert said_of(Show(Verdict(True, tile, 10)), Setup("gin").state()) == ["Accepted."]
    assert told_of(Show(Verdict(False, tile)), state_of(Phase.TURN)) == ()


def test_what_must_be_put_right_is_told_step_by_step():
    steps = (Notice("play.ready"), Notice("play.one_tile_aside"))
    assert told_of(PutRight(0, (), steps), state_of(Phase.PUTTING_RIGHT)) == steps


def test_what_is_drawn_and_scored_is_told_to_everybody():
    state = state_of(Phase.TURN)
    assert said_of(DrawTile(1, 1), state) == ["Ben draws 1 tile."]
    assert said_of(ScoreRound(RoundScore(0, (0, 25), (25, -25)), 2), state) == ["Round 2: Anna +25, Ben -25."]
    assert said_of(MatchOver((0, 1), (0, 0)), state) == ["The match is over: Anna and Ben won (Anna 0, Ben 0)."]


def test_after_a_cut_it_is_told_where_the_match_stands():
    assert ENGLISH(back_after_a_cut(state_of(Phase.TURN))) == (
        "The match goes on where it left off: Anna should hold 14 tiles and Ben should hold 14 tiles. "
        "Press start when everybody is seated."
    )
    assert ENGLISH(back_after_a_cut(state_of(Phase.BETWEEN))) == (
        "The match goes on after round 0: press start for the next one."
    )
