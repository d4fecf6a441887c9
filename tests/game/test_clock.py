from hypothesis import given
from hypothesis import strategies as st

from referee.game.clock import TurnClock


def test_it_runs_from_start_to_stop_and_on_from_where_it_stood():
    clock = TurnClock(60).start(100).stop(130)
    assert not clock.is_running
    assert clock.seconds_left(500) == 30
    assert clock.start(500).seconds_left(510) == 20


def test_it_is_expired_when_the_last_second_is_gone():
    clock = TurnClock(60).start(0)
    assert not clock.is_expired(59.9)
    assert clock.is_expired(60)
    assert clock.seconds_left(75) == 0


def test_starting_a_running_clock_gives_no_time_back():
    assert TurnClock(60).start(0).start(30).seconds_left(40) == 20


def test_a_clock_set_back_gives_no_time_back():
    assert TurnClock(60, used=10).start(100).stop(50).seconds_left(50) == 50


def test_the_deadline_is_known_only_while_it_runs():
    assert TurnClock(60, used=15).start(100).deadline == 145
    assert TurnClock(60).deadline is None


def test_warnings_fall_due_once_each():
    clock = TurnClock(60).start(0)
    assert clock.warnings(0, 30) == (30,)
    assert clock.warnings(30, 53.9) == (10,)
    assert clock.warnings(53.9, 60) == (6, 5, 4, 3, 2, 1)
    assert TurnClock(60).warnings(0, 60) == ()


def test_the_next_moment_to_wake_up_is_a_warning_or_the_end():
    clock = TurnClock(60).start(0)
    assert [clock.next_due(t) for t in (0, 30, 59, 60)] == [30, 50, 60, None]
    assert TurnClock(60).next_due(0) is None


@given(st.lists(st.floats(0, 10), max_size=20))
def test_stops_and_starts_lose_and_win_nothing(steps):
    clock, t, running = TurnClock(60), 0.0, 0.0
    for step in steps:
        clock = clock.start(t).stop(t + step)
        t, running = t + 2 * step, running + step
    assert abs(clock.seconds_left(t) - max(0.0, 60 - running)) < 1e-6


@given(st.floats(0, 1e6), st.floats(0, 60, exclude_max=True))
def test_at_the_deadline_no_time_is_left_however_it_was_rounded(since, used):
    clock = TurnClock(60, used=used).start(since)
    assert clock.is_expired(clock.deadline)
    assert clock.stop(clock.deadline).is_expired(clock.deadline)


def test_without_seconds_the_time_never_ends():
    clock = TurnClock(None).start(5.0)
    assert clock.is_running
    assert not clock.is_expired(1e9)
    assert clock.deadline is None
    assert clock.next_due(7.0) is None
