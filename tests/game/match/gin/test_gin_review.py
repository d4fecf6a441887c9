"""Looks of Gin that were refused since a tile was misread, and are judged anew: turns, and hands laid open."""

from dataclasses import replace

import pytest
from gin_game import ANN, BEN, GinGame, under_way

from referee.game.gin.round import Stage
from referee.game.match.agreement import may_tell
from referee.game.match.events import (
    Agreed,
    Lamp,
    Light,
    OutOfOrder,
    PutRight,
    Resumed,
    Reviewed,
    ScoreRound,
    TakeLook,
)
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.tiles import Tile

ROW = "R5 K2 B9"
HAND = "R1 R2 R3 | K5 B5 Y5 | K9 K10 K11 | Y4"
HIGH = "R1 R2 R3 | K5 B5 Y5 | K9 K10 K11 | Y13"
NINE = "R1 R2 R3 | K5 B5 Y5 | K9 K10 K11"
OTHER = "B1 B2 B3 | R7 K7 Y7 | R4 | B13 | Y13 | K13"


def reviewed(game):
    game.t += 1.0
    return game.do(Reviewed(game.state.current, game.t))


def knocked():
    return under_way("R5 K2").knock(ROW)


def test_a_turn_is_judged_anew_and_the_clock_stands_meanwhile():
    game = under_way("R5 K2").turn("R5 K2 B9 B8")
    assert (game.kinds, game.state.phase, game.state.refused) == (["too-many-tiles"], Phase.TURN, True)
    reviewed(game)
    assert game.state.phase is Phase.LOOKING
    assert Lamp(BEN, Light.LOOKING) in game.effects
    assert not game.got(TakeLook)
    assert not game.state.refused
    game.see(ROW)
    assert (game.state.current, game.state.phase) == (ANN, Phase.TURN)
    assert not game.state.refused


@pytest.mark.parametrize("long", [True, False])
def test_a_knock_stays_one_and_a_plain_press_none(long):
    game = under_way("R5 K2").press(long=long).see("R5 K2 B9 B8")
    reviewed(game).see(ROW)
    assert (game.gin.stage is Stage.KNOCKER) is long


def test_the_deal_is_judged_anew():
    game = GinGame().turn("R5 R6")
    assert "I see 2 tiles" in game.said
    reviewed(game).see("R5")
    assert game.gin.stage is Stage.FIRST_OFFER


def test_what_nothing_has_changed_on_takes_a_second_press_all_the_same():
    game = under_way("R5 K2").turn("R5 K2")
    assert game.gin.confirming
    reviewed(game).see("R5 K2")
    assert (game.state.phase, game.state.current) == (Phase.TURN, BEN)
    assert game.turn("R5 K2").state.current == ANN


def test_a_knockers_hand_that_seemed_to_lie_badly_is_judged_anew():
    game = knocked().turn(f"{ROW} | {NINE}")
    assert game.state.phase is Phase.SHOWING
    assert may_tell(game.state)
    reviewed(game)
    assert game.state.phase is Phase.COUNTING
    assert not may_tell(game.state)
    game.see(f"{ROW} | {HAND}")
    assert (game.gin.stage, game.state.current, game.state.phase) == (Stage.OPPONENT, ANN, Phase.SHOWING)
    assert not game.state.refused


def test_a_knock_refused_on_a_misread_tile_is_one_again_and_nothing_was_given_away():
    game = knocked()
    game.state = replace(game.state, gin=game.gin.with_known_tiles(BEN, frozenset({Tile.from_name("red-1")})))
    game.turn(f"{ROW} | {HIGH}")
    assert (game.state.phase, game.gin.stage) == (Phase.PUTTING_RIGHT, Stage.TAKING_BACK)
    assert len(game.gin.known[BEN]) == 10
    reviewed(game)
    assert (game.state.phase, game.gin.stage) == (Phase.COUNTING, Stage.KNOCKER)
    assert game.gin.known[BEN] == frozenset({Tile.from_name("red-1")})
    game.see(f"{ROW} | {HAND}")
    assert game.gin.stage is Stage.OPPONENT
    game.turn(f"{ROW} | {HAND} | {OTHER}")
    assert game.got(ScoreRound)


def test_a_knock_that_is_too_high_again_is_refused_again():
    game = reviewed(knocked().turn(f"{ROW} | {HIGH}")).see(f"{ROW} | {HIGH}")
    assert (game.state.phase, game.gin.stage) == (Phase.PUTTING_RIGHT, Stage.TAKING_BACK)
    assert len(game.gin.known[BEN]) == 10


def test_while_the_hand_is_taken_back_only_that_is_judged_anew():
    game = knocked().turn(f"{ROW} | {HIGH}").turn(f"{ROW} | Y13")
    assert game.got(PutRight)
    reviewed(game)
    assert (game.state.phase, game.gin.stage) == (Phase.CHECKING, Stage.TAKING_BACK)
    game.see(ROW)
    assert (game.state.current, game.gin.stage) == (ANN, Stage.TURN)


def test_the_opponents_hand_is_judged_anew():
    game = knocked().turn(f"{ROW} | {HAND}").turn(f"{ROW} | {HAND} | {OTHER} | G1")
    assert (game.state.phase, game.state.refused, game.state.current) == (Phase.SHOWING, True, ANN)
    reviewed(game).see(f"{ROW} | {HAND} | {OTHER}")
    assert game.got(ScoreRound)


def test_after_a_cut_while_it_is_judged_anew_the_table_is_looked_at():
    game = reviewed(knocked().turn(f"{ROW} | {HIGH}"))
    game.do(Resumed(game.t + 60))
    assert game.got(TakeLook)
    game.see(f"{ROW} | {HAND}")
    assert game.gin.stage is Stage.OPPONENT


@pytest.mark.parametrize("game", [under_way("R5 K2"), knocked(), knocked().turn(f"{ROW} | {HAND}")])
def test_where_nothing_was_refused_there_is_nothing_to_judge_anew(game):
    with pytest.raises(OutOfOrder):
        reviewed(game)


def test_nothing_counts_by_agreement():
    game = knocked().turn(f"{ROW} | {HIGH}")
    with pytest.raises(OutOfOrder):
        game.do(Agreed(parse_table(f"{ROW} | {HIGH}"), game.t + 1))
