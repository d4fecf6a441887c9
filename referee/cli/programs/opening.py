"""Opening the camera of a match, which may appear late, and building the reader for its lens.

The inspection of its pictures with the doctor's checks, for the set-up at a screen, is here too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from referee.cli.parts import from_settings as build
from referee.cli.parts import lens_profiles
from referee.cli.parts import lens_profiles as optics
from referee.cli.parts.lens_profiles import Optics, Through
from referee.cli.terminal.output import tell
from referee.devices.camera.camera import Camera, wait_for_camera
from referee.devices.camera.kernel_sleep import reboot
from referee.doctor.finding import Finding, Result
from referee.doctor.measure import Spot
from referee.doctor.place import judge_view
from referee.doctor.seeing import judge_seeing
from referee.doctor.view import View, measure_view
from referee.errors import BadInput, CameraLost, Loss, RefereeError
from referee.game.notice import Notice, told_by
from referee.i18n import ENGLISH
from referee.settings.settings import CameraSettings, Settings
from referee.table.preparation.prepared import Inspection, Remark
from referee.vision.geometry.pose import Lens
from referee.vision.quality import complaint_of
from referee.vision.sighting import Floats, Image, Reader

DEVICES = ("pi", "usb", "network")
SIZED = ("pi", "usb")
"""Kinds of camera whose pictures have the size of the settings."""
LATE_S = 20.0
"""Seconds to wait for a camera that is missing at the start."""

Tell = Callable[[Notice], None]
Sleep = Callable[[float], None]
WIDEST = 1280
"""The largest width of a picture that is kept, in pixels."""
OUTLINE = 24
"""Points of the ring around a mirrored lamp."""
RING_MM = 18.0
"""Distance from the edge of the lamp to the ring."""


def behind_the_lens(
    settings: Settings,
    folder: Path,
    build_reader: Callable[[Lens | None], Reader],
    tell: Tell,
    sleep: Sleep = time.sleep,
    note: Callable[[Optics], None] = lambda _: None,
) -> tuple[Camera, Reader]:
    """Open the camera and build a reader for its lens; raises BadInput if the lens profile does not fit the camera.

    `note` is called with what is known of the camera.
    """
    known: list[Optics] = []
    size = settings.camera.width_px, settings.camera.height_px
    found = lens_profiles.profile_in_use(
        settings, folder
    )  # an unusable file is reported before anybody waits for a camera
    focused = lens_profiles.with_calibrated_focus(settings, found)
    looks = camera(focused, lambda one: known.append(build.optics_of(one, size)), tell, sleep)
    try:
        facts = known[0] if settings.camera.kind in SIZED else Optics(sensor=known[0].sensor)
        note(known[0])
        lens, found = lens_profiles.lens_for(settings, folder, facts)
        reader = build_reader(lens)
    except RefereeError:
        looks.close()
        raise
    return looks, reader if found is None else optics.Through(reader, found[0], str(found[1]))


def camera(
    settings: CameraSettings,
    seen: Callable[[Camera], None] = lambda _: None,
    said: Tell | None = None,
    sleep: Sleep = time.sleep,
) -> Camera:
    """Open the camera; wait if it is absent or busy, because USB cameras may appear late after the machine starts."""
    say = said or (lambda told: tell(ENGLISH(told)))

    def open_camera() -> Camera:
        return build.camera_of(settings, time.monotonic, say, seen)

    if settings.kind in DEVICES:
        try:
            return wait_for_camera(open_camera, LATE_S, say, time.monotonic, sleep)
        except CameraLost as error:
            if error.kind is Loss.STUCK and settings.reboot and (refused := reboot()) is not None:
                say(Notice("camera.no_reboot", reason=refused))
            raise
    try:
        return open_camera()
    except CameraLost as error:  # a file or folder that is not there is a mistake in the settings
        raise BadInput(told_by(error)) from error


def inspector(table_mm: tuple[float, float], reader: Reader | None) -> Callable[[Image], Inspection]:
    """Return a function that inspects pictures of a table of that size, with the lens that the reader knows."""
    profile = reader.profile if isinstance(reader, Through) else None

    def inspect(picture: Image) -> Inspection:
        same = profile is not None and profile.optics.size_px == (picture.shape[1], picture.shape[0])
        fitting: Lens | None = profile.lens if profile is not None and same else None
        view = measure_view(picture, table_mm, fitting)
        findings = [*judge_view(view), *judge_seeing(view)]
        remarks = [Remark(one.result.value, one.found, one.do) for one in sorted(findings, key=_badness)]
        if not view.markers and (dark := complaint_of(picture)) is not None:
            remarks.insert(0, Remark(Result.WRONG.value, dark))
        height, width = picture.shape[:2]
        scale = min(1.0, WIDEST / width)
        small = cv2.resize(picture, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
        unit = np.asarray([1 / width, 1 / height], np.float32)
        markers = {number: np.asarray(corners * unit, np.float32) for number, corners in view.markers.items()}
        lamps = tuple(np.asarray(_ring(spot, view) * unit, np.float32) for spot in view.spots)
        return Inspection(tuple(remarks), np.asarray(small, np.uint8), markers, lamps)

    return inspect


def _badness(finding: Finding) -> int:
    return [Result.WRONG, Result.ATTENTION, Result.OK, Result.SKIPPED].index(finding.result)


def _ring(spot: Spot, view: View) -> Floats:
    """Return the outline of a ring around a mirrored lamp, in pixels."""
    radius = float(np.sqrt(spot.area_mm2 / np.pi)) + RING_MM
    turn = np.linspace(0.0, 2 * np.pi, OUTLINE, endpoint=False)
    around = np.column_stack([spot.x_mm + radius * np.cos(turn), spot.y_mm + radius * np.sin(turn)])
    if view.pose is None:
        return np.zeros((0, 2), np.float32)
    return np.asarray(view.pose.on_plane(around, 0.0), np.float32)
