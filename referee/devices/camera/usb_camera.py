"""A USB camera through OpenCV.

A call of OpenCV blocks for as long as the driver likes, and a VideoCapture may be used in one thread only. So every
call, including the release, runs in a thread that the camera has for itself. If that thread hangs, it is left behind
with its device, and does not keep the process from ending.

The camera's mode is set first. Then everything that would change by itself during a match is locked. Drivers differ in
what they accept, so every value is read back, and values that were not accepted are reported.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.devices.camera.camera import CaptureSettings, Flaw, Frame, Gray, Now, changed_names, to_small_grey
from referee.devices.decoders import collected_complaints
from referee.devices.thread import OneThread
from referee.errors import CameraLost, Loss
from referee.game.notice import Notice
from referee.vision.sighting import Image

MJPG = cv2.VideoWriter.fourcc(*"MJPG")
SETTLE_S = 1.5
"""Seconds for the camera's automatic adjustments to settle. Chosen by hand; no real camera has been measured yet."""
MOST_FRAMES = 120
"""Settling ends after this many frames, even if the clock does not advance."""
FEW_FRAMES = 5
"""The number of frames until a setting shows in the picture."""
DRIVERS_BUFFERS = 4
"""Buffers that OpenCV requests from Linux by default."""
AUTOMATICS = (
    (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS, Notice("camera.usb_sets_focus")),
    (cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE, Notice("camera.usb_sets_white_balance")),
)
"""For each automatic adjustment: its switch, the value that it adjusts, and the notice if it cannot be switched
off."""
MANUAL, AUTOMATIC = 1, 3
"""Values of Linux' V4L2_CID_EXPOSURE_AUTO: manual, and aperture priority."""
PER_MS = 10
"""Linux counts exposure in units of 100 microseconds."""
PERIOD = 10 * PER_MS
"""The period of lamps at 50 Hz, which flicker a hundred times a second. USB cameras do not know any other
frequency."""
ROUNDED = 0.25
"""The fraction by which an exposure of whole periods may differ from the one asked for."""
SAME_LIGHT = 0.25
"""The fraction by which the brightness may change when the exposure is fixed; some drivers go back to an old
exposure."""
LIGHT = Notice("camera.keep_light")


def ignored_settings(settings: CaptureSettings) -> tuple[Flaw, ...]:
    """Return a flaw for each changed setting that USB cameras lack: every maker uses other units for these."""
    names = changed_names(settings, ("focus_m", "gain"))
    return tuple(Flaw(Notice("camera.usb_not_told", setting=name), Notice("camera.leave_it_out")) for name in names)


def set_up(device: Any, settings: CaptureSettings) -> int:
    """Set the mode of the camera; return how many old frames the driver may keep.

    The compressed format is set before the size: without it most cameras deliver large pictures slowly, or not at all.
    """
    device.set(cv2.CAP_PROP_FOURCC, MJPG)
    device.set(cv2.CAP_PROP_FRAME_WIDTH, settings.width_px)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.height_px)
    device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    kept = device.get(cv2.CAP_PROP_BUFFERSIZE)
    return int(kept) if 1 <= kept <= DRIVERS_BUFFERS else DRIVERS_BUFFERS


def lock_automatics(
    device: Any, settings: CaptureSettings, kept: Mapping[int, float], grabbed: Callable[[], None], now: Now
) -> tuple[dict[int, float], tuple[Flaw, ...]]:
    """Let the automatic adjustments settle, then switch them off.

    Returns the values that are fixed now, and a flaw for each adjustment that could not be switched off. Values that
    an earlier opening has fixed (`kept`) are set again and not measured: a hand over the table would change them.
    """
    settling = [key for key, value, _ in AUTOMATICS if value not in kept]
    for key in settling:
        device.set(key, 1)
    exposure = settings.exposure_ms * PER_MS or kept.get(cv2.CAP_PROP_EXPOSURE)
    if exposure is None:
        device.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)
    if settling or exposure is None:
        until = now() + SETTLE_S
        for _ in range(MOST_FRAMES):
            grabbed()
            if now() >= until:
                break
    flaws = []
    if device.get(cv2.CAP_PROP_FOURCC) != MJPG:
        flaws.append(Flaw(Notice("camera.usb_no_mjpg"), Notice("camera.smaller_pictures")))
    for key, value, unruly in AUTOMATICS:
        device.set(key, 0)  # the value stays as it is; a camera without this adjustment reports 0 or less anyway
        if value in kept:
            device.set(value, kept[value])
        if device.get(key) > 0:
            flaws.append(Flaw(unruly, LIGHT))
    flaw = _lock_exposure(device, grabbed) if exposure is None else _set_exposure(device, exposure, grabbed)
    flaws += [] if flaw is None else [flaw]
    return _read_fixed_values(device), tuple(flaws)


