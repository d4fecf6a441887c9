"""Making camera, panel and match from the settings."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from referee.cli.parts.lens_profiles import Optics
from referee.devices.camera.camera import Camera, CaptureSettings, Flaw, Reopening
from referee.devices.camera.files import FolderCamera, VideoCamera
from referee.devices.camera.network.address import is_foreign, parse_address
from referee.devices.camera.network.camera import NetworkCamera, NetworkSettings, Unhurried, visit_of
from referee.devices.camera.pi_camera import PiCamera
from referee.devices.camera.pi_settings import PiSettings
from referee.devices.camera.usb_camera import UsbCamera
from referee.devices.wiring.pins import PinMap
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.game.rulebooks import choices_of, ruleset
from referee.game.tiles import TILE_SETS, TileSet
from referee.journal.rows import Setup
from referee.settings.settings import PANEL, CameraSettings, Settings
from referee.settings.values import nearest
from referee.table.lobby import Called, Plan, check_box, check_handicaps, names_for, will_do
from referee.table.looking.vision_worker import DEADLINE_S, Watch
from referee.table.session import Session

Now = Callable[[], float]
Tell = Callable[[Notice], None]
LONGEST_USB = 3
"""The most digits in the number of a USB camera."""
S = TypeVar("S", bound=CaptureSettings)


def optics_of(camera: Camera, size_px: tuple[int, int]) -> Optics:
    """Return what is known of a camera's lens: for a Pi camera, its sensor and the locked focus."""
    if not isinstance(camera, PiCamera):
        return Optics(size_px)
    position = camera.locked.get("LensPosition")
    return Optics(size_px, camera.sensor, None if position is None else float(position))


def camera_of(
    settings: CameraSettings, now: Now, tell: Tell, seen: Callable[[Camera], None] = lambda _: None
) -> Camera:
    """Open the camera of the settings; raises CameraLost if there is none, BadInput for a wrong source.

    Each flaw, such as a setting that the camera does not support, is reported once, even if the camera is reopened.
    `seen` is called with the camera after each opening.
    """
    open_one = opener(settings, now)
    told: set[Flaw] = set()

    def open_once() -> Camera:
        camera = open_one()
        seen(camera)
        for flaw in camera.notices if isinstance(camera, PiCamera | UsbCamera | NetworkCamera) else ():
            if flaw not in told:
                told.add(flaw)
                tell(Notice("camera.says", what=flaw.notice))
        return camera

    lost_again = "camera.net_lost_again" if settings.kind == "network" else "camera.lost_again"
    return Reopening(open_once, settings.restarts, now, lost_again)


def opener(settings: CameraSettings, now: Now) -> Callable[[], Camera]:
    """Return a function that opens the camera of the settings, as often as it is called."""
    if settings.kind in ("usb", "folder", "video") and "://" in settings.source:  # not shown: it may hold a password
        raise BadInput(Notice("camera.address_elsewhere", kind=settings.kind))
    match settings.kind:
        case "network":
            network = _settings_of_kind(settings, NetworkSettings)
            visit_of(network)  # wrong settings are reported before anything is requested
            return Unhurried(lambda: NetworkCamera(network, now=now), now)
        case "usb":
            number = settings.source or "0"
            if not (number.isascii() and number.isdigit() and len(number) <= LONGEST_USB):
                raise BadInput(Notice("camera.usb_number_wanted", found=repr(settings.source)))
            usb = _settings_of_kind(settings, CaptureSettings)
            return _camera_opener(lambda kept: UsbCamera(int(number), usb, kept, now=now))
        case "folder":
            pictures = _path(settings)
            return lambda: FolderCamera(pictures, settings.preview_px, now)
        case "video":
            video = _path(settings)
            return lambda: VideoCamera(video, settings.preview_px, now)
        case "virtual":
            raise BadInput("[camera] kind: expected a camera, found virtual: only `referee play` seats people there")
    pi = _settings_of_kind(settings, PiSettings)
    return _camera_opener(lambda kept: PiCamera(pi, kept, now=now))


