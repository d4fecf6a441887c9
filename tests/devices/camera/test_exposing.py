"""Cameras that are told to take in more or less light: by how much, by what, and what they do when they cannot."""

import cv2
import numpy as np
import pytest
from camera_doubles import Clock, UsbDevice, pi, usb
from picamera2_double import Picamera2

from referee.devices.camera.camera import Camera, Exposing, Frame, Reopening
from referee.devices.camera.files import FolderCamera
from referee.devices.camera.pi_settings import READOUT_US, PiSettings, scaled_exposure
from referee.errors import CameraLost
from tests.support.errors import telling

INDOORS = {"ExposureTime": 20_000, "AnalogueGain": 2.0}
SUN = {"ExposureTime": 4_000, "AnalogueGain": 1.0}
LIMITS = {"AnalogueGain": (1.0, 16.0, 1.0)}


class TestLightened:
    @pytest.mark.parametrize(
        ("base", "factor", "exposure", "gain"),
        [
            pytest.param(INDOORS, 1.0, 20_000, 2.0, id="as it was"),
            pytest.param(INDOORS, 0.6, 20_000, 1.2, id="darker by the gain"),
            pytest.param(INDOORS, 4.0, 20_000, 8.0, id="brighter by the gain"),
            pytest.param(INDOORS, 0.35, 10_000, 1.4, id="half as long, for the gain cannot be less"),
            pytest.param(
                {**INDOORS, "AnalogueGain": 12.0}, 2.0, 30_000, 16.0, id="longer, for the gain is at its end"
            ),
            pytest.param(SUN, 0.5, 2_000, 1.0, id="the sun does not flicker"),
        ],
    )
    def test_gain_first_and_then_whole_periods_of_the_lamps(self, base, factor, exposure, gain):
        found = scaled_exposure(base, factor, LIMITS, PiSettings())
        assert found == {"ExposureTime": exposure, "AnalogueGain": pytest.approx(gain)}

    @pytest.mark.parametrize(
        ("base", "factor"),
        [
            pytest.param({"ExposureTime": 10_000, "AnalogueGain": 1.0}, 0.7, id="lamps would flicker"),
            pytest.param({"ExposureTime": 30_000, "AnalogueGain": 16.0}, 1.4, id="no picture takes so long"),
            pytest.param(SUN, 1e-6, id="next to no light"),
        ],
    )
    def test_what_the_camera_cannot_do(self, base, factor):
        assert scaled_exposure(base, factor, LIMITS, PiSettings()) is None

    @pytest.mark.parametrize("mains", [50, 60])
    def test_whatever_is_asked_for_is_right_steady_and_in_time(self, mains):
        settings, period = PiSettings(mains_hz=mains), 1_000_000 // (2 * mains)
        rng = np.random.default_rng(3)
        for _ in range(300):
            base = {"ExposureTime": int(rng.integers(1, 4)) * period, "AnalogueGain": float(rng.uniform(1, 16))}
            factor = float(rng.uniform(0.1, 6.0))
            found = scaled_exposure(base, factor, LIMITS, settings)
            if found is None:
                continue
            light = base["ExposureTime"] * base["AnalogueGain"] * factor
            assert found["ExposureTime"] * found["AnalogueGain"] == pytest.approx(light, rel=0.01)
            assert found["ExposureTime"] % period <= 3 or period - found["ExposureTime"] % period <= 3
            assert found["ExposureTime"] <= max(settings.frame_limits_us[1] - READOUT_US, base["ExposureTime"])
            assert 1.0 <= found["AnalogueGain"] <= 16.0 * 1.05

    def test_who_has_named_exposure_and_gain_wants_both(self):
        assert scaled_exposure(INDOORS, 0.7, LIMITS, PiSettings(exposure_ms=20.0, gain=2.0)) is None
        assert scaled_exposure(INDOORS, 0.7, LIMITS, PiSettings(exposure_ms=20.0)) is not None


class TestPiCamera:
    def test_the_next_picture_shows_it_and_what_was_fixed_stays_fixed(self):
        device = Picamera2(Clock(), auto_us=20_010, auto_gain=2.0)
        camera = pi(device.clock, device)
        fixed = camera.fixed
        assert camera.expose(0.7)
        assert device.log[-1]["AnalogueGain"] == pytest.approx(1.4, rel=0.01)
        assert camera.expose(1.0)
        assert device.log[-1]["AnalogueGain"] == pytest.approx(fixed["AnalogueGain"])
        assert camera.fixed == fixed
        assert device.unreleased == 0

    def test_what_it_cannot_do_changes_nothing(self):
        device = Picamera2(Clock(), auto_us=10_010, auto_gain=1.0)
        camera = pi(device.clock, device)
        said = list(device.log)
        assert not camera.expose(0.05)
        assert device.log == said

    def test_a_camera_that_does_not_obey_says_so_and_is_told_the_old_exposure_again(self):
        device = Picamera2(Clock(), auto_us=20_010, auto_gain=2.0)
        camera = pi(device.clock, device)
        device.obeys = False
        assert not camera.expose(0.6)
        assert device.log[-1] == {name: camera.fixed[name] for name in ("ExposureTime", "AnalogueGain")}

    def test_a_camera_that_was_closed_is_lost(self):
        camera = pi(Clock())
        camera.close()
        with telling(CameraLost, match="closed"):
            camera.expose(0.7)

    def test_a_picture_that_does_not_come_is_a_lost_camera(self):
        device = Picamera2(Clock(), auto_us=20_010, auto_gain=2.0)
        camera = pi(device.clock, device)
        device.stuck = True
        with pytest.raises(CameraLost):
            camera.expose(0.7)


