"""Whether the camera gives fresh pictures, how fast, and whether the tiles in them can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from referee.devices.camera.camera import Camera, Notice, Now
from referee.devices.camera.network.camera import NetworkCamera, Report
from referee.devices.camera.pi_camera import PiCamera, check
from referee.devices.camera.usb_camera import UsbCamera
from referee.doctor import network
from referee.doctor.finding import STOP_SERVICE, Finding, attention, ok, wrong
from referee.doctor.measure import Flicker, flicker
from referee.errors import CameraLost, CannotJudge, Loss
from referee.factories import from_settings as build
from referee.factories.lens_profiles import Optics
from referee.game.tiles import TileSet
from referee.game.wording import count
from referee.messages import error_text
from referee.settings.settings import CameraSettings
from referee.vision.sighting import Image, Reader

APART_S = 0.33
"""Between the two pictures that are compared: no multiple of the mains' period."""
SMALLER = 0.9
"""A camera that gives less than this share of the width that was asked for has another mode."""
SLOW_READ_S = 1.0
"""Players begin to wonder whether their press was heard."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a camera gave: two pictures of one table, the seconds that opening it and the first picture took."""

    picture: Image
    other: Image
    opening_s: float
    picture_s: float
    troubles: tuple[str, ...] = ()
    locked: Mapping[str, Any] | None = None
    notices: tuple[Notice, ...] = ()
    optics: Optics = field(default_factory=Optics)
    report: Report | None = None
    """What a network camera tells of its way here."""

    @property
    def flicker(self) -> Flicker | None:
        """How the light changed; None where both pictures are the very same, as from a file."""
        if self.picture.shape != self.other.shape or np.array_equal(self.picture, self.other):
            return None
        return flicker(self.picture, self.other)


def opened(settings: CameraSettings, now: Now) -> Camera:
    """The camera that the settings name, opened bare, so that it tells what it has locked and what it could not."""
    return build.opener(settings, now)()


def taken(open_camera: Callable[[], Camera], now: Now) -> Taken:
    """Open a camera, take what is needed, and let it go; raises CameraLost, or BadInput for a bad source."""
    began = now()
    camera = open_camera()
    try:
        ready = now()
        first = camera.frame(ready)
        at = now()
        other = camera.frame(at + APART_S)
        over = camera if isinstance(camera, NetworkCamera) else None
        troubles = check(camera, now, 0.0 if over is None else over.report.lag_s)
        locked = camera.locked if isinstance(camera, PiCamera) else None
        notices = camera.notices if isinstance(camera, PiCamera | UsbCamera | NetworkCamera) else ()
        known = build.optics_of(camera, (first.picture.shape[1], first.picture.shape[0]))
        report = None if over is None else over.report
        return Taken(first.picture, other.picture, ready - began, at - ready, troubles, locked, notices, known, report)
    finally:
        camera.close()


def judge_camera(found: Taken, settings: CameraSettings) -> Iterator[Finding]:
    """What the camera's pictures say about it."""
    height, width = found.picture.shape[:2]
    figures = {
        "width_px": width,
        "height_px": height,
        "opening_s": round(found.opening_s, 2),
        "picture_s": round(found.picture_s, 3),
    }
    if found.troubles and found.report is not None:
        yield wrong(
            "camera", " ".join(found.troubles), "Look at its pictures in a browser, and at the lens.", **figures
        )
    elif found.troubles:
        do = "Check its lens, and whether another program uses it; then its cable, with the plug pulled."
        yield wrong("camera", " ".join(found.troubles), do, **figures)
    else:
        text = (
            f"The camera ({settings.kind}) gives fresh pictures of {width} x {height}, the first after "
            f"{found.picture_s:.2f} s, and small ones to watch."
        )
        yield ok("camera", text, **figures)
    if settings.kind in ("pi", "usb") and width < SMALLER * settings.width_px:
        text = f"The camera gives pictures {width} pixels wide; the settings ask for {settings.width_px}."
        yield attention("camera size", text, "Set [camera] width_px and height_px to a size that the camera has.")
    if settings.kind == "network" and width < SMALLER * settings.width_px:
        text = f"The camera gives pictures {width} pixels wide; the settings ask for {settings.width_px}."
        yield attention(
            "camera size", text, "Choose larger pictures in the phone's program: small digits are misread."
        )
    if found.report is not None:
        yield from network.reached(found.report)
    for notice in found.notices:
        yield attention("camera settings", notice.found, notice.do)
    if found.locked is not None:
        yield _lock(found.locked)


def _lock(locked: Mapping[str, Any]) -> Finding:
    exposure, gain = locked.get("ExposureTime", 0) / 1000, float(locked.get("AnalogueGain", 0))
    lens = locked.get("LensPosition")
    figures = {"exposure_ms": round(exposure, 2), "gain": round(gain, 2)}
    if lens is None:
        text = f"Locked are exposure ({exposure:.1f} ms), gain ({gain:.1f}) and white balance; it has no focus motor."
        return ok("camera lock", text, **figures)
    focus = 1 / float(lens) if float(lens) > 0 else float("inf")
    text = f"Locked are focus ({focus:.2f} m), exposure ({exposure:.1f} ms), gain ({gain:.1f}) and white balance."
    return ok("camera lock", text, **figures, focus_m=round(focus, 2) if focus < 100 else None)


def tiles(
    reader: Reader, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], now: Now
) -> Iterator[Finding]:
    """Whether the tiles that happen to lie there can be read."""
    began = now()
    try:
        sighting = reader.read(picture, tileset, table_mm)
    except CannotJudge as error:
        yield wrong(
            "tiles",
            f"The table cannot be read: {error_text(error)}.",
            "Put the markers right, then run the doctor again.",
        )
        return
    seconds, reads, doubts = now() - began, len(sighting.reads), len(sighting.doubts)
    figures = {"tiles": reads, "doubtful": doubts, "seconds": round(seconds, 3)}
    if not reads:
        text = "No tile was found. If none lies there, all is well: lay some out to have their reading checked too."
        yield ok("tiles", text, **figures)
    elif doubts > max(1, reads // 20):
        do = "Put right what is said about focus, light and glare; name the box of tiles in [table] tileset."
        yield attention("tiles", f"{count(reads, 'tile')} found, {doubts} of them in doubt.", do, **figures)
    else:
        yield ok("tiles", f"{count(reads, 'tile')} read in {seconds:.2f} s, {doubts} in doubt.", **figures)


_ADVICE = {
    Loss.BUSY: STOP_SERVICE,
    Loss.ABSENT: "Pull the plug, check its cable, plug in again; and see [camera] in the settings.",
    Loss.SILENT: "Pull the plug, push its cable in at both ends, "
    "a ribbon's contacts on the right side; plug in again.",
    Loss.STUCK: "Pull the plug, count to ten, then plug in again: no restart and no ending of processes frees it.",
    Loss.UNUSABLE: "Install what is missing, then run the doctor again.",
}


def what_to_do(error: Exception, kind: str = "") -> str:
    """What to do about a camera of a kind that could not be opened, or was lost meanwhile."""
    if kind == "network":
        return network.what_to_do(error)
    usual = "Check its cable, and [camera] in the settings."
    return _ADVICE.get(error.kind, usual) if isinstance(error, CameraLost) and error.kind is not None else usual
