import math
from typing import ClassVar

import pytest
from match_driver import OPENING, Game

from referee.errors import BadInput
from referee.game.match.events import Declared, DrawTile, Lamp, Light, PutRight, Started
from referee.game.match.machine import OutOfOrder, apply, new_match
from referee.game.match.phases import Phase
from referee.game.match.round import finish_turn
from referee.game.notation import format_table, parse_table, parse_tile
from referee.game.rulebooks import ruleset


class TestFreshTile:
    def game(self, choice):
        return Game("piatnik", options={"fresh_tile": choice})

    def test_it_waits_unless_agreed_otherwise(self):
        assert self.game("wait").keep().state.current == 1

    @pytest.mark.parametrize("choice", ["opening", "always"])
    def test_a_player_without_a_first_meld_draws_and_may_still_lay(self, choice):
        game = self.game(choice).press(after=50).see("")
        assert game.got(DrawTile) == [DrawTile(0)]
        assert game.got(Lamp)[-1] == Lamp(0, Light.DRAW)
        assert (game.state.phase, game.state.current, game.numbers) == (Phase.TURN, 0, (15, 14))
        assert game.state.clock.seconds_left(game.t) == 70
        game.turn(OPENING)
        assert game.numbers == (9, 14)
        assert game.state.current == 1

    def test_only_once_in_a_turn_and_without_a_second_tile(self):
        game = self.game("opening").keep().keep()
        assert not game.got(DrawTile)
        assert (game.state.current, game.numbers, game.state.stock) == (1, (15, 14), 77)
        assert game.keep().got(DrawTile) == [DrawTile(1)]

    def test_it_may_serve_for_later_turns_too_where_agreed(self):
        assert self.game("opening").opened().keep().state.current == 1
        game = self.game("always").opened().keep()
        assert game.state.current == 0
        assert game.turn("R1 R2 R3").numbers == (12, 14)

    def test_a_refusal_in_between_changes_nothing(self):
        game = self.game("always").keep().turn("R1 R2")
        assert game.state.drew
        assert game.turn("").state.current == 1

    def test_nothing_is_drawn_from_an_empty_stock(self):
        game = Game("piatnik", options={"fresh_tile": "always", "stock": "count"}).fields(stock=1).keep()
        assert game.state.drew
        game.keep()
        assert (game.state.current, game.state.passes) == (1, 0)
        assert game.keep().state.passes == 1

    def test_the_last_tile_can_end_the_round_at_once(self):
        rules = ruleset("piatnik").choose(fresh_tile="always")
        game = (
            Game("ravensburger", options={"stock": "last-drawn"}, fresh=rules.meld_rules.fresh).fields(stock=1).keep()
        )
        assert game.got(DrawTile)
        assert game.state.phase is Phase.OVER

    def test_once_the_time_is_up_the_turn_is_over(self):
        game = self.game("always").time_up("")
        assert (game.state.current, game.numbers) == (1, (15, 14))

    def test_who_has_drawn_and_runs_out_of_time_draws_no_second_tile(self):
        game = self.game("opening").keep().time_up("R1 R2").turn("")
        assert (game.state.current, game.numbers) == (1, (15, 14))
        game = self.game("opening").keep().time_up("")
        assert (game.state.current, game.numbers) == (1, (15, 14))


