"""The Raspberry Pi camera through picamera2, in one fixed mode: a full stream to read, a small one to watch.

Written according to the picamera2 manual and its source (capture_request with `wait` and `flush`); `referee doctor`
runs `check` on the device. Changing the mode takes half a second, so both streams run all the time.

Focus, exposure, gain and white balance are locked. Autofocus would change the focal length, and a change of light
during a turn must not change how a colour looks. From the first picture on, the focus follows from the height of the
mount. The other values are measured when the camera is opened, perhaps in the dark, and again whenever the caller says
that the table is ready for it.
"""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from referee.devices.camera import pi_focus
from referee.devices.camera.camera import Camera, Flaw, Frame, Gray, Now, Place
from referee.devices.camera.pi_focus import AF_MANUAL, FOCUSING
from referee.devices.camera.pi_opening import FAULTS, explain_error, open_picamera2
from referee.devices.camera.pi_settings import (
    COLOURS,
    DISOBEYED,
    LIGHT,
    Measure,
    PiSettings,
    astray,
    colour_controls,
    exposure_controls,
    fixed_controls,
    focus_controls,
    measuring_controls,
    scaled_exposure,
    setting_differs_notice,
)
from referee.errors import CameraLost
from referee.game.notice import Notice

SETTLE_S = 2.5
"""Seconds after which the measured values are used, even if they still change."""
STEADY = 5
"""The measured values are used earlier if this many pictures in a row show no change."""
ON_THEIR_WAY = 6
"""This many pictures do not count for that, since they may have been exposed before the measurement began."""
BUFFERS = 4
OBEYED_WITHIN = 12
"""The most pictures until a new setting shows in one: those in the buffers, and those on their way in the sensor."""
NS = 1_000_000_000
ROUNDING_NS = 1_000
"""The precision in nanoseconds of a moment that is a float of seconds."""

_log = logging.getLogger(__name__)


