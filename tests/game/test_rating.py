"""The rating of players."""

import math

import pytest

from referee.game.rating import BETA, DEVIATION, MEAN, Rating, rate_match


def test_a_new_player_is_shown_with_1000():
    assert Rating().shown == 1000


def test_of_two_new_players_the_winner_gains_what_the_loser_loses():
    won, lost = rate_match([Rating(), Rating()], [10, -10])
    # By hand: both expect one half, so the mean moves by variance / scale / 2.
    scale = math.sqrt(2 * DEVIATION**2 + 2 * BETA**2)
    assert won.mean == pytest.approx(MEAN + DEVIATION**2 / scale / 2)
    assert lost.mean == pytest.approx(2 * MEAN - won.mean)
    assert won.deviation == lost.deviation < DEVIATION


def test_a_draw_of_equals_changes_no_mean():
    assert [one.mean for one in rate_match([Rating(), Rating()], [5, 5])] == [MEAN, MEAN]


def test_beating_the_strong_gains_more_than_beating_the_weak():
    strong, weak = Rating(32.0, 2.0), Rating(18.0, 2.0)
    assert rate_match([Rating(), strong], [1, 0])[0].mean > rate_match([Rating(), weak], [1, 0])[0].mean


def test_order_decides_and_not_the_distance():
    assert rate_match([Rating()] * 3, [30, 20, 10]) == rate_match([Rating()] * 3, [300, 2, 1])


def test_the_order_at_a_table_of_four_is_the_order_of_the_ratings():
    rated = rate_match([Rating()] * 4, [4, 3, 2, 1])
    assert [one.shown for one in rated] == sorted((one.shown for one in rated), reverse=True)


def test_who_always_wins_ends_up_ahead_and_is_believed_more_and_more():
    ratings = [Rating(), Rating(), Rating()]
    for _ in range(50):
        ratings = rate_match(ratings, [3, 2, 1])
    assert ratings[0].shown > ratings[1].shown > ratings[2].shown
    assert all(one.deviation < 0.6 * DEVIATION for one in ratings)
