"""Settings of the Pi camera: what it measures, what is fixed then, and whether the camera obeys.

Pure functions; names and units of controls and metadata are those of libcamera.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.devices.camera.camera import CaptureSettings
from referee.devices.camera.pi_focus import AE_HIGHLIGHT, AF_MANUAL, geometric
from referee.game.notice import Notice

FRAME_US = 33_333
"""Microseconds of a frame, unless its exposure takes longer."""
READOUT_US = 2_000
"""Microseconds by which a frame must be longer than its exposure, generously: sensors need some rows in between."""
NEAR = 0.05
"""The part by which a value may differ from the one asked for: cameras work in steps."""
NEAR_FOCUS = 0.1
"""The same for the focus, in dioptres."""
DISOBEYED = {
    "ExposureTime": "camera.keeps_no_exposure",
    "AnalogueGain": "camera.keeps_no_gain",
    "ColourGains": "camera.keeps_no_white_balance",
    "LensPosition": "camera.keeps_no_focus",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that the camera measures, and by which part it may change and still count as steady."""

    of: Callable[[Mapping[str, Any]], tuple[float, ...]]
    same: float

    def stays(self, last: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether it is the same in the metadata of all these pictures."""
        figures = zip(*map(self.of, last), strict=True)
        return all(max(values) - min(values) <= self.same * max(values) for values in figures)


LIGHT = Measure(lambda found: (float(found["ExposureTime"]) * float(found["AnalogueGain"]),), 0.02)
COLOURS = Measure(lambda found: tuple(map(float, found["ColourGains"])), 0.01)


@dataclass(frozen=True, slots=True)
class PiSettings(CaptureSettings):
    """Settings that only the Pi camera has."""

    mains_hz: int = 50
    autofocus: bool = True

    @property
    def measures_light(self) -> bool:
        """Whether any part of the exposure is left for the camera to measure."""
        return not (self.exposure_ms and self.gain)

    @property
    def preview_size(self) -> tuple[int, int]:
        """Width and height of the small stream; both even, as its format wants them."""
        height = round(self.preview_px * self.height_px / self.width_px)
        return self.preview_px // 2 * 2, height // 2 * 2

    @property
    def frame_limits_us(self) -> tuple[int, int]:
        """Shortest and longest frame: with picamera2's own limits for videos every exposure would end at 33 ms."""
        exposure = round(self.exposure_ms * 1000)
        return FRAME_US, max(FRAME_US, exposure + READOUT_US) if exposure else FRAME_US


def steady(exposure_us: int, mains_hz: int) -> int:
    """Return an exposure under which lamps do not flicker: whole periods of their light (twice the mains frequency).

    An exposure shorter than one period stays as it is: such strong light is the sun's.
    """
    periods = exposure_us * 2 * mains_hz // 1_000_000
    return periods * 1_000_000 // (2 * mains_hz) if periods else exposure_us


def focus_controls(settings: PiSettings, controls: Mapping[str, Any]) -> dict[str, Any]:
    """Return the controls for the lens position by geometry, without a scan; none without a focus motor."""
    if "LensPosition" not in controls:
        return {}
    return {"AfMode": AF_MANUAL, "LensPosition": geometric(settings.focus_m, controls["LensPosition"])}


def measuring_controls(settings: PiSettings, controls: Mapping[str, Any]) -> dict[str, Any]:
    """Return the controls with which the camera measures exposure and colours; white must not be clipped.

    That matters on a dark cloth, by which the exposure would otherwise be chosen.
    """
    values: dict[str, Any] = {"AwbEnable": True}
    if settings.measures_light:
        values["AeEnable"] = True
        if "AeConstraintMode" in controls:
            values["AeConstraintMode"] = AE_HIGHLIGHT
    return values


def exposure_controls(settings: PiSettings, found: Mapping[str, Any], controls: Mapping[str, Any]) -> dict[str, Any]:
    """Return the exposure to fix: what the settings name, and otherwise what the camera measured.

    `controls` are the camera's own, each with its minimum, maximum and default. The gain compensates for what an
    exposure gains or loses by being made steady, or by being named.
    """
    measured = int(found["ExposureTime"])
    exposure = round(settings.exposure_ms * 1000) or steady(measured, settings.mains_hz)
    gain = settings.gain or _clamp(float(found["AnalogueGain"]) * measured / exposure, controls.get("AnalogueGain"))
    return {"AeEnable": False, "ExposureTime": exposure, "AnalogueGain": gain}


def colour_controls(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the colours to fix: those that the camera measured."""
    return {"AwbEnable": False, "ColourGains": tuple(found["ColourGains"])}


def fixed_controls(settings: PiSettings, found: Mapping[str, Any], controls: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything that is fixed."""
    return exposure_controls(settings, found, controls) | colour_controls(found) | focus_controls(settings, controls)


def scaled_exposure(
    base: Mapping[str, Any], factor: float, controls: Mapping[str, Any], settings: PiSettings
) -> dict[str, Any] | None:
    """Return exposure and gain for `factor` times the light of `base`; None where the camera cannot do it.

    The gain is changed as far as it reaches, since it costs no time and causes no flicker; then the exposure, by whole
    periods of the lamps' light, within what a picture may take. Also None if the settings name both: then both stay.
    """
    if settings.exposure_ms and settings.gain:
        return None
    usual = int(base["ExposureTime"])
    least, most = (float(one) for one in controls.get("AnalogueGain", (1.0, 16.0))[:2])
    light = usual * float(base["AnalogueGain"]) * factor
    exposure, gain = usual, light / usual
    if gain < least:
        exposure = steady(int(light / least), settings.mains_hz)
    elif gain > most:
        period = 1_000_000 // (2 * settings.mains_hz)
        exposure = steady(math.ceil(light / most) + period - 1, settings.mains_hz)
    flickers = exposure < usual and exposure < 1_000_000 // (2 * settings.mains_hz) <= usual
    longest = settings.frame_limits_us[1] - READOUT_US
    if exposure < 1 or flickers or (exposure > longest and exposure > usual):
        return None
    gain = light / exposure
    return {"ExposureTime": exposure, "AnalogueGain": gain} if gain <= most * (1 + NEAR) else None


def astray(asked: Mapping[str, Any], found: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the controls that differ in a picture from what was asked for."""
    return tuple(name for name in DISOBEYED if name in asked and not _is_near(name, asked[name], found.get(name)))


def setting_differs_notice(name: str, asked: Any, found: Any) -> Notice:
    """Return the notice that a picture was not taken with what was asked for."""
    return Notice(DISOBEYED[name], asked=_value_notice(name, asked), found=_value_notice(name, found))


def _value_notice(name: str, value: Any) -> Notice:
    """Return a control's value as people write it in their settings."""
    if value is None:
        return Notice("camera.value_none")
    if name == "ExposureTime":
        return Notice("camera.value_ms", ms=value / 1000)
    if name == "LensPosition":
        return Notice("camera.value_metres", metres=1 / value) if value > 0 else Notice("camera.value_infinity")
    if name == "AnalogueGain":
        return Notice("camera.value_gain", gain=value)
    red, blue = value
    return Notice("camera.value_colours", red=red, blue=blue)


def _is_near(name: str, asked: Any, found: Any) -> bool:
    if found is None:
        return False
    if name == "ColourGains":
        return all(abs(one - other) <= NEAR * one for one, other in zip(asked, found, strict=True))
    return bool(abs(asked - found) <= (NEAR_FOCUS if name == "LensPosition" else NEAR * asked))


def _clamp(value: float, limits: tuple[float, float, Any] | None) -> float:
    return value if limits is None else min(max(value, limits[0]), limits[1])
