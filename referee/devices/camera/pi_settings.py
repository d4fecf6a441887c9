"""How the Pi camera is set: what it finds by itself, what is fixed then, and whether the camera obeys.

No camera is touched here; names and units of controls and metadata are those of libcamera.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.devices.camera.camera import CaptureSettings
from referee.devices.camera.pi_controls import AE_HIGHLIGHT, AF_MANUAL
from referee.devices.camera.pi_focus import geometric
from referee.game.notice import Notice

FRAME_US = 33_333
"""A picture takes as long as this, or as its exposure."""
READOUT_US = 2_000
"""So much longer than the exposure a frame must last, generously: sensors need some rows in between."""
NEAR = 0.05
"""Cameras know steps only: what they do differs so much at most from what was asked for."""
NEAR_FOCUS = 0.1
"""Dioptres."""
DISOBEYED = {
    "ExposureTime": "camera.keeps_no_exposure",
    "AnalogueGain": "camera.keeps_no_gain",
    "ColourGains": "camera.keeps_no_white_balance",
    "LensPosition": "camera.keeps_no_focus",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that the camera finds by itself, and by which part it may change while it counts as found."""

    of: Callable[[Mapping[str, Any]], tuple[float, ...]]
    same: float

    def stays(self, last: Sequence[Mapping[str, Any]]) -> bool:
        """Whether it is the same in the metadata of all these pictures."""
        figures = zip(*map(self.of, last), strict=True)
        return all(max(values) - min(values) <= self.same * max(values) for values in figures)


LIGHT = Measure(lambda found: (float(found["ExposureTime"]) * float(found["AnalogueGain"]),), 0.02)
COLOURS = Measure(lambda found: tuple(map(float, found["ColourGains"])), 0.01)


@dataclass(frozen=True, slots=True)
class PiSettings(CaptureSettings):
    """What the Pi camera is told as well."""

    mains_hz: int = 50
    autofocus: bool = True

    @property
    def measures_light(self) -> bool:
        """Whether anything of the exposure is left for the camera to find."""
        return not (self.exposure_ms and self.gain)

    @property
    def preview_size(self) -> tuple[int, int]:
        """Width and height of the small stream; both even, as its format wants them."""
        height = round(self.preview_px * self.height_px / self.width_px)
        return self.preview_px // 2 * 2, height // 2 * 2

    @property
    def frame_limits_us(self) -> tuple[int, int]:
        """Shortest and longest time for a frame: picamera2's own for videos cut every exposure off at 33 ms."""
        exposure = round(self.exposure_ms * 1000)
        return FRAME_US, max(FRAME_US, exposure + READOUT_US) if exposure else FRAME_US


def steady(exposure_us: int, mains_hz: int) -> int:
    """An exposure under which lamps do not flicker: whole periods of their light, which is twice the mains' pace.

    An exposure shorter than one period stays: the light is so strong then that it is the sun's.
    """
    periods = exposure_us * 2 * mains_hz // 1_000_000
    return periods * 1_000_000 // (2 * mains_hz) if periods else exposure_us


def focus_controls(settings: PiSettings, controls: Mapping[str, Any]) -> dict[str, Any]:
    """The lens where the geometry has it, and no scan; nothing for a module without a focus motor."""
    if "LensPosition" not in controls:
        return {}
    return {"AfMode": AF_MANUAL, "LensPosition": geometric(settings.focus_m, controls["LensPosition"])}


def measuring(settings: PiSettings, controls: Mapping[str, Any]) -> dict[str, Any]:
    """What lets the camera find exposure and colours by itself: on a dark cloth, too, white must not be clipped."""
    values: dict[str, Any] = {"AwbEnable": True}
    if settings.measures_light:
        values["AeEnable"] = True
        if "AeConstraintMode" in controls:
            values["AeConstraintMode"] = AE_HIGHLIGHT
    return values


def exposure_controls(settings: PiSettings, found: Mapping[str, Any], controls: Mapping[str, Any]) -> dict[str, Any]:
    """The exposure to fix: what the settings name, and what the camera found for itself where they name nothing.

    `controls` are the camera's own, each with its least, greatest and usual value. What an exposure gains or loses by
    being made steady, or by being named, the gain makes good.
    """
    measured = int(found["ExposureTime"])
    exposure = round(settings.exposure_ms * 1000) or steady(measured, settings.mains_hz)
    gain = settings.gain or _within(float(found["AnalogueGain"]) * measured / exposure, controls.get("AnalogueGain"))
    return {"AeEnable": False, "ExposureTime": exposure, "AnalogueGain": gain}


def colour_controls(found: Mapping[str, Any]) -> dict[str, Any]:
    """The colours to fix: those that the camera found."""
    return {"AwbEnable": False, "ColourGains": tuple(found["ColourGains"])}


def fixed_controls(settings: PiSettings, found: Mapping[str, Any], controls: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that is fixed."""
    return exposure_controls(settings, found, controls) | colour_controls(found) | focus_controls(settings, controls)


def scaled_exposure(
    base: Mapping[str, Any], factor: float, controls: Mapping[str, Any], settings: PiSettings
) -> dict[str, Any] | None:
    """The exposure and gain that take in `factor` times the light of `base`; None where the camera cannot.

    The gain does it as far as it reaches, since it costs no time and lets no lamp flicker; then the exposure, by whole
    periods of the lamps' light, within what a picture may take. Who has named both wants both.
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
    """The controls that a picture was not taken with as asked."""
    return tuple(name for name in DISOBEYED if name in asked and not _near(name, asked[name], found.get(name)))


def kept_otherwise(name: str, asked: Any, found: Any) -> Notice:
    """That a picture was not taken with what was asked for."""
    return Notice(DISOBEYED[name], asked=_value_notice(name, asked), found=_value_notice(name, found))


def _value_notice(name: str, value: Any) -> Notice:
    """A value of a control as people have it in their settings."""
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


def _near(name: str, asked: Any, found: Any) -> bool:
    if found is None:
        return False
    if name == "ColourGains":
        return all(abs(one - other) <= NEAR * one for one, other in zip(asked, found, strict=True))
    return bool(abs(asked - found) <= (NEAR_FOCUS if name == "LensPosition" else NEAR * asked))


def _within(value: float, limits: tuple[float, float, Any] | None) -> float:
    return value if limits is None else min(max(value, limits[0]), limits[1])
