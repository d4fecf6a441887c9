"""Why something does not count just now, in one sentence."""

from dataclasses import replace

import pytest

from referee.errors import BadInput
from referee.game.events import OutOfOrder, Paused, Pressed, Started, Withdrawn
from referee.game.match import apply
from referee.game.state import Phase
from referee.journal.rows import Setup
from referee.loop.words import not_now_in_words


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