class TestUsbCamera:
    def test_its_exposure_is_whole_periods_and_comes_back_exactly(self):
        device = UsbDevice(clock := Clock())
        camera = usb(clock, device)
        assert camera.expose(0.7)
        assert device.settings[cv2.CAP_PROP_EXPOSURE] == 200.0
        assert camera.expose(1.4)
        assert device.settings[cv2.CAP_PROP_EXPOSURE] == 400.0
        assert camera.expose(1.0)
        assert device.settings[cv2.CAP_PROP_EXPOSURE] == 312.0
        assert camera.fixed[cv2.CAP_PROP_EXPOSURE] == 312.0
        assert device.trespasses == []
        camera.close()

    def test_the_sun_makes_exposures_of_any_length(self):
        device = UsbDevice(clock := Clock())
        device.settings[cv2.CAP_PROP_EXPOSURE] = 40.0
        camera = usb(clock, device)
        assert camera.expose(0.6)
        assert device.settings[cv2.CAP_PROP_EXPOSURE] == 24.0
        camera.close()

    def test_a_step_that_whole_periods_do_not_give_is_not_taken(self):
        device = UsbDevice(clock := Clock())
        device.settings[cv2.CAP_PROP_EXPOSURE] = 100.0
        camera = usb(clock, device)
        assert not camera.expose(1.4)
        assert device.settings[cv2.CAP_PROP_EXPOSURE] == 100.0
        camera.close()

    def test_a_camera_that_keeps_on_setting_it_by_itself_cannot(self):
        camera = usb(clock := Clock(), UsbDevice(clock, fixed_dark=True))
        assert not camera.expose(0.7)
        camera.close()

    def test_a_camera_that_takes_no_new_value_cannot_and_keeps_the_old_one(self):
        device = UsbDevice(clock := Clock())
        camera = usb(clock, device)
        device.keeps = (cv2.CAP_PROP_EXPOSURE,)
        assert not camera.expose(0.7)
        assert device.settings[cv2.CAP_PROP_EXPOSURE] == 312.0
        camera.close()


class Lamp:
    """A camera that can be told, and is lost now and then."""

    def __init__(self, told, *, able=True):
        self.told, self.able, self.lost = told, able, False

    def frame(self, after):
        if self.lost:
            raise CameraLost("gone")
        return Frame(np.zeros((2, 2, 3), np.uint8), after)

    def preview(self, after):
        return self.frame(after).picture[..., 0]

    def expose(self, factor):
        if self.lost:
            raise CameraLost("gone")
        if self.able:
            self.told.append(factor)
        return self.able

    def close(self):
        pass


class TestReopening:
    def test_a_camera_that_is_opened_anew_is_exposed_as_the_one_before(self):
        clock, told, made = Clock(), [], []

        def build() -> Camera:
            made.append(Lamp(told))
            return made[-1]

        camera = Reopening(build, 3, clock)
        assert isinstance(camera, Exposing)
        assert camera.expose(0.6)
        made[0].lost = True
        with pytest.raises(CameraLost):
            camera.frame(1.0)
        camera.frame(2.0)
        assert told == [0.6, 0.6]

    def test_an_exposure_that_got_lost_with_the_camera_holds_from_the_next_opening_on(self):
        clock, told, made = Clock(), [], []
        camera = Reopening(lambda: made.append(Lamp(told)) or made[-1], 3, clock)
        made[0].lost = True
        with pytest.raises(CameraLost):
            camera.expose(0.6)
        camera.frame(2.0)
        assert told == [0.6]

    def test_what_the_camera_cannot_do_is_not_asked_of_the_next_one(self):
        clock, told, made = Clock(), [], []
        camera = Reopening(lambda: made.append(Lamp(told, able=False)) or made[-1], 3, clock)
        assert not camera.expose(0.6)
        made[0].lost = True
        with pytest.raises(CameraLost):
            camera.frame(1.0)
        made_before = len(made)
        camera.frame(2.0)
        assert len(made) == made_before + 1
        assert told == []

    def test_a_folder_has_no_exposure(self, tmp_path):
        cv2.imwrite(str(tmp_path / "a.png"), np.zeros((8, 8, 3), np.uint8))
        assert not Reopening(lambda: FolderCamera(tmp_path), 3, Clock()).expose(0.7)
