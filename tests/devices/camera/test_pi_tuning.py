"""Tone curve and lens shading that no longer follow the pictures, wherever picamera2 has a tuning for the sensor."""

import os
import sys
from pathlib import Path

import pytest
from camera_doubles import Clock
from picamera2_double import module

from referee.devices.camera.pi_camera import PiCamera
from referee.devices.camera.pi_opening import VARIABLE, open_picamera2, without_adaptation
from referee.devices.camera.pi_settings import PiSettings

TUNING = {
    "version": 2.0,
    "target": "bcm2835",
    "algorithms": [
        {"rpi.black_level": {"black_level": 4096}},
        {"rpi.alsc": {"omega": 1.3, "n_iter": 100, "luminance_strength": 0.5}},
        {"rpi.contrast": {"ce_enable": 1, "gamma_curve": [0, 0, 65535, 65535]}},
    ],
}


def test_tone_curve_and_shading_stand_still_and_all_else_stays():
    changed = without_adaptation(TUNING)
    assert changed["algorithms"][1] == {"rpi.alsc": {"omega": 1.3, "n_iter": 0, "luminance_strength": 0.5}}
    assert changed["algorithms"][2]["rpi.contrast"]["ce_enable"] == 0
    assert changed["algorithms"][0] == TUNING["algorithms"][0]
    assert TUNING["algorithms"][2]["rpi.contrast"]["ce_enable"] == 1


@pytest.mark.parametrize(
    "tuning", [{}, {"algorithms": "none"}, {"algorithms": []}, {"rpi.contrast": {"ce_enable": 1}}]
)
def test_a_tuning_of_another_form_is_left_alone(tuning):
    assert without_adaptation(tuning) is None


class TestOpening:
    def opened(self, monkeypatch, **camera):
        found = module(Clock(), **camera)
        monkeypatch.setitem(sys.modules, "picamera2", found)
        device = open_picamera2()
        return found.Picamera2, device

    def test_libcamera_looks_for_cameras_once_more_with_it_and_never_with_a_file_that_is_gone(self, monkeypatch):
        kind, device = self.opened(monkeypatch, tuning=TUNING)
        assert [one["algorithms"][2]["rpi.contrast"]["ce_enable"] for one in kind._cm.tunings] == [0]
        assert device.tuning is not None
        assert not Path(device.tuning).exists()
        assert VARIABLE not in os.environ
        open_picamera2()  # the double refuses to look for cameras with a tuning that is gone

    def test_where_there_is_no_tuning_for_the_sensor_all_stays_as_it_is(self, monkeypatch):
        kind, device = self.opened(monkeypatch)
        assert (kind._cm.tunings, device.tuning) == ([], None)

    def test_one_tuning_is_not_for_two_cameras(self, monkeypatch):
        kind, _ = self.opened(monkeypatch, tuning=TUNING, ids=("/base/imx708@1a", "/base/imx708@1b"))
        assert kind._cm.tunings == []

    def test_nothing_is_looked_for_anew_under_a_camera_that_is_open(self, monkeypatch):
        found = module(Clock(), tuning=TUNING)
        monkeypatch.setitem(sys.modules, "picamera2", found)
        found.Picamera2._cm.cameras[0] = object()
        open_picamera2()
        assert found.Picamera2._cm.tunings == []

    def test_the_camera_works_as_before(self, monkeypatch):
        clock = Clock()
        monkeypatch.setitem(sys.modules, "picamera2", module(clock, tuning=TUNING))
        camera = PiCamera(PiSettings(640, 480, 160), now=clock)
        assert camera.frame(clock.t).picture.shape == (480, 640, 3)
        camera.close()
