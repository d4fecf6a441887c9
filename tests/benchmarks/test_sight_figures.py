"""What is measured on pictures, with a reader of its own; what ../shared lacks is skipped and says so."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks import boxes, sight
from benchmarks.report import Figures
from referee.game.tiles import Tile
from referee.vision.sighting import Image, Read, Sighting


class Reads:
    """A reader that sees one tile, the same in every picture."""

    def __init__(self, name: str = "red-7", *, doubtful: bool = False, guess: str = "rummikub") -> None:
        self.name, self.doubtful, self.guess = name, doubtful, guess

    def read(self, _: Image, tileset: Any, table_mm: tuple[float, float], *, marked_only: bool = False) -> Sighting:  # noqa: ARG002
        read = Read(Tile.from_name(self.name), 0.9, self.doubtful, (), np.zeros((4, 2), np.float32), 0.0, 100.5, 100.0)
        return Sighting(self.guess if tileset is None else tileset.name, "markers", (read,), ((0,),))


def lay(folder: Path, name: str, **more: Any) -> None:
    tile = {"rank": 7, "colour": "red", "x_mm": 100.0, "y_mm": 100.0, "angle_deg": 0.0, "meld": 0, "pos": 0}
    truth = {"tileset": "piatnik", "table_mm": [900.0, 600.0], "tiles": [tile], "face_down": 0, **more}
    (folder / f"{name}.json").write_text(json.dumps(truth), encoding="utf-8")
    cv2.imwrite(str(folder / f"{name}.jpg"), np.full((8, 8, 3), 128, np.uint8))


def row(figures: Figures, what: str, on: str) -> tuple[str, bool | None]:
    (found,) = [row for row in figures.rows if (row.what, row.on) == (what, on)]
    return found.figure.split(" (")[0], found.reached


@pytest.mark.parametrize("measure", [sight.on_photos, sight.on_scenes, boxes.on_boxes])
def test_pictures_that_are_missing_are_skipped(measure: Any, tmp_path: Path) -> None:
    (only,) = measure(Reads(), tmp_path).rows
    assert only.figure.startswith("skipped: ../shared/")
    assert only.reached is None


def test_scenes_tell_what_is_right_wrong_asked_and_where(tmp_path: Path) -> None:
    lay(tmp_path, "s001")
    figures = sight.on_scenes(Reads(), tmp_path)
    assert row(figures, "right without doubt", "scenes") == ("100.00 %", True)
    assert row(figures, "wrong without doubt", "scenes") == ("0.00 %", True)
    assert row(figures, "pictures asked about", "scenes") == ("0", None)
    assert row(figures, "position, 95th percentile", "scenes") == ("0.50 mm", True)
    assert row(figures, "box told from the inks alone", "scenes, box guessed") == ("0", None)
    assert not any(figures.failures.values())


def test_a_tile_that_is_wrong_only_with_the_box_guessed_is_named(tmp_path: Path) -> None:
    class Misled(Reads):
        def read(self, picture: Image, tileset: Any, *rest: Any, **named: Any) -> Sighting:
            self.name = "red-7" if tileset else "orange-7"
            return super().read(picture, tileset, *rest, **named)

    lay(tmp_path, "s001")
    figures = sight.on_scenes(Misled(), tmp_path)
    assert row(figures, "wrong without doubt", "scenes, box guessed") == ("100.00 %", False)
    assert row(figures, "wrong without doubt", "scenes") == ("0.00 %", True)
    (line,) = figures.failures["scenes, box guessed"]
    assert line.startswith("misread (SILENT 0.900) s001, box guessed, red-7")


def test_a_doubt_is_named(tmp_path: Path) -> None:
    lay(tmp_path, "s001")
    figures = sight.on_scenes(Reads(doubtful=True), tmp_path)
    assert row(figures, "right without doubt", "scenes") == ("0.00 %", False)
    assert row(figures, "pictures asked about", "scenes") == ("1", None)
    assert figures.failures["scenes"] == ["in doubt (0.900) s001 red-7 at (100, 100) mm"]


@pytest.fixture
def two_boxes(tmp_path: Path) -> Path:
    for box in (1, 2):
        for batch in range(2):
            lay(tmp_path, f"b0{box}-e{batch}", enrolment=True)
        lay(tmp_path, f"b0{box}-t00", enrolment=False)
    return tmp_path


def test_boxes_are_measured_unknown_and_say_that_they_cannot_be_enrolled(
    two_boxes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxes, "enrolled_reader", lambda *_: None)
    figures = boxes.on_boxes(Reads(doubtful=True), two_boxes)
    assert row(figures, "right without doubt", boxes.UNKNOWN) == ("0.00 %", False)
    assert row(figures, "pictures asked about", boxes.UNKNOWN) == ("6", None)
    assert row(figures, "right without doubt", boxes.ENROLLED)[0].startswith("skipped")
    assert len(figures.failures[boxes.UNKNOWN]) == 6


def test_an_enrolled_box_is_measured_on_its_tables(two_boxes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learnt: list[int] = []

    def enrolled(_: Any, pictures: Any, box: Any, table_mm: tuple[float, float], truths: Any) -> Reads:
        assert (box.name, table_mm, len(truths)) == ("piatnik", (900.0, 600.0), len(pictures))
        learnt.append(len(pictures))
        return Reads()

    monkeypatch.setattr(boxes, "enrolled_reader", enrolled)
    figures = boxes.on_boxes(Reads(doubtful=True), two_boxes)
    assert learnt == [2, 2]
    assert row(figures, "right without doubt", boxes.ENROLLED) == ("100.00 %", True)
    assert row(figures, "pictures asked about", boxes.ENROLLED) == ("0", True)
    assert figures.failures[boxes.ENROLLED] == []
