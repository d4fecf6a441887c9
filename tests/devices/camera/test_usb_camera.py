"""The USB camera: every call in its own thread, its automatics switched off, no frame from before the press."""

import os
import subprocess
import sys

import cv2
import pytest
from camera_doubles import Clock, UsbDevice, usb

from referee.cli.terminal.common import Code
from referee.errors import CameraLost, Loss
from referee.i18n import ENGLISH
from tests.support.errors import telling

AUTO = {cv2.CAP_PROP_AUTOFOCUS: "focus", cv2.CAP_PROP_AUTO_WB: "white balance"}


@pytest.mark.parametrize("buffers", [1, 4])
def test_frames_that_were_kept_or_under_way_are_dropped(buffers):
    clock = Clock()
    device = UsbDevice(clock, buffers=buffers)
    camera = usb(clock, device)
    for pause in (0.0, 0.01, 0.5, 3.0):
        clock.t += pause
        after = clock.t
        frame = camera.frame(after)
        assert after <= frame.t <= device.shown_from
    camera.close()


def test_every_call_comes_in_one_thread():
    clock = Clock()
    device = UsbDevice(clock)
    camera = usb(clock, device)
    camera.frame(clock.t)
    camera.preview(clock.t)
    camera.close()
    assert device.released.wait(5)
    assert device.trespasses == []


def test_a_camera_that_hangs_is_lost_after_its_time_and_let_go_by_its_own_thread():
    clock = Clock()
    device = UsbDevice(clock)
    camera = usb(clock, device, timeout_s=0.05)
    device.hangs.set()
    with telling(CameraLost, match=r"within 0\.05 s") as caught:
        camera.frame(clock.t)
    assert caught.value.kind is Loss.SILENT
    assert not device.released.is_set()
    device.goes_on.set()
    assert device.released.wait(5)
    assert device.trespasses == []


def test_a_camera_that_hangs_while_it_is_opened_is_let_go_later(monkeypatch):
    monkeypatch.setattr("referee.devices.camera.usb_camera.OPENING_S", 0.05)
    clock = Clock()
    device = UsbDevice(clock)
    device.hangs.set()
    with telling(CameraLost, match="found none"):
        usb(clock, device, timeout_s=0.05)
    device.goes_on.set()
    assert device.released.wait(5)
    assert device.trespasses == []


HANGS = """
import sys, threading
from referee.cli.main import main
from referee.cli.programs import opening
from referee.devices.camera import usb_camera
usb_camera.OPENING_S, opening.LATE_S = 0.1, 0.1
usb_camera.UsbCamera.__init__.__kwdefaults__["build"] = lambda number: threading.Event().wait()
sys.exit(main(sys.argv[1:]))
"""


def test_a_process_ends_though_the_driver_never_comes_back(tmp_path):
    arguments = [
        "play",
        "--set",
        "panel.kind=console",
        "--set",
        f"storage.state={tmp_path}",
        "--set",
        "camera.kind=usb",
    ]
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", HANGS, *arguments, "--set", "camera.timeout_s=0.5"],
        capture_output=True, text=True, check=False, timeout=20, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == Code.NO_CAMERA, done.stderr
    assert "expected a picture from USB camera 0 within 0.6 s, found none" in done.stderr


def test_closing_waits_for_the_release_and_closing_again_is_nothing():
    device = UsbDevice(Clock())
    camera = usb(device.clock, device)
    camera.close()
    assert device.released.is_set()
    camera.close()
    with telling(CameraLost, match="found it closed"):
        camera.frame(0.0)


@pytest.mark.parametrize(
    ("there", "kind", "told"),
    [
        (False, Loss.ABSENT, "USB camera with number 0, found none: check its cable"),
        (True, Loss.BUSY, "close other programs"),
    ],
)
def test_a_camera_that_does_not_open_is_absent_or_busy(there, kind, told):
    with telling(CameraLost, match=told) as caught:
        usb(Clock(), UsbDevice(Clock(), opened=False, there=there))
    assert caught.value.kind is kind


def test_a_camera_without_pictures_is_lost():
    clock = Clock()
    device = UsbDevice(clock)
    camera = usb(clock, device)
    device.ok = False
    with telling(CameraLost, match="check its cable"):
        camera.frame(clock.t)
    camera.close()


def test_what_opencv_raises_is_a_lost_camera():
    clock = Clock()
    device = UsbDevice(clock)
    camera = usb(clock, device)
    device.error = cv2.error("bad stream")
    with telling(CameraLost, match="USB camera 0, found"):
        camera.frame(clock.t)
    camera.close()


