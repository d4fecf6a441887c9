"""A short fire: some turns, every kind of fault, and nothing is lost; what goes wrong is told."""

from pathlib import Path

import pytest

from benchmarks import fire
from benchmarks.fire_truth import Tally


def test_some_turns_with_a_kill_lose_nothing(tmp_path: Path) -> None:
    tally = fire.fire(10, 8, tmp_path, {"none": 4, "kill": 1})
    assert tally.failures == []
    assert tally.turns >= 10
    assert tally.faults["kill"] > 0
    assert (tally.lost, tally.legal_refused, tally.slips_accepted, tally.misread) == (0, 0, 0, 0)


@pytest.fixture
def tally() -> Tally:
    return Tally(matches=3, turns=500, legal=400, slips=100, looks=510, doubts=10, events=1200, clocks=[0.1, -0.05])


def test_the_page_has_every_figure_and_every_failure(tally: Tally) -> None:
    rows = fire.rows_of(tally)
    assert all(row.reached is not False for row in rows)
    page = fire.page(rows, ["turn 7: refused"], "python -m benchmarks.fire")
    assert "- turn 7: refused" in page
    assert "| turns refereed in a row |" in page


@pytest.mark.parametrize(
    ("name", "value"),
    [("turns", 499), ("lost", 1), ("legal_refused", 1), ("slips_accepted", 1), ("misread", 1), ("clocks", [-0.6]),
     ("clocks", [1.6]), ("ready", [3.1])],
)  # fmt: skip
def test_whatever_goes_wrong_makes_a_figure_fall_short(tally: Tally, name: str, value: object) -> None:
    setattr(tally, name, value)
    assert sum(row.reached is False for row in fire.rows_of(tally)) == 1
