"""Opening picamera2: the first camera, an old version, none, one that is taken; and what its errors mean."""

import errno
import importlib.metadata
import os
import sys
from types import ModuleType

import pytest
from camera_doubles import Clock
from picamera2_double import module

from referee.devices.camera.pi_camera import PiCamera
from referee.devices.camera.pi_opening import explain_error, open_picamera2
from referee.devices.camera.pi_settings import PiSettings
from referee.errors import CameraLost, Loss
from referee.i18n import error_text
from tests.support.errors import telling


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
NO_CAMERA = 'No camera number 0 found - use "rpicam-hello --list-cameras" to check connected cameras'


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        pytest.param(RuntimeError(NO_CAMERA), Loss.ABSENT, "found none: pull the plug, check", id="none, 0.3.38"),
        pytest.param(IndexError("list index out of range"), Loss.ABSENT, "found none: pull", id="none, 0.3.36"),
        pytest.param(chained(DID_NOT_COMPLETE, BUSY), Loss.BUSY, "busy; close other programs", id="busy, 0.3.36"),
        pytest.param(chained(DID_NOT_COMPLETE, BUSY, named=False), Loss.BUSY, "close other", id="busy, 0.3.22"),
        pytest.param(OSError(errno.EBUSY, "Geraet belegt"), Loss.BUSY, "close other programs", id="busy by number"),
        pytest.param(chained(DID_NOT_COMPLETE, RuntimeError("no mode")), Loss.LOST, "found: no mode", id="another"),
        pytest.param(TimeoutError(), Loss.SILENT, "sends none", id="silent"),
        pytest.param(KeyError("AfState"), Loss.LOST, "found: KeyError: 'AfState'", id="key"),
        pytest.param(TypeError("no such argument"), Loss.LOST, "found: TypeError: no such argument", id="type"),
        pytest.param(
            ValueError("numpy.dtype size changed, may indicate binary incompatibility"),
            Loss.UNUSABLE, "do not let pip replace either", id="numpy",
        ),
        pytest.param(
            ModuleNotFoundError("No module named 'picamera2'", name="picamera2"),
            Loss.UNUSABLE, r"choose another camera \(\[camera\] kind\)$", id="no picamera2",
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

    with telling(CameraLost, match=told) as caught:
        PiCamera(PiSettings(), build=build)
    assert caught.value.kind is kind
    assert "\n" not in error_text(caught.value)


class TestOpening:
    def use(self, monkeypatch, found):
        monkeypatch.setitem(sys.modules, "picamera2", found)

    def test_the_first_camera_is_opened(self, monkeypatch):
        clock = Clock()
        self.use(monkeypatch, module(clock))
        camera = PiCamera(PiSettings(640, 480, 160), now=clock)
        assert camera.frame(clock.t).picture.shape == (480, 640, 3)
        camera.close()

    def test_without_picamera2_the_message_says_what_to_do(self):
        with telling(CameraLost, match="expected picamera2") as caught:
            open_picamera2()
        assert caught.value.kind is Loss.UNUSABLE

    def test_an_old_picamera2_is_told_with_its_version(self, monkeypatch):
        self.use(monkeypatch, module(Clock(), old=True))
        monkeypatch.setattr(importlib.metadata, "version", lambda _: "0.3.18")
        with pytest.raises(CameraLost) as caught:
            open_picamera2()
        assert error_text(caught.value) == (
            "expected picamera2 0.3.22 or newer, found 0.3.18: sudo apt update && sudo apt install python3-picamera2"
        )
        assert caught.value.kind is Loss.UNUSABLE

    def test_where_the_version_stands_nowhere_it_is_an_older_one(self, monkeypatch):
        self.use(monkeypatch, module(Clock(), old=True))
        with telling(CameraLost, match="found an older one: sudo apt update"):
            open_picamera2()

    def test_a_picamera2_that_cannot_be_loaded_is_told(self, monkeypatch):
        class Broken(ModuleType):
            def __getattr__(self, name):
                raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

        self.use(monkeypatch, Broken("picamera2"))
        with telling(CameraLost, match="numpy it was built for"):
            open_picamera2()

    def test_where_no_camera_is_none_is_constructed(self, monkeypatch):
        found = module(Clock(), cameras=0)
        self.use(monkeypatch, found)
        with telling(CameraLost, match="found none") as caught:
            open_picamera2()
        assert caught.value.kind is Loss.ABSENT
        assert found.Picamera2.made == []

    def test_a_webcam_alone_is_no_camera_at_the_connector(self, monkeypatch):
        found = module(Clock(), ids=("/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.2:1.0-046d:0825",))
        self.use(monkeypatch, found)
        with telling(CameraLost, match=r"found only a USB one: .* or set \[camera\] kind") as caught:
            open_picamera2()
        assert caught.value.kind is Loss.ABSENT
        assert found.Picamera2.made == []

    def test_a_webcam_beside_it_does_not_matter(self, monkeypatch):
        found = module(Clock(), ids=("/base/imx708@1a", "/base/scb/usb@0,0-1.2:1.0-046d:0825"))
        self.use(monkeypatch, found)
        assert open_picamera2().is_open

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
        assert explain_error(caught.value).kind is Loss.BUSY
        with telling(OSError, match="Bad file descriptor"):
            os.fstat(ends[0])
