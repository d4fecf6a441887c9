"""Controls of the Pi camera: what it measures, what is then fixed, and whether the camera obeys.

All functions are pure. Names and units of controls and metadata are those of libcamera.
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
"""Microseconds by which a frame must be longer than its exposure: sensors need the time of some rows in between. The
value is generous."""
NEAR = 0.05
"""The fraction by which a value may differ from the one asked for: cameras work in steps."""
NEAR_FOCUS = 0.1
"""Dioptres by which the focus may differ from the one asked for."""
DISOBEYED = {
    "ExposureTime": "camera.keeps_no_exposure",
    "AnalogueGain": "camera.keeps_no_gain",
    "ColourGains": "camera.keeps_no_white_balance",
    "LensPosition": "camera.keeps_no_focus",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity that the camera measures.

    `of` takes it from the metadata of a picture. `same` is the fraction by which it may change and still count as
    steady.
    """

    of: Callable[[Mapping[str, Any]], tuple[float, ...]]
    same: float

    def stays(self, last: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether the quantity is steady in the metadata of all these pictures."""
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
        """Whether the camera must measure any part of the exposure."""
        return not (self.exposure_ms and self.gain)

    @property
    def preview_size(self) -> tuple[int, int]:
        """Width and height of the small stream; both are even, as its format requires."""
        height = round(self.preview_px * self.height_px / self.width_px)
        return self.preview_px // 2 * 2, height // 2 * 2

    @property
    def frame_limits_us(self) -> tuple[int, int]:
        """The shortest and the longest frame, in microseconds.

        With picamera2's own limits for videos, no exposure could be longer than 33 ms.
        """
        exposure = round(self.exposure_ms * 1000)
        return FRAME_US, max(FRAME_US, exposure + READOUT_US) if exposure else FRAME_US


def steady(exposure_us: int, mains_hz: int) -> int:
    """Return an exposure under which lamps do not flicker: whole periods of their light (twice the mains frequency).

    An exposure shorter than one period stays as it is, because such strong light comes from the sun.
    """
    periods = exposure_us * 2 * mains_hz // 1_000_000
    return periods * 1_000_000 // (2 * mains_hz) if periods else exposure_us


def focus_controls(settings: PiSettings, controls: Mapping[str, Any]) -> dict[str, Any]:
    """Return the controls that set the lens position by geometry, without a scan; none if there is no focus motor."""
    if "LensPosition" not in controls:
        return {}
    return {"AfMode": AF_MANUAL, "LensPosition": geometric(settings.focus_m, controls["LensPosition"])}


def measuring_controls(settings: PiSettings, controls: Mapping[str, Any]) -> dict[str, Any]:
    """Return the controls with which the camera measures exposure and colours so that white is not clipped.

    That matters on a dark cloth, because otherwise the exposure would be chosen for the cloth.
    """
    values: dict[str, Any] = {"AwbEnable": True}
    if settings.measures_light:
        values["AeEnable"] = True
        if "AeConstraintMode" in controls:
            values["AeConstraintMode"] = AE_HIGHLIGHT
    return values


def exposure_controls(settings: PiSettings, found: Mapping[str, Any], controls: Mapping[str, Any]) -> dict[str, Any]:
    """Return the exposure to fix: the values in the settings, or else the ones that the camera measured.

    `controls` are the camera's own, each with its minimum, maximum and default. If the exposure differs from the
    measured one, because it was made steady or because the settings name it, the gain compensates for that.
    """
    measured = int(found["ExposureTime"])
    exposure = round(settings.exposure_ms * 1000) or steady(measured, settings.mains_hz)
    gain = settings.gain or _clamp(float(found["AnalogueGain"]) * measured / exposure, controls.get("AnalogueGain"))
    return {"AeEnable": False, "ExposureTime": exposure, "AnalogueGain": gain}


def colour_controls(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the controls that fix the colours which the camera measured."""
    return {"AwbEnable": False, "ColourGains": tuple(found["ColourGains"])}


def fixed_controls(settings: PiSettings, found: Mapping[str, Any], controls: Mapping[str, Any]) -> dict[str, Any]:
    """Return all controls that are fixed."""
    return exposure_controls(settings, found, controls) | colour_controls(found) | focus_controls(settings, controls)


def scaled_exposure(
    base: Mapping[str, Any], factor: float, controls: Mapping[str, Any], settings: PiSettings
) -> dict[str, Any] | None:
    """Return exposure and gain for `factor` times the light of `base`; None if the camera cannot do that.

    The gain is changed first, as far as it goes, since it costs no time and causes no flicker. Then the exposure is
    changed, by whole periods of the lamps' light and within the time that a picture may take. Also returns None if the
    settings name both values, since they must stay then.
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
    """Return the controls whose values in a picture differ from the ones asked for."""
    return tuple(name for name in DISOBEYED if name in asked and not _is_near(name, asked[name], found.get(name)))


def setting_differs_notice(name: str, asked: Any, found: Any) -> Notice:
    """Return the notice that a picture was not taken with the value asked for."""
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
