from dataclasses import replace

import pytest
from gin_game import ANN, BEN, GinGame, started, under_way

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.gin.round import Stage
from referee.game.match.events import (
    Ask,
    HandShown,
    Lamp,
    Light,
    Paused,
    Pressed,
    Resumed,
    RoundStarted,
    ScoreRound,
    Seen,
    Show,
    Sound,
    Started,
    TakeLook,
    TimeUp,
    Tone,
)
from referee.game.match.machine import OutOfOrder, apply, new_match
from referee.game.match.phases import Phase
from referee.game.notation import format_table
from referee.game.rulebooks import ruleset
from referee.game.scoring import Ending
from referee.i18n import ENGLISH


def explained(game):
    return tuple(map(ENGLISH, game.got(Show)[0].verdict.explanation))


class TestDeal:
    def test_the_dealer_deals_and_presses(self):
        game = GinGame()
        assert (game.gin.stage, game.state.phase, game.state.current) == (Stage.DEALING, Phase.TURN, BEN)
        assert game.said == "Ben, deal 10 tiles each, turn one more face up and press."
        assert game.effects[0] == Lamp(BEN, Light.TURN)
        assert game.state.stock == 32
        assert game.count == 52

    def test_one_open_tile_begins_the_round(self):
        game = started("R5")
        assert (game.gin.stage, game.state.current, game.open_row) == (Stage.FIRST_OFFER, ANN, "R5")
        assert game.state.stock == 31
        assert game.count == 52
        assert "Ann, it is your turn." in game.said
        assert "Take the red 5 and discard a tile, or leave it and press." in game.said

    @pytest.mark.parametrize("table", ["", "R5 R6", "R5 | R6", "**"])
    def test_anything_else_is_asked_for_again(self, table):
        game = GinGame().turn(table)
        assert (game.gin.stage, game.state.phase, game.state.current) == (Stage.DEALING, Phase.TURN, BEN)
        assert "There should be one tile face up" in game.said
        assert Lamp(BEN, Light.REFUSED) in game.effects
        assert game.turn("R5").gin.stage is Stage.FIRST_OFFER

    def test_gin_is_for_two(self):
        with pytest.raises(BadInput, match="2 players"):
            apply(new_match(ruleset("gin")), Started(("Ann", "Ben", "Cleo"), 0.0))


class TestOffers:
    def test_the_open_tile_may_be_taken(self):
        game = started("R5").turn("K2")
        assert (game.gin.stage, game.state.current, game.open_row) == (Stage.TURN, BEN, "K2")
        assert game.state.stock == 31
        assert [sorted(map(str, known)) for known in game.gin.known] == [["R5"], []]
        assert tuple(map(ENGLISH, game.got(Show)[0].verdict.explanation)) == (
            "You took the red 5 and discarded the black 2.",
        )

    def test_both_may_leave_it_and_then_a_hidden_tile_is_drawn(self):
        game = started("R5").turn("R5")
        assert (game.gin.stage, game.state.current) == (Stage.SECOND_OFFER, BEN)
        assert Lamp(ANN, Light.ACCEPTED) in game.effects
        game.turn("R5")
        assert (game.gin.stage, game.state.current) == (Stage.MUST_DRAW, ANN)
        assert "Draw from the stock and discard a tile." in game.said
        game.turn("R5 K2")
        assert (game.gin.stage, game.state.current, game.open_row) == (Stage.TURN, BEN, "R5 K2")
        assert game.state.stock == 30
        assert game.count == 52

    def test_the_dealer_may_take_what_the_other_left(self):
        game = started("R5").turns("R5", "K2")
        assert (game.gin.stage, game.state.current, game.open_row) == (Stage.TURN, ANN, "K2")
        assert game.state.stock == 31

    @pytest.mark.parametrize("before", [(), ("R5",)], ids=["first offer", "second offer"])
    def test_a_hidden_tile_may_not_be_drawn_yet(self, before):
        game = started("R5").turns(*before).turn("R5 K2")
        assert game.kinds == ["too-many-tiles"]
        assert "Put the black 2 back" in game.said
        assert game.gin.stage.offer
        assert game.state.stock == 31

    def test_the_tile_taken_needs_a_discard(self):
        game = started("R5").turn("")
        assert game.kinds == ["nothing-laid"]
        assert game.turn("K2").gin.stage is Stage.TURN

    def test_after_both_left_it_it_cannot_be_taken(self):
        game = started("R5").turns("R5", "R5", "K2")
        assert game.kinds == ["tile-vanished"]
        assert "Put the red 5 back" in game.said
        game.turn("R5")
        assert game.kinds == ["nothing-laid"]
        assert game.turn("R5").kinds == ["nothing-laid"]
        assert game.gin.stage is Stage.MUST_DRAW
        assert game.turn("R5 K2").gin.stage is Stage.TURN


