"""The Raspberry Pi camera through picamera2, in one mode for good: a full stream to read, a small one to watch.

Written against the picamera2 manual and its source (capture_request with `wait` and `flush`); `referee doctor` runs
`check` on the device. Changing the mode takes half a second, so both streams run all the time. Focus, exposure, gain
and white balance settle once and are locked then: autofocus shifts the focal length, and light that changes during a
match must not change what a colour looks like.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from referee.devices.camera import Camera, Frame, Gray, Notice, Now
from referee.devices.pi_opening import FAULTS, lost, open_picamera2
from referee.devices.pi_settings import NAMES, PiSettings, astray, fixed, in_words, lightened
from referee.errors import CameraLost, Loss

SETTLE_S = 2.0
BUFFERS = 4
OBEYED_WITHIN = 12
"""Pictures until what was set shows in one: the buffers, and what is on its way in the sensor."""
NS = 1_000_000_000
ROUNDING_NS = 1_000
"""A moment as a float of seconds is no more exact than this."""

_log = logging.getLogger(__name__)


class PiCamera:
    """A camera module at the Pi's own connector.

    `fixed` is what an opening has fixed; given to the next one as `kept`, nothing is measured anew: a hand over the
    table would change it. It is empty where the focus was not found. `locked` is what pictures were taken with then.
    `sensor` is its name, such as imx708_wide; empty where it does not tell.
    """

    def __init__(
        self,
        settings: PiSettings,
        kept: Mapping[str, Any] | None = None,
        *,
        build: Callable[[], Any] = open_picamera2,
        now: Now = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings, self._now, self._sleep = settings, now, sleep
        self._device: Any = None
        self.fixed: Mapping[str, Any] = {}
        self.locked: Mapping[str, Any] = {}
        self._base: Mapping[str, Any] = {}
        self._exposed: Mapping[str, Any] = {}
        self.notices: tuple[Notice, ...] = ()
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
            raise lost(error) from error

    def frame(self, after: float) -> Frame:
        """As Camera.frame."""
        picture, metadata = self._captured("main", after)
        return Frame(np.asarray(picture[..., :3], np.uint8), _began_ns(metadata) / NS)

    def preview(self, after: float) -> Gray:
        """As Camera.preview; the small stream is YUV420, whose first rows are its grey picture."""
        width, height = self._settings.preview_size
        picture, _ = self._captured("lores", after)
        return np.asarray(picture[:height, :width], np.uint8)

    def expose(self, factor: float) -> bool:
        """As Exposing.expose; what was fixed at the opening stays what the next opening is given."""
        if self._device is None:
            raise CameraLost("expected an open camera, found one that was closed")
        controls = lightened(self._base, factor, self._device.camera_controls, self._settings)
        if controls is None:
            return False
        if not self._obeys(controls):
            self._obeys(self._exposed)
            return False
        self._exposed = controls
        return True

    def close(self) -> None:
        """As Camera.close. Whatever goes wrong here is logged only: the caller is about to tell what came before.

        A capture that timed out still stands in picamera2's queue, and `stop` would wait behind it for ever. `close`
        alone stops the camera as well.
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
        settings = self._settings
        # "RGB888" is picamera2's name for arrays whose channels lie as blue, green, red.
        return self._device.create_video_configuration(
            main={"size": (settings.width_px, settings.height_px), "format": "RGB888"},
            lores={"size": settings.preview_size, "format": "YUV420"},
            buffer_count=BUFFERS,
            queue=False,
            controls={"FrameDurationLimits": settings.frame_limits_us, **kept},
        )

    def _lock(self, kept: Mapping[str, Any]) -> None:
        """Let everything settle, then fix it; what is kept was fixed before the camera started."""
        controls = self._device.camera_controls
        focused = True
        if not kept:
            if "LensPosition" in controls and self._settings.focus_m == 0:
                focused = self._focused()
            self._sleep(SETTLE_S)
            _, found = self._captured("lores", self._now())
            kept = fixed(self._settings, found, controls)
            self._device.set_controls(kept)
        found, disobeyed = self._obeyed(kept)
        self._base = kept
        self._exposed = {name: kept[name] for name in ("ExposureTime", "AnalogueGain") if name in kept}
        self.fixed = kept if focused else {}
        self.locked = {name: found.get(name, value) if name in NAMES else value for name, value in kept.items()}
        self.notices += tuple(
            Notice(
                f"The camera does not keep {NAMES[name]}: asked for {in_words(name, kept[name])}, it has"
                f" {in_words(name, found.get(name))}.",
                "Set [camera] focus_m, exposure_ms and gain to what the camera can do.",
            )
            for name in disobeyed
        )

    def _obeyed(self, asked: Mapping[str, Any]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """Take small pictures until one is as asked; gives what the last was taken with, and what of it differs."""
        for _ in range(OBEYED_WITHIN):
            _, found = self._captured("lores", self._now())
            disobeyed = astray(asked, found)
            if not disobeyed:
                break
        return found, disobeyed

    def _obeys(self, controls: Mapping[str, Any]) -> bool:
        try:
            self._device.set_controls(controls)
        except FAULTS as error:
            raise lost(error) from error
        return not self._obeyed(controls)[1]

    def _focused(self) -> bool:
        try:
            found = self._device.autofocus_cycle(wait=self._settings.timeout_s + SETTLE_S)
        except TimeoutError as error:
            raise CameraLost(
                "expected the lens to find its focus, found no end of it: check the ribbon cable, or set [camera]"
                " focus_m",
                Loss.SILENT,
            ) from error
        if not found:
            self.notices += (
                Notice(
                    "The camera found no focus.",
                    "Lay tiles on the table and switch on the light, or set [camera] focus_m, the distance from the"
                    " lens to the tiles in metres.",
                ),
            )
        return bool(found)

    def _captured(self, stream: str, after: float) -> tuple[Any, Mapping[str, Any]]:
        """A picture and its metadata, exposed wholly after a moment."""
        if self._device is None:
            raise CameraLost("expected an open camera, found one that was closed")
        # A number of nanoseconds, never True: picamera2 drops the frames that began before it.
        wanted = math.ceil(after * NS) + ROUNDING_NS
        try:
            request = self._device.capture_request(wait=self._settings.timeout_s, flush=wanted)
            try:
                picture, metadata = request.make_array(stream), request.get_metadata()
            finally:
                request.release()
        except FAULTS as error:
            raise lost(error) from error
        early = (wanted - _began_ns(metadata)) / NS
        if early > 0:
            raise CameraLost(f"expected a picture from after the press, found one from {early:.3f} s before")
        return picture, metadata


def check(camera: Camera, now: Now = time.monotonic, lag_s: float = 0.0) -> tuple[str, ...]:
    """Try the camera on the device: what is wrong with its pictures, one sentence each; nothing where all is well.

    `lag_s`: how long a picture takes in any case, as over a network.
    """
    found = []
    asked = now()
    frame = camera.frame(asked)
    if frame.t < asked:
        found.append("The camera gives pictures from before the press.")
    if now() - asked > 1.0 + lag_s:
        found.append(f"A picture takes {now() - asked:.1f} s; {0.3 + lag_s:g} s is usual.")
    if frame.picture.std() < 2:
        found.append("The picture is all one colour: take the cap off the lens, and switch on the light.")
    small = camera.preview(now())
    if small.ndim != 2 or small.std() < 2:
        found.append("The small picture is empty.")
    return tuple(found)


def _began_ns(metadata: Mapping[str, Any]) -> int:
    """When the exposure of a picture began, monotonic; the sensor's stamp is the end of its first row's."""
    try:
        return int(metadata["SensorTimestamp"]) - 1000 * int(metadata["ExposureTime"])
    except (KeyError, TypeError) as error:
        raise CameraLost("expected a picture with the moment it was taken at, found one without") from error
