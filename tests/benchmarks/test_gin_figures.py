from pathlib import Path

import pytest

from benchmarks import gin

SHARED = Path(__file__).parents[3] / "shared"


def test_without_cases_the_figure_is_skipped(tmp_path):
    (row,) = gin.measure(tmp_path)
    assert row.reached is None
    assert "skipped" in row.figure


@pytest.mark.skipif(not (SHARED / "cases" / "gin.jsonl").is_file(), reason="no folder shared/cases beside the project")
def test_every_hand_is_arranged():
    (row,) = gin.measure(SHARED)
    hands = row.count.split(" ", maxsplit=1)[0]
    assert f"{hands} of {hands} with the least rest" in row.on
