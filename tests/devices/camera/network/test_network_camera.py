"""A phone as camera, before real servers on this machine: what they do to a stream, and what is made of it."""

import contextlib
import socket
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from camera_doubles import Clock
from network_servers import PASSWORD, PERIOD_S, USER, Camera, jpeg, serving, taken_at
from rtsp_server import RtspCamera

from referee.devices.camera.camera import Reopening
from referee.devices.camera.network.camera import NetworkCamera, NetworkSettings, Report, Unhurried
from referee.errors import CameraLost, Loss
from referee.game.notice import Notice
from referee.i18n import error_text

LAG_S = 0.2
LONG_S, SHORT_S = 30.0, 1.0
"""How long a picture is waited for that must come, however busy the machine is, and one that must not."""
PATHS = {"mjpeg": "/video", "still": "/shot.jpg"}
KINDS = [*PATHS, "rtsp"]


@pytest.fixture(autouse=True)
def _servers():
    with serving.ended():
        yield


def served(kind):
    """A server, and the address under which it has that kind of pictures."""
    server = serving(RtspCamera() if kind == "rtsp" else Camera())
    return server, server.url() if kind == "rtsp" else server.url(PATHS[kind])


@contextlib.contextmanager
def opened(source, **settings):
    chosen = NetworkSettings(source=source, **({"lag_s": LAG_S, "preview_px": 160, "timeout_s": LONG_S} | settings))
    camera = works(lambda: NetworkCamera(chosen))
    try:
        yield camera
    finally:
        camera.close()


def lost(call):
    with pytest.raises(CameraLost) as caught:
        call()
    return caught.value


def works(call, meanwhile=lambda: None):
    """What it gives once it does: with little patience, and on a busy machine, not at the first attempt."""
    while True:
        with contextlib.suppress(CameraLost):
            return call()
        meanwhile()


def shown(camera):
    return works(lambda: camera.frame(time.monotonic()))


def all_new(camera, count):
    """So many pictures, each of which shows a moment after the one at which it was asked for."""
    for _ in range(count):
        after = time.monotonic()
        frame = camera.frame(after)
        assert after <= frame.t <= taken_at(frame.picture)


class TestPicturesAreNew:
    @pytest.mark.parametrize("kind", KINDS)
    def test_as_the_picture_itself_shows(self, kind):
        _, url = served(kind)
        with opened(url) as camera:
            all_new(camera, 4)

    @pytest.mark.parametrize(("measured", "chunked", "line_first"), [(0, 0, 1), (0, 1, 0), (1, 1, 1), (1, 0, 0)])
    def test_however_a_program_writes_its_stream(self, measured, chunked, line_first):
        server, url = served("mjpeg")
        server.measured, server.chunked, server.line_first = map(bool, (measured, chunked, line_first))
        with opened(url) as camera:
            all_new(camera, 3)

    def test_where_the_network_is_slower_than_the_camera(self):
        server, url = served("mjpeg")
        server.trickle_s = 4 * PERIOD_S
        with opened(url) as camera:
            all_new(camera, 3)
            assert camera.report.renewed > 0
        assert server.connected > 1

    @pytest.mark.parametrize("kind", ["mjpeg", "rtsp"])
    def test_after_an_interruption_when_what_has_waited_comes_at_once(self, kind):
        server, url = served(kind)
        with opened(url) as camera:
            all_new(camera, 2)
            server.held.set()
            threading.Timer(1.0, server.held.clear).start()
            all_new(camera, 6)

    @pytest.mark.parametrize("kind", ["mjpeg", "still"])
    def test_where_the_camera_itself_is_late_by_no_more_than_it_may(self, kind):
        server, url = served(kind)
        server.late_s = 0.3
        with opened(url, lag_s=0.3 + LAG_S) as camera:
            all_new(camera, 3)

    def test_where_a_still_was_taken_at_the_request_before(self):
        server, url = served("still")
        server.cached = True
        with opened(url) as camera:
            all_new(camera, 3)

    def test_whoever_reads_late_meets_nothing_that_has_waited(self):
        server, url = served("mjpeg")
        with opened(url) as camera:
            all_new(camera, 1)
            server.more(20)  # what comes meanwhile is thrown away
            all_new(camera, 1)


