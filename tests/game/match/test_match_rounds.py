import pytest
from match_driver import OPENING, Game

from referee.errors import BadInput
from referee.game.match.events import DrawTile, HandShown, MatchOver, RoundStarted, ScoreRound
from referee.game.match.machine import OutOfOrder, apply
from referee.game.match.phases import Phase
from referee.game.match.state import Seat
from referee.game.notation import parse_set, parse_table
from referee.game.rulebooks.model import StockEnd
from referee.game.scoring import Ending


def last_tile(book="ravensburger", players=3, **kwargs):
    return Game(book, players, **kwargs).opened().hands(*(3, 2, 1, 4)[:players]).turn("R1 R2 R3")


def test_a_hand_that_is_shown_lies_on_the_table_and_is_counted_there():
    assert Seat("Anna", hand=5).tiles_left == 5
    assert Seat("Anna", hand=0, shown=tuple(parse_set("R1 R2 R3"))).tiles_left == 3


class TestHands:
    def test_the_last_tile_ends_the_round_and_the_losers_show_their_hands_in_turn(self):
        game = last_tile()
        assert game.state.phase is Phase.SHOWING
        assert game.state.current == 1
        assert "2 tiles" in game.said
        game.turn("R1 R2 R3 | B1 B5")
        assert game.state.current == 2
        game.turn("R1 R2 R3 | B1 B5 | **")
        assert game.got(ScoreRound)[0].score.scores == (31, -6, -25)
        assert game.got(MatchOver) == [MatchOver((0,), (31, -6, -25))]
        assert game.state.phase is Phase.OVER

    def test_no_tile_is_lost_on_the_way(self):
        game = last_tile()
        before = game.everything
        assert game.turn("R1 R2 R3 | B1 B5").everything == before
        assert game.told("**").everything == before

    def test_a_hand_of_the_wrong_size_is_asked_for_again(self):
        game = last_tile().turn("R1 R2 R3 | B1")
        assert game.state.phase is Phase.SHOWING
        assert game.said == "Ben should have 2 tiles left, but 1 was shown: hold the button if that is right."
        game.turn("R1 R2 R3 | B1 B5 B7")
        assert game.said == "Ben should have 2 tiles left, but 3 were shown: hold the button if that is right."
        assert game.state.seat.shown is None

    def test_the_table_must_stay_while_hands_are_shown(self):
        game = last_tile().turn("R1 R2 | B1 B5")
        assert game.state.phase is Phase.SHOWING
        assert "the red 3" in game.said

    def test_no_tile_can_be_there_more_often_than_the_box_has_it(self):
        game = last_tile().turn("R1 R2 R3 | Y7 Y7").told("Y7")
        assert game.state.phase is Phase.SHOWING
        assert game.said == "There can't be 3 yellow 7s: the box has only 2."
        assert game.turn("R1 R2 R3 | Y7 Y7 | Y8").state.phase is Phase.OVER

    def test_hands_that_were_only_told_count_there_too(self):
        game = last_tile().told("Y7 Y7").turn("R1 R2 R3 | Y7")
        assert "3 yellow 7s" in game.said

    def test_more_jokers_than_play_along_cannot_be_shown(self):
        game = last_tile(options={"jokers": "2"}, players=4).turn("R1 R2 R3 | ** **").turn("R1 R2 R3 | ** ** **")
        assert "There can't be 3 jokers: the box has only 2." in game.said

    def test_a_hand_can_be_told_instead(self):
        game = last_tile().do(HandShown(1, parse_set("B5 B1"), 5.0))
        assert game.state.seats[1].shown == parse_set("B1 B5")
        assert game.state.current == 2
        with pytest.raises(OutOfOrder):
            game.do(HandShown(1, (), 6.0))

    def test_where_rounds_are_counted_nobody_shows_a_hand_after_the_last_tile(self):
        game = last_tile("brettspielnetz", 2)
        assert game.got(ScoreRound)[0].score.scores == (1, 0)
        assert game.state.phase is Phase.OVER


class TestNextRound:
    def between(self):
        return last_tile(rounds=3).turn("R1 R2 R3 | B1 B5").turn("R1 R2 R3 | B1 B5 | B9")

    def test_it_begins_with_the_next_player(self):
        game = self.between()
        assert game.state.phase is Phase.BETWEEN
        game.next_round()
        assert game.state.current == 1
        assert game.numbers == (14, 14, 14)
        assert not game.state.seats[0].opened
        assert game.state.sheet.totals == (15, -6, -9)
        assert game.everything == 108

    def test_or_with_whom_the_players_name_if_somebody_sits_there(self):
        game = self.between()
        assert apply(game.state, RoundStarted(99.0, first=0))[0].current == 0
        with pytest.raises(BadInput, match="seat"):
            game.next_round(first=3)

    def test_rounds_are_numbered_on_the_sheet(self):
        game = self.between()
        assert game.got(ScoreRound)[0].round == 1


