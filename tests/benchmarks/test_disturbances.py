"""What spoils a picture: seeded, of the right shape, and each doing what its name says."""

import cv2
import numpy as np
import pytest

from benchmarks import disturbances
from benchmarks.disturbances import KINDS
from referee.vision.sighting import Image


@pytest.fixture
def picture() -> Image:
    """A grey sheet with a black square, small, and lit from the left."""
    picture = np.tile(np.linspace(150, 110, 1152), (648, 1))[..., None].repeat(3, axis=2).astype(np.uint8)
    picture[270:378, 522:630] = 20
    return picture


def test_there_are_as_many_kinds_as_are_promised() -> None:
    assert len(KINDS) == 31


@pytest.mark.parametrize("kind", KINDS)
def test_a_disturbed_picture_is_a_picture_and_another_one(kind: str, picture: Image) -> None:
    before = picture.copy()
    spoilt = KINDS[kind](picture, np.random.default_rng(1))
    assert spoilt.dtype == np.uint8
    assert spoilt.shape == ((324, 576, 3) if kind == "half size" else picture.shape)
    assert np.array_equal(picture, before)
    assert spoilt.shape != picture.shape or not np.array_equal(spoilt, picture)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_chance_spoils_in_the_same_way(kind: str, picture: Image) -> None:
    one, other = (KINDS[kind](picture, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(one, other)


@pytest.mark.parametrize(("kind", "gain"), [("exposure x 0.5", 0.5), ("exposure x 1.35", 1.35)])
def test_exposure_multiplies(kind: str, gain: float, picture: Image) -> None:
    spoilt = KINDS[kind](picture, np.random.default_rng(1))
    assert spoilt.mean() == pytest.approx(gain * picture.mean(), rel=0.01)


def test_what_is_too_bright_is_cut_off(picture: Image) -> None:
    assert disturbances.exposed(picture, np.random.default_rng(1), gain=4.0).max() == 255


@pytest.mark.parametrize(
    ("kind", "most", "least"), [("tungsten light", 2, 0), ("cold light", 0, 2), ("greenish light", 1, 0)]
)
def test_coloured_light_favours_its_channel(kind: str, most: int, least: int, picture: Image) -> None:
    means = KINDS[kind](picture, np.random.default_rng(1)).mean(axis=(0, 1))
    assert int(np.argmax(means)) == most
    assert int(np.argmin(means)) == least


@pytest.mark.parametrize("kind", ["motion 9 px", "defocus 2.5 px"])
def test_blur_takes_detail_and_keeps_brightness(kind: str) -> None:
    fine = np.random.default_rng(2).integers(0, 256, (324, 1152, 1), np.uint8).repeat(3, axis=2)
    spoilt = KINDS[kind](fine, np.random.default_rng(1))
    assert cv2.Laplacian(spoilt, cv2.CV_32F).std() < 0.9 * cv2.Laplacian(fine, cv2.CV_32F).std()
    assert spoilt.mean() == pytest.approx(fine.mean(), rel=0.02)


@pytest.mark.parametrize("length", [5.0, 9.0])
def test_motion_smears_a_point_as_far_as_it_says(length: float) -> None:
    point = np.zeros((64, disturbances.WIDTH, 3), np.uint8)
    point[32, 1000] = 255
    for seed in range(4):
        rows, columns = np.nonzero(disturbances.moved(point, np.random.default_rng(seed), length=length)[..., 0])
        assert np.hypot(np.ptp(rows), np.ptp(columns)) == pytest.approx(length, abs=2.0)


def test_glare_bleaches_one_spot_only(picture: Image) -> None:
    added = KINDS["hard glare"](picture, np.random.default_rng(1)).astype(int) - picture
    assert added.max() > 60
    assert added.min() >= 0
    assert np.median(added) < 10


def test_a_shadow_darkens_a_part(picture: Image) -> None:
    part = KINDS["edge of a shadow"](picture, np.random.default_rng(1)) / np.maximum(picture, 1)
    assert 0.45 < part.min() < 0.6
    assert part.max() > 0.95


def test_a_turned_camera_moves_the_square_a_little(picture: Image) -> None:
    rows, columns = np.nonzero(KINDS["camera turned"](picture, np.random.default_rng(1))[..., 0] < 60)
    assert np.hypot(rows.mean() - 323.5, columns.mean() - 575.5) < 30


def test_sharpening_leaves_seams(picture: Image) -> None:
    spoilt = KINDS["sharpened"](picture, np.random.default_rng(1))
    assert spoilt.min() < 20
    assert spoilt.max() > 155
