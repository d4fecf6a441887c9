from dataclasses import replace

import pytest

from referee.game.notation import parse_set
from referee.game.rulebooks import RULESETS, ruleset
from referee.game.scoring import (
    Correction,
    Ending,
    RoundScore,
    ScoreSheet,
    hand_points,
    no_score,
    score_counted,
    score_round,
)

RAVENSBURGER, BRETTSPIELNETZ, PIATNIK, CLASSIC, GIN, RUMMIKUB = (
    ruleset(name) for name in ("ravensburger", "brettspielnetz", "piatnik", "classic", "gin", "rummikub")
)


@pytest.mark.parametrize(
    ("name", "points"),
    [("ravensburger", 37), ("brettspielnetz", 37), ("piatnik", 32), ("classic", 37), ("rummikub", 42)],
)
def test_a_joker_left_in_the_hand_costs_what_the_book_says(name, points):
    assert hand_points(parse_set("R5 B7 **"), RULESETS[name]) == points


def test_faces_count_their_number_unless_the_book_caps_it():
    assert hand_points(parse_set("R1 R10 R11 R13"), CLASSIC) == 35
    assert hand_points(parse_set("R1 R10 R11 R13"), GIN) == 31


class TestARoundWon:
    def test_the_winner_gets_what_all_others_lose(self):
        assert score_round((9, 0, 31), 1, RUMMIKUB) == RoundScore(1, (9, 0, 31), (-9, 40, -31), Ending.WENT_OUT)

    def test_a_book_without_points_counts_rounds_won(self):
        assert score_round((0, 0), 1, BRETTSPIELNETZ).scores == (0, 1)

    def test_piatnik_writes_minus_points_as_they_are_and_nothing_for_the_winner(self):
        assert score_round((0, 25, 13, 20), 0, PIATNIK).scores == (0, 25, 13, 20)

    def test_a_whole_hand_laid_at_once_doubles_them_where_agreed(self):
        rules = PIATNIK.choose(hand_rummy="on")
        assert score_round((0, 25, 13, 20), 0, rules, in_one_turn=True).scores == (0, 50, 26, 40)
        assert score_round((0, 25, 13, 20), 0, rules).scores == (0, 25, 13, 20)
        score = score_round((0, 25, 13, 20), 0, PIATNIK, in_one_turn=True)
        assert (score.scores, score.in_one_turn) == ((0, 25, 13, 20), True)


class TestHandsCounted:
    def test_the_lowest_wins_and_everyone_loses_the_own(self):
        assert score_counted((9, 4, 31), RUMMIKUB) == RoundScore(1, (9, 4, 31), (-9, -4, -31), Ending.COUNTED)

    def test_the_difference_can_be_agreed_instead(self):
        assert score_counted((9, 4, 31), RUMMIKUB.choose(empty_stock="difference")).scores == (-5, 32, -27)

    @pytest.mark.parametrize("choice", ["nothing", "difference"])
    def test_a_shared_lowest_hand_wins_nothing(self, choice):
        score = score_counted((4, 4, 31), RUMMIKUB.choose(empty_stock=choice))
        assert (score.winner, score.scores) == (None, (-4, -4, -31))

    def test_piatnik_writes_them_as_minus_points_too(self):
        score = score_counted((9, 4, 31), PIATNIK.choose(stock="count"))
        assert (score.winner, score.scores) == (1, (9, 4, 31))

    @pytest.mark.parametrize(("hands", "winner", "scores"), [((9, 4), 1, (0, 1)), ((7, 7), None, (0, 0))])
    def test_where_rounds_are_counted_the_lower_hand_wins_one_and_equal_hands_none(self, hands, winner, scores):
        assert score_counted(hands, BRETTSPIELNETZ) == RoundScore(winner, hands, scores, Ending.COUNTED)


def test_a_drawn_round_scores_nothing():
    assert no_score(3) == RoundScore(None, (0, 0, 0), (0, 0, 0), Ending.UNSCORED)


def played(rules, *rounds):
    """A sheet of rounds won, each as the hands that were left; the empty one is the winner's."""
    sheet = ScoreSheet(("Ann", "Ben", "Cleo", "Dan")[: len(rounds[0])])
    for hands in rounds:
        sheet = sheet.add(score_round(hands, hands.index(0), rules))
    return sheet


class TestScoreSheet:
    def test_the_table_printed_for_classic_rummy(self):
        sheet = played(CLASSIC, (0, 10, 55, 3), (0, 2, 5, 12), (70, 0, 2, 15), (10, 15, 0, 50))
        assert [line.scores for line in sheet.rounds] == [
            (68, -10, -55, -3),
            (19, -2, -5, -12),
            (-70, 87, -2, -15),
            (-10, -15, 75, -50),
        ]
        assert sheet.totals == (7, 60, 13, -80)
        assert sheet.leaders(CLASSIC) == (1,)

    def test_the_table_printed_for_rummikub(self):
        sheet = played(RUMMIKUB, (0, 5, 16, 3), (6, 11, 0, 5), (32, 13, 2, 0))
        assert [line.scores for line in sheet.rounds] == [(24, -5, -16, -3), (-6, -11, 22, -5), (-32, -13, -2, 47)]
        assert sheet.totals == (-14, -29, 4, 39)
        assert sheet.leaders(RUMMIKUB) == (3,)

    def test_the_lowest_total_leads_where_minus_points_are_written(self):
        sheet = played(PIATNIK, (0, 25, 13), (40, 0, 12))
        assert sheet.totals == (40, 25, 25)
        assert sheet.leaders(PIATNIK) == (1, 2)

    def test_a_correction_replaces_a_round_and_leaves_a_trace(self):
        sheet = played(CLASSIC, (0, 10), (5, 0))
        line = score_round((0, 3), 0, CLASSIC)
        mended = sheet.with_correction(1, line, 77.0)
        assert mended.totals == (-2, 2)
        assert mended.rounds == (line, sheet.rounds[1])
        assert mended.corrections == (Correction(1, sheet.rounds[0], line, 77.0),)


class TestOver:
    def test_after_the_rounds_agreed(self):
        sheet = played(CLASSIC, (0, 10), (5, 0))
        assert [sheet.is_over(CLASSIC, rounds) for rounds in (1, 2, 3)] == [True, True, False]

    def test_a_tie_is_shared_or_played_out(self):
        sheet, one_more = played(CLASSIC, (0, 5), (5, 0)), CLASSIC.choose(tie="extra-round")
        assert sheet.is_over(CLASSIC, 2)
        assert not sheet.is_over(one_more, 2)
        assert sheet.add(score_round((0, 1), 0, one_more)).is_over(one_more, 2)

    def test_a_book_with_a_target_asks_for_it_and_not_for_rounds(self):
        def given(*points):
            return RoundScore(0, (0, 0), points, Ending.GIVEN)

        sheet = ScoreSheet(("Ann", "Ben"), (given(60, 0), given(0, 99)))
        assert not sheet.is_over(GIN, 1)
        assert sheet.add(given(40, 0)).is_over(GIN, 9)

    def test_a_tie_at_the_target_can_be_played_out_too(self):
        rules = replace(GIN, scoring=replace(GIN.scoring, tie_break=True))
        sheet = ScoreSheet(("Ann", "Ben"), (RoundScore(None, (0, 0), (100, 100), Ending.GIVEN),))
        assert sheet.is_over(GIN, 1)
        assert not sheet.is_over(rules, 1)
