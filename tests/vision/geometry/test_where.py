"""Where things lie on the play area."""

import numpy as np
import pytest

from referee.i18n import ENGLISH
from referee.vision.geometry.pose import in_parts, place_of

OUTLINE = np.float32([[100, 50], [1100, 50], [1100, 750], [100, 750]])


def test_points_of_a_picture_are_parts_of_the_play_area() -> None:
    parts = in_parts(np.float32([[100, 50], [600, 400], [1100, 750]]), OUTLINE)
    assert parts == pytest.approx(np.float32([[0, 0], [0.5, 0.5], [1, 1]]), abs=1e-5)


def test_a_camera_that_hangs_upside_down_tells_the_same_place_of_the_table() -> None:
    assert in_parts(np.float32([[200, 120]]), np.roll(OUTLINE, 2, axis=0))[0] == pytest.approx([0.9, 0.9])


def test_no_points_are_none() -> None:
    assert in_parts(np.zeros((0, 2), np.float32), OUTLINE).shape == (0, 2)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (0.5, 0.5, "in the middle"),
        (0.1, 0.5, "on the left"),
        (0.9, 0.5, "on the right"),
        (0.5, 0.1, "at the top"),
        (0.5, 0.9, "at the bottom"),
        (0.1, 0.1, "at the top left"),
        (0.9, 0.1, "at the top right"),
        (0.1, 0.9, "at the bottom left"),
        (0.9, 0.9, "at the bottom right"),
    ],
)
def test_a_place_in_words(x: float, y: float, words: str) -> None:
    assert ENGLISH(place_of(x, y)) == words
