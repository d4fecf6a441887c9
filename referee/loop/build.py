"""Settings to parts: which camera, which panel, which match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from referee.config import FILE_VARIABLE, CameraSettings, Settings, line_of
from referee.devices.camera import Camera, Reopening
from referee.devices.file_camera import FolderCamera, VideoCamera
from referee.devices.pi_camera import PiCamera, PiSettings
from referee.devices.pins import PinMap
from referee.devices.usb_camera import UsbCamera
from referee.errors import BadInput
from referee.game.rulesets import choices_of
from referee.game.tiles import TileSet, tile_set
from referee.journal.rows import Setup
from referee.loop.desk import Desk
from referee.loop.plan import Plan, planned
from referee.loop.worker import Watch

PLACES = (Path("referee.toml"), Path("/etc/referee/referee.toml"))
"""Where settings are looked for, unless a flag or the environment names a file."""

Now = Callable[[], float]


def settings_file(chosen: Path | None, environ: Mapping[str, str], places: tuple[Path, ...] = PLACES) -> Path | None:
    """The settings file in use: the one chosen, else `REFEREE_CONFIG`, else the first place that has one."""
    if chosen is not None:
        return chosen
    if environ.get(FILE_VARIABLE):
        return Path(environ[FILE_VARIABLE])
    return next((place for place in places if _is_there(place)), None)


def _is_there(place: Path) -> bool:
    """Whether a file is there; in a folder that this user may not enter, as after `sudo -u`, none is."""
    try:
        return place.is_file()
    except PermissionError:
        return False


def camera_of(settings: CameraSettings, now: Now) -> Camera:
    """The camera that the settings name, opened; raises CameraLost where there is none, BadInput for a bad source."""
    return Reopening(lambda: _opened(settings, now), settings.restarts, now)


def _opened(settings: CameraSettings, now: Now) -> Camera:
    match settings.kind:
        case "usb":
            number = settings.source or "0"
            if not (number.isascii() and number.isdigit()):
                raise BadInput(f"[camera] source: expected the number of a USB camera, found {settings.source!r}")
            size = (settings.width_px, settings.height_px)
            return UsbCamera(int(number), size, settings.preview_px, settings.timeout_s, now=now)
        case "folder":
            return FolderCamera(_path(settings), settings.preview_px, now)
        case "video":
            return VideoCamera(_path(settings), settings.preview_px, now)
        case "virtual":
            raise BadInput("[camera] kind: expected a camera, found virtual: only `referee play` seats people there")
    return PiCamera(
        PiSettings(
            settings.width_px,
            settings.height_px,
            settings.preview_px,
            settings.focus_m,
            settings.exposure_ms,
            settings.gain,
            settings.timeout_s,
        ),
        now=now,
    )


def _path(settings: CameraSettings) -> Path:
    if not settings.source:
        raise BadInput(f"[camera] source: expected the path of a {settings.kind}, found nothing")
    return Path(settings.source)


def pins_of(settings: Settings, text: str = "") -> PinMap:
    """The pin map of the panel's table; `text` is the settings file, for line numbers in messages."""

    def where(key: str) -> str:
        line = line_of(text, "panel", key)
        return f"{settings.source}{'' if line is None else f', line {line}'}, [panel] {key}"

    return PinMap.from_table(settings.panel, where)


def plan_of(settings: Settings, pins: PinMap) -> Plan:
    """The match to come; raises BadInput where rules, options, names or handicaps do not fit together."""
    game = settings.game
    try:
        setup = Setup(game.rules, choices_of(game.options), game.season or None)
        return planned(setup, game.players, len(pins.turn_buttons), game.rounds, game.handicaps)
    except BadInput as error:
        raise BadInput(f"[game] ({settings.source}): {error}") from error


def box_of(settings: Settings, desk: Desk) -> Callable[[], TileSet]:
    """The tiles that are read: those of the match on the desk, unless the settings name another box."""
    if settings.table.tileset:
        chosen = tile_set(settings.table.tileset)
        return lambda: chosen
    return lambda: desk.state.rules.box


def watch_of(settings: Settings) -> Watch:
    """How the table is watched."""
    watching = settings.watching
    return Watch(1 / watching.per_second, watching.still_s, watching.read_ahead)
