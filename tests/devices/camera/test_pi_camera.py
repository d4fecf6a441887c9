"""The Pi's camera on a strict double of picamera2: what is locked, what is fresh, what is told, what is let go."""

import sys

import numpy as np
import pytest
from camera_doubles import Clock, pi
from picamera2_double import Misuse, Picamera2, module

from referee.cli.parts.from_settings import camera_of
from referee.devices.camera.camera import Frame
from referee.devices.camera.pi_camera import check
from referee.devices.camera.pi_settings import PiSettings, astray, fixed_controls, setting_differs_notice, steady
from referee.errors import CameraLost, Loss
from referee.i18n import ENGLISH, error_text
from referee.settings.settings import CameraSettings
from tests.support.errors import telling


class TestLock:
    def test_exposure_and_colours_are_found_and_locked_and_the_focus_is_that_of_the_mount(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        assert camera.fixed == {
            "AeEnable": False, "AwbEnable": False, "ExposureTime": 8996, "AnalogueGain": 1.5,
            "ColourGains": (2.1, 1.6), "AfMode": 0, "LensPosition": 1 / 0.92,
        }  # fmt: skip
        assert camera.locked == camera.fixed
        assert camera.notices == ()
        assert device.unreleased == 0

    def test_settings_fix_what_they_name(self):
        device = Picamera2(Clock())
        settings = PiSettings(640, 480, 160, focus_m=0.5, exposure_ms=20.0, gain=3.0)
        locked = pi(device.clock, device, settings=settings).locked
        assert (locked["LensPosition"], locked["ExposureTime"], locked["AnalogueGain"]) == (2.0, 19994, 3.0)

    def test_no_scan_is_begun_while_nobody_has_said_where_the_markers_lie(self):
        device = Picamera2(Clock())
        pi(device.clock, device)
        assert not any("AfTrigger" in controls for controls in device.log)
        assert device.configuration["controls"]["LensPosition"] == pytest.approx(1 / 0.92)

    def test_a_module_without_a_focus_motor_will_do(self):
        assert "LensPosition" not in pi(Clock(), focus=False).locked

    @pytest.mark.parametrize(
        ("found", "mains", "exposure", "gain"),
        [
            pytest.param(23_400, 50, 20_000, 1.5 * 23_400 / 20_000, id="two periods"),
            pytest.param(10_000, 50, 10_000, 1.5, id="just one"),
            pytest.param(9_999, 50, 9_999, 1.5, id="less than one stays"),
            pytest.param(23_400, 60, 16_666, 1.5 * 23_400 / 16_666, id="60 Hz"),
            pytest.param(8_000, 60, 8_000, 1.5, id="less than one at 60 Hz"),
        ],
    )
    def test_an_exposure_is_whole_periods_of_the_light_and_the_gain_makes_it_good(self, found, mains, exposure, gain):
        metadata = {"ExposureTime": found, "AnalogueGain": 1.5, "ColourGains": (2.0, 1.5)}
        values = fixed_controls(PiSettings(mains_hz=mains), metadata, {"AnalogueGain": (1.0, 16.0, 1.0)})
        assert values["ExposureTime"] == steady(found, mains) == exposure
        assert values["AnalogueGain"] == pytest.approx(gain)

    def test_the_gain_stays_within_what_the_camera_can_do_and_what_the_settings_say(self):
        metadata = {"ExposureTime": 19_000, "AnalogueGain": 12.0, "ColourGains": (2.0, 1.5)}
        controls = {"AnalogueGain": (1.0, 16.0, 1.0)}
        assert fixed_controls(PiSettings(), metadata, controls)["AnalogueGain"] == 16.0
        assert fixed_controls(PiSettings(gain=2.0), metadata, controls)["AnalogueGain"] == 2.0
        assert fixed_controls(PiSettings(exposure_ms=190.0), metadata, controls)["AnalogueGain"] == pytest.approx(1.2)

    def test_an_exposure_longer_than_a_video_frame_is_obeyed(self):
        settings = PiSettings(640, 480, 160, exposure_ms=60.0)
        camera = pi(Clock(), settings=settings)
        assert camera.locked["ExposureTime"] == pytest.approx(60_000, rel=0.001)
        assert camera.notices == ()

    def test_a_camera_that_does_not_obey_is_told_with_what_it_does(self):
        device = Picamera2(Clock())
        device.obeys = False
        camera = pi(device.clock, device, settings=PiSettings(640, 480, 160, exposure_ms=20.0))
        assert camera.locked["ExposureTime"] == 8996
        assert ENGLISH(camera.notices[0].found) == (
            "The camera does not keep its exposure: 20.0 ms was requested, but it uses 9.0 ms."
        )

    def test_what_was_not_measured_does_not_count_as_obeyed(self):
        assert astray({"ColourGains": (2.0, 1.5)}, {}) == ("ColourGains",)
        assert astray({"AeEnable": False, "ExposureTime": 100}, {"ExposureTime": 100}) == ()

    @pytest.mark.parametrize(
        ("name", "value", "words"),
        [
            ("LensPosition", 1.25, "0.80 m"),
            ("LensPosition", 0.0, "infinity"),
            ("ColourGains", (2.0, 1.5), "2.00 and 1.50"),
            ("ExposureTime", None, "none"),
        ],
    )
    def test_values_are_told_as_people_know_them(self, name, value, words):
        told = ENGLISH(setting_differs_notice(name, value, None))
        assert told.endswith(f": {words} was requested, but it uses none.")

    def test_an_opening_in_mid_match_takes_what_was_locked_before(self):
        clock = Clock()
        kept = pi(clock).fixed
        device = Picamera2(clock, auto_us=30_000, auto_gain=8.0)
        began = clock.t
        again = pi(clock, device, kept)
        assert again.locked == kept == again.fixed
        assert device.log == []
        assert clock.t - began < 0.5

    def test_what_another_module_cannot_take_is_left_out(self):
        clock = Clock()
        kept = pi(clock).fixed
        assert "LensPosition" not in pi(clock, Picamera2(clock, focus=False), kept).fixed


class TestFresh:
    def test_the_moment_of_a_frame_is_the_begin_of_its_exposure(self):
        clock = Clock()
        camera = pi(clock)
        after = clock.t
        frame = camera.frame(after)
        assert after < frame.t < after + 0.001
        assert clock.t > frame.t + 0.009

    @pytest.mark.parametrize("call", ["frame", "preview"])
    def test_a_picture_from_before_the_press_is_refused(self, call):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        device.stale_s = 0.25
        with telling(CameraLost, match=r"from after the press, found one from 0\.250 s before"):
            getattr(camera, call)(device.clock.t)

    def test_a_picture_without_its_moment_is_refused(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        device.stamps = False
        with telling(CameraLost, match="found: KeyError: 'SensorTimestamp'"):
            camera.frame(device.clock.t)

    def test_metadata_without_the_moment_is_refused(self, monkeypatch):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        whole = device.capture_request

        def bare(**call):
            request = whole(**call)
            del request.get_metadata()["SensorTimestamp"]
            return request

        monkeypatch.setattr(device, "capture_request", bare)
        with telling(CameraLost, match="the time at which it was taken, found one without"):
            camera.frame(device.clock.t)

    @pytest.mark.parametrize("flush", [True, None, 3.5])
    def test_the_double_takes_no_other_kind_of_flush(self, flush):
        device = Picamera2(Clock())
        pi(device.clock, device)
        with pytest.raises(Misuse):
            device.capture_request(wait=1.0, flush=flush)


class TestLost:
    def test_a_camera_that_gives_no_picture_is_lost_after_its_time_and_can_be_closed(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        device.stuck = True
        with telling(CameraLost, match="found that the camera sends none: check its ribbon cable") as caught:
            camera.frame(device.clock.t)
        assert caught.value.kind is Loss.SILENT
        assert device.jobs == ["capture"]
        camera.close()
        assert device.state == "closed"

    def test_the_double_hangs_where_the_real_one_would(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        device.stuck = True
        with pytest.raises(CameraLost):
            camera.frame(device.clock.t)
        with pytest.raises(Misuse, match="wait for ever"):
            device.stop()
        with pytest.raises(Misuse, match="cancel_all_and_flush comes first"):
            device.close()

    def test_a_camera_that_gives_nothing_while_it_is_opened_is_closed_again(self):
        device = Picamera2(Clock())
        device.stuck = True
        with pytest.raises(CameraLost) as caught:
            pi(device.clock, device)
        assert caught.value.kind is Loss.SILENT
        assert "close other programs" not in error_text(caught.value)
        assert device.state == "closed"

    def test_an_array_that_cannot_be_made_is_a_lost_camera(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        device.array_error = RuntimeError("failed to find buffer")
        with telling(CameraLost, match="failed to find buffer"):
            camera.frame(device.clock.t)
        assert device.unreleased == 0

    def test_what_goes_wrong_while_closing_is_only_logged(self, caplog):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        device.close_error = RuntimeError("Unable to stop preview.")
        camera.close()
        assert "camera: close failed: Unable to stop preview." in caplog.text

    def test_a_camera_that_does_not_start_is_closed_and_told(self):
        device = Picamera2(Clock())
        device.start_error = RuntimeError("Failed to start camera: Input/output error")
        with telling(CameraLost, match="Input/output error"):
            pi(device.clock, device)
        assert device.state == "closed"


class TestBuilt:
    """As `referee play` builds it out of its settings."""

    def built(self, monkeypatch, clock, **device):
        found, told = module(clock, **device), []
        monkeypatch.setitem(sys.modules, "picamera2", found)
        monkeypatch.setattr("referee.devices.camera.pi_camera.SETTLE_S", 0)
        settings = CameraSettings(width_px=640, height_px=480, preview_px=160)
        return camera_of(settings, clock, told.append), found.Picamera2.made, told

    def test_a_camera_that_is_opened_anew_keeps_what_was_locked_at_the_start(self, monkeypatch):
        clock = Clock()
        camera, made, _ = self.built(monkeypatch, clock)
        made[0].stuck = True
        with telling(CameraLost, match="sends none"):
            camera.frame(clock.t)
        assert camera.frame(clock.t).picture.any()
        assert [device.configuration["controls"].get("AeEnable") for device in made] == [True, False]
        assert made[1].configuration["controls"]["ExposureTime"] == 8996
        camera.close()

    def test_what_it_does_not_keep_is_told_once(self, monkeypatch):
        clock = Clock()
        camera, made, told = self.built(monkeypatch, clock, auto_us=30_000, obeys=False)
        do = "Set [camera] focus_m, exposure_ms and gain to values that the camera supports."
        assert list(map(ENGLISH, told)) == [
            f"camera: The camera does not keep its exposure: 20.0 ms was requested, but it uses 30.0 ms. {do}",
            f"camera: The camera does not keep its gain: 2.25 was requested, but it uses 1.50. {do}",
        ]
        made[0].stuck = True
        with telling(CameraLost, match="sends none"):
            camera.frame(clock.t)
        camera.preview(clock.t)
        assert len(told) == 2
        camera.close()


class TestCheck:
    def test_the_check_on_the_device_finds_nothing_wrong_with_a_good_camera(self):
        clock = Clock()
        assert check(pi(clock), clock) == ()

    def test_the_check_on_the_device_tells_what_is_wrong(self, monkeypatch):
        clock = Clock()
        camera = pi(clock, frame_s=2.0)
        dark = Frame(np.zeros((480, 640, 3), np.uint8), clock.t - 5)
        monkeypatch.setattr(camera, "frame", lambda _: clock.sleep(2) or dark)
        monkeypatch.setattr(camera, "preview", lambda _: np.zeros((120, 160), np.uint8))
        assert [ENGLISH(told).split(":")[0] for told in check(camera, clock)] == [
            "The camera sends pictures that were taken before the press.",
            "A picture takes 2.0 s; 0.3 s is usual.",
            "The picture is all one colour",
            "The small picture is empty.",
        ]
