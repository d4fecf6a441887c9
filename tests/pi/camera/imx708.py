"""The sensor and the lens of a Camera Module 3, as far as the virtual camera lacks them: numbers only, no pictures.

Times are counted in frames; names, units and ranges of controls and metadata are those that libcamera gives on a Pi.
"""

import threading
from typing import Any

FRAME_US = 33_333
DELAY = 5
"""Frames until a control shows in a picture."""
SCAN = 10
"""Frames that a scan takes which finds the focus,"""
FAILING_SCAN = 117
"""and one that does not; it leaves the lens at LOST_AT."""
LOST_AT = 4.0
WHOLE = (0, 0, 4608, 2592)
"""The part of the sensor that the picture shows: left, top, width, height."""
IDLE, SCANNING, FOCUSED, FAILED = range(4)
MANUAL, AUTO = 0, 1
START = 0
"""The values of AfState, AfMode and AfTrigger."""
LIMITS: dict[str, tuple[Any, Any, Any]] = {
    "AeEnable": (False, True, True),
    "AeConstraintMode": (0, 3, 0),
    "AeExposureMode": (0, 3, 0),
    "AeMeteringMode": (0, 3, 0),
    "AfMetering": (0, 1, 0),
    "AfMode": (0, 2, 0),
    "AfRange": (0, 2, 0),
    "AfSpeed": (0, 1, 0),
    "AfTrigger": (0, 1, 0),
    "AfWindows": ((0, 0, 0, 0), (65_535, 65_535, 65_535, 65_535), (0, 0, 0, 0)),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "AnalogueGainMode": (0, 1, 0),
    "AwbEnable": (False, True, None),
    "AwbMode": (0, 7, 0),
    "ColourGains": (0.0, 32.0, None),
    "ExposureTime": (1, 66_666, 20_000),
    "ExposureTimeMode": (0, 1, 0),
    "ExposureValue": (-8.0, 8.0, 0.0),
    "FrameDurationLimits": (17_849, 220_535_845, 33_333),
    "LensPosition": (0.0, 15.0, 1.0),
    "ScalerCrop": ((0, 0, 48, 32), WHOLE, WHOLE),
}
"""Least, greatest and usual value of every control that it has."""


class Sensor:
    """What the sensor does frame by frame. `stuck` holds the frames back, as a loose ribbon does.

    `light` is what its own measuring finds; `in_focus_at` is the lens position, in dioptres, at which the table is
    sharp, None where a scan finds nothing, as on bare cloth.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.stuck = threading.Event()
        self.light: dict[str, Any] = {"ExposureTime": 23_400, "AnalogueGain": 1.5, "ColourGains": (2.1, 1.6)}
        self.in_focus_at: float | None = 1.09
        self.lens = 1.0
        self.frames = 0
        self.asked: list[dict[str, Any]] = []
        """Every set of controls that was asked for, in order."""
        self.begin()

    def begin(self) -> None:
        """It is configured: nothing that was asked for before holds any more. The lens stays where it is."""
        with self.lock:
            self._set: dict[str, Any] = {}
            self._coming: list[tuple[int, dict[str, Any]]] = []
            self._scan: tuple[int, float | None] | None = None
            self._state = IDLE

    def take(self, controls: dict[str, Any], *, at_once: bool) -> None:
        """Controls are asked for; those from before the start hold from the first frame on."""
        if controls:
            with self.lock:
                self.asked.append(dict(controls))
                self._coming.append((self.frames + (0 if at_once else DELAY), dict(controls)))

    def frame(self) -> dict[str, Any]:
        """The metadata of the next frame."""
        with self.lock:
            self.frames += 1
            for due, controls in [one for one in self._coming if one[0] <= self.frames]:
                self._coming.remove((due, controls))
                self._obey(controls)
            self._move()
            found = dict(self.light)
            if self._set.get("AeEnable") is False:
                found |= {name: self._set[name] for name in ("ExposureTime", "AnalogueGain") if name in self._set}
            if self._set.get("AwbEnable") is False or "ColourGains" in self._set:
                found["ColourGains"] = self._set.get("ColourGains", found["ColourGains"])
            least, most = self._set.get("FrameDurationLimits", (FRAME_US, FRAME_US))
            found["ExposureTime"] = min(found["ExposureTime"], most - 500)
            duration = max(least, min(most, found["ExposureTime"] + 500))
            focus = {"LensPosition": self.lens, "AfState": self._state}
            return found | focus | {"FrameDuration": int(duration), "ScalerCrop": WHOLE}

    def _obey(self, controls: dict[str, Any]) -> None:
        self._set |= controls
        if int(self._set.get("AfMode", MANUAL)) == MANUAL:
            self._scan, self._state = None, IDLE
            self.lens = float(self._set.get("LensPosition", self.lens))
        elif controls.get("AfTrigger") == START:
            finds = self.in_focus_at is not None
            self._scan, self._state = (self.frames + (SCAN if finds else FAILING_SCAN), self.in_focus_at), SCANNING

    def _move(self) -> None:
        if self._scan is not None and self.frames >= self._scan[0]:
            found = self._scan[1]
            self.lens, self._state = (LOST_AT, FAILED) if found is None else (found, FOCUSED)
            self._scan = None
