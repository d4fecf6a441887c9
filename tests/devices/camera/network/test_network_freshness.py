"""What arrivals prove of how old a picture is: moments are made up, and known."""

import itertools
import math

import pytest

from referee.devices.camera.network.wire import LEFT_OVER, CameraClock, Rhythm

PERIOD_S = 0.1


def seen(rhythm, t, pause_s=0.09, empty_s=0.08):
    return rhythm.take_time(t - empty_s, t, pause_s)


def steady(rhythm, count, start=0.0):
    return [seen(rhythm, start + i * PERIOD_S) for i in range(count)]


class TestRhythm:
    def test_the_first_pictures_may_have_waited_since_before_the_connection(self):
        bounds = steady(Rhythm(-0.05), LEFT_OVER + 1)
        assert bounds == [-math.inf] * LEFT_OVER + [-0.05]

    def test_pictures_in_step_prove_to_be_new(self):
        bounds = steady(Rhythm(0.0), 20)
        assert bounds[-1] == pytest.approx(19 * PERIOD_S - 0.08)

    def test_one_on_the_heels_of_another_does_not(self):
        rhythm = Rhythm(0.0)
        last = steady(rhythm, 20)[-1]
        t = 20 * PERIOD_S
        assert [seen(rhythm, t + i * PERIOD_S, pause_s=0.001) for i in range(10)] == [last] * 10

    def test_a_long_pause_is_an_interruption_and_what_it_held_up_comes_without_any(self):
        rhythm = Rhythm(0.0)
        last = steady(rhythm, 20)[-1]
        after = 1.9 + 3.0
        assert seen(rhythm, after, pause_s=3.0) == last
        assert [seen(rhythm, after + 0.005 * i, pause_s=0.0005) for i in range(1, 30)] == [last] * 29
        bounds = steady(rhythm, 12, after + 0.25)
        assert bounds[-1] > after

    def test_a_second_interruption_right_behind_the_first_does_not_help_either(self):
        rhythm = Rhythm(0.0)
        last = steady(rhythm, 20)[-1]
        for t in (4.9, 7.9, 10.9):
            assert seen(rhythm, t, pause_s=3.0) == last

    def test_a_slower_camera_finds_into_its_step_again(self):
        rhythm = Rhythm(0.0)
        steady(rhythm, 20)
        bounds = [seen(rhythm, 2.0 + 0.5 * i, pause_s=0.45) for i in range(1, 20)]
        assert bounds[-1] > 11

    def test_none_is_older_than_the_one_before(self):
        rhythm = Rhythm(0.0)
        bounds = [seen(rhythm, i * PERIOD_S, pause_s=0.09 if i % 7 else 0.0) for i in range(60)]
        assert all(a <= b for a, b in itertools.pairwise(bounds))


def clocked(clock, stamps, late=lambda _: 0.0, offset=1000.0):
    return [clock.take_time(stamp, stamp + offset + late(stamp)) for stamp in stamps]


def stamps(start, seconds, pace=25):
    return [start + i / pace for i in range(int(seconds * pace))]


class TestCameraClock:
    def test_it_is_held_against_ours(self):
        bounds = clocked(CameraClock(), stamps(5, 4))
        assert bounds[0] == -math.inf
        assert bounds[-1] == pytest.approx(stamps(5, 4)[-1] + 1000)

    def test_by_how_much_a_picture_has_waited_it_is_older(self):
        clock = CameraClock()
        clocked(clock, stamps(0, 3))
        late = clocked(clock, stamps(3, 3), late=lambda stamp: 2 * (stamp - 3))
        assert late[-1] == pytest.approx(stamps(3, 3)[-1] + 1000, abs=0.01)

    @pytest.mark.parametrize("faster", [0.9, 0.3])
    def test_what_was_kept_for_the_beginning_proves_nothing_while_it_is_used_up(self, faster):
        """Pictures of the last seconds come faster than they were taken, until none is left."""
        kept = 2.0
        bounds = clocked(CameraClock(), stamps(0, 30), late=lambda s: max(0.0, kept - faster * s))
        true = [s + 1000 for s in stamps(0, 30)]
        assert all(bound <= t + 0.03 for bound, t in zip(bounds, true, strict=True))
        assert math.isfinite(bounds[-1])

    def test_another_pace_of_the_clocks_is_followed_and_no_lag_forgiven(self):
        clock = CameraClock()
        drifting = clocked(clock, stamps(0, 600), late=lambda stamp: 1e-4 * stamp)
        assert drifting[-1] == pytest.approx(600 + 1000.06, abs=0.1)
        lagging = clocked(clock, stamps(600, 120), late=lambda _: 5.0)
        assert lagging[-1] < 720 + 1000 + 0.2

    def test_a_clock_that_begins_anew_is_learnt_anew(self):
        clock = CameraClock()
        clocked(clock, stamps(100, 3))
        again = clocked(clock, stamps(0, 3), offset=1103)
        assert again[0] == -math.inf
        assert again[-1] == pytest.approx(stamps(0, 3)[-1] + 1103)

    def test_one_that_stands_still_proves_nothing(self):
        clock = CameraClock()
        assert {clock.take_time(0.0, i / 25) for i in range(100)} == {-math.inf}
