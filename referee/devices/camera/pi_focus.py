"""The focus of the Pi camera's lens: it follows from the mount's height, and is refined by a scan of the markers.

picamera2's own job for a scan is not suitable: it ends only if the scan succeeds, and if it times out, it stays in the
queue before every picture. Here the scan is followed in the metadata of the pictures. So a scan without an end can be
distinguished from a camera without pictures.

The numbers and units of libcamera's controls and metadata are compared with libcamera itself wherever that can be
imported: tests/devices/camera/test_picamera2_contract.py.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.devices.camera.camera import Flaw, Place
from referee.game.notice import Notice

AF_MANUAL, AF_AUTO = 0, 1
"""AfMode: the lens stays where it is set, or scans when a scan is triggered."""
AF_START = 0
"""AfTrigger: begin a scan."""
AF_BY_WINDOWS = 1
"""AfMetering: by AfWindows instead of the middle of the picture."""
AF_FOCUSED, AF_FAILED = 2, 3
"""AfState once a scan is over; it stays until the next one. Idle is 0, scanning 1."""
AE_HIGHLIGHT = 1
"""AeConstraintMode: bright parts must not be clipped, even if everything else gets darker."""

ENUMS = {
    "AfModeEnum": {"Manual": AF_MANUAL, "Auto": AF_AUTO},
    "AfTriggerEnum": {"Start": AF_START},
    "AfMeteringEnum": {"Windows": AF_BY_WINDOWS},
    "AfStateEnum": {"Focused": AF_FOCUSED, "Failed": AF_FAILED},
    "AeConstraintModeEnum": {"Highlight": AE_HIGHLIGHT},
}
"""The names of these values in libcamera's Python module."""

SET = (
    "AeConstraintMode", "AeEnable", "AfMetering", "AfMode", "AfTrigger", "AfWindows", "AnalogueGain", "AwbEnable",
    "ColourGains", "ExposureTime", "FrameDurationLimits", "LensPosition",
)  # fmt: skip
"""Every control that the adapter sets."""
FOCUSING = ("AfMetering", "AfMode", "AfTrigger", "AfWindows", "LensPosition")
"""Those controls that only a module with a focus motor has."""
READ = (
    "AfState", "AnalogueGain", "ColourGains", "ExposureTime", "FrameDuration", "LensPosition", "ScalerCrop",
    "SensorTimestamp",
)  # fmt: skip
"""Every field of the metadata that the adapter reads."""


USUAL_M = 0.92
"""Metres from the lens to the tiles on the mount of hardware/."""
REFINES = 1.0
"""Dioptres by which the result of a scan may differ from the geometry. Modules differ by this much; anything further
off is not the table."""
SCAN_S, SCAN_FRAMES = 6.0, 130
"""A scan is given up after SCAN_S seconds or SCAN_FRAMES frames, whichever takes longer. One that fails takes up to
120 frames, whatever the exposure."""
LONGEST_SCAN_S = 12.0
"""A scan is given up after this many seconds in any case. This is less than a job of the worker may take."""
MOST_WINDOWS = 10
"""The most windows for a scan; libcamera ignores any more."""

Metadata = Mapping[str, Any]
Window = tuple[int, int, int, int]
"""Left, top, width and height, in pixels of the sensor."""


class Scan(enum.Enum):
    """How a scan ended."""

    FOUND = enum.auto()
    FAILED = enum.auto()
    ENDLESS = enum.auto()
    """It was still under way when its time was up."""
    FAR_OFF = enum.auto()
    """It focused on something that cannot be the table."""


def geometric(focus_m: float, limits: tuple[float, float, Any] | None = None) -> float:
    """Return the lens position in dioptres for a distance in metres, within the limits of the module."""
    position = 1 / (focus_m or USUAL_M)
    return position if limits is None else min(max(position, float(limits[0])), float(limits[1]))


def windows(places: Sequence[Place], found: Metadata) -> list[Window]:
    """Return parts of the picture as windows for the scan; none if the metadata do not state the part of the sensor.

    No window is empty. If there are too many, the smallest are left out.
    """
    crop = found.get("ScalerCrop")
    if crop is None or len(tuple(crop)) != 4:
        return []
    left, top, width, height = (int(one) for one in tuple(crop))
    made = [
        (
            left + round(place.x * width),
            top + round(place.y * height),
            max(1, round(place.width * width)),
            max(1, round(place.height * height)),
        )
        for place in places
    ]
    return sorted(made, key=lambda window: -window[2] * window[3])[:MOST_WINDOWS]


def scan_controls(at: Sequence[Window]) -> dict[str, Any]:
    """Return the controls that begin a scan of these windows."""
    return {"AfMode": AF_AUTO, "AfMetering": AF_BY_WINDOWS, "AfWindows": list(at), "AfTrigger": AF_START}


def watch(take: Callable[[], Metadata], now: Callable[[], float], start: float) -> tuple[Scan, float]:
    """Wait until a scan that has just begun is over; return how it ended, and the position of the lens in dioptres.

    `take` returns the metadata of the next picture, and raises CameraLost if none comes. `start` is the position that
    follows from the geometry, in dioptres.
    """
    began, scanning, position = now(), 0.0, start
    while True:
        found = take()
        position = float(found.get("LensPosition", position))
        state = found.get("AfState")
        if state is not None and int(state) == AF_FOCUSED:
            return (Scan.FOUND if abs(position - start) <= REFINES else Scan.FAR_OFF), position
        if state is not None and int(state) == AF_FAILED:
            return Scan.FAILED, position
        scanning = now() - began
        frame_s = float(found.get("FrameDuration", 0)) / 1e6
        if scanning > min(LONGEST_SCAN_S, max(SCAN_S, SCAN_FRAMES * frame_s)):
            return Scan.ENDLESS, position


_TOLD = {
    Scan.FAILED: "camera.focus_failed",
    Scan.ENDLESS: "camera.focus_endless",
    Scan.FAR_OFF: "camera.focus_far_off",
}


def flaw_of_scan(ended: Scan, focus_m: float) -> Flaw | None:
    """Return what people should know about a scan; None if it went well."""
    if ended not in _TOLD:
        return None
    return Flaw(Notice(_TOLD[ended], metres=focus_m or USUAL_M), Notice("camera.clean_lens"))
