"""The real picamera2 and libcamera on libcamera's virtual camera, with what a Pi's camera has over it put on top.

Untouched: opening, configuring, buffers, the event loop, jobs, waits, flush, release, stop and close.
Put on top: controls and metadata of a Camera Module 3 (imx708.py); the pace of the frames; NV12, the only format that
the virtual camera has, is turned into the one that was asked for; `shown` is laid into the buffers where it is set.
"""

import importlib.util
import sys
import time
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from imx708 import LIMITS, Sensor


def _absent(name: str, *classes: str) -> None:
    """Let a package that picamera2 only imports be imported."""
    if importlib.util.find_spec(name.split(".", maxsplit=1)[0]) is None or name in sys.modules:
        module = ModuleType(name)
        for one in classes:
            setattr(module, one, type(one, (), {}))
        sys.modules[name] = module


for _name, _classes in {
    "pidng.core": ("PICAM2DNG",), "pidng.camdefs": ("Picamera2Camera",), "pidng": (), "pykms": ("PixelFormat",),
}.items():  # fmt: skip
    _absent(_name, *_classes)
for _format in ("RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "YVU420", "NV12"):
    setattr(sys.modules["pykms"].PixelFormat, _format, _format)

import cv2  # noqa: E402
import libcamera  # noqa: E402
import picamera2  # noqa: E402
from picamera2 import request as requests  # noqa: E402
from picamera2.allocators import dmaallocator  # noqa: E402
from picamera2.controls import Controls  # noqa: E402
from picamera2.picamera2 import CameraManager, Picamera2  # noqa: E402
from picamera2.request import CompletedRequest  # noqa: E402

FRAME_S = 1 / 30
STUCK_S = 0.02

sensor = Sensor()
_formats: dict[str, str] = {}
"""What each stream was asked for."""
_shown: dict[int, np.ndarray] = {}
"""The picture that the sensor sees, as NV12, by width."""


def show(picture: np.ndarray) -> None:
    """Let the sensor see a picture (H, W, 3) BGR of the main stream's size from the next frame on."""
    _shown.update({one.shape[1]: _nv12(one) for one in (picture, cv2.resize(picture, (576, 324)))})


def _nv12(picture: np.ndarray) -> np.ndarray:
    height, width = picture.shape[:2]
    planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
    colours = planes[height:].reshape(2, -1)
    return np.vstack([planes[:height], colours.T.reshape(height // 2, width)])


# Controls and metadata.

_EXTRA = {
    name: (getattr(libcamera.controls, name), SimpleNamespace(min=low, max=high, default=usual))
    for name, (low, high, usual) in LIMITS.items()
    if hasattr(libcamera.controls, name)
}


def _controls_of(self: Picamera2) -> dict[str, Any]:
    return self.__dict__.setdefault("_ctrl_info", dict(_EXTRA))


def _set_controls_of(self: Picamera2, value: dict[str, Any] | None) -> None:
    there = _EXTRA if self.__dict__.get("is_open") is not None else {}  # filled anew whenever it configures
    self.__dict__["_ctrl_info"] = there | (value or {})


Picamera2.camera_ctrl_info = property(_controls_of, _set_controls_of)
Picamera2._get_raw_modes = lambda _: [{"format": "NV12", "size": (2304, 1296)}]  # it has no raw stream
_real_controls = Controls.get_libcamera_controls


def _controls(self: Controls) -> dict[Any, Any]:
    """Everything is converted by the real one, then obeyed by the sensor; the virtual camera knows none of it."""
    found = _real_controls(self)
    sensor.take({one.name: value for one, value in found.items()}, at_once=not self._picam2.started)
    return {}


Controls.get_libcamera_controls = _controls
_real_init = CompletedRequest.__init__


def _completed(self: CompletedRequest, request: Any, picam2: Picamera2) -> None:
    found = sensor.frame()
    time.sleep(max(FRAME_S, found["FrameDuration"] / 1e6))  # in the thread that listens to libcamera: its pace
    self._found = found | {"SensorTimestamp": time.monotonic_ns()}
    _real_init(self, request, picam2)
    for name, stream in self.config.items():
        if name in _formats and (there := _shown.get(stream["size"][0])) is not None:
            with requests._MappedBuffer(self, name) as buffer:
                np.frombuffer(buffer, np.uint8).reshape(there.shape[0], -1)[:, : there.shape[1]] = there


CompletedRequest.__init__ = _completed
_real_metadata = CompletedRequest.get_metadata
CompletedRequest.get_metadata = lambda self: _real_metadata(self) | self._found
_real_handle = CameraManager.handle_request


def _handle(self: CameraManager, flushid: int | None = None) -> None:
    if sensor.stuck.is_set() and flushid is None:
        time.sleep(STUCK_S)  # the frames stay with libcamera
        return
    _real_handle(self, flushid)


CameraManager.handle_request = _handle


# Formats.


def _two_planes(planes: list[Any]) -> Any:
    """NV12 as the virtual camera writes it; for a Pi's camera the whole picture is one plane."""
    light, colours = planes[0], _FrameBuffer.Plane()
    third = light.length // 3
    colours.fd, colours.offset, colours.length, light.length = light.fd, 2 * third, third, 2 * third
    return _FrameBuffer([light, colours])


_FrameBuffer = libcamera.FrameBuffer
_two_planes.Plane = _FrameBuffer.Plane
dmaallocator.libcamera = SimpleNamespace(FrameBuffer=_two_planes)
_real_configure = Picamera2.configure_


def _configure(self: Picamera2, config: Any) -> Any:
    asked = config if isinstance(config, dict) else self.video_configuration.make_dict()
    _formats.clear()
    _formats.update({name: asked[name]["format"] for name in ("main", "lores") if asked.get(name)})
    sensor.begin()
    return _real_configure(self, config)


Picamera2.configure_ = _configure
_real_array = CompletedRequest.make_array


def _array(self: CompletedRequest, name: str) -> np.ndarray:
    if self.config[name]["format"] != "NV12":
        return _real_array(self, name)
    width, height = self.config[name]["size"]
    found = self.make_buffer(name).reshape(height * 3 // 2, -1)[:, :width]
    picture = cv2.cvtColor(found, cv2.COLOR_YUV2BGR_NV12)
    return picture if _formats[name] == "RGB888" else cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)


CompletedRequest.make_array = _array
__all__ = ["picamera2", "sensor", "show"]
