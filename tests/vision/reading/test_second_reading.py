"""Which tiles are read a second time, upside down, and what becomes of them."""

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
    assert unless_contradicted(seven, 0.9) is seven
    doubted = unless_contradicted(seven, 0.1)
    assert (doubted.doubtful, doubted.confidence) == (True, pytest.approx(0.525))


def test_a_second_reading_settles_a_doubt_but_changes_no_face_without_one():
    first, same, other = read_of("red-7", 0.6, True), read_of("red-7", 0.97), read_of("red-1", 0.97)
    assert unless_overturned(first, same) is same
    assert unless_overturned(first, other).doubtful
