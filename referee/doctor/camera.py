"""Checks of the camera: whether pictures are fresh, how fast they come, whether tiles are read, and the sensor.

A sensor without an infrared filter, or with HDR, falsifies colours or prints.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from referee.cli.parts import from_settings as build
from referee.cli.parts.lens_profiles import Optics
from referee.devices.camera.camera import Camera, Flaw, Now
from referee.devices.camera.network.camera import NetworkCamera, Report
from referee.devices.camera.pi_camera import PiCamera, check
from referee.devices.camera.usb_camera import UsbCamera
from referee.doctor.finding import STOP_SERVICE, Finding, attention, ok, together, wrong
from referee.doctor.measure import Flicker, flicker
from referee.errors import CameraLost, CannotJudge, Loss
from referee.game.notice import Notice, Value
from referee.game.tiles import TileSet
from referee.i18n import error_text
from referee.settings.settings import CameraSettings
from referee.vision.sighting import Image, Reader

FEW_PER_S = 4.0
"""If a stream has fewer pictures per second, the table is watched less often than the settings usually ask for."""
DEVICES = Path("/dev")
GET_CONTROL = 0xC008561B
"""VIDIOC_G_CTRL of linux/videodev2.h. Its argument is a struct of the number of a control and its value."""
WIDE_DYNAMIC_RANGE = 0x009A0915
"""V4L2_CID_WIDE_DYNAMIC_RANGE of linux/v4l2-controls.h: the HDR that a Camera Module 3 makes by itself."""
_CONTROL = struct.Struct("=Ii")
Ioctl = Callable[[int, int, bytes], bytes]
APART_S = 0.33
"""Seconds between the two pictures that are compared; not a multiple of the mains period."""
SMALLER = 0.9
"""If a picture has less than this fraction of the width asked for, the camera is in another mode."""
SLOW_READ_S = 1.0
"""Seconds after which players begin to wonder whether their press was noticed."""


def check_network(found: Report) -> Iterator[Finding]:
    """Yield findings about how the pictures of a network camera arrive."""
    figures = {"per_second": round(found.per_second, 1), "lag_s": found.lag_s, "renewed": found.renewed}
    told: dict[str, Value] = {"way": found.way, "place": found.place, "lag": found.lag_s}
    if found.per_second:
        text = Notice("machine.pictures_come_often", **told, rate=found.per_second)
    else:
        text = Notice("machine.pictures_come", **told)
    yield ok("network camera", text, **figures)
    if found.renewed:
        yield attention("network camera", Notice("machine.pictures_wait"), Notice("machine.fewer_on_phone"))
    elif 0 < found.per_second < FEW_PER_S:
        few = Notice("machine.pictures_few", rate=found.per_second)
        yield attention("network camera", few, Notice("machine.more_on_phone"))
    if found.readable_password:
        yield attention("network camera", Notice("machine.password_readable"), Notice("machine.use_https"))


def what_to_do_on_phone(error: Exception) -> Notice:
    """Return what to do about a network camera that could not be opened, or was lost meanwhile."""
    match error.kind if isinstance(error, CameraLost) else None:
        case Loss.BUSY:
            return Notice("machine.close_other_viewers")
        case Loss.ABSENT:
            return Notice("machine.start_phone")
        case Loss.SILENT:
            return Notice("machine.phone_to_front")
    return Notice("machine.correct_camera")


def judge_sensor(sensor: str, hdr: Path | None) -> Iterator[Finding]:
    """Yield findings about a sensor that is not suitable for colours.

    `sensor` is its name in libcamera, and `hdr` is the result of `hdr_device`.
    """
    if sensor.endswith("_noir"):
        yield attention(
            "camera filter", Notice("machine.no_infrared_filter", sensor=sensor), Notice("machine.take_filter")
        )
    if hdr is not None:
        yield attention("camera HDR", Notice("machine.hdr_on"), Notice("machine.hdr_off", device=str(hdr)))


def hdr_device(devices: Path = DEVICES, ioctl: Ioctl = fcntl.ioctl) -> Path | None:
    """Return the sensor whose HDR is switched on; None if there is none, or if none can be asked."""
    for device in sorted(devices.glob("v4l-subdev*")):
        if _hdr_is_on(device, ioctl):
            return device
    return None


def _hdr_is_on(device: Path, ioctl: Ioctl) -> bool:
    """Return whether a sensor's HDR is on; False for other parts of the camera, which do not support the question."""
    try:
        handle = os.open(device, os.O_RDWR)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EBUSY):
            return False
        raise
    try:
        _, value = _CONTROL.unpack(ioctl(handle, GET_CONTROL, _CONTROL.pack(WIDE_DYNAMIC_RANGE, 0)))
    except OSError:
        return False
    finally:
        os.close(handle)
    return bool(value)


@dataclass(frozen=True, slots=True)
class Capture:
    """What was taken from a camera: two pictures of one table, and the seconds for opening and the first picture."""

    picture: Image
    other: Image
    opening_s: float
    picture_s: float
    troubles: tuple[Notice, ...] = ()
    locked: Mapping[str, Any] | None = None
    notices: tuple[Flaw, ...] = ()
    optics: Optics = field(default_factory=Optics)
    hdr: Path | None = None
    """The sensor of a Pi camera whose HDR is switched on."""
    report: Report | None = None
    """How a network camera was reached."""

    @property
    def flicker(self) -> Flicker | None:
        """How the light changed; None if both pictures are identical, as from a file."""
        if self.picture.shape != self.other.shape or np.array_equal(self.picture, self.other):
            return None
        return flicker(self.picture, self.other)


