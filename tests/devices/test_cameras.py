"""Every camera keeps the same promises; each kind has a few of its own."""

import threading
from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from picamera2_double import Picamera2

from referee.commands.virtual import VirtualCamera
from referee.devices.camera import Frame, Reopening, shrunk
from referee.devices.file_camera import FolderCamera, VideoCamera
from referee.devices.pi_camera import PiCamera, PiSettings, check
from referee.devices.usb_camera import UsbCamera
from referee.errors import CameraLost


@dataclass
class Clock:
    t: float = 100.0

    def __call__(self):
        return self.t

    def sleep(self, seconds):
        self.t += seconds


class UsbDevice:
    """What cv2.VideoCapture is to the adapter: two old frames wait in it, then every grab takes a new one."""

    def __init__(self, clock, opened=True):
        self.clock, self.opened, self.settings = clock, opened, {}
        self.waiting = [clock.t - 0.2, clock.t - 0.1]
        self.grabbed = None
        self.hangs = threading.Event()
        self.ok = True

    def isOpened(self):  # noqa: N802 - OpenCV's own name
        return self.opened

    def set(self, key, value):
        self.settings[key] = value
        return True

    def grab(self):
        if self.hangs.is_set():
            threading.Event().wait(0.2)
            return False
        if self.waiting:
            self.grabbed = self.waiting.pop(0)
        else:
            self.clock.t += 0.03
            self.grabbed = self.clock.t
        return self.ok

    def retrieve(self):
        picture = np.full((480, 640, 3), 90, np.uint8)
        picture[:, :, 0] = np.arange(640) % 256
        return True, picture

    def release(self):
        self.opened = False


def written(folder, shades=(40, 80, 120)):
    for i, shade in enumerate(shades):
        cv2.imwrite(str(folder / f"{i}.png"), np.full((480, 640, 3), shade, np.uint8))
    return folder


def film(folder, shades=(40, 80, 120, 160)):
    path = folder / "film.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (640, 480))
    for shade in shades:
        video.write(np.full((480, 640, 3), shade, np.uint8))
    video.release()
    return path


def pi(clock, **device):
    settings = PiSettings(width_px=640, height_px=480, preview_px=160)
    return PiCamera(settings, build=lambda: Picamera2(clock, **device), now=clock, sleep=clock.sleep)


def built(kind, clock, folder):
    match kind:
        case "pi":
            return pi(clock)
        case "usb":
            return UsbCamera(0, (640, 480), 160, build=lambda _: UsbDevice(clock), now=clock)
        case "folder":
            return FolderCamera(written(folder), 160, now=clock)
        case "video":
            return VideoCamera(film(folder), 160, now=clock)
        case "virtual":
            camera = VirtualCamera(160, clock)
            camera.show(np.full((480, 640, 3), 90, np.uint8))
            return camera
    return Reopening(lambda: pi(clock), 2, clock)


@pytest.mark.parametrize("kind", ["pi", "usb", "folder", "video", "virtual", "reopening"])
class TestEveryCamera:
    def test_a_frame_is_a_colour_picture_from_after_the_moment_asked_for(self, kind, tmp_path):
        clock = Clock()
        camera = built(kind, clock, tmp_path)
        for _ in range(3):
            after = clock.t
            frame = camera.frame(after)
            assert frame.t >= after
            assert frame.picture.shape == (480, 640, 3)
            assert frame.picture.dtype == np.uint8
        camera.close()

    def test_a_preview_is_small_and_grey_and_of_the_same_shape(self, kind, tmp_path):
        clock = Clock()
        camera = built(kind, clock, tmp_path)
        assert camera.preview(clock.t).shape == (120, 160)
        assert camera.preview(clock.t).dtype == np.uint8
        camera.close()

    def test_it_can_be_closed_twice_and_then_gives_no_picture(self, kind, tmp_path):
        clock = Clock()
        camera = built(kind, clock, tmp_path)
        camera.close()
        camera.close()
        if kind != "reopening":
            with pytest.raises(CameraLost):
                camera.frame(clock.t)


class TestPiCamera:
    def test_focus_exposure_and_colours_are_found_once_and_locked(self):
        camera = pi(Clock())
        assert camera.locked == {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": 9000,
            "AnalogueGain": 1.5,
            "ColourGains": (2.1, 1.6),
            "AfMode": 0,
            "LensPosition": 1.25,
        }

    def test_settings_fix_what_they_name(self):
        clock = Clock()
        settings = PiSettings(640, 480, 160, focus_m=0.8, exposure_ms=20.0, gain=3.0)
        device = Picamera2(clock)
        locked = PiCamera(settings, build=lambda: device, now=clock, sleep=clock.sleep).locked
        assert (locked["LensPosition"], locked["ExposureTime"], locked["AnalogueGain"]) == (1.25, 20000, 3.0)
        assert "autofocus" not in device.log

    def test_a_module_without_a_focus_motor_will_do(self):
        assert "LensPosition" not in pi(Clock(), focus=False).locked

    def test_every_request_goes_back(self):
        clock, devices = Clock(), []
        camera = PiCamera(
            PiSettings(640, 480, 160), now=clock, sleep=clock.sleep,
            build=lambda: devices.append(Picamera2(clock)) or devices[-1],
        )  # fmt: skip
        camera.frame(clock.t)
        camera.preview(clock.t)
        assert devices[0].unreleased == 0

    def test_a_camera_that_gives_no_picture_is_lost_after_its_time(self):
        clock, device = Clock(), None
        device = Picamera2(clock)
        camera = PiCamera(PiSettings(640, 480, 160), build=lambda: device, now=clock, sleep=clock.sleep)
        device.stuck = True
        with pytest.raises(CameraLost, match="found that the camera gives none: check its ribbon cable"):
            camera.frame(clock.t)

    @pytest.mark.parametrize(
        ("error", "told"),
        [
            (ModuleNotFoundError("picamera2"), "install the package python3-picamera2"),
            (IndexError("list index out of range"), "found none: check its ribbon cable, then restart the Pi"),
            (RuntimeError("Failed to acquire camera: Device or resource busy"), "close other programs that use it"),
        ],
    )
    def test_what_keeps_it_from_opening_is_told_in_one_line(self, error, told):
        def build():
            raise error

        with pytest.raises(CameraLost, match=told):
            PiCamera(PiSettings(), build=build)

    def test_where_picamera2_is_not_installed_the_message_says_what_to_do(self):
        with pytest.raises(CameraLost, match="expected picamera2"):
            PiCamera(PiSettings())

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