class TestTurns:
    def test_a_hidden_tile_leaves_the_stock(self):
        game = under_way("R5 K2").turn("R5 K2 B9")
        assert (game.open_row, game.state.stock, game.state.current) == ("R5 K2 B9", 29, ANN)
        assert tuple(map(ENGLISH, game.got(Show)[0].verdict.explanation)) == (
            "You drew from the stock and discarded the blue 9.",
        )

    def test_the_last_open_tile_leaves_the_row(self):
        game = under_way("R5 K2").turn("R5 B9")
        assert (game.open_row, game.state.stock, game.state.current) == ("R5 B9", 30, ANN)
        assert set(map(str, game.gin.known[BEN])) == {"K2"}

    def test_the_row_may_lie_in_any_order_and_in_several_rows(self):
        game = under_way("R5 K2").turn("B9 R5 | K2").turn("Y1 | R5 | K2")
        assert game.open_row == "R5 K2 Y1"
        assert format_table(game.state.table) == "Y1 | R5 | K2"

    def test_an_unchanged_table_must_be_confirmed(self):
        game = under_way("R5 K2").turn("R5 K2")
        assert game.kinds == ["nothing-laid"]
        assert "press again if you took the black 2 and put it back" in game.said
        assert (game.state.current, game.state.phase) == (BEN, Phase.TURN)
        game.turn("K2 | R5")
        assert (game.state.current, game.open_row, game.state.stock) == (ANN, "R5 K2", 30)
        assert explained(game) == ("You put back the black 2.",)

    def test_the_question_is_asked_anew_after_anything_else(self):
        game = under_way("R5 K2").turns("R5 K2", "R5 K2 B1 B2", "R5 K2")
        assert game.state.current == BEN
        assert game.kinds == ["nothing-laid"]
        assert game.turn("R5 K2 B1").state.current == ANN
        assert game.turn("R5 K2 B1").kinds == ["nothing-laid"]

    @pytest.mark.parametrize(
        ("table", "kinds", "words"),
        [
            pytest.param("R5 K2 B1 B9", ["too-many-tiles"], "the blue 1 and the blue 9", id="two discards"),
            pytest.param("R5 B1 B9", ["too-many-tiles"], "a turn ends with one discard", id="taken, two discards"),
            pytest.param("K2 B9", ["tile-vanished"], "Put the red 5 back", id="an older tile is gone"),
            pytest.param("B9", ["tile-vanished"], "Put the red 5 back", id="an older tile is gone too"),
            pytest.param("K2", ["tile-vanished"], "Put the red 5 back", id="only an older tile is gone"),
            pytest.param("", ["tile-vanished", "nothing-laid"], "Discard a tile", id="all gone"),
            pytest.param("R5", ["nothing-laid"], "Discard a tile", id="taken without a discard"),
            pytest.param("K2 B1 B9", ["tile-vanished", "too-many-tiles"], "one discard", id="every fault is told"),
            pytest.param("R5 K2 B9 B9", ["impossible-tile"], "2 blue 9s", id="a tile twice"),
            pytest.param("R5 K2 K2", ["impossible-tile"], "2 black 2s", id="an open tile twice"),
            pytest.param("R5 K2 **", ["impossible-tile"], "1 joker", id="a joker"),
        ],
    )
    def test_what_is_refused(self, table, kinds, words):
        game = under_way("R5 K2")
        before = game.state
        game.turn(table)
        assert game.kinds == kinds
        assert words in game.said
        assert Tone(Sound.REFUSED) in game.effects
        assert (game.state.phase, game.state.current) == (Phase.TURN, BEN)
        assert (game.state.gin, game.state.stock, game.state.table) == (before.gin, before.stock, before.table)
        assert game.turn("R5 K2 B9").state.current == ANN

    def test_a_tile_the_other_took_cannot_be_discarded(self):
        game = under_way("R5 K2").turn("R5 B9")  # Ben has the black 2
        game.turn("R5 B9 K2")
        assert game.kinds == ["impossible-tile"]
        assert "You cannot have the black 2" in game.said
        game.turn("R5 B9 K3").turn("R5 B9 K3 K2")
        assert game.gin.known == (frozenset(), frozenset())
        assert set(map(str, game.turn("R5 B9 K3 Y4").gin.known[ANN])) == {"K2"}

    def test_the_round_is_drawn_when_two_hidden_tiles_are_left(self):
        game = under_way("R5 K2")
        game.state = replace(game.state, stock=3)
        game.turn("R5 B9")
        assert game.state.phase is Phase.TURN
        game.turn("R5 B9 Y1")
        assert game.state.stock == 2
        assert game.state.phase is Phase.BETWEEN
        assert "Only 2 face-down tiles left" in game.said
        score = game.got(ScoreRound)[0].score
        assert (score.winner, score.scores, score.ending) == (None, (0, 0), Ending.UNSCORED)

    def test_after_a_drawn_round_the_same_player_deals(self):
        game = under_way("R5 K2")
        game.state = replace(game.state, stock=3)
        game.turn("R5 K2 Y1").next_round()
        assert (game.gin.stage, game.state.current, game.state.first) == (Stage.DEALING, BEN, ANN)
        assert game.turn("Y9").state.current == ANN
        assert game.count == 52


