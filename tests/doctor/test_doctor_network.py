"""A phone before the doctor: how its pictures come, what is wrong with that, and that nothing secret is told."""

import time
from dataclasses import replace

import numpy as np
import pytest

from referee.cli.parts import from_settings as build
from referee.cli.parts.box_knowledge import same_camera
from referee.devices.camera.camera import Flaw, Frame, to_small_grey
from referee.devices.camera.network.camera import NetworkCamera, Report
from referee.doctor.camera import check_network, judge_camera, take_capture, what_to_do
from referee.doctor.finding import Result
from referee.errors import BadInput, CameraLost, Loss
from referee.game.notice import Notice
from referee.i18n import ENGLISH, error_text
from referee.settings.settings import CameraSettings
from tests.support.errors import telling

REPORT = Report("http://192.168.1.20:8080", Notice("camera.way_mjpeg"), 14.6, 0, 1.0, False)
SETTINGS = CameraSettings(kind="network", source="http://anna:s3cret@192.168.1.20:8080/?pwd=s3cret", width_px=640)


class Phone(NetworkCamera):
    """One that needs no network."""

    def __init__(self, report=REPORT, late_s=0.0):
        self._report, self.t, self._late_s = report, 100.0, late_s
        self.notices = (Flaw(Notice("camera.net_not_told", setting="gain"), Notice("camera.leave_it_out")),)

    @property
    def report(self):
        return self._report

    def now(self):
        return self.t

    def frame(self, after):
        self.t = max(self.t, after) + 1.1 + self._late_s
        rows = np.arange(480 * 640 * 3, dtype=np.uint32).reshape(480, 640, 3)
        return Frame((rows * int(self.t * 10) % 251).astype(np.uint8), after)

    def preview(self, after):
        return to_small_grey(self.frame(after).picture, 160)

    def close(self):
        pass


def judged(phone, settings=SETTINGS):
    return list(judge_camera(take_capture(lambda: phone, phone.now), settings))


def test_it_says_how_the_pictures_come_and_how_late_they_may_be():
    found = {one.check: one for one in judged(Phone())}
    assert found["camera"].result is Result.OK
    assert "a stream (MJPEG) from http://192.168.1.20:8080, about 15 a second" in ENGLISH(
        found["network camera"].found
    )
    assert found["network camera"].figures == {"per_second": 14.6, "lag_s": 1.0, "renewed": 0}
    assert "gain" in ENGLISH(found["camera settings"].found)
    assert not any("s3cret" in str(one.to_json()) for one in found.values())


def test_a_lag_that_is_set_is_not_called_slow_and_more_than_that_is():
    slow = {one.check: one for one in judged(Phone(late_s=2.0))}["camera"]
    assert slow.result is Result.WRONG
    assert "1.3 s is usual" in ENGLISH(slow.found)
    assert "browser" in ENGLISH(slow.do)


def test_small_pictures_are_told_with_where_to_choose_others():
    found = {one.check: one for one in judged(Phone(), replace(SETTINGS, width_px=1920))}["camera size"]
    assert "phone's app" in ENGLISH(found.do)


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (replace(REPORT, renewed=3), "are delayed"),
        (replace(REPORT, per_second=1.5), "Only 1.5 pictures"),
        (replace(REPORT, readable_password=True), "unencrypted"),
    ],
)
def test_what_could_be_better_is_told(report, words):
    assert [words in ENGLISH(one.found) for one in check_network(report)] == [False, True]
    assert list(check_network(report))[1].result is Result.ATTENTION


def test_stills_have_no_rate_of_their_own():
    assert [one.result for one in check_network(replace(REPORT, way=Notice("camera.way_stills"), per_second=0.0))] == [
        Result.OK
    ]


def test_what_to_do_fits_a_phone():
    texts = {ENGLISH(what_to_do(CameraLost("lost", kind), "network")) for kind in Loss}
    assert len(texts) == 4
    assert not any("Pi" in text or "cable" in text for text in texts)


class TestSettingsToCamera:
    def test_every_setting_arrives(self, monkeypatch):
        given = []
        monkeypatch.setattr(build, "NetworkCamera", lambda settings, **_: given.append(settings) or Phone())
        settings = replace(SETTINGS, user="bob", certificate="ab" * 32, anywhere=True, lag_s=0.4, timeout_s=2.0)
        build.opener(settings, time.monotonic)()
        assert (given[0].user, given[0].certificate, given[0].lag_s) == ("bob", "ab" * 32, 0.4)
        assert (given[0].anywhere, given[0].timeout_s, given[0].source) == (True, 2.0, SETTINGS.source)

    @pytest.mark.parametrize("kind", ["usb", "folder", "video", "network"])
    def test_an_address_that_does_not_fit_is_told_without_being_shown(self, kind):
        source = SETTINGS.source.replace("http", "ftp") if kind == "network" else SETTINGS.source
        with telling(BadInput, match="found an address|found one that does not begin with") as caught:
            build.opener(replace(SETTINGS, kind=kind, source=source), time.monotonic)
        assert "s3cret" not in f"{caught.value!r} {error_text(caught.value)}"

    def test_they_show_neither_address_nor_password(self):
        assert "s3cret" not in repr(replace(SETTINGS, password="s3cret"))  # noqa: S106 - nobody's

    def test_nor_does_the_file_of_the_evening(self):
        assert same_camera(SETTINGS) == "network http://192.168.1.20:8080 640x1296"
