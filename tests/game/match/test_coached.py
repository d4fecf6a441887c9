"""The coach in a match: only if all agreed before it began, and every use is noted and changes nothing else."""

from dataclasses import replace

import pytest
from match_driver import OPENING, Game

from referee.errors import BadInput
from referee.game.match.events import Coached, OutOfOrder, Say, Started, Withdrawn
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.journal.codec import event_from_text, event_to_text


def test_without_an_agreement_no_use_is_possible():
    game = Game()
    before = game.state
    with pytest.raises(OutOfOrder):
        game.do(Coached(3, 1.0, 0))
    assert game.state is before


def test_a_use_is_told_to_all_and_changes_nothing_else():
    game = Game(coach=True)
    before = game.state
    game.do(Coached(5, 1.0, 0))
    assert game.effects == (Say(Notice("match.coached", player="Ann", laid=5)),)
    assert game.state == replace(before, coached=(0,))
    assert game.do(Coached(0, 2.0, 0)).state.coached == (0, 0)


def test_a_use_belongs_to_the_player_whose_turn_it_is():
    game = Game(coach=True)
    for player in (1, None):
        with pytest.raises(BadInput):
            game.do(Coached(5, 1.0, player))
    game.fields(phase=Phase.BETWEEN)
    with pytest.raises(BadInput):
        game.do(Coached(5, 1.0, 0))
    assert game.do(Coached(5, 1.0)).effects == (Say(Notice("match.coached_between", laid=5)),)


def test_before_and_after_a_match_there_is_nothing_to_note():
    for phase in (Phase.LOBBY, Phase.OVER):
        with pytest.raises(OutOfOrder):
            Game(coach=True).fields(phase=phase).do(Coached(5, 1.0))


def test_a_turn_can_be_taken_back_after_a_use_which_stays_noted():
    game = Game(coach=True).do(Coached(2, 0.5, 0)).turn(OPENING)
    assert game.state.current == 1
    game.do(Coached(3, game.t + 1, 1))
    game.do(Withdrawn(0, game.t + 2))
    assert (game.state.current, game.state.table, game.state.coached) == (0, (), (0, 1))


def test_journals_of_old_versions_know_no_agreement():
    old = event_from_text(
        "started", '{"players":["Ann","Ben"],"t":0.0,"rounds":1,"first":0,"aside":null,"handicaps":[]}'
    )
    assert old == Started(("Ann", "Ben"), 0.0)
    assert not old.coach
    agreed = Started(("Ann", "Ben"), 0.0, coach=True)
    assert event_from_text(*event_to_text(agreed)) == agreed