class TestAStreamThatStandsStill:
    @pytest.mark.parametrize("kind", KINDS)
    def test_is_never_judged(self, kind):
        server, url = served(kind)
        with opened(url, timeout_s=SHORT_S) as camera:
            shown(camera)
            server.frozen.set()
            error = lost(lambda: [camera.frame(time.monotonic()) for _ in range(2)])
            assert "the same picture over and over" in error_text(error)
            assert error.kind is Loss.SILENT
            server.frozen.clear()
            shown(camera)

    @pytest.mark.parametrize("kind", ["mjpeg", "rtsp"])
    def test_without_any_picture_it_is_lost(self, kind):
        server, url = served(kind)
        with opened(url, timeout_s=SHORT_S) as camera:
            shown(camera)
            server.mute.set()
            error = lost(lambda: [camera.frame(time.monotonic()) for _ in range(2)])
        assert error.kind is Loss.SILENT

    def test_half_pictures_are_none(self):
        server, url = served("mjpeg")
        with opened(url, timeout_s=SHORT_S) as camera:
            server.damaged = True
            assert "damaged" in str(lost(lambda: [camera.frame(time.monotonic()) for _ in range(2)]))


class TestAwayAndBack:
    @pytest.mark.parametrize("kind", KINDS)
    def test_one_that_comes_back_under_the_same_address_goes_on(self, kind):
        server, url = served(kind)
        settings = NetworkSettings(source=url, lag_s=LAG_S, preview_px=160, timeout_s=SHORT_S)
        clock = Clock()
        camera = Reopening(Unhurried(lambda: NetworkCamera(settings), clock), 20, clock)
        works(lambda: camera.frame(time.monotonic()), lambda: clock.sleep(30))
        server.close()
        told = [lost(lambda: camera.frame(time.monotonic())) for _ in range(4)]
        assert len(set(map(str, told))) <= 2  # it breaks off, then it is away
        assert told[-1].kind is Loss.ABSENT
        serving(type(server)(port=server.port))
        works(lambda: camera.frame(time.monotonic()), lambda: clock.sleep(30))
        camera.close()

    def test_a_short_break_is_not_even_told(self):
        server, url = served("mjpeg")
        with opened(url) as camera:
            all_new(camera, 1)
            server.cut()
            all_new(camera, 2)
        assert server.connected >= 2

    def test_one_that_is_away_is_asked_for_ever_more_seldom(self):
        clock = Clock()
        attempts = []

        def build():
            attempts.append(clock.t)
            raise CameraLost("expected a network camera, found: no answer", Loss.ABSENT)

        opener = Unhurried(build, clock)
        for _ in range(60):
            assert lost(opener).kind is Loss.ABSENT
            clock.t += 0.5
        assert list(np.diff(attempts)) == [1, 2, 4, 4, 4, 4, 4, 4]


class TestWhatItIsNot:
    def test_nobody_there(self):
        server = serving()
        server.close()
        error = lost(lambda: NetworkCamera(NetworkSettings(timeout_s=LONG_S, source=server.url())))
        assert error.kind is Loss.ABSENT
        assert "connection refused" in error_text(error)

    @pytest.mark.parametrize(
        ("path", "kind", "told", "loss"),
        [
            ("/nothing", None, "found none at that path", Loss.UNUSABLE),
            ("/shot.jpg", "text/html", "found text/html: set", Loss.LOST),
        ],
    )
    def test_an_address_without_pictures(self, path, kind, told, loss):
        server = serving()
        server.kind = kind
        error = lost(lambda: NetworkCamera(NetworkSettings(timeout_s=LONG_S, source=server.url(path))))
        assert told in error_text(error)
        assert error.kind is loss

    def test_pictures_only_by_name(self):
        server = serving()
        server.still = lambda: b"no picture"
        with opened(server.url("/shot.jpg"), timeout_s=SHORT_S) as camera:
            assert lost(lambda: camera.frame(time.monotonic())).kind is Loss.SILENT

    def test_a_still_without_end(self, monkeypatch):
        monkeypatch.setattr("referee.devices.camera.network.links.MOST_BYTES", 1000)
        error = lost(lambda: NetworkCamera(NetworkSettings(timeout_s=LONG_S, source=serving().url("/shot.jpg"))))
        assert "a picture that never ends" in error_text(error)

    def test_one_that_says_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            source = f"http://127.0.0.1:{silent.getsockname()[1]}/"
            error = lost(lambda: NetworkCamera(NetworkSettings(source=source, timeout_s=0.3)))
        assert error.kind is Loss.SILENT

    def test_a_fault_of_ours_is_told_without_its_words(self):
        def link(_):
            raise ZeroDivisionError("http://anna:s3cret@camera")

        error = lost(lambda: NetworkCamera(NetworkSettings(timeout_s=LONG_S, source="http://127.0.0.1/"), link=link))
        assert "ZeroDivisionError" in error_text(error)
        assert "s3cret" not in error_text(error)