class TestTileAside:
    LAST: ClassVar = {"last_tile": "on"}

    def game(self, **kwargs):
        return Game("piatnik", aside="R4", options=self.LAST, **kwargs)

    def test_it_comes_out_of_the_stock(self):
        game = self.game()
        assert game.state.stock == 77
        assert game.state.aside == parse_tile("R4")
        assert game.everything == 106

    def ended(self, game, table):
        """The end of a turn that the judge has accepted."""
        game.state, game.effects = finish_turn(game.state, parse_table(table), 1.0, draws=0, opens=False)
        return game

    def test_who_goes_out_with_it_has_used_it(self):
        game = self.ended(self.game().opened().hands(3, 1), "R1 R2 R3 R4")
        assert game.state.phase is Phase.SHOWING
        assert game.numbers == (0, 1)
        assert game.state.aside is None

    def test_who_takes_tiles_of_the_table_besides_has_used_it_all_the_same(self):
        game = self.game().opened().hands(3, 1).fields(table=parse_table("B1 B2 B3"))
        before = game.everything
        self.ended(game, "R1 R2 R3 R4")
        assert game.numbers == (3, 1)
        assert game.state.aside is None
        assert game.everything == before

    def test_every_round_has_its_own(self):
        game = self.ended(self.game(rounds=2).opened().hands(3, 1), "R1 R2 R3 R4").told("B9").next_round(aside="B7")
        assert (game.state.aside, game.state.stock) == (parse_tile("B7"), 77)

    def test_seen_alone_it_is_no_part_of_the_table(self):
        game = self.ended(self.game().opened(), "R4 | B1 B2 B3")
        assert format_table(game.state.table) == "B1 B2 B3"
        assert game.numbers == (11, 14)

    def test_until_then_its_twin_comes_from_the_hand(self):
        game = self.game().opened().hands(5, 1).turn("R2 R3 R4")
        assert game.numbers == (2, 1)
        assert game.state.aside == parse_tile("R4")

    def test_taken_too_early_it_goes_back_aside_when_the_time_is_up(self):
        game = self.game().opened().fields(table=parse_table("R4")).time_up("R2 R3 R4 | B1 B2")
        assert "Set the red 4 aside again." in game.said
        game.turn("R4")
        assert game.state.current == 1
        assert game.state.aside == parse_tile("R4")

    def test_it_needs_not_be_put_right(self):
        game = self.game().opened().time_up("R4 | B1 B2")
        assert "red 4" not in game.said
        assert game.got(PutRight)
        assert game.turn("R4").state.current == 1

    def test_left_over_it_belongs_to_no_hand(self):
        game = Game("piatnik", aside="R4", options={**self.LAST, "stock": "count"}).fields(stock=0).hands(2, 1)
        game.keep().keep().turn("R1 R2 | R4")
        assert game.state.seats[0].shown == (parse_tile("R1"), parse_tile("R2"))
        assert format_table(game.state.table) == "R1 R2"
        assert game.turn("R1 R2 | R4").state.seats[1].shown == (parse_tile("R4"),)
        assert game.state.sheet.totals == (3, 4)

    def test_left_over_it_fills_no_hand_that_is_a_tile_short(self):
        game = Game("piatnik", aside="R4", options={**self.LAST, "stock": "count"}).fields(stock=0).hands(4, 1)
        game.keep().keep().turn("R1 R2 | R4")
        assert game.said == "Ann should have 4 tiles left, but 2 were shown: hold the button if that is right."

    def test_left_over_it_is_one_of_those_in_the_box(self):
        game = Game("piatnik", aside="R4", options={**self.LAST, "stock": "count"}).fields(stock=0).hands(2, 1)
        assert "3 red 4s" in game.keep().keep().told("R4 R4").said

    def test_a_joker_is_put_back(self):
        with pytest.raises(BadInput, match="draw another"):
            Game("piatnik", aside="**", options=self.LAST)

    def test_it_must_be_named_where_the_rules_want_it_and_only_there(self):
        with pytest.raises(BadInput, match="expected the tile that lies open aside, got none"):
            Game("piatnik", options=self.LAST)
        with pytest.raises(BadInput, match="expected no tile aside by these rules of piatnik, got R4"):
            Game("piatnik", aside="R4")


class TestDeclared:
    def test_it_holds_for_the_turn(self):
        game = Game("classic").do(Declared(0, 1.0))
        assert game.state.turn.declared
        assert game.turn("R1 R2").state.turn.declared
        assert not game.turn("").state.turn.declared

    @pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.SHOWING, Phase.BETWEEN, Phase.OVER])
    def test_only_in_a_turn(self, phase):
        with pytest.raises(OutOfOrder, match="declaration of the player whose turn it is"):
            Game("classic").fields(phase=phase).do(Declared(0, 1.0))

    def test_only_by_the_player_whose_turn_it_is(self):
        with pytest.raises(OutOfOrder):
            Game("classic").do(Declared(1, 1.0))

    def test_only_where_the_book_asks_for_it(self):
        with pytest.raises(OutOfOrder, match="no declaration by these rules of rummikub"):
            Game("rummikub").do(Declared(0, 1.0))


class TestClock:
    def test_a_handicap_gives_a_player_more_time_in_every_turn_and_round(self):
        game = Game(handicaps=(30.0, -20.0), rounds=2)
        assert game.state.clock.seconds == 150
        assert game.keep().state.clock.seconds == 100
        game.opened().hands(1, 3).turn("R1 R2 R3").told("B1").next_round(first=0)
        assert game.state.clock.seconds == 150

    @pytest.mark.parametrize("handicaps", [(30.0,), (0.0, -60.0), (0.0, math.inf), (math.nan, 0.0)])
    def test_a_handicap_must_leave_everybody_some_time(self, handicaps):
        with pytest.raises(BadInput, match=r"expected .*handicap"):
            apply(new_match(ruleset("rummikub")), Started(("Ann", "Ben"), 0.0, handicaps=handicaps))

    def test_without_a_clock_a_handicap_has_no_meaning(self):
        game = Game("brettspielnetz", handicaps=(-500.0, 30.0))
        assert game.state.clock.deadline is None
        assert game.press(after=1e6).see("").state.current == 1

    def test_it_may_wait_for_the_first_meld(self):
        game = Game("rummikub", options={"entry": "untimed"}, handicaps=(5.0, 0.0))
        assert game.press(after=1e6).see("R11 R12").state.clock.deadline is None
        assert game.turn("R11 R12 R13").state.clock.deadline is None
        assert game.keep().state.clock.seconds == 65