def test_the_compressed_format_comes_before_the_size():
    device = UsbDevice(Clock())
    usb(device.clock, device).close()
    keys = [key for key, _ in device.asked]
    assert keys.index(cv2.CAP_PROP_FOURCC) < keys.index(cv2.CAP_PROP_FRAME_WIDTH)
    assert device.settings[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")


def test_the_automatics_settle_and_are_switched_off_then():
    device = UsbDevice(Clock())
    camera = usb(device.clock, device)
    assert device.clock.t >= 101.5
    assert [device.settings[key] for key in (*AUTO, cv2.CAP_PROP_AUTO_EXPOSURE)] == [0, 0, 1]
    assert device.settings[cv2.CAP_PROP_EXPOSURE] == 312
    assert camera.notices == ()
    camera.close()


def test_an_opening_in_mid_match_sets_again_what_was_fixed_before():
    first = UsbDevice(Clock())
    first.settings |= {cv2.CAP_PROP_FOCUS: 40.0, cv2.CAP_PROP_WB_TEMPERATURE: 4100.0}
    camera = usb(first.clock, first)
    camera.close()
    device = UsbDevice(Clock())
    again = usb(device.clock, device, camera.fixed)
    assert again.fixed == camera.fixed
    assert set(camera.fixed.values()) == {40.0, 4100.0, 312.0}
    assert not {(key, 1) for key in AUTO} & set(device.asked)
    assert device.clock.t < 101.0
    again.close()


def test_what_the_camera_goes_on_setting_by_itself_is_not_kept():
    device = UsbDevice(Clock(), keeps=(cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_AUTO_EXPOSURE))
    device.settings |= {cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_FOCUS: 40.0}
    camera = usb(device.clock, device)
    assert camera.fixed == {}
    camera.close()


@pytest.mark.parametrize("key", AUTO)
def test_an_automatic_that_cannot_be_switched_off_is_told(key):
    device = UsbDevice(Clock(), keeps=(key,))
    device.settings[key] = 1.0
    camera = usb(device.clock, device)
    assert [ENGLISH(flaw.found) for flaw in camera.notices] == [
        f"The USB camera keeps changing its {AUTO[key]} by itself."
    ]
    camera.close()


def test_a_camera_that_has_no_such_automatic_is_as_good():
    device = UsbDevice(Clock(), keeps=tuple(AUTO))
    camera = usb(device.clock, device)
    assert camera.notices == ()
    camera.close()


@pytest.mark.parametrize("faults", [{"keeps": (cv2.CAP_PROP_AUTO_EXPOSURE,)}, {"fixed_dark": True}])
def test_an_exposure_that_cannot_be_kept_stays_automatic_and_is_told(faults):
    device = UsbDevice(Clock(), **faults)
    camera = usb(device.clock, device)
    assert [ENGLISH(flaw.found) for flaw in camera.notices] == [
        "The USB camera keeps changing its exposure by itself."
    ]
    assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    camera.close()


def test_an_exposure_that_was_asked_for_is_set_and_read_back():
    device = UsbDevice(Clock())
    camera = usb(device.clock, device, exposure_ms=20.0)
    assert device.settings[cv2.CAP_PROP_EXPOSURE] == 200
    assert camera.notices == ()
    camera.close()
    stubborn = UsbDevice(Clock(), keeps=(cv2.CAP_PROP_EXPOSURE,))
    camera = usb(stubborn.clock, stubborn, exposure_ms=20.0)
    assert "does not keep an exposure of 20 ms: it reports 31.2 ms" in ENGLISH(camera.notices[0].found)
    camera.close()


def test_settings_that_no_usb_camera_knows_are_told():
    device = UsbDevice(Clock())
    camera = usb(device.clock, device, focus_m=0.9, gain=2.0)
    assert [ENGLISH(flaw.found) for flaw in camera.notices] == [
        "[camera] focus_m cannot be set on a USB camera; it is ignored.",
        "[camera] gain cannot be set on a USB camera; it is ignored.",
    ]
    camera.close()


def test_a_camera_without_the_compressed_format_is_told():
    device = UsbDevice(Clock(), keeps=(cv2.CAP_PROP_FOURCC,))
    camera = usb(device.clock, device)
    assert "not offer MJPG" in ENGLISH(camera.notices[0].found)
    camera.close()


def test_a_picture_that_was_damaged_on_the_way_is_taken_again(capfd):
    """OpenCV decodes half a picture as if it were whole, and only prints that it was damaged."""
    device = UsbDevice(Clock())
    camera = usb(device.clock, device)
    whole, damaged = device.retrieve, []

    def retrieved():
        if len(damaged) < 2:
            damaged.append(device.shown_from)
            os.write(2, b"Corrupt JPEG data: premature end of data segment\n")
        return whole()

    device.retrieve = retrieved
    frame = camera.frame(device.clock.t)
    assert damaged[0] < damaged[1] < device.shown_from
    assert frame.t <= device.shown_from
    camera.close()
    assert capfd.readouterr().err == ""


def test_a_camera_whose_pictures_are_all_damaged_is_lost():
    device = UsbDevice(Clock())
    camera = usb(device.clock, device)
    whole = device.retrieve

    def retrieved():
        os.write(2, b"Premature end of JPEG file\n")
        return whole()

    device.retrieve = retrieved
    with telling(CameraLost, match="check its cable"):
        camera.frame(device.clock.t)
    camera.close()
