"""The Pi camera's focus: by the mount's height, refined on the markers, and never a reason to call the camera lost."""

import sys

import pytest
from camera_doubles import Clock, pi
from picamera2_double import CROP, FAILS_AT, Picamera2, module

from referee.cli.parts.from_settings import camera_of
from referee.devices.camera.camera import Place, Settling
from referee.devices.camera.pi_focus import MOST_WINDOWS, USUAL_M, Scan, flaw_of_scan, geometric, windows
from referee.devices.camera.pi_settings import PiSettings
from referee.errors import CameraLost, Loss
from referee.i18n import ENGLISH
from referee.settings.settings import CameraSettings

AT = (Place(0.1, 0.2, 0.05, 0.08), Place(0.8, 0.7, 0.05, 0.08))
SMALL = {"width_px": 640, "height_px": 480, "preview_px": 160}


def triggers(device):
    return sum("AfTrigger" in controls for controls in device.log)


class TestGeometry:
    def test_the_lens_stands_where_the_distance_has_it(self):
        assert geometric(0.5) == 2.0
        assert geometric(0.0) == pytest.approx(1 / USUAL_M)

    def test_it_stays_within_what_the_module_can_do(self):
        assert geometric(0.05, (0.0, 15.0, 1.0)) == 15.0

    def test_the_usual_distance_is_that_of_the_settings(self):
        assert CameraSettings().focus_m == USUAL_M

    def test_a_distance_of_nothing_is_the_usual_one(self):
        locked = pi(Clock(), settings=PiSettings(**SMALL, focus_m=0.0)).locked
        assert locked["LensPosition"] == pytest.approx(1 / USUAL_M)


class TestWindows:
    def test_they_are_counted_in_pixels_of_the_sensor(self):
        crop = (100, 50, 2000, 1000)
        assert windows((Place(0.1, 0.2, 0.05, 0.08),), {"ScalerCrop": crop}) == [(300, 250, 100, 80)]

    def test_none_is_empty_and_never_are_there_too_many(self):
        made = windows([Place(0.5, 0.5, i / 1000, 0.0) for i in range(20)], {"ScalerCrop": CROP})
        assert len(made) == MOST_WINDOWS
        assert all(height == 1 and width >= 1 for _, _, width, height in made)

    def test_metadata_that_tell_no_crop_give_none(self):
        assert windows(AT, {}) == []


class TestRefocus:
    def test_a_scan_of_the_markers_refines_the_focus_and_locks_it(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        assert isinstance(camera, Settling)
        assert camera.refocus(AT) is None
        (scanned,) = (controls["AfWindows"] for controls in device.log if "AfWindows" in controls)
        assert scanned == [(461, 518, 230, 207), (3686, 1814, 230, 207)]
        assert device.log[-1]["AfMode"] == 0
        assert device.lens == camera.fixed["LensPosition"] == camera.locked["LensPosition"] == 1.25
        assert device.unreleased == 0

    @pytest.mark.parametrize(
        ("fault", "says"),
        [
            ({"focuses": False}, "could not focus on the markers"),
            ({"stuck_focus": True}, "did not finish focusing"),
            ({"focus_at": 4.5}, "focused at a distance that cannot be the table's"),
        ],
    )
    def test_a_scan_that_fails_falls_back_to_the_geometry_and_is_told(self, fault, says):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        for name, value in fault.items():
            setattr(device, name, value)
        flaw = camera.refocus(AT)
        assert (
            ENGLISH(flaw.found)
            == f"The camera {says}; it is now focused at 0.92 m, worked out from the height of the mount."
        )
        assert device.lens == camera.fixed["LensPosition"] == pytest.approx(1 / USUAL_M)
        assert device.lens != FAILS_AT
        assert camera.frame(device.clock.t).picture.shape == (480, 640, 3)

    @pytest.mark.parametrize("exposure_ms", [10.0, 45.0, 60.0, 120.0])
    def test_a_failing_scan_of_120_frames_is_no_lost_camera_however_long_they_are(self, exposure_ms):
        clock = Clock()
        settings = PiSettings(**SMALL, exposure_ms=exposure_ms)
        device = Picamera2(clock, frame_s=max(1 / 30, exposure_ms / 1000 + 0.002))
        camera = pi(clock, device, settings=settings)
        device.focuses, device.scan_frames = False, 120
        began = clock.t
        assert camera.refocus(AT) is not None
        assert clock.t - began < 15
        assert device.lens == pytest.approx(1 / USUAL_M)

    def test_pictures_that_stop_during_a_scan_are_a_lost_camera(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        device.stuck_focus = True
        whole = device.capture_request

        def one_more(**call):
            device.stuck = triggers(device) > 0
            return whole(**call)

        device.capture_request = one_more
        with pytest.raises(CameraLost) as caught:
            camera.refocus(AT)
        assert caught.value.kind is Loss.SILENT
        camera.close()
        assert device.state == "closed"

    @pytest.mark.parametrize(
        ("focus", "settings"), [(False, PiSettings(**SMALL)), (True, PiSettings(**SMALL, autofocus=False))]
    )
    def test_a_module_without_motor_and_settings_without_autofocus_are_not_scanned(self, focus, settings):
        device = Picamera2(Clock(), focus=focus)
        assert pi(device.clock, device, settings=settings).refocus(AT) is None
        assert triggers(device) == 0

    def test_a_camera_that_does_not_tell_what_it_shows_keeps_its_geometry(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        assert camera.refocus(()) is None
        assert triggers(device) == 0


def test_a_camera_opened_anew_keeps_the_refined_focus_and_the_measured_light(monkeypatch):
    clock = Clock()
    found = module(clock)
    monkeypatch.setitem(sys.modules, "picamera2", found)
    camera, made = camera_of(CameraSettings(**SMALL), clock, lambda _: None), found.Picamera2.made
    assert camera.refocus(AT) is None
    made[0].light = (20_000, 3.0)
    assert camera.measure()
    camera.hold()
    made[0].stuck = True
    with pytest.raises(CameraLost):
        camera.frame(clock.t)
    camera.frame(clock.t)
    kept = made[1].configuration["controls"]
    assert (kept["LensPosition"], kept["ExposureTime"], kept["AeEnable"]) == (1.25, 10_000, False)
    assert kept["AnalogueGain"] == pytest.approx(3.0 * 19_994 / 10_000)
    camera.close()


def test_a_scan_that_went_well_is_not_told():
    assert flaw_of_scan(Scan.FOUND, 0.92) is None
    assert "focused at 0.70 m" in ENGLISH(flaw_of_scan(Scan.FAILED, 0.7).found)
