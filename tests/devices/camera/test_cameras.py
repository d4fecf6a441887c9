"""Every camera keeps the same promises; files have a few of their own, and so has what opens a camera anew."""

import cv2
import numpy as np
import pytest
from camera_doubles import Clock, UsbDevice, pi, usb
from network_servers import RealClock, serving
from picamera2_double import Picamera2
from rtsp_server import RtspCamera

from referee.cli.parts import from_settings as build
from referee.cli.programs.virtual_table import VirtualCamera
from referee.devices.camera.camera import CaptureSettings, Frame, Reopening, to_small_grey, wait_for_camera
from referee.devices.camera.files import FolderCamera, VideoCamera
from referee.devices.camera.network.camera import NetworkCamera, NetworkSettings
from referee.devices.camera.pi_settings import PiSettings
from referee.errors import CameraLost, Loss
from referee.i18n import ENGLISH, error_text
from referee.settings.settings import CameraSettings
from tests.support.errors import telling


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


NETWORK = ("mjpeg", "still", "rtsp")


@pytest.fixture(autouse=True)
def _servers():
    with serving.ended():
        yield


def clock_for(kind):
    return RealClock() if kind in NETWORK else Clock()


def network(kind):
    server = serving(RtspCamera()) if kind == "rtsp" else serving()
    url = server.url({"mjpeg": "/video", "still": "/shot.jpg", "rtsp": "/live"}[kind])
    return NetworkCamera(NetworkSettings(source=url, preview_px=160, lag_s=0.1, timeout_s=30.0))


def built(kind, clock, folder):
    match kind:
        case "mjpeg" | "still" | "rtsp":
            camera = network(kind)
        case "pi":
            camera = pi(clock)
        case "usb":
            camera = usb(clock, UsbDevice(clock))
        case "folder":
            camera = FolderCamera(written(folder), 160, clock, clock.sleep)
        case "video":
            camera = VideoCamera(film(folder), 160, clock, clock.sleep)
        case "virtual":
            camera = VirtualCamera(160, clock)
            camera.show(np.full((480, 640, 3), 90, np.uint8))
        case _:
            camera = Reopening(lambda: pi(clock), 2, clock)
    return camera


@pytest.mark.parametrize("kind", ["pi", "usb", "folder", "video", "virtual", "reopening", *NETWORK])
class TestEveryCamera:
    def test_a_frame_is_a_colour_picture_from_after_the_moment_asked_for(self, kind, tmp_path):
        clock = clock_for(kind)
        camera = built(kind, clock, tmp_path)
        for _ in range(3):
            after = clock.t
            frame = camera.frame(after)
            assert frame.t >= after
            assert frame.picture.shape == (480, 640, 3)
            assert frame.picture.dtype == np.uint8
        camera.close()

    def test_a_preview_is_small_and_grey_and_of_the_same_shape(self, kind, tmp_path):
        clock = clock_for(kind)
        camera = built(kind, clock, tmp_path)
        assert camera.preview(clock.t).shape == (120, 160)
        assert camera.preview(clock.t).dtype == np.uint8
        camera.close()

    def test_it_can_be_closed_twice_and_then_gives_no_picture(self, kind, tmp_path):
        clock = clock_for(kind)
        camera = built(kind, clock, tmp_path)
        camera.close()
        camera.close()
        if kind != "reopening":
            with pytest.raises(CameraLost):
                camera.frame(clock.t)


@pytest.mark.parametrize("kind", ["pi", "usb", "folder", "video", *NETWORK])
def test_a_moment_to_come_is_waited_for(kind, tmp_path):
    clock = clock_for(kind)
    camera = built(kind, clock, tmp_path)
    after = clock.t + 0.33
    frame = camera.frame(after)
    assert after <= frame.t <= clock.t
    camera.close()


