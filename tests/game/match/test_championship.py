"""The options of championships: a chess clock, hands without a first meld, jokers dealt, and the time of a match."""

from dataclasses import replace

import pytest
from match_driver import OPENING, Game

from referee.game.match.events import (
    Agreed,
    Coached,
    Corrected,
    MatchOver,
    MatchTimeUp,
    Paused,
    Pressed,
    Resumed,
    RoundStarted,
    ScoreRound,
    Show,
    TimeUp,
    Withdrawn,
)
from referee.game.match.machine import OutOfOrder
from referee.game.match.match_time import match_deadline
from referee.game.match.phases import Phase
from referee.game.notation import parse_set
from referee.game.rulebooks import ruleset
from referee.game.rulebooks.summary import summary
from referee.game.tiles import JOKER
from referee.i18n import ENGLISH


def banks(game):
    return tuple(seat.bank for seat in game.state.seats)


class TestChessClock:
    def game(self, **more):
        return Game("rummikub", options={"chess_clock": "10+10"}, **more)

    def test_without_it_no_player_has_a_bank(self):
        assert banks(Game("rummikub")) == (None, None)
        assert banks(Game("gin")) == (None, None)

    def test_a_turn_may_last_as_long_as_the_bank_and_the_delay(self):
        game = self.game()
        assert banks(game) == (600, 600)
        assert game.state.clock.seconds_left(game.t) == 610

    def test_it_runs_before_the_first_meld_too(self):
        game = Game("rummikub", options={"chess_clock": "5+10", "entry": "untimed", "minutes": "3"})
        assert not game.state.seat.opened
        assert game.state.clock.seconds_left(0.0) == 310

    def test_the_delay_is_used_first_and_what_is_left_of_it_is_not_added(self):
        game = self.game().press(after=4).see("")
        assert banks(game) == (600, 600)
        game.press(after=30).see("")
        assert banks(game) == (600, 580)
        assert game.state.clock.seconds_left(game.t) == 610
        game.press(after=10).see("")
        assert banks(game) == (600, 580)
        assert game.state.clock.seconds_left(game.t) == 590

    def test_the_look_and_a_pause_cost_nothing(self):
        game = self.game()
        game.do(Paused(20.0)).do(Resumed(500.0))
        game.t = 500.0
        game.press(after=15)
        game.t += 40
        game.see("")
        assert banks(game) == (575, 600)

    def test_a_refused_look_goes_on_with_the_same_time(self):
        game = self.game().press(after=20).see("R1 R2")
        assert (game.state.current, game.state.clock.seconds_left(game.t)) == (0, 590)
        game.press(after=20).see(OPENING)
        assert banks(game) == (570, 600)

    def test_a_press_taken_back_takes_the_time_back_too(self):
        game = self.game().press(after=110).see(OPENING)
        assert banks(game) == (500, 600)
        game.t += 3
        game.do(Withdrawn(0, game.t))
        assert (game.state.current, banks(game)) == (0, (600, 600))
        assert game.state.clock.seconds_left(game.t) == 500

    def test_a_turn_that_counts_by_agreement_costs_its_time(self):
        game = self.game().opened().press(after=20).see("R1 R2")
        game.do(Agreed(game.state.table, game.t + 30, (0, 1)))
        assert banks(game) == (560, 600)

    def test_when_it_is_empty_the_time_is_up_and_only_the_delay_remains(self):
        game = self.game().opened().time_up("R5")
        game.turn("")
        assert (game.state.current, game.numbers, banks(game)) == (1, (17, 14), (0, 600))
        game.keep()
        assert game.state.clock.seconds_left(game.t) == 10
        game.press(after=9).see("")
        assert banks(game)[0] == 0
        game.keep()
        with pytest.raises(OutOfOrder):
            game.do(TimeUp(game.t + 9))
        assert game.time_up("").state.current == 1

    def test_every_round_begins_with_the_whole_bank(self):
        game = self.game(rounds=2).opened().hands(3, 2)
        game.press(after=100).see("R1 R2 R3").told("B1 B2").next_round()
        assert banks(game) == (600, 600)

    def test_a_handicap_is_added_to_the_delay(self):
        game = self.game(handicaps=(5.0, 0.0)).press(after=20).see("")
        assert banks(game) == (595, 600)

    def test_the_last_seconds_are_told_from_what_is_left(self):
        game = self.game()
        assert game.state.clock.warnings(579.0, 581.0) == (30,)

    def test_the_rules_tell_it(self):
        rules = ENGLISH.all(summary_of("rummikub", chess_clock="15+10"))
        assert (
            "Each player has 15 minutes for all turns of a round; the first 10 seconds of each turn are free" in rules
        )
        assert "you draw 3 tiles, or 1 before your first meld; from then on each of your turns lasts 10" in rules
        assert "a turn lasts" not in rules


