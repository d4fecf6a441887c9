"""The Pi's camera on a strict double of picamera2: what is locked, what is fresh, what is told, what is let go."""

import errno
import importlib.metadata
import os
import sys
from types import ModuleType

import numpy as np
import pytest
from camera_doubles import Clock, pi
from picamera2_double import Misuse, Picamera2, module

from referee.devices.camera import Frame
from referee.devices.pi_camera import PiCamera, check
from referee.devices.pi_opening import lost, open_picamera2
from referee.devices.pi_settings import PiSettings, astray, fixed, steady
from referee.errors import CameraLost, Loss


def chained(text, cause, *, named=True):
    """An error as picamera2 raises it: newer versions name the cause, older ones only have it as a context."""
    try:
        try:
            raise cause
        except type(cause) as inner:
            raise RuntimeError(text) from (inner if named else None)
    except RuntimeError as error:
        return error


DID_NOT_COMPLETE = "Camera __init__ sequence did not complete."
BUSY = RuntimeError("Failed to acquire camera: Device or resource busy")


class TestLock:
    def test_focus_exposure_and_colours_are_found_once_and_locked(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        assert camera.fixed == {
            "AeEnable": False, "AwbEnable": False, "ExposureTime": 8996, "AnalogueGain": 1.5,
            "ColourGains": (2.1, 1.6), "AfMode": 0, "LensPosition": 1.25,
        }  # fmt: skip
        assert camera.locked == camera.fixed
        assert camera.notices == ()
        assert device.unreleased == 0

    def test_settings_fix_what_they_name(self):
        device = Picamera2(Clock())
        settings = PiSettings(640, 480, 160, focus_m=0.5, exposure_ms=20.0, gain=3.0)
        locked = pi(device.clock, device, settings=settings).locked
        assert (locked["LensPosition"], locked["ExposureTime"], locked["AnalogueGain"]) == (2.0, 19994, 3.0)
        assert "autofocus" not in device.log

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
        values = fixed(PiSettings(mains_hz=mains), metadata, {"AnalogueGain": (1.0, 16.0, 1.0)})
        assert values["ExposureTime"] == steady(found, mains) == exposure
        assert values["AnalogueGain"] == pytest.approx(gain)

    def test_the_gain_stays_within_what_the_camera_can_do_and_what_the_settings_say(self):
        metadata = {"ExposureTime": 19_000, "AnalogueGain": 12.0, "ColourGains": (2.0, 1.5)}
        controls = {"AnalogueGain": (1.0, 16.0, 1.0)}
        assert fixed(PiSettings(), metadata, controls)["AnalogueGain"] == 16.0
        assert fixed(PiSettings(gain=2.0), metadata, controls)["AnalogueGain"] == 2.0
        assert fixed(PiSettings(exposure_ms=190.0), metadata, controls)["AnalogueGain"] == pytest.approx(1.2)

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
        assert camera.notices[0].found == ("The camera does not keep the exposure: asked for 20000, it has 8996.")

    def test_what_was_not_measured_does_not_count_as_obeyed(self):
        assert astray({"ColourGains": (2.0, 1.5)}, {}) == ("ColourGains",)
        assert astray({"AeEnable": False, "ExposureTime": 100}, {"ExposureTime": 100}) == ()

    def test_a_focus_that_was_not_found_is_told_and_not_kept(self):
        device = Picamera2(Clock())
        device.focuses = False
        camera = pi(device.clock, device)
        assert camera.notices[0].found == "The camera found no focus."
        assert camera.fixed == {}

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
        with pytest.raises(CameraLost, match=r"from after the press, found one from 0\.250 s before"):
            getattr(camera, call)(device.clock.t)

    def test_a_picture_without_its_moment_is_refused(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        device.stamps = False
        with pytest.raises(CameraLost, match="found: KeyError: 'SensorTimestamp'"):
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
        with pytest.raises(CameraLost, match="the moment it was taken at, found one without"):
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
        with pytest.raises(CameraLost, match="found that the camera gives none: check its ribbon cable") as caught:
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

    @pytest.mark.parametrize("fault", ["stuck", "stuck_focus"])
    def test_a_camera_that_gives_nothing_while_it_is_opened_is_closed_again(self, fault):
        device = Picamera2(Clock(), focus=fault == "stuck_focus")
        setattr(device, fault, True)
        with pytest.raises(CameraLost) as caught:
            pi(device.clock, device)
        assert caught.value.kind is Loss.SILENT
        assert "close other programs" not in str(caught.value)
        assert device.state == "closed"

    def test_an_array_that_cannot_be_made_is_a_lost_camera(self):
        device = Picamera2(Clock())
        camera = pi(device.clock, device)
        device.array_error = RuntimeError("failed to find buffer")
        with pytest.raises(CameraLost, match="failed to find buffer"):
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
        with pytest.raises(CameraLost, match="Input/output error"):
            pi(device.clock, device)
        assert device.state == "closed"


NO_CAMERA = 'No camera number 0 found - use "rpicam-hello --list-cameras" to check connected cameras'


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        pytest.param(RuntimeError(NO_CAMERA), Loss.ABSENT, "found none: check its ribbon cable", id="none, 0.3.38"),
        pytest.param(IndexError("list index out of range"), Loss.ABSENT, "found none: check", id="none, 0.3.36"),
        pytest.param(chained(DID_NOT_COMPLETE, BUSY), Loss.BUSY, "busy; close other programs", id="busy, 0.3.36"),
        pytest.param(chained(DID_NOT_COMPLETE, BUSY, named=False), Loss.BUSY, "close other", id="busy, 0.3.22"),
        pytest.param(OSError(errno.EBUSY, "Geraet belegt"), Loss.BUSY, "close other programs", id="busy by number"),
        pytest.param(chained(DID_NOT_COMPLETE, RuntimeError("no mode")), Loss.LOST, "found: no mode", id="another"),
        pytest.param(TimeoutError(), Loss.SILENT, "gives none", id="silent"),
        pytest.param(KeyError("AfState"), Loss.LOST, "found: KeyError: 'AfState'", id="key"),
        pytest.param(TypeError("no such argument"), Loss.LOST, "found: TypeError: no such argument", id="type"),
        pytest.param(
            ValueError("numpy.dtype size changed, may indicate binary incompatibility"),
            Loss.UNUSABLE, "let pip replace neither", id="numpy",
        ),
        pytest.param(
            ModuleNotFoundError("No module named 'picamera2'", name="picamera2"),
            Loss.UNUSABLE, r"set \[camera\] kind$", id="no picamera2",
        ),
        pytest.param(
            ModuleNotFoundError("No module named 'libcamera'", name="libcamera"),
            Loss.UNUSABLE, "No module named 'libcamera'", id="no libcamera",
        ),
    ],
)  # fmt: skip
def test_what_keeps_it_from_opening_is_told_in_one_line(error, kind, told):
    def build():
        raise error

    with pytest.raises(CameraLost, match=told) as caught:
        PiCamera(PiSettings(), build=build)
    assert caught.value.kind is kind
    assert "\n" not in str(caught.value)