class TestFolderCamera:
    def test_it_shows_the_newest_picture_by_name(self, tmp_path):
        camera = FolderCamera(written(tmp_path))
        assert int(camera.frame(0.0).picture[0, 0, 0]) == 120
        cv2.imwrite(str(tmp_path / "9.png"), np.full((480, 640, 3), 200, np.uint8))
        assert int(camera.preview(0.0)[0, 0]) == 200
        assert int(camera.frame(0.0).picture[0, 0, 0]) == 200

    def test_an_empty_folder_or_none_is_told(self, tmp_path):
        with telling(CameraLost, match="expected pictures, found none"):
            FolderCamera(tmp_path)
        with telling(CameraLost, match="No such file"):
            FolderCamera(tmp_path / "none")

    def test_a_broken_picture_is_told_and_costs_no_restart(self, tmp_path):
        clock = Clock()
        camera = FolderCamera(written(tmp_path), now=clock, sleep=clock.sleep)
        (tmp_path / "3.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        with telling(CameraLost, match="truncated PNG") as caught:
            camera.frame(0.0)
        assert caught.value.kind is Loss.ABSENT
        assert clock.t == pytest.approx(100.8)

    def test_a_picture_that_is_still_being_copied_is_waited_for(self, tmp_path):
        clock = Clock()
        whole = (written(tmp_path) / "2.png").read_bytes()
        late = tmp_path / "3.png"
        camera = FolderCamera(tmp_path, now=clock, sleep=lambda seconds: clock.sleep(seconds) or copied())
        late.write_bytes(whole[:100])

        def copied():
            late.write_bytes(whole[: len(late.read_bytes()) * 20])

        after = clock.t
        assert int(camera.frame(after).picture[0, 0, 0]) == 120
        assert clock.t > after


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
        with telling(CameraLost, match="found none"):
            VideoCamera(tmp_path / "none.mp4")
        for name, data in (("text.mp4", b"no film"), ("text.txt", b"no film"), ("empty.mp4", b"")):
            (tmp_path / name).write_bytes(data)
            with telling(CameraLost, match="cannot be played") as caught:
                VideoCamera(tmp_path / name)
            assert caught.value.kind is Loss.UNUSABLE

    def test_a_file_that_opens_as_a_video_but_holds_no_picture_is_told_at_once(self, tmp_path, capfd, monkeypatch):
        """FFmpeg plays some stills and texts as videos whose pictures it then cannot give."""
        (tmp_path / "moving.gif").write_bytes(bytes.fromhex(
            "47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b"))  # fmt: skip
        monkeypatch.setattr(cv2.VideoCapture, "retrieve", lambda _: (False, None), raising=True)
        with telling(CameraLost, match="expected pictures in the video, found none") as caught:
            VideoCamera(tmp_path / "moving.gif")
        assert caught.value.kind is Loss.UNUSABLE
        assert capfd.readouterr().err == ""


class TestReopening:
    def camera(self, clock, restarts=2):
        devices = []

        def build():
            devices.append(Picamera2(clock))
            return pi(clock, devices[-1])

        return Reopening(build, restarts, clock), devices

    def failing(self, clock, kind, restarts=5):
        """A camera that is lost at once, and what comes of every attempt to open it anew, with its moment."""
        attempts = []

        def build():
            if not attempts:
                attempts.append(clock.t)
                return lost
            attempts.append(clock.t)
            raise CameraLost("expected a camera, found another thing", kind)

        lost = pi(clock)
        lost.close()
        camera = Reopening(build, restarts, clock)
        with pytest.raises(CameraLost):
            camera.preview(clock.t)
        return camera, attempts

    def asked(self, camera, clock, seconds):
        """Ask every second; the texts that came."""
        texts = []
        for _ in range(seconds):
            clock.t += 1
            with pytest.raises(CameraLost) as caught:
                camera.preview(clock.t)
            texts.append(error_text(caught.value))
        return texts

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
            with telling(CameraLost, match="sends none"):
                camera.frame(clock.t)
        with telling(CameraLost, match="dropped out 3 times within 10 minutes"):
            camera.preview(clock.t)
        assert len(devices) == 3
        clock.t += 600
        assert camera.preview(clock.t).shape == (120, 160)

    @pytest.mark.parametrize("kind", [Loss.BUSY, Loss.SILENT, Loss.LOST, Loss.UNUSABLE])
    def test_attempts_that_fail_count_and_come_ever_more_seldom(self, kind):
        clock = Clock()
        camera, attempts = self.failing(clock, kind, restarts=7)
        texts = self.asked(camera, clock, 125)
        assert np.diff(attempts[1:]) == pytest.approx([2, 4, 8, 16, 30, 30])
        assert set(texts[:90]) == {"expected a camera, found another thing"}
        assert "dropped out 8 times within 10 minutes" in texts[-1]

    def test_a_camera_that_is_not_there_is_asked_for_without_end(self):
        clock = Clock()
        camera, attempts = self.failing(clock, Loss.ABSENT)
        self.asked(camera, clock, 40)
        assert len(attempts) == 41

    def test_an_attempt_that_succeeds_ends_the_pauses(self):
        clock = Clock()
        attempts, devices = [], []

        def build():
            attempts.append(clock.t)
            if len(attempts) in (2, 3, 5):
                raise CameraLost("expected a camera that is free", Loss.BUSY)
            devices.append(Picamera2(clock))
            return pi(clock, devices[-1])

        camera = Reopening(build, 10, clock)
        for failures in (2, 1):
            devices[-1].stuck = True
            with telling(CameraLost, match="sends none"):
                camera.preview(clock.t)
            self.asked(camera, clock, 2 ** (failures + 1) - 2)
            clock.t += 1
            assert camera.preview(clock.t).shape == (120, 160)
        assert np.diff(attempts)[[1, 2, 4]] == pytest.approx([2, 4, 2])


class TestAwaited:
    def opened(self, clock, kinds):
        """What `awaited` gives for a camera that fails so often before it opens, and what is told meanwhile."""
        told = []

        def build():
            if kinds:
                raise CameraLost("expected a camera, found none", kinds.pop())
            return pi(clock)

        return wait_for_camera(build, 20.0, told.append, clock, clock.sleep), told

    def test_a_camera_that_comes_late_is_waited_for_and_one_line_tells_so(self):
        clock = Clock()
        camera, told = self.opened(clock, [Loss.ABSENT, Loss.BUSY, Loss.ABSENT])
        assert camera.preview(clock.t).shape == (120, 160)
        assert list(map(ENGLISH, told)) == ["camera: expected a camera, found none; waiting up to 20 s for it"]

    def test_it_is_not_waited_for_longer(self):
        clock = Clock()
        with pytest.raises(CameraLost) as caught:
            self.opened(clock, [Loss.ABSENT] * 30)
        assert caught.value.kind is Loss.ABSENT
        assert clock.t == 120.0

    @pytest.mark.parametrize("kind", [Loss.SILENT, Loss.UNUSABLE, Loss.LOST])
    def test_what_no_waiting_mends_is_told_at_once(self, kind):
        clock = Clock()
        with pytest.raises(CameraLost):
            self.opened(clock, [kind])
        assert clock.t == 100.0


def test_a_frame_must_be_a_colour_picture():
    with pytest.raises(ValueError, match="expected a picture of uint8"):
        Frame(np.zeros((4, 4), np.uint8), 0.0)


def test_a_picture_shrinks_in_proportion():
    assert to_small_grey(np.zeros((1296, 2304, 3), np.uint8), 576).shape == (324, 576)


class TestSettingsOfRealCameras:
    @pytest.mark.parametrize(("kind", "more"), [("pi", {"mains_hz": 60}), ("usb", {})])
    def test_a_camera_is_given_what_the_settings_say(self, kind, more, monkeypatch):
        given = []

        def made(*arguments, **_):
            given.append(arguments[-2])
            raise CameraLost("expected a camera, found none")

        monkeypatch.setattr(build, "PiCamera", made)
        monkeypatch.setattr(build, "UsbCamera", made)
        common = {"width_px": 1280, "height_px": 720, "preview_px": 320, "focus_m": 0.7, "exposure_ms": 20.0,
                  "gain": 2.0, "timeout_s": 4.0}  # fmt: skip
        with pytest.raises(CameraLost):
            build.opener(CameraSettings(kind=kind, mains_hz=60, **common), Clock())()
        assert given == [PiSettings(**common, **more) if kind == "pi" else CaptureSettings(**common)]

    @pytest.mark.parametrize("kind", [CaptureSettings, PiSettings])
    def test_what_nobody_sets_is_as_the_settings_file_has_it(self, kind):
        usual = CameraSettings()
        assert kind() == kind(**{name: getattr(usual, name) for name in kind.__dataclass_fields__})


def test_the_virtual_camera_takes_one_picture_after_the_other_and_the_last_one_stays():
    camera = VirtualCamera(160, lambda: 0.0)
    first, *more = (np.full((48, 64, 3), level, np.uint8) for level in (10, 20, 30))
    camera.show(first, more)
    before = camera.preview(0.0)
    assert [int(camera.frame(0.0).picture[0, 0, 0]) for _ in range(4)] == [10, 20, 30, 30]
    assert np.array_equal(camera.preview(0.0), before)
