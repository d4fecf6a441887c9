"""Focus and light made ready in the lobby, on the real picamera2 and libcamera's virtual camera."""

from typing import Any

import pytest

pytest.importorskip("pi_inside", reason="the roots with a Pi's real software are not made here")

Facts = dict[str, Any]


@pytest.fixture
def lobby(camera_root: Any) -> Facts:
    found: Facts = camera_root.facts("python3", "/code/tests/pi/camera/lobby.py")
    return found


def test_at_the_opening_the_lens_stands_by_the_geometry_and_nothing_is_scanned(lobby: Facts) -> None:
    assert lobby["opened"]["LensPosition"] == pytest.approx(1 / 0.92)
    assert lobby["opened"]["AfMode"] == 0


def test_a_scan_of_windows_on_the_markers_refines_it_and_locks_it(lobby: Facts) -> None:
    assert lobby["settling"]
    assert lobby["notice"]
    assert lobby["windows"] == [[461, 259, 230, 130], [3686, 2074, 230, 130]]
    assert lobby["lens"] == lobby["fixed"]["LensPosition"] == pytest.approx(1.3)


def test_light_is_measured_anew_and_locked_and_pictures_are_from_after_the_press(lobby: Facts) -> None:
    assert lobby["measured"]
    assert (lobby["fixed"]["AeEnable"], lobby["fixed"]["ExposureTime"]) == (False, 10_000)
    assert lobby["fixed"]["AnalogueGain"] == pytest.approx(4.8)
    assert lobby["fresh"]
