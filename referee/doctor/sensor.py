"""Features of a Pi camera's sensor that falsify colours or prints: no infrared filter, and HDR."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

from referee.doctor.finding import Finding, attention
from referee.game.notice import Notice

DEVICES = Path("/dev")
GET_CONTROL = 0xC008561B
"""VIDIOC_G_CTRL of linux/videodev2.h, for a struct of the control's number and its value,"""
WIDE_DYNAMIC_RANGE = 0x009A0915
"""and V4L2_CID_WIDE_DYNAMIC_RANGE of linux/v4l2-controls.h: the HDR that a Camera Module 3 makes by itself."""
_CONTROL = struct.Struct("=Ii")

Ioctl = Callable[[int, int, bytes], bytes]


def judge_sensor(sensor: str, hdr: Path | None) -> Iterator[Finding]:
    """Check whether this sensor is one for colours; `sensor` is its name in libcamera, `hdr` as by `hdr_device`."""
    if sensor.endswith("_noir"):
        yield attention(
            "camera filter", Notice("machine.no_infrared_filter", sensor=sensor), Notice("machine.take_filter")
        )
    if hdr is not None:
        yield attention("camera HDR", Notice("machine.hdr_on"), Notice("machine.hdr_off", device=str(hdr)))


def hdr_device(devices: Path = DEVICES, ioctl: Ioctl = fcntl.ioctl) -> Path | None:
    """Return the sensor whose HDR is switched on; None where there is none, or nothing can be asked."""
    for device in sorted(devices.glob("v4l-subdev*")):
        if _hdr_is_on(device, ioctl):
            return device
    return None


def _hdr_is_on(device: Path, ioctl: Ioctl) -> bool:
    """Return whether a sensor's HDR is on; other parts of the camera do not support the question."""
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
