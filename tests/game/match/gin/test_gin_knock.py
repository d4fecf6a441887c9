from dataclasses import replace

import pytest
from gin_game import ANN, BEN, GinGame, under_way

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.gin.round import Stage
from referee.game.match.events import Corrected, HandShown, Lamp, Light, MatchOver, PutRight, ScoreRound, Sound, Tone
from referee.game.match.machine import OutOfOrder
from referee.game.match.phases import Phase
from referee.game.notation import format_table
from referee.game.scoring import Ending
from referee.i18n import ENGLISH

ROW = "R5 K2 B9"
SETS = "R1 R2 R3 | K5 B5 Y5"
HAND = f"{SETS} | K9 K10 K11 | Y4"
GIN = f"{SETS} | K9 K10 K11 K12"
LOW = "B1 B2 B3 | R7 K7 Y7 | B11 B12 B13 | Y1"
OTHER = "B1 B2 B3 | R7 K7 Y7 | R4 | B13 | Y13 | K13"


def told(game):
    return tuple(map(ENGLISH, game.got(PutRight)[0].steps))


def knocked():
    """Ben has knocked, and is to lay the hand open."""
    return under_way("R5 K2").knock(ROW)


def laid(hand=HAND):
    """Ben's hand lies there, and Ann is to lay hers."""
    return knocked().turn(f"{ROW} | {hand}")


class TestKnock:
    def test_a_long_press_after_the_discard_knocks(self):
        game = knocked()
        assert (game.gin.stage, game.state.phase, game.state.current) == (Stage.KNOCKER, Phase.SHOWING, BEN)
        assert game.said == "Ben knocks: lay out your sets, and every other tile on its own; then press."
        assert game.open_row == ROW
        assert game.count == 52

    def test_the_first_player_can_knock_with_the_first_tile(self):
        assert GinGame().turn("R5").knock("K2").gin.stage is Stage.KNOCKER

    def test_a_tile_put_back_can_end_in_a_knock(self):
        assert under_way("R5 K2").turn("R5 K2").knock("R5 K2").gin.stage is Stage.KNOCKER

    def test_nobody_can_knock_without_a_tile_taken(self):
        game = GinGame().turn("R5").knock("R5")
        assert game.kinds == ["nothing-laid"]
        assert "You can knock only after" in game.said
        assert game.turn("R5").gin.stage is Stage.SECOND_OFFER

    def test_the_last_hidden_tile_may_bring_a_knock(self):
        game = under_way("R5 K2")
        game.state = replace(game.state, stock=3)
        assert game.knock(ROW).gin.stage is Stage.KNOCKER


