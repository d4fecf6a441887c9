"""RTSP before a small server, through the FFmpeg of the installed OpenCV."""

import os

import cv2
import numpy as np
import pytest
from network_servers import serving
from rtsp_server import RtspCamera

from referee.devices.camera.network.address import parse_address
from referee.devices.camera.network.login import Login
from referee.devices.camera.network.request import Visit
from referee.devices.camera.network.rtsp import OPTIONS, RtspLink
from referee.errors import CameraLost, Loss, UnreadablePicture
from tests.support.errors import telling


@pytest.fixture(autouse=True)
def _servers():
    with serving.ended():
        yield


def visit(server, user="", password=""):
    return Visit(parse_address(server.url(), user, password), Login(user, password), timeout_s=30.0)


def test_this_opencv_can_play_streams_and_be_told_how_long_to_wait():
    assert cv2.CAP_FFMPEG in cv2.videoio_registry.getStreamBackends()
    assert all(hasattr(cv2, name) for name in (
        "CAP_PROP_OPEN_TIMEOUT_MSEC", "CAP_PROP_READ_TIMEOUT_MSEC", "CAP_PROP_N_THREADS"))  # fmt: skip


class Device:
    """What cv2.VideoCapture is to the link."""

    def __init__(self, pictures=(), opened=True):
        self.pictures, self.opened, self.released = list(pictures), opened, False
        self.url, self.parameters = "", {}

    def __call__(self, url, parameters):
        self.url, self.parameters = url, dict(zip(parameters[::2], parameters[1::2], strict=True))
        return self

    def isOpened(self):  # noqa: N802 - OpenCV's own name
        return self.opened

    def grab(self):
        return bool(self.pictures)

    def get(self, _):
        return 0.0

    def retrieve(self):
        return True, self.pictures.pop(0)

    def release(self):
        self.released = True


def test_it_is_given_the_number_that_was_checked_with_one_thread_and_limits():
    server, device = serving(RtspCamera()), Device()
    server.asks_for = None
    link = RtspLink(visit(server, "an na", "s3:cr/t"), device)
    assert device.url == f"rtsp://an%20na:s3%3Acr%2Ft@127.0.0.1:{server.port}/live"
    assert device.parameters[cv2.CAP_PROP_N_THREADS] == 1
    assert device.parameters[cv2.CAP_PROP_READ_TIMEOUT_MSEC] == 30_000
    link.close()
    assert device.released


def test_tcp_only_since_a_lost_packet_leaves_half_a_picture(monkeypatch):
    monkeypatch.delenv(OPTIONS, raising=False)
    RtspLink(visit(serving(RtspCamera()))).close()
    assert os.environ[OPTIONS] == "rtsp_transport;tcp"


@pytest.mark.parametrize(
    ("status", "told", "kind"),
    [
        ("404 Not Found", "none at that path", Loss.UNUSABLE),
        ("302 Moved", "has moved", Loss.UNUSABLE),
        ("503 Busy", "found it busy", Loss.BUSY),
        ("500 Broken", "the answer 500", Loss.LOST),
        ("403 No", "found that it refuses", Loss.UNUSABLE),
    ],
)
def test_what_the_camera_answers_is_told_before_ffmpeg_is_asked(status, told, kind):
    server, device = serving(RtspCamera()), Device()
    server.status = status
    with telling(CameraLost, match=told) as caught:
        RtspLink(visit(server), device)
    assert caught.value.kind is kind
    assert device.url == ""


def test_a_stream_that_cannot_be_played_is_told():
    device = Device(opened=False)
    with telling(CameraLost, match="cannot be played"):
        RtspLink(visit(serving(RtspCamera())), device)
    assert device.released


def test_only_pictures_that_differ_from_the_one_just_before_are_new():
    one, two = np.zeros((4, 4, 3), np.uint8), np.ones((4, 4, 3), np.uint8)
    link = RtspLink(visit(serving(RtspCamera())), Device([one, one, two, np.zeros((4, 4), np.uint8)]))
    assert [link.next(look=True).repeats for _ in range(3)] == [True, True, False]
    assert link.picture().max() == 1
    link.next(look=True)
    with pytest.raises(UnreadablePicture):
        link.picture()
    with pytest.raises(CameraLost):
        link.next(look=True)
