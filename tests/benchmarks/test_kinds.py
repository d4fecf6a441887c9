"""Temperatures by kind of disturbance: each kind is measured with those that were chosen without it."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import kinds
from benchmarks.kinds import CHOSEN, Tiles, choose, cost, figures
from referee.vision.reading.certainty import FAINT, FULL, Trust

SURE_FROM = 0.9
PLAIN = dict.fromkeys(CHOSEN, FULL)


def tiles(kind: str, number: list[float], ink: list[float], wrong: list[bool], fault: str | None) -> Tiles:
    """Return tiles with these log odds of number and ink, all with one fault of the picture."""
    count = len(number)
    faults = np.zeros((count, len(CHOSEN)), bool)
    faults[:, CHOSEN.index("USUAL")] = True
    if fault is not None:
        faults[:, CHOSEN.index(fault)] = True
    yes, no = np.ones(count, bool), np.zeros(count, bool)
    places = np.asarray([f"{kind} {i}" for i in range(count)], object)
    return Tiles(np.asarray([kind] * count, object), np.asarray(number, np.float32), np.asarray(ink, np.float32), yes,
                 no, np.asarray(wrong), no, faults, no, places)  # fmt: skip


def joined(*parts: Tiles) -> Tiles:
    return Tiles(*(np.concatenate([getattr(p, name) for p in parts]) for name in Tiles.__dataclass_fields__))


def test_confidence_is_that_of_number_and_ink_together() -> None:
    seen = tiles("JPEG 25", [np.log(9), np.log(99)], [np.log(99), 20.0], [False, False], None)
    assert seen.confidences(PLAIN) == pytest.approx([0.9 * 0.99, 0.99], abs=1e-4)


def test_a_temperature_applies_only_to_tiles_with_its_fault() -> None:
    chosen = {**PLAIN, "PACKED": Trust(ink=2.0)}
    one, other = (tiles("JPEG 25", [20.0], [np.log(99)], [False], fault) for fault in ("PACKED", "BLURRED"))
    assert one.confidences(chosen)[0] == pytest.approx(0.9087, abs=1e-4)
    assert other.confidences(chosen)[0] == pytest.approx(0.99, abs=1e-4)


def test_a_faint_tile_is_the_likelier_a_back() -> None:
    """Unless the picture is poor, so that a print may be hard to see."""
    chosen = {**PLAIN, "USUAL": Trust(back=3.0), "BRIGHT": Trust(back=0.1)}
    for fault, faint, factor in ((None, False, 3.0), (None, True, FAINT.back), ("BRIGHT", True, 0.1)):
        seen = replace(tiles("JPEG 25", [0.0], [0.0], [False], fault), inked=np.asarray([False]),
                       back=np.asarray([True]), faint=np.asarray([faint]))  # fmt: skip
        assert seen.confidences(chosen)[0] == pytest.approx(factor / (1 + factor), abs=1e-4)


def test_an_error_without_doubt_costs_more_than_many_doubts() -> None:
    error = tiles("JPEG 25", [6.0], [6.0], [True], "PACKED")
    doubts = tiles("JPEG 25", [0.5] * 100, [6.0] * 100, [False] * 100, "PACKED")
    assert cost(error, PLAIN, SURE_FROM) > cost(doubts, PLAIN, SURE_FROM) == 100


def test_only_what_was_wrong_is_believed_less() -> None:
    wrong_inks = tiles("JPEG 25", [8.0] * 50, [2.5] * 10 + [9.0] * 40, [True] * 10 + [False] * 40, "PACKED")
    chosen = choose(wrong_inks, SURE_FROM)
    assert max(chosen["USUAL"].ink, chosen["PACKED"].ink) > 1
    assert chosen["PACKED"].number == 1
    assert chosen["BLURRED"] == Trust(back=kinds.FACTORS[0])


def test_a_kind_is_measured_with_what_was_chosen_on_the_others() -> None:
    """The only errors are of one kind: what was chosen on the others cannot know of them."""
    fine = tiles("JPEG 10", [8.0] * 20, [8.0] * 20, [False] * 20, "PACKED")
    misread = tiles("JPEG 25", [8.0] * 5, [4.0] * 5, [True] * 5, "PACKED")
    rows = {(row.what, row.on): row for row in figures(joined(fine, misread), {"JPEG 10": 0, "JPEG 25": 1}, 0.9).rows}
    assert rows["wrong without doubt", kinds.LEFT_OUT].count == "5 of 26"
    assert rows["missed in silence", kinds.LEFT_OUT].count == "1 of 26"
    assert "0.0 % in doubt, 5 wrong" in rows["left out", "JPEG 25"].figure
    assert "0.0 % in doubt, 0 wrong" in rows["left out", "JPEG 10"].figure
