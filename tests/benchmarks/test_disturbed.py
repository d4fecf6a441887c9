"""Disturbed pictures: what is counted, what is told, and that a part can be measured."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import disturbed
from benchmarks.disturbances import KINDS
from benchmarks.truth import Tally
from referee.errors import CannotJudge
from referee.game.tiles import Tile
from referee.vision.sighting import Image, Read, Sighting

TABLE = {
    "tileset": "rummikub", "face_down": 0,
    "tiles": [{"rank": 7, "colour": "red", "x_mm": 100.0, "y_mm": 100.0, "angle_deg": 0.0, "meld": 0, "pos": 0}],
}  # fmt: skip


class Reads:
    """A reader that sees the same tile in every picture, or refuses dark ones."""

    def __init__(self, name: str, *, doubtful: bool = False) -> None:
        self._read = Read(Tile.from_name(name), 0.9, doubtful, (), np.zeros((4, 2), np.float32), 0.0, 100.0, 100.0)

    def read(self, picture: Image, *_: Any, marked_only: bool = False) -> Sighting:
        assert marked_only
        if picture.mean() < 60:
            raise CannotJudge("too dark")
        return Sighting("rummikub", "markers", (self._read,), ((0,),))


@pytest.fixture(autouse=True)
def _small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    def pictures(_: Path) -> list[tuple[str, Image, dict[str, Any]]]:
        return [(f"t{number}", np.full((72, 128, 3), 100, np.uint8), TABLE) for number in range(3)]

    monkeypatch.setattr(disturbed, "pictures", pictures)


def silent(came: Any) -> Sequence[str]:
    return next(iter(came.failures.values()))


def test_every_kind_of_every_picture_is_read(tmp_path: Path) -> None:
    came = disturbed.measure(Reads("red-7"), tmp_path)
    rows = {(row.what, row.on): row for row in came.rows}
    assert {on for what, on in rows if what == "disturbed pictures"} == set(KINDS)
    assert rows["disturbed pictures", "JPEG 10"].figure == "100.0 % found, 0.0 % of these in doubt"
    assert rows["disturbed pictures", "exposure x 0.5"].figure.endswith("3 of 3 pictures refused")
    assert rows["wrong without doubt", disturbed.EVERY].count == f"0 of {3 * len(KINDS)}"
    assert rows["tiles in disturbed pictures", disturbed.EVERY].reached is False
    assert silent(came) == []


@pytest.mark.parametrize("doubtful", [False, True])
def test_of_the_mild_kinds_the_doubts_are_counted(tmp_path: Path, doubtful: bool) -> None:
    """One of the six kinds is refused here, since it makes the pictures dark."""
    came = disturbed.measure(Reads("red-7", doubtful=doubtful), tmp_path)
    (row,) = [row for row in came.rows if row.what == "in doubt"]
    assert (row.count, row.reached) == (f"{15 if doubtful else 0} of 15", not doubtful)


def test_face_down_tiles_that_are_not_beyond_doubt_count_as_doubts() -> None:
    tallies = {
        "noise 8": Tally(tiles=9, found=8, doubtful=1, backs=3, backs_sure=1),
        "JPEG 10": Tally(tiles=5, found=5),
    }
    rows = disturbed.figures(tallies, dict.fromkeys(tallies, 0), complete=False).rows
    assert [(row.count, row.reached) for row in rows if row.what == "in doubt"] == [("3 of 11", None)]


def test_a_part_has_no_number_of_tiles_to_reach(tmp_path: Path) -> None:
    came = disturbed.measure(Reads("red-7"), tmp_path, ["JPEG 10", "JPEG 25"], most=2)
    assert [row.count for row in came.rows] == ["2 tiles", "2 tiles", "4 pictures", "0 of 4"]
    assert came.rows[2].reached is None


def test_what_is_wrong_without_doubt_is_named_with_its_picture_and_kind(tmp_path: Path) -> None:
    came = disturbed.measure(Reads("red-1"), tmp_path, ["JPEG 10"], most=1)
    assert silent(came) == ["misread (SILENT 0.900) t0 JPEG 10 red-7 at (100, 100) mm as red-1"]
    assert came.rows[-1].reached is False


def test_what_is_wrong_in_doubt_is_only_counted(tmp_path: Path) -> None:
    came = disturbed.measure(Reads("red-1", doubtful=True), tmp_path, ["JPEG 10"], most=1)
    assert silent(came) == []
    assert "100.0 % of these in doubt" in came.rows[0].figure


def test_enough_tiles_are_enough() -> None:
    tallies = {kind: Tally(tiles=1000, found=1000) for kind in KINDS}
    rows = disturbed.figures(tallies, dict.fromkeys(KINDS, 0), complete=True).rows
    assert all(row.reached is not False for row in rows)


def test_chance_depends_on_picture_kind_and_seed_alone() -> None:
    draws = {
        disturbed.chance_for(*given).random() for given in [(1, "a", "x"), (1, "a", "y"), (1, "b", "x"), (2, "a", "x")]
    }
    assert len(draws) == 4
    assert disturbed.chance_for(1, "a", "x").random() in draws
