import numpy as np
import pytest

from referee.sim.scene.camera import Camera

TILTED = Camera(x_mm=462, y_mm=290, height_mm=930, tilt_deg=2.5, pan_deg=-1.5, roll_deg=3.0, k1=-0.05)
SPOTS = np.array([[0, 0], [900, 0], [900, 600], [0, 600], [450, 300], [120, 480]], np.float32)


def test_the_spot_below_a_level_camera_is_the_middle_of_the_picture() -> None:
    camera = Camera(x_mm=400, y_mm=250)

    assert camera.project_flat(np.float32([[400, 250]])) == pytest.approx(np.array([[1151.5, 647.5]]), abs=0.01)


def test_x_runs_right_and_y_runs_down() -> None:
    left, right, low = Camera().project_flat(np.float32([[100, 300], [800, 300], [450, 500]]))

    assert left[0] < right[0]
    assert low[1] > left[1]


@pytest.mark.parametrize("height_mm", [0.0, 9.5])
def test_ground_undoes_projection(height_mm: float) -> None:
    seen = TILTED.project_flat(SPOTS, height_mm)

    assert TILTED.ground(seen, height_mm) == pytest.approx(SPOTS, abs=0.02)


def test_tops_are_seen_further_out_than_feet() -> None:
    foot, top = (Camera().project_flat(np.float32([[0, 0]]), h)[0] for h in (0.0, 9.5))

    assert (top < foot).all()
    assert np.hypot(*(foot - top)) / Camera().px_per_mm == pytest.approx(5.2, abs=0.3)


def test_a_rolled_camera_turns_the_picture() -> None:
    left, right = Camera(roll_deg=10).project_flat(np.float32([[100, 300], [800, 300]]))

    assert np.degrees(np.arctan2(*(right - left)[::-1])) == pytest.approx(-10, abs=0.1)


def test_the_ground_map_agrees_with_ground() -> None:
    small = Camera(width_px=320, height_px=180, tilt_deg=2.0, k1=-0.05)
    x, y = small.ground_map()

    assert x.shape == (180, 320)
    spot = small.ground(np.float32([[70, 33]]))[0]
    assert (x[33, 70], y[33, 70]) == pytest.approx(tuple(spot), abs=0.2)
