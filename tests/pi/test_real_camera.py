"""The camera adapter on the real picamera2 and libcamera's virtual camera: opened, read, lost, found again, let go."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pi_inside import Inside
from pi_roots import NEWEST, OLDEST, PROJECT

sys.path.append(str(Path(__file__).parents[1] / "support"))
import picamera2_double as double

CYCLES = 50
CONTRACT = Path("tests/devices/camera/test_picamera2_contract.py")
"""The double's own tests against the real ones, for machines that have them."""
FOLDERS = {OLDEST: "/oldest", NEWEST: ""}
"""Where the picamera2 that are supported lie in the root; without a folder: where Python looks for itself."""
Facts = dict[str, Any]


@pytest.fixture(params=[pytest.param(OLDEST, id="oldest"), pytest.param(NEWEST, id="newest")])
def version(request: pytest.FixtureRequest) -> str:
    """A picamera2 that is supported."""
    return str(request.param)


def search(root: Inside, version: str) -> str:
    """Where Python is to look so that it finds this picamera2."""
    return root.environ["PYTHONPATH"] + f":{FOLDERS[version]}".rstrip(":")


def facts(root: Inside, errand: str, version: str = NEWEST, *arguments: str) -> Facts:
    """What an errand brings back with this picamera2."""
    path = search(root, version)
    return root.facts("python3", f"/code/tests/pi/camera/{errand}.py", *arguments, PYTHONPATH=path)


@pytest.fixture
def tour(camera_root: Inside, version: str) -> Facts:
    found = facts(camera_root, "tour", version)
    assert found["version"] == version
    return found


class TestTour:
    def test_the_one_camera_is_found_and_named(self, tour: Facts) -> None:
        assert (tour["cameras"], tour["sensor"]) == (1, "imx708")

    def test_pictures_have_their_size_and_are_from_after_the_press(self, tour: Facts) -> None:
        assert all(look["sizes"] and look["late_s"] >= 0 and look["in_the_past"] for look in tour["looks"])

    def test_a_picture_is_what_the_sensor_sees(self, tour: Facts) -> None:
        assert tour["apart"] < 12, "mean difference to the picture behind the virtual camera, in grey values"

    def test_the_check_of_the_doctor_finds_nothing_wrong(self, tour: Facts) -> None:
        assert tour["wrong"] == tour["notices"] == []

    def test_what_was_measured_is_locked(self, tour: Facts) -> None:
        assert tour["locked"] == tour["fixed"]
        assert tour["locked"]["AeEnable"] is tour["locked"]["AwbEnable"] is False
        assert tour["locked"]["ExposureTime"] == 20_000  # 23.4 ms, in whole periods of the lamps' light

    def test_opened_anew_it_keeps_exposure_colours_and_focus_in_other_light(self, tour: Facts) -> None:
        assert tour["kept"] == tour["fixed"]

    def test_it_takes_in_less_light_when_it_is_told_to(self, tour: Facts) -> None:
        assert tour["dimmed"]

    def test_what_the_settings_name_is_obeyed_also_beyond_a_video_frame(self, tour: Facts) -> None:
        assert (tour["asked"]["LensPosition"], tour["asked"]["ExposureTime"]) == (2.0, 60_000)

    def test_nothing_is_left_behind(self, tour: Facts) -> None:
        assert tour["held"]["threads"] == 1


def test_fifty_openings_leave_no_descriptor_and_no_thread_behind(camera_root: Inside) -> None:
    counts = facts(camera_root, "cycles", NEWEST, str(CYCLES))["counts"]
    assert len(counts) == CYCLES
    assert counts[-1] == counts[2]  # what the first ones open once for all stays


def test_a_second_opening_is_told_that_the_camera_is_busy(camera_root: Inside, version: str) -> None:
    found = facts(camera_root, "busy", version)
    assert found["busy"] == "BUSY"
    # With the oldest one both lie in one list, where the second takes the first's place; programs have one each.
    assert found["goes_on"] or version == OLDEST


def test_a_loose_ribbon_is_told_and_the_camera_comes_back_as_it_was(camera_root: Inside, version: str) -> None:
    found = facts(camera_root, "loose", version)
    assert found["before"] == found["after"] == "picture"
    assert found["loose"][0] == "SILENT"
    assert "picture" not in found["loose"]
    assert found["same"]
    assert found["held"]["threads"] == 1


def test_a_focus_that_is_not_found_is_told_and_costs_no_picture(camera_root: Inside) -> None:
    found = facts(camera_root, "unfocused")
    assert "focus" in found["told"]
    assert found["lens"] == pytest.approx(found["wanted"], abs=0.1)


class TestContract:
    """The strict double of the quick tests has nothing that the real ones have not."""

    @pytest.fixture
    def real(self, camera_root: Inside, version: str) -> Facts:
        return facts(camera_root, "contract", version)

    @staticmethod
    def parameters(kind: type) -> dict[str, list[str]]:
        methods = {name: one for name, one in vars(kind).items() if callable(one) and not name.startswith("_")}
        return {name: list(one.__code__.co_varnames[: one.__code__.co_argcount]) for name, one in methods.items()}

    @pytest.mark.parametrize("kind", ["camera", "request"])
    def test_every_method_is_there_and_takes_the_same_names(self, real: Facts, kind: str) -> None:
        doubles = {"camera": double.Picamera2, "request": double.Request}
        for name, taken in self.parameters(doubles[kind]).items():
            assert name in real[kind], f"{name} is not there"
            there = real[kind][name]
            assert there is None or len(taken) <= len(there), f"{name} takes {there}, the double {taken}"
            named = {"wait", "flush", "main", "lores", "buffer_count", "queue", "controls"} & set(taken)
            assert there is None or named <= set(there), f"{name} takes {there}, the double {taken}"

    def test_what_the_double_has_as_values_is_there(self, real: Facts) -> None:
        assert real["attributes"] == ["camera_controls", "camera_properties"]

    def test_cameras_are_described_by_the_same_words(self, real: Facts) -> None:
        described = double.module(lambda: 0.0).Picamera2.global_camera_info()[0]
        assert set(described) - {"Rotation"} == set(real["info"]) - {"Rotation"}  # only cameras on a board have one

    def test_every_control_is_one_of_libcameras_with_the_range_of_the_camera(self, real: Facts) -> None:
        for name, limits in double.LIMITS.items():
            assert name in real["controls"], f"libcamera has no {name}"
            least, most = real["limits"][name][:2]
            assert least == pytest.approx(limits[0], rel=0.01), name
            assert np.all(np.asarray(most) >= np.asarray(limits[1])), name

    @pytest.mark.skipif(not (PROJECT / CONTRACT).is_file(), reason=f"no {CONTRACT}")
    def test_its_own_tests_against_the_real_ones_pass(self, camera_root: Inside, version: str) -> None:
        plain = (
            "-q",
            "-c",
            "/dev/null",
            "--rootdir",
            "/code",
            "-p",
            "no:cacheprovider",
            "-o",
            "pythonpath=/code/tests/support",
        )
        path = search(camera_root, version)
        done = camera_root.run("python3", "-m", "pytest", *plain, f"/code/{CONTRACT}", PYTHONPATH=path)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
