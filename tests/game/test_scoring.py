from dataclasses import replace

import pytest

from referee.game.notation import parse_set
from referee.game.rulesets import RULESETS, ruleset
from referee.game.rulesets.base import WinnerGets
from referee.game.scoring import RoundScore, ScoreSheet, hand_points, no_score, score_counted, score_round

RUMMIKUB = ruleset("rummikub")


@pytest.mark.parametrize(("name", "points"), [("ravensburger", 37), ("rummikub", 42)])
def test_a_joker_left_in_the_hand_costs_what_the_book_says(name, points):
    assert hand_points(parse_set("R5 B7 **"), RULESETS[name]) == points


def test_the_winner_gets_what_all_others_lose():
    assert score_round((9, 0, 31), 1, RUMMIKUB) == RoundScore(1, (9, 0, 31), (-9, 40, -31))


def test_a_book_may_give_the_winner_nothing():
    rules = replace(RUMMIKUB, scoring=replace(RUMMIKUB.scoring, winner_gets=WinnerGets.NOTHING))
    assert score_round((9, 0, 31), 1, rules).scores == (-9, 0, -31)


def test_a_book_without_points_counts_rounds_won():
    assert score_round((9, 0), 1, ruleset("brettspielnetz")).scores == (0, 1)


def test_piatnik_writes_minus_points_and_doubles_them_for_a_hand_laid_at_once():
    rules = ruleset("piatnik").choose(hand_rummy="on")
    assert score_round((8, 0, 31), 1, rules).scores == (8, 0, 31)
    assert score_round((8, 0, 31), 1, rules, in_one_turn=True).scores == (16, 0, 62)
    assert score_round((8, 0, 31), 1, ruleset("piatnik"), in_one_turn=True).scores == (8, 0, 31)


def test_where_nobody_goes_out_the_lowest_hand_wins_and_everyone_loses_the_own():
    assert score_counted((9, 4, 31), RUMMIKUB) == RoundScore(1, (9, 4, 31), (-9, -4, -31))


def test_the_difference_can_be_agreed_instead():
    rules = RUMMIKUB.choose(empty_stock="difference")
    assert score_counted((9, 4, 31), rules).scores == (-5, 32, -27)


def test_a_shared_lowest_hand_wins_nothing():
    assert score_counted((4, 4, 31), RUMMIKUB.choose(empty_stock="difference")) == RoundScore(
        None, (4, 4, 31), (-4, -4, -31)
    )


def test_the_sheet_adds_up_and_names_who_leads():
    sheet = ScoreSheet(("Ann", "Ben", "Cleo")).add(score_round((7, 0, 7), 1, RUMMIKUB))
    sheet = sheet.add(score_round((0, 14, 7), 0, RUMMIKUB)).add(no_score(3))
    assert sheet.totals == (14, 0, -14)
    assert sheet.leaders(RUMMIKUB) == (0,)


def test_a_tie_is_shared_and_some_books_look_for_the_lowest():
    rules = replace(RUMMIKUB, scoring=replace(RUMMIKUB.scoring, highest_wins=False))
    sheet = ScoreSheet(("Ann", "Ben", "Cleo"), (RoundScore(None, (0, 0, 0), (5, -2, -2)),))
    assert sheet.leaders(rules) == (1, 2)
