"""Tries come later and later, never endlessly so, and not at the same moment as those of others."""

from referee.club.mqtt.line import Backoff, Patience

PATIENCE = Patience(first_s=0.5, longest_s=60.0, stable_s=10.0)


def test_tries_come_later_and_later_up_to_a_limit():
    backoff = Backoff(PATIENCE, lambda: 1.0)
    assert [backoff.next(0.0) for _ in range(9)] == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]


def test_chance_takes_off_up_to_half():
    assert Backoff(PATIENCE, lambda: 0.0).next(0.0) == 0.25


def test_after_a_good_line_the_next_try_comes_soon_and_after_a_short_one_it_does_not():
    backoff = Backoff(PATIENCE, lambda: 1.0)
    for _ in range(5):
        backoff.next(0.0)
    assert backoff.next(9.9) == 16.0
    assert backoff.next(10.0) == 0.5


def test_years_of_tries_do_not_overflow():
    backoff = Backoff(PATIENCE, lambda: 1.0)
    assert [backoff.next(0.0) for _ in range(3000)][-1] == 60.0
