"""Drawn boxes: what is counted, the bound, pictures taken again, and constants chosen on all boxes but one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up import batch_for, box_for, whole_box

from benchmarks import enrolled, left_out
from benchmarks.enrolled import ENROLLED, MADE, TRIES, UNKNOWN, Measured
from benchmarks.left_out import LEFT_OUT, Remembered, Setting
from benchmarks.report import Figures
from benchmarks.truth import Tally
from referee.errors import CannotJudge
from referee.game.tiles import tile_set
from referee.vision.boxes.enrol import Batch
from referee.vision.sighting import Quality

GIN = tile_set("gin")
BOX = box_for(GIN)
NOW = Setting(0.12, 14.0, 0.02, 1.8)
OTHERS = tuple(Setting(0.12, 14.0, 0.02, temperature) for temperature in (1.0, 1.4))


def tally(sure: int = 100, silent: int = 0, doubtful: int = 0) -> Tally:
    return Tally(tiles=sure + silent + doubtful, found=sure + silent + doubtful, right=sure + doubtful, sure=sure,
                 silent_wrong=silent, doubtful=doubtful, pictures=4, asked=int(doubtful > 0))  # fmt: skip


def row(figures: Figures, what: str, on: str) -> tuple[str, bool | None]:
    (found,) = [row for row in figures.rows if row.what == what and row.on.startswith(on)]
    return found.figure, found.reached


@pytest.mark.parametrize(
    ("counted", "told"),
    [
        pytest.param(tally(sure=300), "≤ 1.00 % (3/n)", id="no error"),
        pytest.param(tally(sure=290, doubtful=10), "≤ 1.00 % (3/n)", id="a doubt is none"),
        pytest.param(tally(sure=299, silent=1), "≤ 1.86 % (Wilson)", id="an error"),
        pytest.param(Tally(), "skipped: nothing was read", id="nothing"),
    ],
)
def test_the_bound_is_three_of_all_where_nothing_was_wrong(counted: Tally, told: str) -> None:
    assert enrolled.bound(counted).figure == told


def test_boxes_stand_side_by_side_not_enrolled_and_enrolled() -> None:
    good = Measured("m00", GIN, "wood", tally(90, 1, 9), tally(100), BOX, asked=2)
    figures = enrolled.figures([good])
    assert row(figures, "right without doubt", UNKNOWN) == ("90.00 % (82.56-94.48)", None)
    assert row(figures, "right without doubt", ENROLLED) == ("100.00 % (96.30-100.00)", True)
    assert row(figures, "not enrolled → enrolled", "drawn box m00")[0] == (
        "gin, wood: 90 right, 1 wrong, 9 in doubt, 1 asked → 100 right, 0 wrong, 0 in doubt, 0 asked"
    )
    assert row(figures, "boxes learnt", MADE) == ("1; 2 tiles asked about, 0 pictures taken again", True)


def test_of_boxes_on_which_nothing_was_chosen_clear_prints_are_counted_apart() -> None:
    good = Measured("m00", GIN, "wood", known=tally(90, 1, 9), box=BOX, clear=tally(95, 0, 5))
    bad = Measured("m01", GIN, "wood", problems=("Missing from the pictures: R7.",))
    figures, others = enrolled.figures_of_others([good, bad], 15), "drawn boxes of seed 15, enrolled"
    assert row(figures, "boxes learnt", others) == ("1", False)
    assert [(one.figure, one.reached) for one in figures.rows[1:]] == [
        ("90.00 % (82.56-94.48)", False), ("1.00 % (0.18-5.45)", False),
        ("95.00 % (88.82-97.85)", False), ("0.00 % (0.00-3.70)", True),
    ]  # fmt: skip
    assert figures.failures[others] == ["not learnt: m01: Missing from the pictures: R7."]


def test_a_box_that_was_not_learnt_is_told_with_the_reason() -> None:
    bad = Measured("m01", GIN, "wood", tally(), problems=("Missing from the pictures: R7.",))
    figures = enrolled.figures([bad])
    assert row(figures, "boxes learnt", MADE)[1] is False
    assert figures.failures[ENROLLED] == ["not learnt: m01: Missing from the pictures: R7."]
    assert row(figures, "not enrolled → enrolled", "drawn box m01")[0].endswith("→ not learnt")


def test_without_type_faces_it_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    faces = pytest.importorskip("referee.train.pictures.typefaces", reason="boxes are drawn with the extra `train`")

    def none() -> None:
        raise FileNotFoundError("expected at least 20 families of type faces, found 0")

    monkeypatch.setattr(faces, "find_faces", none)
    (only,) = enrolled.measure(tmp_path).rows
    assert only.figure.startswith("skipped: boxes cannot be drawn: expected at least 20 families")
    assert only.reached is None


class Learns:
    """Looks at pictures of an enrolment: what it says of each, in turn."""

    def __init__(self, *batches: Batch | Exception) -> None:
        self.batches = list(batches)

    def batch(self, *_: Any) -> Batch:
        batch = self.batches.pop(0)
        if isinstance(batch, Exception):
            raise batch
        return batch


GOOD = batch_for("m00-e0", whole_box(GIN)[0], GIN)
DARK = batch_for("m00-e0", whole_box(GIN)[0], GIN, quality=Quality(dark=True))


def taken(attempt: int) -> tuple[str, Any, dict[str, Any]]:
    return f"m00-e0-{attempt}", np.zeros((4, 4, 3), np.uint8), {"table_mm": [600, 600]}


def test_a_picture_that_will_not_do_is_taken_again_and_told() -> None:
    done = Measured("m00", GIN, "wood")
    reader: Any = Learns(DARK, CannotJudge("I cannot see any of the markers."), GOOD)
    batch, entry = enrolled.take_until_accepted(reader, taken, done)
    assert (batch is GOOD, entry[0], done.attempts) == (True, "m00-e0-2", [2])
    assert len(done.again) == 2
    assert "It is too dark" in done.again[0]
    assert "cannot see any of the markers" in done.again[1]


def test_no_picture_is_taken_for_ever() -> None:
    reader: Any = Learns(*[DARK] * TRIES)
    with pytest.raises(CannotJudge, match="expected a picture that will do for m00"):
        enrolled.take_until_accepted(reader, taken, Measured("m00", GIN, "wood"))


def test_the_shipped_constants_are_tried_first_and_nothing_twice() -> None:
    tried = left_out.settings(NOW)
    assert tried[0] == NOW
    assert len(set(tried)) == len(tried) == 11


def test_constants_are_tried_and_put_back() -> None:
    before = left_out.shipped()
    tried = Setting(1.0, 2.0, 3.0, 4.0)
    with left_out.trying(tried):
        assert left_out.shipped() == tried
    assert left_out.shipped() == before


def chosen(*boxes: Sequence[Tally]) -> left_out.LeftOut:
    """What comes of boxes, each with its tallies by NOW and OTHERS."""
    tallies = {setting: {f"m{k}": box[i] for k, box in enumerate(boxes)} for i, setting in enumerate((NOW, *OTHERS))}
    return left_out.left_out(tallies)


def test_no_silent_error_comes_before_few_doubts() -> None:
    eager = (tally(98, 0, 2), tally(99, 1, 0), tally(99, 0, 1))
    found = chosen(eager, eager, eager)
    assert found.chosen == {OTHERS[1]: 3}
    assert (found.tally.sure, found.tally.silent_wrong, found.tally.doubtful) == (297, 0, 3)


def test_what_is_as_good_stays_as_it_is_shipped() -> None:
    same = (tally(98, 0, 2),) * 3
    assert chosen(same, same).chosen == {NOW: 2}


def test_a_box_left_out_has_no_word_in_its_own_constants() -> None:
    plain, odd = (tally(98, 0, 2), tally(100), tally(98, 0, 2)), (tally(98, 0, 2), tally(98, 2, 0), tally(98, 0, 2))
    found = chosen(plain, plain, odd)
    assert found.chosen == {OTHERS[0]: 1, NOW: 2}
    assert found.tally.silent_wrong == 2


def test_the_figures_tell_every_setting_on_all_boxes() -> None:
    tallies = {NOW: {"m0": tally(98, 0, 2), "m1": tally(100)}, OTHERS[0]: {"m0": tally(99, 1, 0), "m1": tally(100)}}
    figures = left_out.figures(tallies, NOW)
    assert row(figures, "constants chosen", LEFT_OUT)[0].startswith("2 times SHIFT 0.12")
    (lines,) = figures.failures.values()
    assert "(as shipped): 0 wrong without doubt, 2 in doubt of 200, 1 of 8 tables asked about" in lines[0]
    assert "1 wrong without doubt" in lines[1]


def test_a_network_that_remembers_looks_at_each_crop_once() -> None:
    looks: list[int] = []

    def model(batch: Any) -> tuple[Any, ...]:
        looks.append(len(batch))
        return (batch.sum(axis=1),)

    network, crops = Remembered(model), np.arange(12, dtype=np.float32).reshape(4, 3)
    assert network(crops[:2])[0].tolist() == [3.0, 12.0]
    assert network(crops[[1, 3, 0]])[0].tolist() == [12.0, 30.0, 3.0]
    assert looks == [2, 1]