def open_bare_camera(settings: CameraSettings, now: Now) -> Camera:
    """Open the camera of the settings directly, so that it reports what it locked and what it could not."""
    return build.opener(settings, now)()


def take_capture(open_camera: Callable[[], Camera], now: Now) -> Capture:
    """Open a camera, take all that the checks need, and close it.

    Raises CameraLost, or BadInput for a bad source.
    """
    began = now()
    camera = open_camera()
    try:
        ready = now()
        first = camera.frame(ready)
        at = now()
        other = camera.frame(at + APART_S)
        over = camera if isinstance(camera, NetworkCamera) else None
        troubles = check(camera, now, 0.0 if over is None else over.report.lag_s)
        locked = camera.locked if isinstance(camera, PiCamera) else None
        notices = camera.notices if isinstance(camera, PiCamera | UsbCamera | NetworkCamera) else ()
        known = build.optics_of(camera, (first.picture.shape[1], first.picture.shape[0]))
        report = None if over is None else over.report
        hdr = hdr_device() if isinstance(camera, PiCamera) else None
        return Capture(
            first.picture, other.picture, ready - began, at - ready, troubles, locked, notices, known, hdr, report
        )
    finally:
        camera.close()


def judge_camera(found: Capture, settings: CameraSettings) -> Iterator[Finding]:
    """Yield findings about the camera from its pictures."""
    height, width = found.picture.shape[:2]
    figures = {
        "width_px": width,
        "height_px": height,
        "opening_s": round(found.opening_s, 2),
        "picture_s": round(found.picture_s, 3),
    }
    if found.troubles and found.report is not None:
        yield wrong("camera", _troubles(found), Notice("machine.look_in_browser"), **figures)
    elif found.troubles:
        yield wrong("camera", _troubles(found), Notice("machine.check_lens"), **figures)
    else:
        text = Notice(
            "machine.camera_fresh", kind=settings.kind, width=width, height=height, seconds=found.picture_s
        )  # fmt: skip
        yield ok("camera", text, **figures)
    small = Notice("machine.camera_small", width=width, wanted=settings.width_px)
    if settings.kind in ("pi", "usb") and width < SMALLER * settings.width_px:
        yield attention("camera size", small, Notice("machine.set_camera_size"))
    if settings.kind == "network" and width < SMALLER * settings.width_px:
        yield attention("camera size", small, Notice("machine.larger_on_phone"))
    if found.report is not None:
        yield from check_network(found.report)
    for flaw in found.notices:
        yield attention("camera settings", flaw.found, flaw.do)
    yield from judge_sensor(found.optics.sensor, found.hdr)
    if found.locked is not None:
        yield _lock(found.locked)


def _troubles(found: Capture) -> Notice:
    return together(*found.troubles)


def _lock(locked: Mapping[str, Any]) -> Finding:
    exposure, gain = locked.get("ExposureTime", 0) / 1000, float(locked.get("AnalogueGain", 0))
    lens = locked.get("LensPosition")
    figures = {"exposure_ms": round(exposure, 2), "gain": round(gain, 2)}
    if lens is None:
        return ok("camera lock", Notice("machine.locked", exposure=exposure, gain=gain), **figures)
    focus = 1 / float(lens) if float(lens) > 0 else float("inf")
    text = Notice("machine.locked_with_focus", focus=focus, exposure=exposure, gain=gain)
    return ok("camera lock", text, **figures, focus_m=round(focus, 2) if focus < 100 else None)


def tiles(
    reader: Reader, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], now: Now
) -> Iterator[Finding]:
    """Yield findings about whether the tiles that happen to be in the picture can be read."""
    began = now()
    try:
        sighting = reader.read(picture, tileset, table_mm)
    except CannotJudge as error:
        text = Notice("doctor.table_unread", why=error_text(error))
        yield wrong("tiles", text, Notice("doctor.markers_right_first"))
        return
    seconds, reads, doubts = now() - began, len(sighting.reads), len(sighting.doubts)
    figures = {"tiles": reads, "doubtful": doubts, "seconds": round(seconds, 3)}
    if not reads:
        yield ok("tiles", Notice("doctor.no_tile_found"), **figures)
    elif doubts > max(1, reads // 20):
        text = Notice("doctor.tiles_doubted", tiles=reads, doubts=doubts)
        yield attention("tiles", text, Notice("doctor.help_reading"), **figures)
    else:
        yield ok("tiles", Notice("doctor.tiles_read", tiles=reads, seconds=seconds, doubts=doubts), **figures)


_ADVICE = {
    Loss.BUSY: STOP_SERVICE,
    Loss.ABSENT: Notice("machine.plug_and_settings"),
    Loss.SILENT: Notice("machine.push_cable_in"),
    Loss.STUCK: Notice("machine.count_to_ten"),
    Loss.UNUSABLE: Notice("machine.install_missing"),
}


def what_to_do(error: Exception, kind: str = "") -> Notice:
    """Return what to do about a camera of this kind that could not be opened, or was lost meanwhile."""
    if kind == "network":
        return what_to_do_on_phone(error)
    if kind in ("folder", "video"):
        return Notice("machine.check_source")
    usual = Notice("machine.cable_and_settings")
    return _ADVICE.get(error.kind, usual) if isinstance(error, CameraLost) and error.kind is not None else usual
