"""The Raspberry Pi camera through picamera2, in one mode for good: a full stream to read, a small one to watch.

Written against the picamera2 manual and its source (capture_request with `wait` and `flush`); `referee doctor` runs
`check` on the device. Changing the mode takes half a second, so both streams run all the time. Focus, exposure, gain
and white balance settle once and are locked then: autofocus shifts the focal length, and light that changes during a
match must not change what a colour looks like.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.devices.camera import Frame, Gray, Now
from referee.errors import CameraLost

SETTLE_S = 2.0
BUFFERS = 4
NS = 1_000_000_000
MANUAL = 0  # libcamera's AfMode: manual, auto, continuous
AUTO = 1


@dataclass(frozen=True, slots=True)
class PiSettings:
    """How the camera is set. Zero means: found once at the start and locked."""

    width_px: int = 2304
    height_px: int = 1296
    preview_px: int = 576
    focus_m: float = 0.0
    exposure_ms: float = 0.0
    gain: float = 0.0
    timeout_s: float = 3.0

    @property
    def preview_size(self) -> tuple[int, int]:
        """Width and height of the small stream; both even, as its format wants them."""
        height = round(self.preview_px * self.height_px / self.width_px)
        return self.preview_px // 2 * 2, height // 2 * 2


class PiCamera:
    """A camera module at the Pi's own connector."""

    def __init__(
        self,
        settings: PiSettings,
        *,
        build: Callable[[], Any] | None = None,
        now: Now = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings, self._now, self._sleep = settings, now, sleep
        self._device: Any = None
        try:
            self._device = (build or _picamera2)()
            self._device.configure(self._configuration())
            self._device.start()
            self.locked = self._lock()
        except (ImportError, RuntimeError, IndexError, OSError, FutureTimeout) as error:
            self.close()
            raise CameraLost(_why(error)) from error

    def frame(self, after: float) -> Frame:
        """As Camera.frame."""
        picture, metadata = self._captured("main", after)
        return Frame(np.asarray(picture[..., :3], np.uint8), max(after, _began(metadata)))

    def preview(self, after: float) -> Gray:
        """As Camera.preview; the small stream is YUV420, whose first rows are its grey picture."""
        width, height = self._settings.preview_size
        picture, _ = self._captured("lores", after)
        return np.asarray(picture[:height, :width], np.uint8)

    def close(self) -> None:
        """As Camera.close."""
        device, self._device = self._device, None
        if device is not None:
            try:
                device.stop()
            finally:
                device.close()

    def _configuration(self) -> Any:
        settings = self._settings
        # "RGB888" is picamera2's name for arrays whose channels lie as blue, green, red.
        return self._device.create_video_configuration(
            main={"size": (settings.width_px, settings.height_px), "format": "RGB888"},
            lores={"size": settings.preview_size, "format": "YUV420"},
            buffer_count=BUFFERS,
            queue=False,
        )

    def _lock(self) -> Mapping[str, Any]:
        """Let everything settle, then fix it; gives what was fixed."""
        settings = self._settings
        focusing = "LensPosition" in self._device.camera_controls
        if focusing and settings.focus_m == 0:
            self._device.set_controls({"AfMode": AUTO})
            self._device.autofocus_cycle(wait=settings.timeout_s + SETTLE_S)
        self._sleep(SETTLE_S)
        _, found = self._captured("lores", self._now())
        exposure = round(settings.exposure_ms * 1000) or found["ExposureTime"]
        fixed = {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": exposure,
            "AnalogueGain": settings.gain or found["AnalogueGain"],
            "ColourGains": found["ColourGains"],
        }
        if focusing:
            fixed |= {
                "AfMode": MANUAL,
                "LensPosition": 1 / settings.focus_m if settings.focus_m else found["LensPosition"],
            }
        self._device.set_controls(fixed)
        return fixed

    def _captured(self, stream: str, after: float) -> tuple[Any, Mapping[str, Any]]:
        if self._device is None:
            raise CameraLost("expected an open camera, found one that was closed")
        try:
            # flush drops frames that began before that moment of the monotonic clock
            request = self._device.capture_request(wait=self._settings.timeout_s, flush=int(after * NS))
        except (FutureTimeout, RuntimeError, OSError) as error:
            raise CameraLost(_why(error)) from error
        try:
            return request.make_array(stream), request.get_metadata()
        finally:
            request.release()


def check(camera: PiCamera, now: Now = time.monotonic) -> tuple[str, ...]:
    """Try the camera on the device: what is wrong with its pictures, one sentence each; nothing where all is well."""
    found = []
    asked = now()
    frame = camera.frame(asked)
    if frame.t < asked:
        found.append("The camera gives pictures from before the press.")
    if now() - asked > 1.0:
        found.append(f"A picture takes {now() - asked:.1f} s; 0.3 s is usual.")
    if frame.picture.std() < 2:
        found.append("The picture is all one colour: take the cap off the lens, and switch on the light.")
    small = camera.preview(now())
    if small.ndim != 2 or small.std() < 2:
        found.append("The small picture is empty.")
    return tuple(found)


def _began(metadata: Mapping[str, Any]) -> float:
    """When the exposure of a frame began, monotonic seconds, where the camera tells."""
    return float(metadata.get("SensorTimestamp", 0)) / NS


def _why(error: BaseException) -> str:
    if isinstance(error, ImportError):
        return "expected picamera2, found none: install the package python3-picamera2, or set [camera] kind"
    if isinstance(error, IndexError):
        return "expected a camera at the Pi's connector, found none: check its ribbon cable, then restart the Pi"
    if isinstance(error, FutureTimeout):
        return "expected a picture, found that the camera gives none: check its ribbon cable"
    return f"expected a camera that is free, found: {error}; close other programs that use it"


def _picamera2() -> Any:
    from picamera2 import Picamera2  # exists on the Pi only

    return Picamera2()
