"""The figures of a hall with many tables: what counts as reached, and that a small crowd is measured to the end."""

from dataclasses import replace

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from mosquitto import MISSING, PROGRAM

from benchmarks.crowd import Load, load_of, rows_of

GOOD = Load(2, [10.0, 20.0, 30.0], 3, 0, 0, 12.0, 120.0, 1.0, 9.0, 4.0, 7.0, 500.0, 0.5)


def reached(load):
    return [row.reached for row in rows_of(load, 2, 1.0, 20.0, 130.0)]


def test_a_quick_hall_reaches_everything():
    assert reached(GOOD) == [True, True, None]


@pytest.mark.parametrize(
    "worse",
    [
        pytest.param({"late": [10.0, 200.0, 300.0]}, id="late"),
        pytest.param({"late": [*[10.0] * 99, 2500.0], "sent": 100}, id="one that was not current"),
        pytest.param({"sent": 4}, id="one that was never seen"),
        pytest.param({"lost": 1}, id="one lost"),
        pytest.param({"doubled": 1}, id="one doubled"),
    ],
)
def test_what_comes_late_or_not_at_all_is_not_reached(worse):
    assert reached(replace(GOOD, **worse)) == [False, True, None]


@pytest.mark.parametrize("worse", [{"hall": 41.0}, {"hall_mb": 131.0}])
def test_a_hall_that_costs_too_much_is_told(worse):
    assert reached(replace(GOOD, **worse)) == [True, False, None]


@pytest.mark.club
@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_a_small_crowd_is_seen_on_the_wall_to_the_last_event():
    load = load_of(PROGRAM, 5, 4.0, 1.0)
    assert load.sent >= 1
    assert (len(load.late), load.lost, load.doubled) == (load.sent, 0, 0)
    assert min(load.hall_mb, load.broker_mb, load.kilobytes, load.wall, load.disk_each) > 0
