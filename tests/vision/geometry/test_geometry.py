"""Lens, pose and planes: what is projected comes back, and what was measured tells the camera."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.sim.scene.camera import Camera
from referee.vision.geometry.pose import FOCAL_PER_WIDTH, Lens, Pose, fit_squares, homography_pose, rectifying_maps

Doubles = npt.NDArray[np.float64]

TABLE = np.asarray([[0.0, 0.0], [900.0, 0.0], [900.0, 600.0], [0.0, 600.0]])
SPOTS = np.asarray([[20.0, 30.0], [880.0, 15.0], [450.0, 300.0], [700.0, 590.0], [5.0, 480.0], [310.0, 120.0]])
SIDE_MM = 40.0


def pose_at(
    centre: tuple[float, float, float] = (450.0, 300.0, 1000.0),
    turn: tuple[float, float, float] = (0.0, 0.0, 0.0),
    k1: float = 0.0,
) -> Pose:
    """A camera of 2304 x 1296 pixels `centre[2]` mm above a spot of the table, turned by a Rodrigues vector."""
    lens = Lens(FOCAL_PER_WIDTH * 2304, (1151.5, 647.5), k1)
    rotation = np.asarray(turn, np.float64)
    x, y, height = centre
    return Pose(lens, rotation, -cv2.Rodrigues(rotation)[0] @ np.asarray([x, y, -height]))


def squares(pose: Pose, turns: Doubles, noise: Doubles) -> list[npt.NDArray[np.float32]]:
    """The corners of squares lying at the table's corners in small turns, in pixels, `noise` (4, 4, 2) added."""
    unit = np.asarray([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * SIDE_MM
    seen = []
    for place, turn, error in zip(TABLE, turns, noise, strict=True):
        c, s = np.cos(turn), np.sin(turn)
        seen.append((pose.on_plane(place + unit @ np.asarray([[c, s], [-s, c]]), 0.0) + error).astype(np.float32))
    return seen


def start_of(truth: Pose) -> Pose:
    """What the markers' centres alone tell with the usual lens."""
    return homography_pose(Lens.usual(2304, 1296), TABLE, truth.on_plane(TABLE, 0.0))


angles = st.floats(-0.07, 0.07)
poses = st.builds(
    lambda x, y, h, tilt, pan, roll, k1: pose_at((x, y, h), (tilt, pan, roll), k1),
    st.floats(380, 520), st.floats(240, 360), st.floats(850, 1200), angles, angles, st.floats(-3.1, 3.1),
    st.floats(-0.06, 0.02),
)  # fmt: skip
points = st.lists(st.tuples(st.floats(0, 900), st.floats(0, 600)), min_size=1, max_size=8)


@given(pose=poses, spots=points, height_mm=st.floats(0, 15))
def test_a_plane_seen_from_any_pose_is_found_again_in_its_pixels(
    pose: Pose, spots: list[tuple[float, float]], height_mm: float
) -> None:
    assert pose.to_plane(pose.on_plane(spots, height_mm), height_mm) == pytest.approx(np.asarray(spots), abs=0.05)


def test_no_points_give_no_points() -> None:
    assert pose_at().on_plane(np.zeros((0, 2)), 9.5).shape == (0, 2)
    assert pose_at().to_plane(np.zeros((0, 2)), 9.5).shape == (0, 2)


@pytest.mark.parametrize("roll", [0.0, 0.5, 3.1])
def test_a_level_camera_sees_the_spot_below_it_in_the_middle_at_any_height(roll: float) -> None:
    seen = pose_at((400.0, 250.0, 900.0), (0.0, 0.0, roll), k1=-0.05).project(
        np.asarray([[400, 250, 0], [400, 250, -9.5]])
    )
    assert seen == pytest.approx(np.asarray([[1151.5, 647.5]] * 2), abs=1e-6)


def test_the_tops_of_tiles_are_seen_further_out_by_height_over_the_rest_of_the_way() -> None:
    pose = pose_at((450.0, 300.0, 1000.0))
    taken_for_flat = pose.to_plane(pose.on_plane(TABLE, 9.5), 0.0)
    outwards = TABLE - [450.0, 300.0]
    assert taken_for_flat - TABLE == pytest.approx(outwards * 9.5 / (1000.0 - 9.5), abs=1e-6)


def test_at_the_corners_that_parallax_is_five_millimetres() -> None:
    pose = pose_at((450.0, 300.0, 1000.0))
    taken_for_flat = pose.to_plane(pose.on_plane(TABLE, 9.5), 0.0)
    assert np.linalg.norm(taken_for_flat - TABLE, axis=1) == pytest.approx(np.full(4, 5.2), abs=0.05)


def test_a_barrel_lens_draws_far_points_inwards() -> None:
    straight, bent = (pose_at(k1=k1).on_plane(TABLE, 0.0) - [1151.5, 647.5] for k1 in (0.0, -0.05))
    assert (np.linalg.norm(bent, axis=1) < np.linalg.norm(straight, axis=1) - 5).all()


@pytest.mark.parametrize(
    ("width", "height", "focal"),
    [pytest.param(2304, 1296, 2304, id="landscape"), pytest.param(1296, 2304, 2304, id="portrait")],
)
def test_the_usual_lens_follows_the_longer_side_and_the_middle(width: int, height: int, focal: int) -> None:
    lens = Lens.usual(width, height)
    assert lens.focal_px == pytest.approx(FOCAL_PER_WIDTH * focal)
    assert lens.centre_px == ((width - 1) / 2, (height - 1) / 2)


@pytest.mark.parametrize("size", [(64, 48), (61, 45), (200, 9)], ids=["multiple of the step", "odd", "flat"])
def test_rectifying_maps_point_to_where_the_plane_is_projected(size: tuple[int, int]) -> None:
    pose = pose_at(turn=(0.03, -0.02, 0.1), k1=-0.04)
    origin, px_per_mm = (-45.0, -30.0), 0.2
    map_x, map_y = rectifying_maps(pose, 9.5, origin, size, px_per_mm)
    x, y = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    plane = np.stack([x, y], 2).reshape(-1, 2) / px_per_mm + np.asarray(origin)
    assert map_x.shape == map_y.shape == (size[1], size[0])
    expected = pose.on_plane(plane, 9.5)
    assert np.column_stack([map_x.ravel(), map_y.ravel()]) == pytest.approx(expected, abs=0.25)


def test_rectifying_maps_of_a_fine_plane_are_exact_to_hundredths_of_a_pixel() -> None:
    pose = pose_at(turn=(0.03, -0.02, 0.1), k1=-0.04)
    map_x, map_y = rectifying_maps(pose, 9.5, (0.0, 0.0), (160, 120), 0.8)
    x, y = np.meshgrid(np.arange(160), np.arange(120))
    expected = pose.on_plane(np.stack([x, y], 2).reshape(-1, 2) / 0.8, 9.5)
    assert np.column_stack([map_x.ravel(), map_y.ravel()]) == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("seen", [[0, 1, 2, 3], [0, 1, 2], [1, 2, 3], [0, 2, 3], [0, 1, 3]], ids=str)
@pytest.mark.parametrize(
    "turn", [(0.0, 0.0, 0.0), (0.02, -0.03, 0.1), (-0.05, 0.02, 3.0)], ids=["level", "askew", "upside down"]
)
def test_three_or_four_points_of_a_plane_tell_the_pose(seen: list[int], turn: tuple[float, float, float]) -> None:
    truth = pose_at((430.0, 310.0, 980.0), turn)
    found = homography_pose(truth.lens, TABLE[seen], truth.on_plane(TABLE[seen], 0.0))
    assert found.on_plane(SPOTS, 9.5) == pytest.approx(truth.on_plane(SPOTS, 9.5), abs=0.05)


def test_a_pose_found_from_points_agrees_with_the_virtual_camera() -> None:
    camera = Camera(x_mm=462, y_mm=290, height_mm=930, tilt_deg=2.5, pan_deg=-1.5, roll_deg=3.0, k1=-0.05)
    lens = Lens(camera.focal_px, ((camera.width_px - 1) / 2, (camera.height_px - 1) / 2), camera.k1)
    found = homography_pose(lens, TABLE, camera.project_flat(TABLE.astype(np.float32)))
    expected = camera.project_flat(SPOTS.astype(np.float32), 9.5)
    assert found.on_plane(SPOTS, 9.5) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("k1", [-0.1, -0.06, -0.02, 0.0, 0.02])
@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.02, -0.02, 0.05)], ids=["level", "askew"])
def test_squares_laid_by_hand_tell_pose_and_radial_term(k1: float, turn: tuple[float, float, float]) -> None:
    rng = np.random.default_rng(5)
    truth = pose_at((440.0, 305.0, 1010.0), turn, k1)
    corners = squares(truth, np.radians(rng.uniform(-3, 3, 4)), rng.normal(0, 0.1, (4, 4, 2)))
    fitted = fit_squares(start_of(truth), [(x, y) for x, y in TABLE], corners, SIDE_MM)
    assert fitted.lens.k1 == pytest.approx(k1, abs=0.006)
    assert fitted.on_plane(SPOTS, 9.5) == pytest.approx(truth.on_plane(SPOTS, 9.5), abs=0.5)


