"""The figures of a tournament while everything is killed: what counts as reached, the recount, and a small evening."""

from collections import Counter
from dataclasses import replace

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from mosquitto import MISSING, PROGRAM

from benchmarks.killed import rows_of
from benchmarks.killed_evening import Evening, Plan
from benchmarks.killed_truth import Found, compare_results, recount

SMALL = Plan(tables=3, rounds=1, broker=1, hall=2, table=5, corrections=2, renames=1, put_back=2)
DONE = Counter({"broker killed": 1, "hall killed": 2, "table killed": 5})
GOOD = Found(results=3, events=90, lines=12)


def reached(found, done=DONE):
    return [row.reached for row in rows_of(SMALL, found, done, 9.0)]


def test_an_evening_without_losses_reaches_everything():
    assert reached(GOOD) == [True] * 4


@pytest.mark.parametrize(
    ("worse", "at"),
    [
        ({"lost": 1}, 1),
        ({"doubled": 1}, 1),
        ({"wrong": 1}, 1),
        ({"results": 2}, 1),
        ({"events_lost": 1}, 2),
        ({"events_doubled": 1}, 2),
        ({"lines_wrong": 1}, 3),
        ({"lines": 11}, 3),
    ],
)
def test_each_difference_is_told_in_its_row(worse, at):
    assert [number for number, one in enumerate(reached(replace(GOOD, **worse))) if not one] == [at]


def test_a_kill_that_did_not_happen_is_told():
    assert reached(GOOD, DONE - Counter({"hall killed": 1})) == [False, True, True, True]


def test_the_recount_shares_points_and_counts_opponents_and_margins():
    truth = {(1, 1): {1: 50, 2: -50}, (1, 2): {3: 10, 4: 10}, (2, 1): {1: 20, 3: -20}}
    lines = recount(truth, (1, 2, 3, 4), seed=7)
    assert lines[0] == (1, 1, 24, 2, 3, 140)
    assert {line[1]: line[2:] for line in lines[1:]} == {3: (6, 0.5, 15, -40), 4: (6, 0.5, 6, 0), 2: (0, 0, 24, -100)}


def test_results_are_compared_player_by_player():
    found = Found()
    told = {(1, 1): {1: 5, 2: -5}, (1, 2): None, (1, 3): {5: 1, 6: -1}}
    compare_results({(1, 1): {1: 5, 2: -5}, (1, 2): {3: 1, 4: -1}, (1, 3): {5: -1, 6: 1}}, told, found)
    assert (found.results, found.lost, found.wrong, len(found.notes)) == (3, 1, 1, 2)


@pytest.mark.club
@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_a_small_tournament_is_complete_though_broker_hall_and_tables_are_killed(tmp_path):
    evening = Evening(SMALL, PROGRAM, tmp_path)
    found = evening.play()
    assert found.notes == []
    assert [row.reached for row in rows_of(SMALL, found, evening.done, 1.0)] == [True] * 4
    assert (evening.done["journal put back"], evening.done["journal rebuilt"]) == (1, 1)