def summary_of(book, **options):
    return summary(ruleset(book).choose(**options))


HAS_30 = "R10 R11 R12 B1 B3"
HAS_30_WITH_JOKER = "R10 ** R12 B1 B3"
HAS_LESS = "R8 R9 R10 B1 B3"


class TestHandWithoutFirstMeld:
    def ended(self, choice, hand, *, opened=False, **options):
        """The end of a round that the first player wins, whatever the other one holds."""
        game = Game("rummikub", options={"unopened": choice} | options).opened().hands(3, len(parse_set(hand)))
        seats = (game.state.seats[0], replace(game.state.seats[1], opened=opened))
        return game.fields(seats=seats).turn("R1 R2 R3").told(hand)

    @pytest.mark.parametrize(
        ("choice", "hand", "points"),
        [
            ("tiles", HAS_30, 37),
            ("100", HAS_30, 100),
            ("100", HAS_LESS, 100),
            ("200", HAS_LESS, 200),
            ("100-or-200", HAS_LESS, 100),
            ("100-or-200", HAS_30, 200),
            ("100-or-200", HAS_30_WITH_JOKER, 200),
        ],
    )
    def test_it_counts_what_was_chosen_instead_of_its_tiles(self, choice, hand, points):
        line = self.ended(choice, hand).state.sheet.rounds[0]
        assert (line.winner, line.hands, line.scores) == (0, (0, points), (points, -points))

    def test_who_has_made_a_first_meld_loses_the_tiles(self):
        game = self.ended("200", HAS_LESS, opened=True)
        assert game.state.sheet.rounds[0].hands == (0, 31)
        assert "first meld" not in game.said

    def test_it_is_said(self):
        assert "Ben has made no first meld: the hand counts 100 points." in self.ended("100", HAS_LESS).said
        assert "first meld" not in self.ended("tiles", HAS_LESS).said

    def test_it_counts_in_a_round_that_nobody_won_too(self):
        game = Game("rummikub", options={"unopened": "100"}).hands(2, 2).fields(stock=0)
        game.fields(seats=(replace(game.state.seats[0], opened=True), game.state.seats[1]))
        game.keep().keep().told("B1 B2").told("R12 R13")
        line = game.state.sheet.rounds[0]
        assert (line.winner, line.hands, line.scores) == (0, (3, 100), (-3, -100))

    def test_a_correction_may_say_it(self):
        game = self.ended("100-or-200", HAS_LESS)
        game.do(Corrected(1, (0, 200), game.t, winner=0))
        assert game.got(ScoreRound)[0].score.scores == (200, -200)

    def test_all_hands_together_may_count_more_than_the_box(self):
        game = Game("rummikub", players=4, options={"unopened": "200"})
        game.fields(phase=Phase.BETWEEN, sheet=game.state.sheet.add(self.ended("100", HAS_LESS).state.sheet.rounds[0]))
        game.do(Corrected(1, (200, 200, 200, 200), game.t))
        assert game.got(ScoreRound)[0].score.scores == (-200,) * 4

    def test_the_rules_tell_it(self):
        assert "that hand counts 100 points, whatever tiles are in it." in ENGLISH.all(
            summary_of("rummikub", unopened="100")
        )
        assert "that hand counts 100 points, or 200 if it holds a first meld" in ENGLISH.all(
            summary_of("rummikub", unopened="100-or-200")
        )

    def test_a_joker_may_cost_more(self):
        game = self.ended("tiles", "** R1", joker_points="50")
        assert game.state.sheet.rounds[0].hands == (0, 51)


class TestDeal:
    def test_of_two_players_each_has_one_of_the_two_jokers(self):
        game = Game("rummikub", options={"dealt_jokers": "one-each"})
        assert [(seat.hand, seat.jokers) for seat in game.state.seats] == [(14, 1), (14, 1)]
        assert game.state.stock == 78
        game.turn("R10 ** **")
        assert game.state.refused
        assert "joker" in ENGLISH.all(fault.notice for show in game.got(Show) for fault in show.verdict.faults)

    def test_a_hand_laid_open_without_its_joker_is_told(self):
        game = (
            Game("rummikub", options={"dealt_jokers": "one-each"}).opened().hands(3, 2).turn("R1 R2 R3").told("B1 B2")
        )
        assert game.state.phase is Phase.SHOWING
        assert "joker" in game.said
        assert game.told(f"B1 {JOKER}").state.phase is Phase.OVER

    def test_of_more_players_nobody_knows(self):
        game = Game("rummikub", players=3, options={"dealt_jokers": "one-each"})
        assert [seat.jokers for seat in game.state.seats] == [None] * 3
        assert ruleset("rummikub").choose(dealt_jokers="one-each").jokers_dealt(3) is None

    def test_the_rules_tell_it_and_that_three_pairs_may_be_shown(self):
        told = ENGLISH.all(summary_of("rummikub", dealt_jokers="one-each", three_pairs="new-hands"))
        assert "If you are two, each of you takes one of the two jokers and 13 other tiles" in told
        assert "If you are dealt three pairs of equal tiles, you may show them" in told
        assert "three pairs" not in ENGLISH.all(summary_of("rummikub"))


