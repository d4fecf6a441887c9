"""Inks of boxes: within what people call by a colour's name, and told apart by people."""

import cv2
import numpy as np
import pytest

from referee.game.tiles import TILE_SETS, Colour
from referee.train.pictures.faces import APART, BOXES, box_inks, ink

HUES = {
    Colour.BLUE: (178, 250), Colour.RED: (330, 374), Colour.YELLOW: (33, 61), Colour.ORANGE: (13, 36),
    Colour.GREEN: (75, 170),
}  # fmt: skip
"""Degrees of the colour wheel; red runs over its end."""


def hue_of(colour: np.ndarray) -> float:
    """Degrees around the colour wheel of an RGB colour."""
    pixel = np.asarray(colour, np.float32)[None, None] / 255
    return float(cv2.cvtColor(pixel, cv2.COLOR_RGB2HSV)[0, 0, 0])


def distances(colours: list[np.ndarray]) -> np.ndarray:
    """How far colours lie apart in CIE L*a*b*, those of different ones."""
    lab = cv2.cvtColor(np.asarray(colours, np.float32)[None] / 255, cv2.COLOR_RGB2LAB)[0]
    return np.linalg.norm(lab[:, None] - lab[None], axis=2)[np.triu_indices(len(colours), 1)]


@pytest.mark.parametrize("colour", HUES, ids=str)
@pytest.mark.parametrize("usual", [0.0, 0.5, 1.0])
def test_an_ink_stays_within_what_people_call_by_its_name(colour: Colour, usual: float) -> None:
    rng = np.random.default_rng(3)
    low, high = HUES[colour]
    for _ in range(40):
        made = ink(rng, colour, usual)
        assert made.shape == (3,)
        assert ((made >= 0) & (made <= 255)).all()
        hue = hue_of(made)
        assert low <= hue <= high or low <= hue + 360 <= high


def test_black_is_dark() -> None:
    rng = np.random.default_rng(4)
    assert max(float(ink(rng, Colour.BLACK).max()) for _ in range(60)) < 0.37 * 255


@pytest.mark.parametrize("colour", [Colour.BLUE, Colour.RED, Colour.GREEN], ids=str)
def test_unusual_inks_are_others_than_usual_ones(colour: Colour) -> None:
    usual, unusual = (
        np.asarray([ink(np.random.default_rng(seed), colour, share) for seed in range(60)]) for share in (1.0, 0.0)
    )
    assert np.linalg.norm(usual.mean(axis=0) - unusual.mean(axis=0)) > 15


def test_the_boxes_are_those_in_the_shops() -> None:
    assert {frozenset(box) for box in BOXES} == {frozenset(box.colours) for box in TILE_SETS.values()}


@pytest.mark.parametrize("colours", BOXES, ids=lambda colours: "".join(c.letter for c in colours))
def test_the_inks_of_a_box_are_told_apart_by_people(colours: tuple[Colour, ...]) -> None:
    for seed in range(30):
        made = box_inks(np.random.default_rng(seed), colours)
        assert tuple(made) == colours
        assert distances(list(made.values())).min() >= APART


@pytest.mark.parametrize("colours", BOXES, ids=lambda colours: "".join(c.letter for c in colours))
def test_inks_are_told_apart_from_the_body_where_it_is_given(colours: tuple[Colour, ...]) -> None:
    body = np.asarray([226.0, 196.0, 140.0], np.float32)
    for seed in range(30):
        made = box_inks(np.random.default_rng(seed), colours, body=body)
        assert distances([*made.values(), body]).min() >= APART


def test_fading_pales_all_inks_of_a_box() -> None:
    bright, faded = (box_inks(np.random.default_rng(5), BOXES[0], fading) for fading in (0.0, 0.3))
    assert np.mean(list(faded.values())) > np.mean(list(bright.values())) + 20


def test_the_same_seed_gives_the_same_inks() -> None:
    one, other = (box_inks(np.random.default_rng(6), BOXES[1]) for _ in range(2))
    assert all(np.array_equal(one[colour], other[colour]) for colour in BOXES[1])
