import itertools
from pathlib import Path

import pytest

from benchmarks import solver

SHARED = Path(__file__).parents[3] / "shared"


@pytest.fixture(autouse=True)
def _without_the_other_solver(monkeypatch):
    monkeypatch.setattr(solver, "PEER", "a solver that nobody has")
    monkeypatch.setattr(solver, "REPEATS", 1)
    monkeypatch.setattr(solver, "BOARDS", 2)


def test_without_cases_only_random_tables_are_measured(tmp_path):
    rows = solver.measure(tmp_path)
    assert ["skipped" in row.figure for row in rows] == [True] * 4 + [False] * 4


def test_half_full_tables_have_the_target_of_full_ones_whatever_the_machine():
    rows = solver.random_tables()
    assert [row.target for row in rows] == ["≤ 300,000 calls of functions"] * 4
    assert all(row.reached for row in rows)
    assert not any("times what" in row.figure for row in rows)


def test_calls_are_counted_alike_each_time():
    def one():
        return len("one")

    def work():
        for _ in range(10):
            one()

    assert solver.count_function_calls(work) == solver.count_function_calls(work)
    assert solver.count_function_calls(work) - solver.count_function_calls(one) == 1 + 9 * 2


def test_the_worst_is_told_beside_what_the_other_solver_takes(monkeypatch):
    clock = itertools.count(0.0, 0.03)  # each call takes 30 ms
    monkeypatch.setattr(solver.time, "perf_counter", lambda: next(clock))
    assert all("2.00 times what a solver that nobody has takes" in row.figure for row in solver.random_tables(15.0))


@pytest.mark.skipif(not (SHARED / "cases").is_dir(), reason="no folder shared/cases beside the project")
def test_every_case_is_right_and_the_other_solver_is_skipped_where_it_is_missing():
    rows = solver.measure(SHARED)
    counts = [row.count.removesuffix(" right").split(" of ") for row in rows if row.count.endswith("right")]
    assert len(counts) == 4
    assert all(right == total for right, total in counts)
    assert sum("not installed" in row.figure for row in rows) == 2