class TestDoubtsAndPauses:
    def test_a_doubt_is_asked_about_and_changes_nothing(self):
        game = under_way("R5 K2").press().see("R5 K2 B9", doubts=(Doubt("B9 or B6"),))
        assert game.got(Ask) == [Ask((Doubt("B9 or B6"),))]
        assert game.state.phase is Phase.ASKING
        assert game.open_row == "R5 K2"
        assert game.see("R5 K2 B9").state.current == ANN

    def test_a_press_looks_again(self):
        game = under_way("R5 K2").press().see("", doubts=(Doubt("B9 or B6"),)).press()
        assert game.got(TakeLook)
        assert game.see("R5 K2 B9").state.current == ANN

    def test_a_knock_is_not_forgotten_over_a_doubt(self):
        game = under_way("R5 K2").press(long=True).see("", doubts=(Doubt("B9 or B6"),)).press().see("R5 K2 B9")
        assert game.gin.stage is Stage.KNOCKER

    def test_a_refused_knock_is_forgotten(self):
        game = under_way("R5 K2").knock("R5 K2 B9 B8").turn("R5 K2 B9")
        assert game.gin.stage is Stage.TURN

    def test_a_game_can_pause(self):
        game = under_way("R5 K2").do(Paused(50.0))
        assert game.state.phase is Phase.PAUSED
        assert game.do(Resumed(90.0)).turn("R5 K2 B9").state.current == ANN

    def test_a_look_cut_short_is_taken_again(self):
        game = under_way("R5 K2").press(long=True).do(Resumed(90.0))
        assert game.got(TakeLook)
        assert game.see("R5 K2 B9").gin.stage is Stage.KNOCKER


class TestOutOfOrder:
    @pytest.mark.parametrize(
        "event",
        [
            Pressed(ANN, 9.0),
            Seen((), 9.0),
            Seen((), 9.0, (1,)),
            TimeUp(999999.0),
            HandShown(BEN, (), 9.0),
            RoundStarted(9.0),
            Started(("Ann", "Ben"), 9.0),
            Resumed(9.0),
        ],
        ids=str,
    )
    def test_what_cannot_happen_now_is_refused(self, event):
        with pytest.raises(OutOfOrder, match="expected"):
            under_way().do(event)

    def test_a_second_press_while_looking_is_refused(self):
        with pytest.raises(OutOfOrder):
            under_way().press().press()

    def test_nobody_can_press_or_begin_a_round_before_the_match(self):
        for event in (Pressed(ANN, 0.0), RoundStarted(0.0)):
            with pytest.raises(OutOfOrder):
                apply(new_match(ruleset("gin")), event)

    def test_the_clock_never_ends(self):
        game = under_way()
        assert game.state.clock.deadline is None
        assert game.do(Pressed(BEN, 1e9)).state.phase is Phase.LOOKING