class TestUserAndPassword:
    @pytest.mark.parametrize("asks_for", ["basic", "digest"])
    @pytest.mark.parametrize("kind", KINDS)
    def test_are_given_where_they_are_asked_for(self, kind, asks_for):
        server, url = served(kind)
        server.asks_for = asks_for
        with opened(url, user=USER, password=PASSWORD) as camera:
            all_new(camera, 2)
            assert camera.report.readable_password == (asks_for == "basic")
        assert server.authorizations[0] is None
        assert not any(asks_for == "digest" and PASSWORD in str(one) for one in server.authorizations)

    @pytest.mark.parametrize("asks_for", ["basic", "digest"])
    @pytest.mark.parametrize("kind", KINDS)
    def test_wrong_ones_are_told_at_once_and_never_shown(self, kind, asks_for, capfd):
        server, url = served(kind)
        server.asks_for = asks_for
        settings = NetworkSettings(timeout_s=LONG_S, source=url.replace("//", f"//{USER}:wr0ng%21@") + "?pwd=wr0ng!")
        error = lost(lambda: NetworkCamera(settings))
        assert error.kind is Loss.UNUSABLE
        assert "it refuses this user name and password" in error_text(error)
        assert all("wr0ng" not in text for text in (error_text(error), repr(settings), *capfd.readouterr()))
        assert len(server.authorizations) == 2

    def test_none_are_told_as_missing(self):
        server, url = served("mjpeg")
        server.asks_for = "digest"
        error = lost(lambda: NetworkCamera(NetworkSettings(timeout_s=LONG_S, source=url)))
        assert "asks for a user name and password" in error_text(error)


class TestClosing:
    @pytest.mark.parametrize("kind", KINDS)
    def test_ends_a_call_that_waits_and_lets_go_of_everything(self, kind):
        server, url = served(kind)
        with opened(url, timeout_s=SHORT_S) as camera:
            server.mute.set()
            threading.Timer(0.3, camera.close).start()
            assert "found it closed" in error_text(lost(lambda: camera.frame(time.monotonic() + LONG_S)))
        for thread in [one for one in threading.enumerate() if one.name == "network-camera"]:
            thread.join(LONG_S)
            assert not thread.is_alive()

    def test_settings_that_it_cannot_be_told_are_told(self):
        with opened(served("mjpeg")[1], gain=2.0, focus_m=0.9) as camera:
            assert len(camera.notices) == 2


def test_pictures_are_not_turned_as_the_phone_believes_to_be_held():
    upright = jpeg(0.0)
    exif = bytes.fromhex("ffe1002245786966000049492a0008000000010012010300010000000600000000000000")
    server, url = served("still")
    stills = iter(range(1, 1000))
    server.still = lambda: upright[:2] + exif + jpeg(float(next(stills)))[2:]
    with opened(url, lag_s=0.0) as camera:
        assert camera.frame(time.monotonic()).picture.shape == (480, 640, 3)


def test_what_it_reports_shows_nothing_secret():
    _, url = served("mjpeg")
    with opened(url + "?pwd=s3cret") as camera:
        all_new(camera, 1)
        report = replace(camera.report, per_second=0.0)
    assert report == Report(url.removesuffix("/video"), Notice("camera.way_mjpeg"), 0.0, 0, LAG_S, False)
