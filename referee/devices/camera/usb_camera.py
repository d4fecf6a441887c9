"""A USB camera through OpenCV.

OpenCV's calls block for as long as the driver likes, and a VideoCapture may be used in one thread only. So every call,
the release included, runs in a thread of the camera's own. A thread that hangs is left behind with its device, and
does not keep the process from ending.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.devices.camera.camera import CaptureSettings, Flaw, Frame, Gray, Now, shrunk
from referee.devices.camera.usb_lock import ignored_settings, lock_automatics, scale_exposure, set_up
from referee.devices.decoders import collected_complaints
from referee.devices.thread import OneThread
from referee.errors import CameraLost, Loss
from referee.game.notice import Notice
from referee.vision.sighting import Image

OPENING_S = 6.0
"""Seconds that opening may take longer than a picture: it sets the size and lets the automatics settle."""
RELEASE_S = 2.0
"""Seconds that the release is waited for: nobody else can open the device before."""
DAMAGED = 5
"""After this many damaged pictures in a row the camera counts as lost."""
UNDER_WAY = 2
"""Frames that may already have begun: one is being sent, another one exposed."""


def _open_device(number: int) -> Any:
    # A missing camera is reported by us in one line, instead of by what OpenCV would print.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2.VideoCapture(number)


def _there(number: int) -> bool:
    return Path(f"/dev/video{number}").exists()


class UsbCamera:
    """The USB camera with a number (0 is the first one).

    `fixed` is what an opening has fixed, by OpenCV's numbers; if the next one gets it as `kept`, it is set again.
    """

    def __init__(
        self,
        number: int,
        settings: CaptureSettings | None = None,
        kept: Mapping[int, float] | None = None,
        *,
        build: Callable[[int], Any] = _open_device,
        there: Callable[[int], bool] = _there,
        now: Now = time.monotonic,
    ) -> None:
        """Open the camera and lock its automatics; raises CameraLost where it is absent, busy or sends no picture.

        Opening may take `timeout_s` of the settings and `OPENING_S` seconds more.

        `number`: the camera's number, as in /dev/video0.
        `settings`: size, exposure, timeouts. None: the usual ones.
        `kept`: what an earlier opening has fixed, by OpenCV's numbers, which is set again. None: it is measured.
        `build`: opens a device by its number; OpenCV by default.
        `there`: whether a device with a number exists.
        `now`: the monotonic clock, in seconds.
        """
        self._number, self._settings, self._now = number, settings or CaptureSettings(), now
        self._build, self._there, self._kept = build, there, kept or {}
        self._thread = OneThread("usb-camera", RELEASE_S)
        self._closed = False
        # The attributes from here on are used only in the camera's own thread.
        self._device: Any = None
        self._buffered = 1
        self.fixed: Mapping[int, float] = {}
        self.notices: tuple[Flaw, ...] = ignored_settings(self._settings)
        try:
            self.fixed, notices = self._in_time(self._open, self._settings.timeout_s + OPENING_S)
        except CameraLost:
            self.close()
            raise
        self.notices += notices

    def frame(self, after: float) -> Frame:
        """Take a picture that was exposed after the moment `after`; raises CameraLost after `timeout_s` seconds."""
        picture, t = self._in_time(lambda: self._fresh(after), self._settings.timeout_s)
        return Frame(picture, t)

    def preview(self, after: float) -> Gray:
        """Take a full picture like `frame()`, and return it in grey, `preview_px` wide."""
        picture, _ = self._in_time(lambda: self._fresh(after), self._settings.timeout_s)
        return shrunk(picture, self._settings.preview_px)

    def expose(self, factor: float) -> bool:
        """Scale the exposure by `factor`; False where the camera has no fixed exposure, or does not obey."""
        base = self.fixed.get(cv2.CAP_PROP_EXPOSURE)
        return bool(
            self._in_time(lambda: scale_exposure(self._device, base, factor, self._grab), self._settings.timeout_s)
        )

    def close(self) -> None:
        """Release the device after the call under way, which is waited for a few seconds at most."""
        self._let_go(wait=True)

    def _let_go(self, *, wait: bool) -> None:
        if self._closed:
            return
        self._closed = True
        self._thread.submit(self._release)
        self._thread.shutdown(wait)

    def _open(self) -> tuple[dict[int, float], tuple[Flaw, ...]]:
        self._device = self._build(self._number)
        if not self._device.isOpened():
            if self._there(self._number):
                raise CameraLost(Notice("camera.usb_busy", number=self._number), Loss.BUSY)
            raise CameraLost(Notice("camera.usb_absent", number=self._number), Loss.ABSENT)
        self._buffered = set_up(self._device, self._settings)
        return lock_automatics(self._device, self._settings, self._kept, self._grab, self._now)

    def _release(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            with contextlib.suppress(cv2.error):
                device.release()

    def _grab(self) -> None:
        if self._closed or self._device is None or not self._device.grab():
            raise CameraLost(Notice("camera.usb_no_picture", number=self._number))

    def _fresh(self, after: float) -> tuple[Image, float]:
        """Return the first frame that cannot have begun before `after`, and the moment since which that is known.

        Frames wait in the driver's buffers, one is on its way, and one is being exposed; only the next is new.
        """
        while True:
            asked = self._now()
            self._grab()
            if asked >= after:
                break
        for _ in range(self._buffered + UNDER_WAY):
            self._grab()
        for _ in range(DAMAGED):
            with collected_complaints() as complaints:
                ok, picture = self._device.retrieve()
            if not ok or picture is None or picture.ndim != 3:
                raise CameraLost(Notice("camera.usb_no_colour", number=self._number))
            if complaints.damage is None:
                return np.asarray(picture, np.uint8), asked
            self._grab()
        raise CameraLost(Notice("camera.usb_no_picture", number=self._number))

    def _in_time(self, call: Callable[[], Any], within_s: float) -> Any:
        if self._closed:
            raise CameraLost(Notice("camera.usb_closed", number=self._number))
        try:
            return self._thread.submit(call).result(within_s)
        except TimeoutError:
            self._let_go(wait=False)
            silent = Notice("camera.usb_silent", number=self._number, seconds=within_s)
            raise CameraLost(silent, Loss.SILENT) from None
        except cv2.error as error:
            raise CameraLost(Notice("camera.usb_failed", number=self._number, reason=str(error.err))) from error
