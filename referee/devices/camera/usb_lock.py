"""Setting up a USB camera: its mode first, then locking whatever would change by itself during a match.

Every driver accepts something else, so everything is read back, and what was not accepted is reported. Called in the
camera's own thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np

from referee.devices.camera.camera import CaptureSettings, Flaw, Now, changed_names
from referee.game.notice import Notice

MJPG = cv2.VideoWriter.fourcc(*"MJPG")
SETTLE_S = 1.5
MOST_FRAMES = 120
"""Frames that are enough to settle, also where the clock does not advance."""
FEW_FRAMES = 5
"""Frames until a setting shows in the picture."""
DRIVERS_BUFFERS = 4
"""Buffers that OpenCV requests from Linux by default."""
AUTOMATICS = (
    (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS, Notice("camera.usb_sets_focus")),
    (cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE, Notice("camera.usb_sets_white_balance")),
)
"""What is switched on and off, what it sets, and the notice where it cannot be switched off."""
MANUAL, AUTOMATIC = 1, 3
"""Values of Linux' V4L2_CID_EXPOSURE_AUTO: manual, and aperture priority."""
PER_MS = 10
"""Linux counts exposure in units of 100 microseconds."""
PERIOD = 10 * PER_MS
"""Lamps at 50 Hz flicker a hundred times a second; USB cameras do not know any other frequency."""
ROUNDED = 0.25
"""The part by which an exposure of whole periods may differ from what was asked for."""
SAME_LIGHT = 0.25
"""The part by which the brightness may change when the exposure is fixed; some drivers fall back to an old one."""
LIGHT = Notice("camera.keep_light")


def ignored_settings(settings: CaptureSettings) -> tuple[Flaw, ...]:
    """Return a flaw for each setting that USB cameras lack: their units are every maker's own."""
    names = changed_names(settings, ("focus_m", "gain"))
    return tuple(Flaw(Notice("camera.usb_not_told", setting=name), Notice("camera.leave_it_out")) for name in names)


def set_up(device: Any, settings: CaptureSettings) -> int:
    """Choose the mode; return how many old frames the driver may keep.

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
    """Let the automatics settle, then switch them off; return what is fixed now, and what could not be.

    What an earlier opening has fixed is set again instead: a hand over the table would change it.
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
        device.set(key, 0)  # it stays where it stands; a camera without that automatic says 0 or less anyway
        if value in kept:
            device.set(value, kept[value])
        if device.get(key) > 0:
            flaws.append(Flaw(unruly, LIGHT))
    flaw = _found_exposed(device, grabbed) if exposure is None else _set_exposure(device, exposure, grabbed)
    flaws += [] if flaw is None else [flaw]
    return _read_fixed_values(device), tuple(flaws)


def scale_exposure(device: Any, base: float | None, factor: float, grabbed: Callable[[], None]) -> bool:
    """Expose `factor` times as long as `base`, which was fixed; return whether the camera does.

    By whole periods of lamps that flicker, unless the exposure is as short as in sunlight. `base` None: the camera
    sets the exposure by itself.
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
    """Return the device's present values, without those that it goes on setting or does not report."""
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


def _found_exposed(device: Any, grabbed: Callable[[], None]) -> Flaw | None:
    """Fix the exposure that the camera measured; where that changes the picture, leave it to the camera."""
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