class TestKnockersHand:
    def test_the_hand_counts_as_it_lies(self):
        game = laid()
        assert (game.gin.stage, game.state.phase, game.state.current) == (Stage.OPPONENT, Phase.SHOWING, ANN)
        assert "Ben is left with 4 points." in game.said
        assert "tiles that fit the knocker's sets" in game.said
        assert Lamp(BEN, Light.ACCEPTED) in game.effects
        assert format_table(game.gin.laid.sets) == "R1 R2 R3 | K5 B5 Y5 | K9 K10 K11"
        assert [seat.hand for seat in game.state.seats] == [10, 0]
        assert game.count == 52

    def test_the_rest_may_lie_together(self):
        game = laid("R1 R2 R3 | K5 B5 Y5 | Y1 Y3 | B1 B4")
        assert game.gin.laid.points == 9
        assert len(game.gin.laid.rest) == 4

    def test_sets_may_lie_beside_the_row(self):
        game = knocked().turn(f"{ROW} K9 K10 K11 | {SETS} | Y4")
        assert game.gin.laid.points == 4

    @pytest.mark.parametrize(
        ("table", "words"),
        [
            pytest.param(f"{ROW} | {SETS} | K9 K10 K11", "lay 10 tiles, but I see 9 new tiles", id="too few"),
            pytest.param(f"{ROW} | {HAND} | Y9", "lay 10 tiles, but I see 11 new tiles", id="too many"),
            pytest.param(f"R5 K2 | {HAND}", "Please put the blue 9 back on the table.", id="the discard is gone"),
            pytest.param(f"{ROW} | {HAND} Y4", "There can't be 2 yellow 4s", id="a tile twice"),
            pytest.param(f"{ROW} | R1 R2 R3 Y4 | K5 B5 Y5 | K9 K10 K11", "R1 R2 R3 Y4 is not a set", id="too near"),
            pytest.param(f"{ROW} | R1 R2 | R3 | K5 B5 Y5 | K9 K10 K11 | K1", None, id="six points, as it lies"),
            pytest.param(f"{ROW} | {SETS} | K9 | K10 | K11 | Y4", "is worth 33, but it could be less", id="high"),
        ],
    )
    def test_what_must_be_laid_anew(self, table, words):
        game = knocked().turn(table)
        if words is None:
            assert game.gin.laid.points == 7
            return
        assert words in game.said
        assert (game.gin.stage, game.state.phase, game.state.current) == (Stage.KNOCKER, Phase.SHOWING, BEN)
        assert game.turn(f"{ROW} | {HAND}").gin.stage is Stage.OPPONENT

    def test_tiles_that_were_taken_openly_must_be_there(self):
        game = under_way("R5 K2").turn("R5 B9").turn("R5 B9 Y2").knock("R5 B9 Y2 Y3")  # Ben has the black 2
        game.turn(f"R5 B9 Y2 Y3 | {HAND}")
        assert "Your hand must include the black 2, but what you laid does not." in game.said
        game.turn("R5 B9 Y2 Y3 | K5 B5 Y5 | K9 K10 K11 | R1 R2 R3 | K2")
        assert game.gin.stage is Stage.OPPONENT

    def test_tiles_that_the_other_took_cannot_be_there(self):
        game = under_way("R5 K2").turn("R5 B9").knock("R5 B9 Y2")  # Ben has the black 2, Ann knocks
        game.turn("R5 B9 Y2 | K5 B5 Y5 | K9 K10 K11 | R1 R2 R3 | K2")
        assert "You cannot have the black 2" in game.said

    def test_a_doubt_is_asked_about(self):
        game = knocked().press().see("", doubts=(Doubt("B9 or B6"),))
        assert Lamp(BEN, Light.ASKING) in game.effects
        assert game.press().see(f"{ROW} | {HAND}").gin.stage is Stage.OPPONENT

    def test_a_hand_cannot_be_told(self):
        with pytest.raises(OutOfOrder, match="hands laid open on the table"):
            knocked().do(HandShown(BEN, (), 9.0))

    def test_only_the_knocker_may_press(self):
        with pytest.raises(OutOfOrder):
            knocked().press(ANN)

    def test_a_knock_by_mistake_can_be_withdrawn(self):
        game = knocked().turn(ROW)
        assert game.said == "Lay your 10 tiles face up, or press again if you do not want to knock."
        assert game.gin.stage is Stage.KNOCKER
        game.turn(ROW)
        assert "Ben does not knock after all." in game.said
        assert (game.gin.stage, game.state.current, game.open_row) == (Stage.TURN, ANN, ROW)
        assert game.count == 52

    def test_withdrawing_is_asked_for_anew_after_tiles_were_laid(self):
        game = knocked().turns(ROW, f"{ROW} | R1", ROW)
        assert game.gin.stage is Stage.KNOCKER