class TestUsbCamera:
    def test_frames_that_the_driver_kept_from_before_are_dropped(self):
        clock = Clock()
        device = UsbDevice(clock)
        camera = UsbCamera(0, build=lambda _: device, now=clock)
        camera.frame(clock.t)
        assert not device.waiting
        camera.close()

    def test_a_number_without_a_camera_is_told(self):
        with pytest.raises(CameraLost, match="USB camera with number 7, found none"):
            UsbCamera(7, build=lambda _: UsbDevice(Clock(), opened=False))

    def test_a_camera_that_hangs_is_lost_after_its_time(self):
        clock = Clock()
        device = UsbDevice(clock)
        camera = UsbCamera(0, timeout_s=0.05, build=lambda _: device, now=clock)
        device.hangs.set()
        with pytest.raises(CameraLost, match=r"within 0\.05 s"):
            camera.frame(clock.t)

    def test_a_camera_without_pictures_is_lost(self):
        clock = Clock()
        device = UsbDevice(clock)
        camera = UsbCamera(0, build=lambda _: device, now=clock)
        device.ok = False
        with pytest.raises(CameraLost, match="check its cable"):
            camera.frame(clock.t)
        camera.close()


class TestFolderCamera:
    def test_it_shows_the_newest_picture_by_name(self, tmp_path):
        camera = FolderCamera(written(tmp_path))
        assert int(camera.frame(0.0).picture[0, 0, 0]) == 120
        cv2.imwrite(str(tmp_path / "9.png"), np.full((480, 640, 3), 200, np.uint8))
        assert int(camera.preview(0.0)[0, 0]) == 200
        assert int(camera.frame(0.0).picture[0, 0, 0]) == 200

    def test_an_empty_folder_or_none_is_told(self, tmp_path):
        with pytest.raises(CameraLost, match="expected pictures, found none"):
            FolderCamera(tmp_path)
        with pytest.raises(CameraLost, match="No such file"):
            FolderCamera(tmp_path / "none")

    def test_a_broken_picture_is_told(self, tmp_path):
        camera = FolderCamera(written(tmp_path))
        (tmp_path / "3.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        with pytest.raises(CameraLost, match="truncated PNG"):
            camera.frame(0.0)


class TestVideoCamera:
    def test_it_plays_in_real_time_and_its_last_picture_stays(self, tmp_path):
        clock = Clock()
        camera = VideoCamera(film(tmp_path), now=clock)
        shades = []
        for _ in range(6):
            shades.append(round(int(camera.frame(clock.t).picture[0, 0, 0]), -1))
            clock.t += 0.1001
        assert shades == [40, 80, 120, 160, 160, 160]
        camera.close()

    def test_a_jump_to_the_end_gives_the_last_picture(self, tmp_path):
        clock = Clock()
        camera = VideoCamera(film(tmp_path), now=clock)
        clock.t += 60
        assert round(int(camera.frame(clock.t).picture[0, 0, 0]), -1) == 160
        camera.close()

    def test_what_is_no_video_is_told(self, tmp_path):
        with pytest.raises(CameraLost, match="found nothing there"):
            VideoCamera(tmp_path / "none.mp4")
        (tmp_path / "text.mp4").write_text("no film")
        with pytest.raises(CameraLost, match="cannot be played"):
            VideoCamera(tmp_path / "text.mp4")


class TestReopening:
    def camera(self, clock, restarts=2):
        devices = []

        def build():
            devices.append(Picamera2(clock))
            return PiCamera(PiSettings(640, 480, 160), build=lambda: devices[-1], now=clock, sleep=clock.sleep)

        return Reopening(build, restarts, clock), devices

    def test_a_lost_camera_is_opened_anew_at_the_next_call(self):
        clock = Clock()
        camera, devices = self.camera(clock)
        devices[0].stuck = True
        with pytest.raises(CameraLost):
            camera.frame(clock.t)
        assert devices[0].state == "closed"
        assert camera.frame(clock.t).picture.shape == (480, 640, 3)
        assert len(devices) == 2

    def test_the_budget_of_restarts_ends_it_and_comes_back_with_time(self):
        clock = Clock()
        camera, devices = self.camera(clock)
        for lost in range(3):
            if lost:
                assert camera.frame(clock.t).picture.any()
            devices[-1].stuck = True
            with pytest.raises(CameraLost, match="gives none"):
                camera.frame(clock.t)
        with pytest.raises(CameraLost, match="lost 3 times within 10 minutes"):
            camera.preview(clock.t)
        assert len(devices) == 3
        clock.t += 600
        assert camera.preview(clock.t).shape == (120, 160)


def test_a_frame_must_be_a_colour_picture():
    with pytest.raises(ValueError, match="expected a picture of uint8"):
        Frame(np.zeros((4, 4), np.uint8), 0.0)


def test_a_picture_shrinks_in_proportion():
    assert shrunk(np.zeros((1296, 2304, 3), np.uint8), 576).shape == (324, 576)