def test_without_noise_the_fit_is_as_good_as_exact() -> None:
    truth = pose_at((440.0, 305.0, 1010.0), (0.01, 0.02, 0.02), -0.03)
    corners = squares(truth, np.zeros(4), np.zeros((4, 4, 2)))
    fitted = fit_squares(start_of(truth), [(x, y) for x, y in TABLE], corners, SIDE_MM)
    assert fitted.on_plane(SPOTS, 9.5) == pytest.approx(truth.on_plane(SPOTS, 9.5), abs=0.3)


@pytest.mark.parametrize("wrong", [0, 5, 10, 15])
def test_one_corner_that_was_caught_wrongly_does_not_bend_the_lens(wrong: int) -> None:
    rng = np.random.default_rng(6)
    truth = pose_at((440.0, 305.0, 1010.0), (0.01, -0.02, 0.05), -0.03)
    noise = rng.normal(0, 0.1, (4, 4, 2))
    noise[wrong // 4, wrong % 4] += [6.0, -5.0]
    corners = squares(truth, np.radians(rng.uniform(-3, 3, 4)), noise)
    fitted = fit_squares(start_of(truth), [(x, y) for x, y in TABLE], corners, SIDE_MM)
    assert fitted.lens.k1 == pytest.approx(-0.03, abs=0.02)
    assert fitted.on_plane(SPOTS, 9.5) == pytest.approx(truth.on_plane(SPOTS, 9.5), abs=1.5)


def test_a_fit_is_followed_to_its_end_where_many_corners_were_caught_wrongly() -> None:
    rng = np.random.default_rng(8)
    truth = pose_at((440.0, 305.0, 1010.0), (0.01, -0.02, 0.05), -0.03)
    corners = squares(truth, np.radians(rng.uniform(-3, 3, 4)), rng.normal(0, 2.0, (4, 4, 2)))
    places = [(x, y) for x, y in TABLE]
    fitted = fit_squares(start_of(truth), places, corners, SIDE_MM)
    again = fit_squares(Pose(start_of(truth).lens, fitted.rotation, fitted.translation), places, corners, SIDE_MM)
    assert again.lens.k1 == pytest.approx(fitted.lens.k1, abs=1e-3)
    assert again.on_plane(SPOTS, 9.5) == pytest.approx(fitted.on_plane(SPOTS, 9.5), abs=0.2)


@pytest.mark.parametrize("turned", [0, 3])
def test_squares_in_turns_do_not_turn_the_camera(turned: int) -> None:
    turns = np.zeros(4)
    turns[turned] = np.radians(8)
    truth = pose_at()
    fitted = fit_squares(
        start_of(truth), [(x, y) for x, y in TABLE], squares(truth, turns, np.zeros((4, 4, 2))), SIDE_MM
    )
    assert fitted.rotation == pytest.approx(np.zeros(3), abs=5e-4)


def test_a_bent_lens_shows_points_where_opencv_says() -> None:
    lens = Lens(1770.0, (1150.0, 650.0), 0.08, (-0.03, 0.002, -0.001, 0.01))
    pose = Pose(lens, np.asarray([0.1, -0.2, 0.05]), np.asarray([-430.0, -280.0, 1020.0]))
    points = np.random.default_rng(3).uniform((-50, -50, -12), (950, 650, 0), (60, 3))
    expected = cv2.projectPoints(points, pose.rotation, pose.translation, lens.matrix, lens.distortion)[0][:, 0]
    assert pose.project(points) == pytest.approx(expected, abs=1e-6)