class TestOpening:
    def use(self, monkeypatch, found):
        monkeypatch.setitem(sys.modules, "picamera2", found)

    def test_the_first_camera_is_opened(self, monkeypatch):
        clock = Clock()
        self.use(monkeypatch, module(clock))
        camera = PiCamera(PiSettings(640, 480, 160), now=clock, sleep=clock.sleep)
        assert camera.frame(clock.t).picture.shape == (480, 640, 3)
        camera.close()

    def test_without_picamera2_the_message_says_what_to_do(self):
        with pytest.raises(CameraLost, match="expected picamera2") as caught:
            open_picamera2()
        assert caught.value.kind is Loss.UNUSABLE

    def test_an_old_picamera2_is_told_with_its_version(self, monkeypatch):
        self.use(monkeypatch, module(Clock(), old=True))
        monkeypatch.setattr(importlib.metadata, "version", lambda _: "0.3.18")
        with pytest.raises(CameraLost) as caught:
            open_picamera2()
        assert str(caught.value) == (
            "expected picamera2 0.3.22 or newer, found 0.3.18: sudo apt update && sudo apt install python3-picamera2"
        )
        assert caught.value.kind is Loss.UNUSABLE

    def test_where_the_version_stands_nowhere_it_is_an_older_one(self, monkeypatch):
        self.use(monkeypatch, module(Clock(), old=True))
        with pytest.raises(CameraLost, match="found an older one: sudo apt update"):
            open_picamera2()

    def test_a_picamera2_that_cannot_be_loaded_is_told(self, monkeypatch):
        class Broken(ModuleType):
            def __getattr__(self, name):
                raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

        self.use(monkeypatch, Broken("picamera2"))
        with pytest.raises(CameraLost, match="numpy it was built for"):
            open_picamera2()

    def test_where_no_camera_is_none_is_constructed(self, monkeypatch):
        found = module(Clock(), cameras=0)
        self.use(monkeypatch, found)
        with pytest.raises(CameraLost, match="found none") as caught:
            open_picamera2()
        assert caught.value.kind is Loss.ABSENT
        assert found.Picamera2.made == []

    def test_a_construction_that_fails_leaves_no_file_open(self, monkeypatch):
        ends = []

        def fails(device):
            end, device.notifyme_w = os.pipe()
            ends.append(device.notifyme_w)
            os.close(end)
            raise chained(DID_NOT_COMPLETE, BUSY)

        self.use(monkeypatch, module(Clock(), fails=fails))
        with pytest.raises(RuntimeError) as caught:
            open_picamera2()
        assert lost(caught.value).kind is Loss.BUSY
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(ends[0])


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
        assert [text.split(":")[0] for text in check(camera, clock)] == [
            "The camera gives pictures from before the press.",
            "A picture takes 2.0 s; 0.3 s is usual.",
            "The picture is all one colour",
            "The small picture is empty.",
        ]