def check_source(settings: CameraSettings, now: Now) -> None:
    """Raise BadInput if the camera's source cannot be right; the camera is not opened."""
    if settings.kind == "virtual":
        return
    opener(settings, now)
    if settings.kind == "network" and not settings.anywhere and is_foreign(address := parse_address(settings.source)):
        raise BadInput(Notice("camera.net_not_local", place=address.place))
    if settings.kind == "video" and not _path(settings).is_file():
        raise BadInput(Notice("camera.no_video", path=settings.source))
    if settings.kind == "folder" and not (place := _path(settings)).is_dir():
        reason = os.strerror(errno.ENOTDIR if place.exists() else errno.ENOENT)
        raise BadInput(Notice("camera.no_folder", folder=settings.source, reason=reason))


def _camera_opener(build: Callable[[Any], PiCamera | UsbCamera]) -> Callable[[], Camera]:
    """Return a function that opens a camera; later openings, in mid-match, keep the values that the last one fixed."""
    last: list[PiCamera | UsbCamera] = []

    def open_once() -> Camera:
        camera = build(last[0].fixed if last else {})
        last[:] = [camera]
        return camera

    return open_once


def _settings_of_kind(settings: CameraSettings, kind: type[S]) -> S:
    """Return those settings that a kind of camera has."""
    return kind(**{one.name: getattr(settings, one.name) for one in fields(kind)})


def _path(settings: CameraSettings) -> Path:
    if not settings.source:
        raise BadInput(Notice("camera.path_wanted", kind=settings.kind))
    return Path(settings.source)


def pins_of(settings: Settings) -> PinMap:
    """Return the pin map of the settings' table `[panel]`."""

    def where(key: str) -> str:
        return settings.places.get(f"{PANEL}.{key}", f"{settings.source}, [{PANEL}] {key}")

    return PinMap.from_table(settings.panel, where)


def plan_of(settings: Settings, pins: PinMap, called: Called = "Player {}".format) -> Plan:
    """Return the plan of the next match; `called` returns the names of players that the settings do not name.

    Raises BadInput if rules, options, names, handicaps or box do not fit together.
    """
    game = settings.game
    with name_place_of_errors(settings, "game", "rules"):
        ruleset(game.rules)
    with name_place_of_errors(settings, "game", "options"):
        setup = Setup.now(game.rules, choices_of(game.options), game.season or None)
        rules = setup.ruleset()
    with name_place_of_errors(settings, "game", "players"):
        names = names_for(rules, game.players, len(pins.turn_buttons), called)
    with name_place_of_errors(settings, "game", "handicaps"):
        check_handicaps(rules, names, game.handicaps)
    with name_place_of_errors(settings, "table", "tileset"):
        box = _box(settings.table.tileset)
        if box is not None:
            check_box(box, rules)
    return Plan(setup, names, game.rounds, game.handicaps, box, game.coach)


@contextmanager
def name_place_of_errors(settings: Settings, table: str, key: str) -> Iterator[None]:
    """Add the place of a setting to a BadInput about its value."""
    try:
        yield
    except BadInput as error:
        raise BadInput(Notice("words.at", place=settings.place(table, key), told=told_by(error))) from error


def _box(name: str) -> TileSet | None:
    """Return the tile set of that name, None for an empty name; raises BadInput for an unknown one."""
    if name and name not in TILE_SETS:
        raise BadInput(f"expected a box of tiles, found {name!r:.80}; {nearest(name, TILE_SETS)}")
    return TILE_SETS[name] if name else None


def box_of(plan: Plan, session: Session) -> Callable[[], TileSet]:
    """Return a function that returns the tile set to read: that of the match, or that of the settings if it will do.

    A match that continues may have begun with other settings. If the hall decides what is played, the box on the table
    is still that of the plan.
    """

    def box() -> TileSet:
        rules = session.state.rules
        lies = plan.rules.box if plan.box is None and session.setup.draw is not None else plan.box
        return rules.box if lies is None or not will_do(lies, rules) else lies

    return box


def watch_of(settings: Settings) -> Watch:
    """Return how the table is watched; the deadline allows for a camera that waits long for a picture."""
    watching = settings.watching
    deadline_s = max(DEADLINE_S, 2 * settings.camera.timeout_s)
    return Watch(1 / watching.per_second, watching.still_s, watching.read_ahead, deadline_s)
