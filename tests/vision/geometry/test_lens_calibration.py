"""Views through a known lens give that lens back; views that will not do are refused in one line."""

import re
from dataclasses import replace

import numpy as np
import pytest
from sheets import LENS, SIZE, pose, poses, seen, series

from referee.errors import BadInput
from referee.i18n.wording import error_text
from referee.vision.geometry.lens_calibration import FEWEST_VIEWS, alike, calibrate_lens, coverage, tilt_deg
from referee.vision.geometry.pose import Lens, homography_pose


def off_px(found, truth):
    """How far a plane seen through the one lens is from where the other can show it, in pixels (median)."""
    x, y = np.meshgrid(np.linspace(20, SIZE[0] - 20, 9), np.linspace(20, SIZE[1] - 20, 7))
    pixels = np.stack([x.ravel(), y.ravel()], 1)
    plane = pose((0, 0), lens=truth).to_plane(pixels, 0.0)
    shown = homography_pose(found, plane, pixels).on_plane(plane, 0.0)
    return float(np.median(np.linalg.norm(shown - pixels, axis=1)))


@pytest.mark.parametrize("k1", [-0.15, -0.05, 0.0, 0.04])
def test_views_give_the_lens_they_were_seen_through(k1):
    truth = replace(LENS, k1=k1)
    found = calibrate_lens(series(truth), SIZE)
    assert found.lens.focal_px == pytest.approx(truth.focal_px, rel=0.006)
    assert found.lens.centre_px == pytest.approx(truth.centre_px, abs=2.0)
    assert found.lens.k1 == pytest.approx(k1, abs=0.01)
    assert found.lens.k1_deviation == 0.0
    assert off_px(found.lens, truth) < 0.3
    assert found.residual_px < 0.15
    assert 0.02 < found.residual_mm < 0.2
    assert found.coverage > 0.6
    assert found.views == 13


def test_a_wide_lens_is_found_from_what_the_maker_states():
    truth = Lens(0.42 * 1152, (575.5, 323.5), -0.02, (0.01, 0.0, 0.0, -0.002), 0.0)
    views = [seen(pose((1.9 * x, 1.9 * y), t, 90 + 4 * i, lens=truth, far=620), 0.05, i)
             for i, (x, y, t) in enumerate([(p[0], p[1], (3, -2)) for p in
             [(0, 0), (-270, -110), (0, -110), (270, -110), (270, 0), (270, 110), (0, 110), (-270, 110), (-270, 0)]]
             + [(0, 0, (25, 0)), (10, 0, (-25, 0)), (0, 10, (0, 25)), (5, 5, (0, -25))])]  # fmt: skip
    found = calibrate_lens(views, SIZE, focal=0.405)
    assert found.lens.focal_px == pytest.approx(truth.focal_px, rel=0.01)


def refusal(views, **more):
    with pytest.raises(BadInput) as caught:
        calibrate_lens(views, SIZE, **more)
    assert "\n" not in error_text(caught.value)
    return error_text(caught.value)


def test_too_few_views_are_refused():
    assert "at least 8 pictures, but was found in 5" in refusal(series()[:5])


def test_views_all_alike_are_refused():
    views = [seen(pose((1.0 * i, 0)), seed=i) for i in range(12)]
    assert "only 1 of 12 do" in refusal(views)


def test_views_of_the_middle_only_are_refused():
    views = [seen(pose((0, 0), (4.5 * i - 20, 20 - 4.5 * i), 90), seed=i) for i in range(10)]
    assert re.search(r"but cover \d+%: move the sheet to the picture's edges", refusal(views))


def test_a_sheet_that_always_lay_flat_is_refused():
    views = [seen(pose(at, (0, 0), 90 + 7 * i), seed=i) for i, at in enumerate([(x, y) for x in (-270, -90, 90, 270)
                                                                               for y in (-110, 110)])]  # fmt: skip
    assert "lift one edge" in refusal(views)


def test_a_bent_sheet_is_refused():
    assert "bent" in refusal(series(lift=lambda points: 0.0007 * (points[:, 1] - 125) ** 2))


def test_a_view_of_another_camera_is_named():
    views = series()
    views[4] = seen(poses(replace(LENS, focal_px=0.9 * LENS.focal_px))[4], seed=4)
    other = [*views[:6], seen(pose((60, 40), (20, 15), lens=replace(LENS, k1=0.2)), seed=9), *views[6:]]
    names = [f"{i}.jpg" for i in range(len(other))]
    assert re.search(r"in 6\.jpg|in 4\.jpg|several cameras", refusal(other, names=names))


def test_many_views_of_two_cameras_are_refused():
    one, other = series(replace(LENS, k1=-0.15)), series(replace(LENS, k1=0.1))
    assert "several cameras" in refusal([*one[::2], *other[1::2]])


def test_fewest_views_that_differ_are_enough():
    views = [series()[i] for i in (1, 3, 5, 7, 0, 9, 11, 12, 2)]
    assert len(views) >= FEWEST_VIEWS
    assert calibrate_lens(views, SIZE).lens.focal_px == pytest.approx(LENS.focal_px, rel=0.01)


def test_views_are_told_apart_by_place_tilt_and_turn():
    one = seen(pose())
    assert alike(one, seen(pose((5, 0)), seed=2), SIZE)
    assert not alike(one, seen(pose((80, 0))), SIZE)
    assert not alike(one, seen(pose(tilt=(12, 0))), SIZE)
    assert not alike(one, seen(pose(turn=70)), SIZE)
    assert tilt_deg(seen(pose(tilt=(20, 0))), SIZE) == pytest.approx(20, abs=2)
    assert coverage([one], SIZE) < 0.5
