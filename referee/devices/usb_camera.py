"""A USB camera through OpenCV.

OpenCV's grab blocks for as long as the driver likes, so it runs in a thread of its own, given up with
the camera.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

import cv2
import numpy as np

from referee.devices.camera import Frame, Gray, Now, shrunk
from referee.errors import CameraLost
from referee.vision.sighting import Image

BUFFERED = 2
"""Frames that the driver may have kept from before a call."""


def _opened(number: int) -> Any:
    # What OpenCV would print about a missing camera is said by us, in one line.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2.VideoCapture(number)


class UsbCamera:
    """The USB camera with a number (0 is the first one)."""

    def __init__(
        self,
        number: int,
        size: tuple[int, int] = (2304, 1296),
        preview_px: int = 576,
        timeout_s: float = 3.0,
        *,
        build: Callable[[int], Any] = _opened,
        now: Now = time.monotonic,
    ) -> None:
        self._number, self._preview_px, self._timeout_s, self._now = number, preview_px, timeout_s, now
        self._thread = ThreadPoolExecutor(1, "usb-camera")
        self._device: Any = None
        self._device = self._in_time(lambda: build(number))
        if not self._device.isOpened():
            self.close()
            raise CameraLost(
                f"expected a USB camera with number {number}, found none: check its cable and [camera] source"
            )
        for setting, value in (
            (cv2.CAP_PROP_BUFFERSIZE, 1),
            (cv2.CAP_PROP_FRAME_WIDTH, size[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, size[1]),
            (cv2.CAP_PROP_AUTOFOCUS, 0),
        ):
            self._device.set(setting, value)

    def frame(self, after: float) -> Frame:
        """As Camera.frame."""
        return Frame(self._in_time(lambda: self._fresh(after)), max(after, self._now()))

    def preview(self, after: float) -> Gray:
        """As Camera.preview."""
        return shrunk(self._in_time(lambda: self._fresh(after)), self._preview_px)

    def close(self) -> None:
        """As Camera.close; a call that hangs is left behind."""
        device, self._device = self._device, None
        if device is not None:
            device.release()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _fresh(self, after: float) -> Image:
        """The first frame that cannot be one the driver kept from before `after`."""
        kept = BUFFERED
        while kept:
            asked = self._now()
            if self._device is None or not self._device.grab():
                raise CameraLost(f"expected a picture from USB camera {self._number}, found none: check its cable")
            kept -= asked >= after
        ok, picture = self._device.retrieve()
        if not ok or picture is None or picture.ndim != 3:
            raise CameraLost(f"expected a colour picture from USB camera {self._number}, found none")
        return np.asarray(picture, np.uint8)

    def _in_time(self, call: Callable[[], Any]) -> Any:
        try:
            return self._thread.submit(call).result(self._timeout_s)
        except FutureTimeout:
            self.close()
            raise CameraLost(
                f"expected a picture from USB camera {self._number} within {self._timeout_s:g} s, found none"
            ) from None
        except RuntimeError:
            raise CameraLost(f"expected USB camera {self._number} to be open, found it closed") from None
