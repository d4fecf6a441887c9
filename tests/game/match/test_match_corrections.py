from dataclasses import replace

import pytest
from match_driver import Game

from referee.errors import BadInput
from referee.game.match.correction import check_correction
from referee.game.match.events import Corrected, MatchOver, Say, ScoreRound
from referee.game.match.machine import OutOfOrder
from referee.game.match.phases import Phase
from referee.game.match.round_end import close
from referee.game.rulebooks import ruleset
from referee.game.scoring import Ending, RoundScore, no_score, score_round
from tests.support.errors import telling


class Sheet(Game):
    """A match of which only the scores matter."""

    def round(self, *hands):
        rules = self.state.rules
        score = score_round(hands, hands.index(0), rules) if any(hands) else no_score(len(hands))
        self.state, self.effects = close(self.state, score)
        return self

    def correct(self, number, *hands, **fields):
        return self.do(Corrected(number, hands, 99.0, **fields))


def test_totals_and_winners_follow_from_the_corrected_round():
    game = Sheet("classic", rounds=2).round(0, 10).round(5, 0)
    assert game.got(MatchOver) == [MatchOver((0,), (5, -5))]
    game.correct(1, 0, 3, winner=0)
    assert game.state.sheet.totals == (-2, 2)
    assert game.got(ScoreRound)[0].score.scores == (3, -3)
    assert game.got(ScoreRound)[0].round == 1
    assert game.got(MatchOver) == [MatchOver((1,), (-2, 2))]
    assert game.state.phase is Phase.OVER


def test_the_sheet_keeps_what_stood_there():
    game = Sheet("classic", rounds=2).round(0, 10).correct(1, 7, 0, winner=1)
    trace = game.state.sheet.corrections
    assert [(c.round, c.before.scores, c.after.scores, c.t) for c in trace] == [(1, (10, -10), (-7, 7), 99.0)]


def test_what_players_say_of_a_round_makes_a_correction_with_their_name_and_reason():
    state = Sheet("classic", rounds=2).round(0, 10).state
    made = check_correction(state, Corrected(1, (7, 0), 50.0, 1, who="Eve", why="a joker was counted twice"))
    assert made == Corrected(1, (7, 0), 50.0, 1, who="Eve", why="a joker was counted twice")


def test_what_stands_so_already_needs_no_correction():
    state = Sheet("classic", rounds=2).round(0, 10).state
    assert check_correction(state, Corrected(1, (0, 10), 50.0, 0)) is None


def test_in_gin_players_say_the_points_of_the_round():
    game = Sheet("gin", rounds=2)
    game.state = replace(game.state, sheet=game.state.sheet.add(RoundScore(0, (0, 0), (25, 0), Ending.GIVEN)))
    game.state = replace(game.state, phase=Phase.BETWEEN)
    made = check_correction(game.state, Corrected(1, (0, 31), 50.0, 1))
    assert made == Corrected(1, (0, 0), 50.0, 1, scores=(0, 31))
    assert check_correction(game.state, Corrected(1, (25, 0), 50.0, 0)) is None


def test_a_correction_can_open_the_match_again():
    game = Sheet("classic", options={"tie": "extra-round"}).round(0, 10)
    assert game.state.phase is Phase.OVER
    game.correct(1, 0, 0)
    assert game.state.phase is Phase.BETWEEN
    assert "one more round" in game.said
    assert not game.got(MatchOver)
    assert game.next_round().state.phase is Phase.TURN


def test_a_correction_can_end_the_match():
    game = Sheet("classic", options={"tie": "extra-round"}).round(0, 0)
    assert game.state.phase is Phase.BETWEEN
    game.correct(1, 0, 10, winner=0)
    assert game.got(MatchOver) == [MatchOver((0,), (10, -10))]
    assert game.state.phase is Phase.OVER


def test_a_turn_goes_on_as_if_nothing_had_happened():
    game = Sheet("classic", rounds=2).round(0, 10).next_round().press()
    before = game.state
    game.correct(1, 0, 3, winner=0)
    assert game.state != before
    assert game.fields(sheet=before.sheet).state == before
    assert game.got(Say)


def test_who_had_the_lowest_hand_follows_where_hands_are_counted():
    game = Sheet("rummikub", rounds=2).round(0, 10).correct(1, 7, 4)
    line = game.state.sheet.rounds[0]
    assert (line.ending, line.winner, line.scores) == (Ending.COUNTED, 1, (-7, -4))


def test_a_hand_laid_at_once_can_be_corrected_too():
    game = Sheet("piatnik", options={"hand_rummy": "on"}).round(0, 10).correct(1, 0, 10, winner=0, in_one_turn=True)
    assert game.state.sheet.totals == (0, 20)


def test_rounds_won_need_no_hands():
    game = Sheet("brettspielnetz").round(0, 10).correct(1, 0, 0, winner=1)
    assert game.state.sheet.totals == (0, 1)


@pytest.mark.parametrize("number", [0, 2, -1])
def test_a_round_that_was_not_played_cannot_be_corrected(number):
    game = Sheet("classic", rounds=2).round(0, 10)
    with telling(OutOfOrder, match=f"Round {number} has not been played"):
        game.correct(number, 0, 0)


@pytest.mark.parametrize(
    ("hands", "fields", "expected"),
    [
        ((0, 1, 2), {"winner": 0}, "the points of 2 hands"),
        ((0, -1), {"winner": 0}, "none of them below 0"),
        ((0, 1), {"winner": 2}, "expected a winner out of seats 0-1"),
        ((0, 1), {"winner": 0, "scores": (1, -1)}, "expected .*from which scores follow"),
        ((0, 1), {"winner": 1}, "cannot have points left in hand, but you entered 1 point"),
        ((0, 0), {"in_one_turn": True}, "laid in one turn, say who won"),
        ((0, 1), {}, "somebody won: say who"),
    ],
)
def test_what_no_round_can_have_been_is_refused(hands, fields, expected):
    with telling(BadInput, match=expected):
        Sheet("classic").round(0, 10).correct(1, *hands, **fields)


class TestScoresGiven:
    def sheet(self):
        return Sheet("rummikub", knocking=ruleset("gin").knocking).round(0, 10)

    def test_a_book_that_gives_points_directly_is_corrected_directly(self):
        game = self.sheet().correct(1, 3, 9, winner=0, scores=(100, 0))
        line = game.state.sheet.rounds[0]
        assert (line.ending, line.winner, line.hands, line.scores) == (Ending.GIVEN, 0, (3, 9), (100, 0))
        assert game.got(MatchOver) == [MatchOver((0,), (100, 0))]

    @pytest.mark.parametrize("scores", [None, (1, 2, 3)])
    def test_for_every_player(self, scores):
        with pytest.raises(BadInput, match="expected the scores of 2 players"):
            self.sheet().correct(1, 3, 9, scores=scores)

    @pytest.mark.parametrize(
        ("winner", "scores"), [(0, (-5, 1000)), (0, (0, 30)), (None, (10, 30)), (1, (5, 5)), (0, (0, 0))]
    )
    def test_only_the_winner_has_points(self, winner, scores):
        game = Sheet("gin").round(0, 0)
        with telling(BadInput, match="Only the winner gets points"):
            game.correct(1, 0, 5, winner=winner, scores=scores)


def test_no_hand_counts_more_than_the_box():
    game = Sheet("classic").round(0, 10)
    assert game.correct(1, 0, 878, winner=0).state.sheet.totals == (878, -878)
    with telling(BadInput, match="more than the whole box"):
        game.correct(1, 0, 879, winner=0)
