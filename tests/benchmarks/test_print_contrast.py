"""How clearly prints stand out: measured in the picture, and only there where a tile lies."""

import numpy as np
import pytest

pytest.importorskip("PIL", reason="boxes are drawn with the extra `train`")

from benchmarks import made_boxes
from benchmarks.print_contrast import CLEAR, print_contrasts, with_clear_prints
from referee.train.pictures.typefaces import find_faces
from referee.vision.sighting import Image

LEFT = np.asarray([[10, 10], [40, 10], [40, 50], [10, 50]], np.float32)
RIGHT = LEFT + np.asarray([50, 0], np.float32)


def sheet(level: int = 200) -> Image:
    return np.full((60, 100, 3), level, np.uint8)


def test_a_print_stands_out_only_in_its_own_tile() -> None:
    printed = sheet()
    printed[20:40, 20:28] = (30, 30, 30)
    dark, bare = print_contrasts(printed, sheet(), np.stack([LEFT, RIGHT]))
    assert dark > 50
    assert bare == 0


def test_a_pale_print_stands_out_less_than_a_dark_one() -> None:
    printed = sheet()
    printed[20:40, 20:28], printed[20:40, 70:78] = (30, 30, 30), (190, 190, 190)
    dark, pale = print_contrasts(printed, sheet(), np.stack([LEFT, RIGHT]))
    assert dark > CLEAR > pale > 0


def test_noise_that_is_in_both_pictures_does_not_count() -> None:
    noise = np.random.default_rng(1).integers(150, 250, (60, 100, 3)).astype(np.uint8)
    assert print_contrasts(noise, noise.copy(), LEFT[None]) == [0.0]


def test_only_clear_prints_stay_in_the_ground_truth() -> None:
    tiles = [{"rank": 1, "contrast": CLEAR}, {"rank": 2, "contrast": CLEAR - 0.1}]
    truth = {"tileset": "rummikub", "tiles": tiles}
    assert with_clear_prints(truth) == {"tileset": "rummikub", "tiles": tiles[:1]}
    assert len(truth["tiles"]) == 2


def test_a_drawn_table_tells_how_clear_its_prints_are() -> None:
    try:
        box = made_boxes.make_box(3, find_faces())
    except FileNotFoundError as error:
        pytest.skip(f"type faces: {error}")
    _, _, truth = made_boxes.table_of(box, 0)
    _, _, bare = made_boxes.table_of(box.without_prints(), 0)
    assert min(tile["contrast"] for tile in truth["tiles"]) > 1
    assert max(tile["contrast"] for tile in bare["tiles"]) == 0