class TestMatchTime:
    def game(self, book="rummikub", rounds=4, **options):
        return Game(book, rounds=rounds, options={"match_time": "60"} | options)

    def end_round(self, game, t):
        game.opened().hands(3, 2)
        game.t = t - 1
        game.fields(clock=game.state.clock.stop(t - 1).start(t - 1))
        return game.turn("R1 R2 R3").told("B1 B2")

    def test_without_it_a_match_has_no_end_of_its_own(self):
        game = Game("rummikub")
        assert match_deadline(game.state) is None
        with pytest.raises(OutOfOrder):
            game.do(MatchTimeUp(1e6))

    def test_it_is_not_up_before(self):
        game = self.game()
        assert match_deadline(game.state) == 3600
        with pytest.raises(OutOfOrder):
            game.do(MatchTimeUp(3599.9))

    def test_the_round_under_way_is_the_last(self):
        game = Game("rummikub", rounds=4, options={"match_time": "60", "minutes": "3"})
        game.do(Paused(1.0)).do(MatchTimeUp(3600.0)).do(Resumed(3601.0))
        assert game.state.phase is Phase.TURN
        assert match_deadline(game.state) is None
        with pytest.raises(OutOfOrder):
            game.do(MatchTimeUp(3601.0))
        game.t = 3601.0
        game.opened().hands(3, 2).turn("R1 R2 R3").told("B1 B2")
        assert game.state.phase is Phase.OVER
        assert game.got(MatchOver)[0].winners == (0,)

    def test_it_is_said_in_the_round(self):
        game = self.game().do(MatchTimeUp(3600.0))
        assert game.said == "The time of the match is up: this round is the last."
        assert game.state.phase is Phase.TURN

    def test_between_two_rounds_the_match_is_over_at_once(self):
        game = self.game().opened().hands(3, 2).turn("R1 R2 R3").told("B1 B2")
        assert game.state.phase is Phase.BETWEEN
        game.do(MatchTimeUp(3600.0))
        assert game.said == "The time of the match is up: no new round begins."
        assert (game.state.phase, game.got(MatchOver)[0].winners) == (Phase.OVER, (0,))
        with pytest.raises(OutOfOrder):
            game.do(RoundStarted(3601.0))

    def test_no_extra_round_decides_a_tie_then(self):
        game = self.game(rounds=1, tie="extra-round").opened().hands(3, 2).turn("R1 R2 R3").told("B1 B2")
        assert game.state.phase is Phase.OVER
        game = self.game(rounds=1, tie="extra-round").do(MatchTimeUp(3600.0))
        game.do(Paused(3600.0)).do(Resumed(3600.0))
        game.t = 3600.0
        game.opened().hands(3, 3).turn("R1 R2 R3").told("B1 B2 B3")
        game.do(Corrected(1, (0, 0), game.t, winner=0))
        assert (game.state.phase, game.got(MatchOver)[-1].winners) == (Phase.OVER, (0, 1))

    def test_a_turn_taken_back_does_not_take_the_end_back(self):
        game = self.game().turn(OPENING).do(MatchTimeUp(3600.0))
        game.state = replace(game.state, clock=replace(game.state.clock, since=3600.0))
        game.do(Withdrawn(0, 3601.0))
        assert game.state.current == 0
        assert game.state.closing

    def test_the_last_turn_can_still_be_taken_back_after_it(self):
        game = self.game().turn(OPENING)
        before = game.state.before
        assert game.do(MatchTimeUp(3600.0)).state.before is before

    @pytest.mark.parametrize("book", ["ravensburger", "brettspielnetz", "piatnik", "classic"])
    def test_every_book_whose_rounds_are_agreed_offers_it(self, book):
        assert match_deadline(self.game(book).state) == 3600
        assert "No new round begins once the match has lasted 60 minutes" in ENGLISH.all(
            summary_of(book, match_time="60")
        )

    def test_pauses_count(self):
        game = self.game().do(Paused(10.0)).do(MatchTimeUp(3600.0))
        assert (game.state.phase, game.state.closing) == (Phase.PAUSED, True)

    def test_the_coach_changes_nothing_in_it(self):
        game = self.game().fields(coach=True)
        game.do(Coached(0, 1.0, 0)).do(MatchTimeUp(3600.0))
        assert game.do(Pressed(0, 3601.0)).state.closing