class TestRefusedKnock:
    HIGH = "R1 R2 R3 | K5 B5 Y5 | K9 K10 | K1 | Y4"

    def refused(self):
        return knocked().turn(f"{ROW} | {self.HIGH}")

    def test_a_rest_of_ten_or_more_is_refused_and_the_hand_goes_back(self):
        game = self.refused()
        assert (game.gin.stage, game.state.phase, game.state.current) == (Stage.TAKING_BACK, Phase.PUTTING_RIGHT, BEN)
        assert "your deadwood is at least 24, and must be less than 10" in game.said
        assert Tone(Sound.REFUSED) in game.effects
        (put_right,) = game.got(PutRight)
        assert format_table(put_right.target) == ROW
        assert "Take the black 1, the red 1" in ENGLISH(put_right.steps[0])

    def test_the_opponents_turn_follows_once_the_table_is_right(self):
        game = self.refused().turn(f"{ROW} | K9 K10")
        assert told(game) == ("Take the black 9 and the black 10 into your hand.",)
        game.turn("R5 K2")
        assert told(game) == ("Put the blue 9 back on the table.",)
        assert game.state.current == BEN
        game.turn("R5 | K2 B9")
        assert (game.gin.stage, game.state.current, game.open_row) == (Stage.TURN, ANN, ROW)
        assert game.count == 52

    def test_everybody_knows_the_hand_now(self):
        game = self.refused().turn(ROW).turn(f"{ROW} K10")
        assert "You cannot have the black 10" in game.said
        assert game.turn(f"{ROW} K13").turn(f"{ROW} K13 K10").state.current == ANN

    def test_with_the_last_tile_the_round_is_drawn(self):
        game = under_way("R5 K2")
        game.state = replace(game.state, stock=3)
        game.knock(ROW).turn(f"{ROW} | {self.HIGH}").turn(ROW)
        assert game.state.phase is Phase.BETWEEN
        assert game.got(ScoreRound)[0].score.winner is None


class TestOpponentsHand:
    def test_the_difference_is_won(self):
        game = laid().turn(f"{ROW} | {HAND} | {OTHER}")
        score = game.got(ScoreRound)[0].score
        assert (score.winner, score.hands, score.scores) == (BEN, (34, 4), (0, 30))
        assert score.ending is Ending.GIVEN
        assert "Ann is left with 34 points. Ben gets 30 points." in game.said
        assert (game.state.phase, game.count) == (Phase.BETWEEN, 52)

    def test_tiles_can_be_added_to_the_knockers_sets(self):
        table = f"{ROW} | R1 R2 R3 R4 | K5 B5 Y5 | K9 K10 K11 K12 K13 | Y4 | B1 B2 B3 | R7 K7 Y7 | B13"
        score = laid().turn(table).got(ScoreRound)[0].score
        assert score.hands == (10, 4)

    def test_a_lower_rest_wins_with_ten_more(self):
        score = laid().turn(f"{ROW} | {HAND} | {LOW}").got(ScoreRound)[0].score
        assert (score.winner, score.scores) == (ANN, (13, 0))

    def test_gin_wins_the_rest_and_25(self):
        game = laid(GIN)
        assert "Ben has no tile left." in game.said
        assert "fit the knocker's sets" not in game.said
        score = game.turn(f"{ROW} | {GIN} | {OTHER}").got(ScoreRound)[0].score
        assert (score.winner, score.hands, score.scores) == (BEN, (34, 0), (0, 59))

    def test_the_knockers_sets_may_be_read_as_lying_together(self):
        table = f"{ROW} R1 R2 R3 K5 B5 Y5 | K9 K10 K11 | Y4 | {OTHER}"
        assert laid().turn(table).got(ScoreRound)

    def test_a_run_may_join_two_of_the_knockers_sets(self):
        row, rest = "B10 K2 Y9", "K9 K10 K11 | Y4 | B1 B2 B3 | K7 Y7 | B13 | Y13 | K13"
        game = under_way("B10 K2").knock(row).turn(f"{row} | R1 R2 R3 | R6 R7 R8 | K9 K10 K11 | Y4")
        game.turn(f"{row} | R1 R2 R3 R4 R6 R7 R8 | R5 | {rest}")
        assert "R1 R2 R3 R4 R6 R7 R8 is not a set, so lay the red 4 elsewhere." in game.said
        assert game.turn(f"{row} | R1 R2 R3 R4 R5 R6 R7 R8 | {rest}").state.sheet.rounds[0].hands == (44, 4)

    @pytest.mark.parametrize(
        ("table", "words"),
        [
            pytest.param(f"{ROW} | {HAND} | {LOW[:-5]}", "lay 10 tiles, but I see 9 new tiles", id="too few"),
            pytest.param(f"{ROW} | {HAND}", "lay 10 tiles, but I see 0 new tiles", id="nothing"),
            pytest.param(f"{ROW} | {SETS} | K9 K10 K11 | {OTHER}", "Please put the yellow 4 back", id="rest gone"),
            pytest.param(f"{ROW} | {SETS} | K9 K10 | K11 | Y4 | {OTHER}", "set as it was: K9 K10 K11", id="broken"),
            pytest.param(
                f"{ROW} | R1 R2 R3 | K5 B5 Y5 R7 K7 Y7 | K9 K10 K11 | Y4 | B1 B2 B3 | R4 | B13 | Y13 | K13",
                "K5 B5 Y5 R7 K7 Y7 is not a set, so lay the red 7, the black 7 and the yellow 7 elsewhere.",
                id="what does not fit",
            ),
            pytest.param(
                f"{ROW} | {HAND} | B1 B2 B3 R7 K7 Y7 | R4 | B13 | Y13 | K13",
                "B1 B2 B3 R7 K7 Y7 is not a set: lay sets and single tiles farther apart.",
                id="own sets too near",
            ),
            pytest.param(f"{ROW} | {HAND} | {OTHER} | K13", "2 black 13s", id="a tile twice"),
        ],
    )
    def test_what_must_be_laid_anew(self, table, words):
        game = laid().turn(table)
        assert words in game.said
        assert (game.gin.stage, game.state.phase, game.state.current) == (Stage.OPPONENT, Phase.SHOWING, ANN)
        assert game.turn(f"{ROW} | {HAND} | {OTHER}").state.phase is Phase.BETWEEN

    def test_after_gin_nothing_can_be_added(self):
        added = "R1 R2 R3 R4 | K5 B5 Y5 | K9 K10 K11 K12 | B1 B2 B3 | R7 K7 Y7 | B13 | Y13 | K13"
        game = laid(GIN).turn(f"{ROW} | {added}")
        assert "After gin you cannot add to the knocker's sets: lay the red 4 apart." in game.said


