"""Warmed, cooled and saved again, every picture keeps the names of its inks, or asks: the real reader and pictures."""

import pytest

from benchmarks import disturbed
from benchmarks.disturbances import MILD
from benchmarks.report import Row
from referee.cli.parts.readers import build_reader

PICTURES = 200
DOUBTFUL = 0.02


@pytest.mark.skipif(not (disturbed.SHARED / "scenes").is_dir(), reason="no folder of scenes beside the checkout")
def test_no_ink_changes_its_name_in_a_picture_that_was_hardly_changed() -> None:
    rows = disturbed.measure(build_reader(), disturbed.SHARED, MILD).rows
    (wrong,) = (row for row in rows if row.what == "wrong without doubt")
    (tiles,) = (row for row in rows if row.what == "tiles in disturbed pictures")
    assert int(tiles.count.split()[0]) >= PICTURES
    assert wrong.reached, wrong.count
    assert all(_in_doubt(row) < 100 * DOUBTFUL for row in rows if row.what == "disturbed pictures")


@pytest.mark.skipif(not (disturbed.SHARED / "boxes").is_dir(), reason="no folder of boxes beside the checkout")
def test_no_ink_of_an_enrolled_box_changes_its_name_in_a_picture_that_was_hardly_changed() -> None:
    rows = disturbed.measure_enrolled(build_reader(), disturbed.SHARED, MILD).rows
    (wrong,) = (row for row in rows if row.what == "wrong without doubt")
    (tiles,) = (row for row in rows if row.what == "tiles in disturbed pictures")
    assert int(tiles.count.split()[0]) >= 9 * len(MILD), "every table of every box, all of which can be enrolled"
    assert wrong.reached, wrong.count


def _in_doubt(row: Row) -> float:
    """Per cent, from `99.8 % found, 1.2 % of these in doubt`."""
    return float(row.figure.split("found, ")[1].split(" %")[0])
