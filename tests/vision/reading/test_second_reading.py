"""Which tiles are read a second time, upside down, and what becomes of them."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.tiles import Tile
from referee.vision.reading.certainty import Trust
from referee.vision.reading.second_reading import TWICE, needs_second_reading, unless_contradicted, unless_overturned
from referee.vision.sighting import Read


def read_of(name, confidence, doubtful=False):
    corners = np.asarray([[0, 0], [30, 0], [30, 45], [0, 45]], np.float32)
    return Read(Tile.from_name(name), confidence, doubtful, (), corners, 0.0)


def test_what_is_clear_is_read_once():
    assert not needs_second_reading(read_of("red-7", TWICE))
    assert needs_second_reading(read_of("red-7", TWICE - 0.001))
    assert not needs_second_reading(read_of("red-7", TWICE - 0.001), Trust(number=2.0))


def test_any_number_that_is_hardly_possible_upside_down_is_put_in_doubt():
    seven = read_of("red-7", 0.95)
    assert unless_contradicted(seven, 0.9, 1) is seven
    doubted = unless_contradicted(seven, 0.1, 1)
    assert (doubted.doubtful, doubted.confidence) == (True, pytest.approx(0.525))


@pytest.mark.parametrize(
    ("name", "number", "other"),
    [
        ("red-4", 1, "red-1"),
        ("red-4", 0, "joker"),
        ("red-4", None, "face-down"),
        ("red-4", 4, None),
        ("joker", 4, None),
        ("joker", 0, None),
    ],
)
def test_what_is_read_upside_down_may_be_so(name, number, other):
    """Half of what is believed is the first reading, and half the second one."""
    read = replace(read_of(name, 0.94), alternatives=(("red-1", 0.04), ("blue-4", 0.02)))
    found = dict(unless_contradicted(read, 0.1, number).alternatives)
    expected = {"red-1": 0.02, "blue-4": 0.01}
    if other is not None:
        expected[other] = expected.get(other, 0.0) + 0.45
    assert found == pytest.approx(expected)
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_a_second_reading_settles_a_doubt_but_changes_no_face_without_one():
    first, same, other = read_of("red-7", 0.6, True), read_of("red-7", 0.97), read_of("red-1", 0.97)
    assert unless_overturned(first, same) is same
    assert unless_overturned(first, other).doubtful