class TestMatch:
    def won(self, by_ben=True):
        return laid().turn(f"{ROW} | {HAND} | {OTHER if by_ben else LOW}")

    def test_the_loser_deals_next(self):
        game = self.won().next_round()
        assert (game.gin.stage, game.state.current, game.state.first) == (Stage.DEALING, ANN, BEN)
        assert game.gin.open == ()
        assert [seat.shown for seat in game.state.seats] == [None, None]
        assert self.won(by_ben=False).next_round().state.current == BEN

    def test_the_players_may_name_who_begins(self):
        assert self.won().next_round(first=ANN).state.current == BEN
        with pytest.raises(BadInput, match="seat"):
            self.won().next_round(first=2)

    def test_a_hundred_points_end_the_match(self):
        game, gin = self.won(), laid(GIN)
        gin.state = replace(gin.state, sheet=game.state.sheet)
        gin.turn(f"{ROW} | {GIN} | {OTHER}")
        assert gin.state.sheet.totals == (0, 89)
        assert gin.state.phase is Phase.BETWEEN
        sheet, gin = gin.state.sheet, laid()
        gin.state = replace(gin.state, sheet=sheet)
        gin.turn(f"{ROW} | {HAND} | {OTHER}")
        assert gin.got(MatchOver) == [MatchOver((BEN,), (0, 119))]
        assert gin.state.phase is Phase.OVER

    def test_a_round_can_be_corrected(self):
        game = self.won().do(Corrected(1, (4, 34), 99.0, winner=ANN, scores=(30, 0)))
        assert game.state.sheet.totals == (30, 0)
        assert game.got(ScoreRound)[0].round == 1
        # The corrected loser deals.
        assert game.next_round().state.current == BEN

    def test_a_correction_may_end_the_match_and_open_it_again(self):
        game = self.won().do(Corrected(1, (100, 0), 99.0, winner=BEN, scores=(0, 100)))
        assert game.state.phase is Phase.OVER
        game.do(Corrected(1, (34, 4), 99.0, winner=BEN, scores=(0, 30)))
        assert game.next_round().turn("R9").gin.stage is Stage.FIRST_OFFER

    def test_a_round_under_way_goes_on_after_a_correction(self):
        game = self.won().next_round().turn("R9").do(Corrected(1, (0, 0), 99.0, scores=(0, 0)))
        assert game.gin.stage is Stage.FIRST_OFFER
        assert game.turn("R9").gin.stage is Stage.SECOND_OFFER
