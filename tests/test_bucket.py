"""A bucket of tokens: so much at once, so much a second."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.bucket import Bucket


def test_so_many_at_once_and_then_one_after_the_other():
    bucket = Bucket(3, 0.5, 10.0)
    assert [bucket.take(10.0) for _ in range(4)] == [0.0, 0.0, 0.0, 2.0]
    assert bucket.take(11.0) == pytest.approx(1.0)
    assert bucket.take(12.0) == 0.0


def test_what_is_larger_than_is_left_takes_nothing():
    bucket = Bucket(10, 1.0, 0.0)
    assert bucket.take(0.0, 12.0) == pytest.approx(2.0)
    assert bucket.take(0.0, 10.0) == 0.0


def test_a_clock_that_goes_back_gives_nothing():
    bucket = Bucket(1, 1.0, 100.0)
    assert bucket.take(100.0) == 0.0
    assert bucket.take(50.0) > 0
    assert bucket.take(51.0) == 0.0


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(1, 4)), max_size=60))
def test_never_more_than_at_once_and_what_has_come_since(asked):
    bucket, t, taken = Bucket(5, 2.0, 0.0), 0.0, 0
    for wait, tokens in asked:
        t += wait
        taken += tokens if not bucket.take(t, tokens) else 0
        assert taken <= 5 + 2.0 * t + 1e-6