class PiCamera:
    """A camera module at the Pi's own connector.

    `fixed` are the controls that were fixed last. If the next opening gets them as `kept`, nothing is measured again,
    because a hand over the table would change the result. `locked` are the values with which pictures were then taken.
    `sensor` is the name of the sensor, such as imx708_wide; it is empty if the camera does not state it.
    """

    def __init__(
        self,
        settings: PiSettings,
        kept: Mapping[str, Any] | None = None,
        *,
        build: Callable[[], Any] = open_picamera2,
        now: Now = time.monotonic,
    ) -> None:
        self._settings, self._now = settings, now
        self._device: Any = None
        self.fixed: Mapping[str, Any] = {}
        self.locked: Mapping[str, Any] = {}
        self._base: Mapping[str, Any] = {}
        self._exposed: Mapping[str, Any] = {}
        self.notices: tuple[Flaw, ...] = ()
        self.sensor = ""
        try:
            self._device = build()
            self.sensor = str(getattr(self._device, "camera_properties", {}).get("Model", ""))
            known = {name: value for name, value in (kept or {}).items() if name in self._device.camera_controls}
            self._device.configure(self._configuration(known))
            self._device.start()
            self._lock(known)
        except CameraLost:
            self.close()
            raise
        except FAULTS as error:
            self.close()
            raise explain_error(error) from error

    def frame(self, after: float) -> Frame:
        """Capture a full picture that was exposed after the moment `after`; raises CameraLost."""
        picture, metadata = self._capture_after("main", after)
        return Frame(np.asarray(picture[..., :3], np.uint8), _began_ns(metadata) / NS)

    def preview(self, after: float) -> Gray:
        """Capture a small grey picture: the first rows of the small stream, which is YUV420. Raises CameraLost."""
        width, height = self._settings.preview_size
        picture, _ = self._capture_after("lores", after)
        return np.asarray(picture[:height, :width], np.uint8)

    def expose(self, factor: float) -> bool:
        """Scale the exposure measured last by `factor`, and return whether the camera can do that.

        The next opening starts without the factor. Raises CameraLost.
        """
        controls = scaled_exposure(self._base, factor, self._controls(), self._settings)
        if controls is None:
            return False
        if not self._obeys(controls):
            self._obeys(self._exposed)
            return False
        self._exposed = controls
        return True

    def measure(self) -> bool:
        """Measure exposure and colours again and fix the exposure; values that the settings name stay.

        The colours keep adjusting until `hold`. Always returns True; raises CameraLost.
        """
        controls = self._controls()
        self._tell(measuring_controls(self._settings, controls))
        found = self._wait_until_steady((LIGHT,), ON_THEIR_WAY)
        self._fix(exposure_controls(self._settings, found, controls))
        return True

    def hold(self) -> None:
        """Wait until the colours no longer change, and fix them; raises CameraLost."""
        self._controls()
        self._fix(colour_controls(self._wait_until_steady((COLOURS,), 0)))

    def refocus(self, places: Sequence[Place]) -> Flaw | None:
        """Scan the focus in windows around `places` and lock the lens; return what went wrong, or None if nothing did.

        If the scan fails, the lens is locked at the position that follows from `focus_m`. Raises CameraLost.
        """
        controls = self._controls()
        if not self._settings.autofocus or not set(FOCUSING) <= set(controls):
            return None
        at = pi_focus.windows(places, self._capture_after("lores", self._now())[1])
        if not at:
            return None  # without windows the middle is scanned: bare cloth, on which no scan succeeds
        start = pi_focus.geometric(self._settings.focus_m, controls["LensPosition"])
        self._tell(pi_focus.scan_controls(at))
        ended, position = pi_focus.watch(lambda: self._capture_after("lores", self._now())[1], self._now, start)
        self._fix({"AfMode": AF_MANUAL, "LensPosition": position if ended is pi_focus.Scan.FOUND else start})
        return pi_focus.flaw_of_scan(ended, self._settings.focus_m)

    def close(self) -> None:
        """Close the camera. Errors are only logged, because the caller is about to report an earlier one.

        A capture that timed out is still in picamera2's queue, and `stop` would wait for it for ever. `close` alone
        stops the camera as well.
        """
        device, self._device = self._device, None
        if device is None:
            return
        for step in ("cancel_all_and_flush", "close"):
            try:
                getattr(device, step)()
            except FAULTS as error:
                _log.warning("camera: %s failed: %s", step, error)

    def _configuration(self, kept: Mapping[str, Any]) -> Any:
        settings, controls = self._settings, self._device.camera_controls
        begun = (
            {}
            if kept
            else {name: value for name, value in measuring_controls(settings, controls).items() if name in controls}
        )
        # "RGB888" is picamera2's name for arrays whose channels lie as blue, green, red.
        return self._device.create_video_configuration(
            main={"size": (settings.width_px, settings.height_px), "format": "RGB888"},
            lores={"size": settings.preview_size, "format": "YUV420"},
            buffer_count=BUFFERS,
            queue=False,
            controls={
                "FrameDurationLimits": settings.frame_limits_us,
                **begun,
                **focus_controls(settings, controls),
                **kept,
            },
        )

    def _lock(self, kept: Mapping[str, Any]) -> None:
        """Let all values settle, then fix them; values in `kept` were already fixed before the camera started."""
        if not kept:
            found = self._wait_until_steady((LIGHT, COLOURS), ON_THEIR_WAY)
            kept = fixed_controls(self._settings, found, self._device.camera_controls)
            self._device.set_controls(kept)
        found, disobeyed = self._wait_until_obeyed(kept)
        self._base = self.fixed = kept
        self._exposed = {name: kept[name] for name in ("ExposureTime", "AnalogueGain") if name in kept}
        self.locked = {name: found.get(name, value) if name in DISOBEYED else value for name, value in kept.items()}
        self.notices += tuple(
            Flaw(setting_differs_notice(name, kept[name], found.get(name)), Notice("camera.set_what_it_can"))
            for name in disobeyed
        )

    def _fix(self, controls: Mapping[str, Any]) -> None:
        """Set these controls permanently, including for the next opening."""
        self._obeys(controls)
        self._base = self.fixed = {**self._base, **controls}
        self.locked = {**self.locked, **controls}
        self._exposed = {name: self._base[name] for name in ("ExposureTime", "AnalogueGain") if name in self._base}

    def _wait_until_steady(self, measured: Sequence[Measure], late: int) -> Mapping[str, Any]:
        """Take small pictures until the measured values no longer change, and return the last picture's metadata.

        The first `late` pictures do not count.
        """
        end, last = self._now() + SETTLE_S, deque[Mapping[str, Any]](maxlen=STEADY)
        while True:
            _, found = self._capture_after("lores", self._now())
            late -= 1
            if late < 0:
                last.append(found)
            if self._now() >= end or (len(last) == STEADY and all(one.stays(last) for one in measured)):
                return found

    def _wait_until_obeyed(self, asked: Mapping[str, Any]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """Take small pictures until one was taken with the values `asked`.

        Returns the metadata of the last picture, and the controls that differ in it.
        """
        for _ in range(OBEYED_WITHIN):
            _, found = self._capture_after("lores", self._now())
            disobeyed = astray(asked, found)
            if not disobeyed:
                break
        return found, disobeyed

    def _obeys(self, controls: Mapping[str, Any]) -> bool:
        self._tell(controls)
        return not self._wait_until_obeyed(controls)[1]

    def _tell(self, controls: Mapping[str, Any]) -> None:
        try:
            self._device.set_controls(controls)
        except FAULTS as error:
            raise explain_error(error) from error

    def _controls(self) -> Mapping[str, Any]:
        """Return the camera's controls, each with its minimum, maximum and default.

        Raises CameraLost after `close`.
        """
        if self._device is None:
            raise CameraLost(Notice("camera.pi_closed"))
        return dict(self._device.camera_controls)

    def _capture_after(self, stream: str, after: float) -> tuple[Any, Mapping[str, Any]]:
        """Return a picture whose whole exposure was after the moment `after`, and its metadata; raises CameraLost."""
        if self._device is None:
            raise CameraLost(Notice("camera.pi_closed"))
        # A number of nanoseconds, never True: picamera2 drops the frames that began before it.
        wanted = math.ceil(after * NS) + ROUNDING_NS
        try:
            request = self._device.capture_request(wait=self._settings.timeout_s, flush=wanted)
            try:
                picture, metadata = request.make_array(stream), request.get_metadata()
            finally:
                request.release()
        except FAULTS as error:
            raise explain_error(error) from error
        early = (wanted - _began_ns(metadata)) / NS
        if early > 0:
            raise CameraLost(Notice("camera.too_early", seconds=early))
        return picture, metadata


def check(camera: Camera, now: Now = time.monotonic, lag_s: float = 0.0) -> tuple[Notice, ...]:
    """Try the camera on the device; return what is wrong with its pictures, nothing if all is well.

    `lag_s` are the seconds by which every picture is late, for instance over a network.
    """
    found = []
    asked = now()
    frame = camera.frame(asked)
    if frame.t < asked:
        found.append(Notice("camera.old_pictures"))
    if now() - asked > 1.0 + lag_s:
        found.append(Notice("camera.slow_picture", seconds=now() - asked, usual=0.3 + lag_s))
    if frame.picture.std() < 2:
        found.append(Notice("camera.one_colour"))
    small = camera.preview(now())
    if small.ndim != 2 or small.std() < 2:
        found.append(Notice("camera.small_empty"))
    return tuple(found)


def _began_ns(metadata: Mapping[str, Any]) -> int:
    """Return when the exposure of a picture began, in monotonic nanoseconds.

    The time stamp of the sensor is the end of the exposure of the first row.
    """
    try:
        return int(metadata["SensorTimestamp"]) - 1000 * int(metadata["ExposureTime"])
    except (KeyError, TypeError) as error:
        raise CameraLost(Notice("camera.no_moment")) from error
