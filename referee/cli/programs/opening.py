"""The camera of a match, opened: waited for where it may come late, with the reader that knows its lens."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from referee.cli.parts import from_settings as build
from referee.cli.parts import lens_choice
from referee.cli.parts import lens_profiles as optics
from referee.cli.parts.lens_profiles import Optics
from referee.cli.terminal.output import tell
from referee.devices.camera.camera import Camera, wait_for_camera
from referee.devices.reboot import reboot
from referee.errors import BadInput, CameraLost, Loss, RefereeError
from referee.game.notice import Notice, told_by
from referee.i18n import ENGLISH
from referee.settings.settings import CameraSettings, Settings
from referee.vision.geometry.pose import Lens
from referee.vision.sighting import Reader

DEVICES = ("pi", "usb", "network")
SIZED = ("pi", "usb")
"""Cameras that give pictures of the size they are told."""
LATE_S = 20.0
"""How long a camera that is not there at the start is waited for."""

Tell = Callable[[Notice], None]
Sleep = Callable[[float], None]


def behind_the_lens(
    settings: Settings,
    folder: Path,
    build_reader: Callable[[Lens | None], Reader],
    tell: Tell,
    sleep: Sleep = time.sleep,
    note: Callable[[Optics], None] = lambda _: None,
) -> tuple[Camera, Reader]:
    """The camera, opened, and a reader that knows its lens; BadInput where the lens profile does not fit it.

    `note` is told what is known of the camera.
    """
    known: list[Optics] = []
    size = settings.camera.width_px, settings.camera.height_px
    found = lens_choice.chosen(settings, folder)  # a file that cannot be used is told before a camera is waited for
    focused = lens_choice.with_calibrated_focus(settings, found)
    looks = camera(focused, lambda one: known.append(build.optics_of(one, size)), tell, sleep)
    try:
        facts = known[0] if settings.camera.kind in SIZED else Optics(sensor=known[0].sensor)
        note(known[0])
        lens, found = lens_choice.fitting(settings, folder, facts)
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
    """The camera; one that is absent or busy is waited for: USB cameras may come late after the machine's start."""
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
