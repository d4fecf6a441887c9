"""A marker's pattern laid over the picture tells its corners better than its outline does."""

import cv2
import numpy as np
import pytest

from referee.vision.geometry.markers import align_marker

SIDE = 68.0


def picture_of(number, corners, blur=1.0, noise=2.0, curve=True):
    """A grey picture (200, 200) of a marker whose corners lie at `corners`, as a camera takes it."""
    cells = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 6)
    fine = 8
    sheet = np.full((8 * 40, 8 * 40), 255, np.uint8)
    sheet[40:280, 40:280] = cv2.resize(cells, (240, 240), interpolation=cv2.INTER_NEAREST)
    own = np.asarray([[40, 40], [280, 40], [280, 280], [40, 280]], np.float32) - 0.5
    target = (np.asarray(corners, np.float32) + 0.5) * fine - 0.5
    turn = cv2.getPerspectiveTransform(own, target)
    large = cv2.warpPerspective(sheet, turn, (200 * fine, 200 * fine), borderValue=70, flags=cv2.INTER_LINEAR)
    light = cv2.resize(0.1 + 0.7 * large.astype(np.float32) / 255, (200, 200), interpolation=cv2.INTER_AREA)
    light = cv2.GaussianBlur(light, (0, 0), blur)
    levels = 255 * (light ** (1 / 2.2) if curve else light)
    levels += np.random.default_rng(3).normal(0, noise, levels.shape)
    return np.clip(levels, 0, 255).astype(np.uint8)


def square(turn_deg=0.0, at=(100.3, 99.6), side=SIDE):
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    unit = np.asarray([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * side
    return unit @ np.asarray([[c, s], [-s, c]]) + at


@pytest.mark.parametrize("turn", [0.0, 2.5, 178.0])
@pytest.mark.parametrize("number", [0, 3])
def test_corners_found_half_a_pixel_off_are_put_right(number, turn):
    truth = square(turn)
    found = truth + np.random.default_rng(number).normal(0, 0.6, (4, 2))
    better = align_marker(picture_of(number, truth), found.astype(np.float32), number)
    assert better == pytest.approx(truth, abs=0.12)
    assert better.mean(axis=0) == pytest.approx(truth.mean(axis=0), abs=0.05)


def test_blur_makes_the_square_no_smaller():
    truth = square(1.0)
    better = align_marker(picture_of(1, truth, blur=1.6), (truth + 0.5).astype(np.float32), 1)
    assert np.linalg.norm(better[1] - better[0]) == pytest.approx(SIDE, rel=0.003)


@pytest.mark.parametrize("case", ["another marker", "nothing there", "far away"])
def test_what_does_not_show_the_pattern_leaves_the_corners_as_they_were_found(case):
    truth = square().astype(np.float32)
    picture = picture_of(2, truth)
    if case == "nothing there":
        picture[:] = 90
    found = truth + 20 if case == "far away" else truth
    assert align_marker(picture, found.astype(np.float32), 0 if case == "another marker" else 2) == pytest.approx(
        found
    )


def test_a_marker_at_the_pictures_edge_is_no_error():
    truth = square(at=(30.0, 40.0))
    assert align_marker(picture_of(0, truth), truth.astype(np.float32), 0) == pytest.approx(truth, abs=1.0)