def scale_exposure(device: Any, base: float | None, factor: float, grabbed: Callable[[], None]) -> bool:
    """Set the exposure to `factor` times the fixed exposure `base`; return whether the camera does that.

    The new exposure is a whole number of periods of flickering lamps, unless the fixed one is as short as in sunlight.
    If `base` is None, the camera sets the exposure by itself.
    """
    if base is None:
        return False
    before = device.get(cv2.CAP_PROP_EXPOSURE)
    wanted = base * factor
    if factor != 1.0:
        wanted = float(round(wanted / PERIOD) * PERIOD if base >= PERIOD else round(wanted))
        if abs(wanted - base * factor) > ROUNDED * base * factor:
            return False
    if _set_exposure(device, wanted, grabbed) is None:
        return True
    device.set(cv2.CAP_PROP_EXPOSURE, before)
    return False


def _read_fixed_values(device: Any) -> dict[int, float]:
    """Return the device's present values, except those that it still adjusts or does not report."""
    values = [value for key, value, _ in AUTOMATICS if device.get(key) <= 0]
    if device.get(cv2.CAP_PROP_AUTO_EXPOSURE) == MANUAL:
        values.append(cv2.CAP_PROP_EXPOSURE)
    return {value: found for value in values if (found := device.get(value)) > 0}


def _set_exposure(device: Any, exposure: float, grabbed: Callable[[], None]) -> Flaw | None:
    wanted = round(exposure)
    device.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL)
    device.set(cv2.CAP_PROP_EXPOSURE, wanted)
    for _ in range(FEW_FRAMES):
        grabbed()
    found = device.get(cv2.CAP_PROP_EXPOSURE)
    if device.get(cv2.CAP_PROP_AUTO_EXPOSURE) == MANUAL and abs(found - wanted) <= 0.1 * wanted:
        return None
    other = Notice("camera.usb_other_exposure", wanted=wanted / PER_MS, found=found / PER_MS)
    return Flaw(other, Notice("camera.leave_exposure_out"))


def _lock_exposure(device: Any, grabbed: Callable[[], None]) -> Flaw | None:
    """Fix the exposure that the camera measured; if that changes the picture, leave the exposure to the camera."""
    before = _brightness(device)
    exposure = device.get(cv2.CAP_PROP_EXPOSURE)
    device.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL)
    device.set(cv2.CAP_PROP_EXPOSURE, exposure)
    for _ in range(FEW_FRAMES):
        grabbed()
    same = abs(_brightness(device) - before) <= SAME_LIGHT * before
    if same and device.get(cv2.CAP_PROP_AUTO_EXPOSURE) == MANUAL:
        return None
    device.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)
    return Flaw(Notice("camera.usb_sets_exposure"), LIGHT)


def _brightness(device: Any) -> float:
    ok, picture = device.retrieve()
    return float(np.mean(picture)) if ok and picture is not None else 0.0


OPENING_S = 6.0
"""Seconds that opening may take in addition to a picture's timeout: it sets the size and lets the adjustments
settle."""
RELEASE_S = 2.0
"""Seconds to wait for the release of the device; nobody else can open it before."""
DAMAGED = 5
"""After this many damaged pictures in a row the camera counts as lost."""
UNDER_WAY = 2
"""Frames that may already have begun: one is being sent, and another one is being exposed."""


def _open_device(number: int) -> Any:
    # We report a missing camera in one line ourselves, so OpenCV must not print anything.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2.VideoCapture(number)


def _there(number: int) -> bool:
    return Path(f"/dev/video{number}").exists()


class UsbCamera:
    """The USB camera with a number; 0 is the first.

    `fixed` are the values that were fixed at opening, by OpenCV's numbers of properties. If the next opening gets them
    as `kept`, they are set again.
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
        """Open the camera and lock its adjustments; raises CameraLost if it is absent, busy or sends no picture.

        Opening may take `timeout_s` of the settings and `OPENING_S` seconds more.

        `number`: the camera's number, as in /dev/video0.
        `settings`: size, exposure, timeouts. None: the defaults.
        `kept`: the values that an earlier opening has fixed, by OpenCV's numbers, to be set again. None: they are
            measured.
        `build`: opens a device by its number; OpenCV by default.
        `there`: returns whether the device with a number exists.
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
        return to_small_grey(picture, self._settings.preview_px)

    def expose(self, factor: float) -> bool:
        """Scale the exposure by `factor`; return whether that worked.

        It does not if the camera has no fixed exposure, or does not accept the new one.
        """
        base = self.fixed.get(cv2.CAP_PROP_EXPOSURE)
        return bool(
            self._in_time(lambda: scale_exposure(self._device, base, factor, self._grab), self._settings.timeout_s)
        )

    def close(self) -> None:
        """Release the device once the call under way is over; waits a few seconds at most."""
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
        """Return the first frame that cannot have begun before `after`, and the moment since which it can have begun.

        Some frames wait in the driver's buffers, one is being sent and one is being exposed; only the next one is new.
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