class TestEmptyStock:
    def test_a_book_ends_without_score_when_somebody_cannot_draw(self):
        game = Game().fields(stock=1).keep().keep()
        assert game.got(ScoreRound)[0].score.ending is Ending.UNSCORED
        assert game.got(MatchOver) == [MatchOver((0, 1), (0, 0))]

    def test_or_with_the_last_tile_drawn(self):
        game = Game(options={"stock": "last-drawn"}).fields(stock=1).keep()
        assert game.got(DrawTile)
        assert game.state.phase is Phase.OVER

    def test_who_still_lays_when_the_stock_is_empty_does_not_end_the_round(self):
        assert Game().fields(stock=0).turn(OPENING).state.current == 1

    def test_brettspielnetz_counts_the_hands_at_once_and_the_lower_one_wins(self):
        game = Game("brettspielnetz").fields(stock=1).hands(2, 2).keep()
        assert game.state.phase is Phase.SHOWING
        assert game.state.current == 1
        game.turn("** R9").turn("** R9 | ** B1 B2")
        assert game.got(ScoreRound)[0].score.scores == (1, 0)
        assert game.state.winner == 0

    def test_brettspielnetz_calls_equal_hands_a_draw(self):
        game = Game("brettspielnetz").fields(stock=1).hands(1, 2).keep().told("** R9").told("** B9")
        assert game.got(MatchOver) == [MatchOver((0, 1), (0, 0))]

    def test_where_everyone_was_dealt_one_joker_it_is_on_the_table_or_in_the_hand(self):
        game = Game("brettspielnetz").opened().turn("R1 ** R3").fields(stock=1).hands(5, 1).keep()
        assert game.told("R4 B4 Y4 G4 R5").told("B9 B9").said == "Ben should have 1 joker left, not 0."
        assert game.told("** B9").state.phase is Phase.OVER

    @pytest.mark.parametrize(("choice", "scores"), [("nothing", (-3, -9)), ("difference", (6, -6))])
    def test_rummikub_counts_the_hands_in_the_end(self, choice, scores):
        game = Game("rummikub", options={"empty_stock": choice}).fields(stock=0).hands(2, 1).keep()
        assert game.said == "The stock is empty, so Ann passes. Ben, it is your turn."
        game.keep()
        assert game.state.phase is Phase.SHOWING
        game.turn("R1 R2").turn("R1 R2 | B9")
        assert game.got(ScoreRound)[0].score.scores == scores
        assert game.state.winner == 0

    def test_piatnik_counts_minus_points_where_agreed(self):
        game = Game("piatnik", options={"stock": "count"}).fields(stock=0).hands(2, 1).keep().keep()
        game.told("R1 R2").told("**")
        assert game.got(MatchOver) == [MatchOver((0,), (3, 20))]

    def test_laying_begins_the_count_of_passes_anew(self):
        game = Game("rummikub", players=3).opened().fields(stock=0)
        game.keep().keep().turn("R1 R2 R3").keep().keep()
        assert game.state.phase is Phase.TURN
        assert game.keep().state.phase is Phase.SHOWING

    def test_a_turn_that_ran_out_of_time_without_a_tile_laid_counts_as_a_pass(self):
        game = Game("piatnik", options={"stock": "count"}).opened().fields(stock=0).keep()
        game.time_up("R7").turn("")
        assert game.state.phase is Phase.SHOWING

    def test_in_the_first_edition_such_a_turn_asked_for_no_tile_so_nobody_failed_to_draw(self):
        game = Game(stock_end=StockEnd.DRAW_FAILS, edition=1).opened().fields(stock=0).time_up("R7").turn("")
        assert game.state.phase is Phase.TURN

    @pytest.mark.parametrize("book", ["ravensburger", "classic"])
    def test_since_then_it_is_one_of_drawing_and_ends_the_round(self, book):
        game = Game(book).opened().fields(stock=0).time_up("R7").turn("")
        assert game.got(ScoreRound)[0].score.ending is Ending.UNSCORED

    def test_who_has_drawn_already_does_not_draw_for_laying_nothing(self):
        game = Game("piatnik", options={"fresh_tile": "always"}).opened().keep()
        assert game.numbers == (15, 14)
        assert game.time_up("R7").turn("").state.current == 1
        assert game.numbers == (15, 14)


class TestHandLaidAtOnce:
    @pytest.mark.parametrize(("choice", "scores"), [("on", (0, 50, 26, 40)), ("off", (0, 25, 13, 20))])
    def test_the_others_count_double_where_agreed(self, choice, scores):
        game = Game("piatnik", players=4, options={"hand_rummy": choice}).hands(6, 2, 1, 1).turn(OPENING)
        score = game.told("B12 R13").told("K13").told("**").got(ScoreRound)[0].score
        assert score.in_one_turn
        assert score.scores == scores

    def test_who_had_laid_before_is_only_out(self):
        game = Game("piatnik", options={"hand_rummy": "on"}).opened().hands(3, 1).turn("R1 R2 R3").told("K13")
        assert game.got(ScoreRound)[0].score.scores == (0, 13)


def test_the_table_of_a_round_won_holds_all_hands_that_were_shown():
    game = last_tile().turn("R1 R2 R3 | B1 B5").told("B9")
    assert game.state.table == parse_table("R1 R2 R3 | B1 B5")
    assert game.numbers == (0, 0, 1)
