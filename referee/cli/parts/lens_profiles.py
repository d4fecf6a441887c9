"""Lens profiles: written by `referee calibrate`, checked when read, and refused if they do not fit the camera.

A profile is a small TOML file with a checksum, because edited numbers or half a file would shift every tile.

Pictures are read with the profile that the settings name, or else with the one in the journal's folder, where a
calibration at a screen saves it. If there is neither, no profile is used.
"""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.cli.parts import carried
from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.tiles import TileSet
from referee.settings.settings import CameraSettings, Settings
from referee.table.looking.more_pictures import read_closer
from referee.vision.geometry.calibration_sheet import DetectedSheet
from referee.vision.geometry.lens_calibration import Calibration, Size, calibrate_lens
from referee.vision.geometry.pose import K1_DEVIATION, Lens
from referee.vision.sighting import Image, Reader, Sighting

VERSION = 1
NAME = "lens.toml"
"""The name of the profile in the journal's folder."""
DEFAULTS = (*carried.places("calibration"), Path("/opt/referee/current/calibration"))
"""Folders of the camera makers' values: with the program, and where `make install` puts them."""
LONGEST = 100_000
"""The largest profile that is read, in bytes; a usual one has about six hundred."""
NEAR_DIOPTRES = 0.25
"""Lens positions (dioptres) that differ by less than this change the focal length by less than 0.15 %."""
FOCAL_OFF = 0.12
"""The largest relative difference from the maker's focal length; beyond it the pictures are from another camera."""
_NUMBERS = ("focal_px", "centre_x_px", "centre_y_px", "k1", "k2", "p1", "p2", "k3",
            "residual_px", "residual_mm", "coverage")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Optics:
    """What is known of a camera; `sensor` may be empty, `lens_position` (dioptres) None."""

    size_px: tuple[int, int] | None = None
    sensor: str = ""
    lens_position: float | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """A calibrated lens, its camera, and the quality of the calibration."""

    lens: Lens
    optics: Optics
    residual_px: float
    residual_mm: float
    coverage: float
    views: int
    made: str = ""
    """The day of the calibration, as YYYY-MM-DD."""


def save(path: Path, profile: Profile) -> None:
    """Write a profile. A reader of `path` gets either the old file or the complete new one."""
    place = "a place to write a lens profile"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: expected {place}, found: {error.strerror}") from error
    write_whole(path, _text(profile).encode("utf-8"), place)


def load(path: Path) -> Profile:
    """Return the profile in a file; raises BadInput for another kind of file, an edited one, or another version."""
    try:
        table = tomllib.loads(read_whole(path, LONGEST, "a lens profile").decode("utf-8"))
    except BadInput:
        raise
    except (ValueError, RecursionError):
        raise BadInput(f"{path}: expected a lens profile (TOML), found another kind of file") from None
    if table.get("version") != VERSION:
        found = repr(table.get("version", "none"))
        raise BadInput(f"{path}: expected a lens profile of version {VERSION}, found version {found:.40}")
    try:
        profile = _profile(table)
    except (KeyError, TypeError, ValueError):
        raise BadInput(f"{path}: expected a lens profile, found one with keys missing or of another kind") from None
    if table.get("checksum") != _checksum(profile):
        raise BadInput(f"{path}: expected a lens profile as it was written, found one that was changed since")
    return profile


def check_fit(profile: Profile, optics: Optics, where: str = "the lens profile") -> None:
    """Raise BadInput if a profile is of another camera, picture size or lens position than the one in use."""
    own = profile.optics
    if optics.size_px is not None and own.size_px is not None and optics.size_px != own.size_px:
        raise BadInput(
            f"{where}: expected pictures of {_size(own.size_px)} as calibrated, found {_size(optics.size_px)}"
        )
    if optics.sensor and own.sensor and optics.sensor != own.sensor:
        raise BadInput(f"{where}: expected the camera {own.sensor} as calibrated, found {optics.sensor}")
    if optics.lens_position is not None and own.lens_position is not None:
        off = abs(optics.lens_position - own.lens_position)
        if off > NEAR_DIOPTRES:
            raise BadInput(
                f"{where}: expected the focus locked at {_metres(own.lens_position)} as calibrated, found it at "
                f"{_metres(optics.lens_position)}: set [camera] focus_m, or calibrate again"
            )


def default_lens(optics: Optics, folders: tuple[Path, ...] = DEFAULTS) -> Lens | None:
    """Return the maker's values for a sensor's lens, to be refined with each picture's markers; None if unknown."""
    table = _find_stated_values(optics.sensor, folders)
    if table is None or optics.size_px is None:
        return None
    width, height = optics.size_px
    return Lens(
        float(table["focal_per_width"]) * max(width, height),
        ((width - 1) / 2, (height - 1) / 2),
        float(table.get("k1", 0.0)),
        k1_deviation=float(table.get("k1_deviation", K1_DEVIATION)),
    )


def stated_focal(sensor: str, folders: tuple[Path, ...] = DEFAULTS) -> float | None:
    """Return the focal length that the maker states, in picture widths; None for an unknown sensor."""
    table = _find_stated_values(sensor, folders)
    return None if table is None else float(table["focal_per_width"])


def check_plausible(lens: Lens, optics: Optics, folders: tuple[Path, ...] = DEFAULTS) -> None:
    """Raise BadInput if the focal length cannot be that of the sensor, so that the pictures are of another camera."""
    table = _find_stated_values(optics.sensor, folders)
    if table is None or optics.size_px is None:
        return
    stated, found = float(table["focal_per_width"]), lens.focal_px / max(optics.size_px)
    if abs(found / stated - 1) > FOCAL_OFF:
        wide = {"wanted": round(_view_angle(stated)), "found": round(_view_angle(found))}
        raise BadInput(Notice("lens.other_camera", sensor=optics.sensor, **wide))


@dataclass(frozen=True, slots=True)
class Through:
    """A reader with a calibrated lens; pictures of another size than was calibrated are refused."""

    reader: Reader
    profile: Profile
    where: str

    def read(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool = False
    ) -> Sighting:
        """Read a picture with the reader; raises BadInput if its size is not the calibrated one."""
        check_fit(self.profile, Optics((picture.shape[1], picture.shape[0])), self.where)
        return self.reader.read(picture, tileset, table_mm, marked_only=marked_only)

    def read_closer(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool = False
    ) -> Sighting:
        """Read a picture closer, without checking its size: the last picture was of the same camera."""
        return read_closer(self.reader, picture, tileset, table_mm, marked_only=marked_only)


def _find_stated_values(sensor: str, folders: tuple[Path, ...]) -> Mapping[str, Any] | None:
    for path in sorted(file for folder in folders for file in folder.glob("*.toml")) if sensor else ():
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        if table.get("sensor") == sensor:
            return table
    return None


def _values(profile: Profile) -> dict[str, Any]:
    lens, optics = profile.lens, profile.optics
    k2, p1, p2, k3 = lens.others
    width, height = optics.size_px or (0, 0)
    numbers = (lens.focal_px, *lens.centre_px, lens.k1, k2, p1, p2, k3,
               profile.residual_px, profile.residual_mm, profile.coverage)  # fmt: skip
    return {
        "sensor": optics.sensor,
        "width_px": width,
        "height_px": height,
        **({} if optics.lens_position is None else {"lens_position": round(float(optics.lens_position), 4)}),
        **{key: float(f"{value:.8g}") for key, value in zip(_NUMBERS, numbers, strict=True)},
        "views": profile.views,
        "made": profile.made,
    }


def _text(profile: Profile) -> str:
    lines = ["# A camera's lens, written by `referee calibrate`; numbers changed by hand are refused.", ""]
    values = {"version": VERSION, **_values(profile), "checksum": _checksum(profile)}
    lines += [
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value!r}" for key, value in values.items()
    ]
    return "\n".join(lines) + "\n"


def _checksum(profile: Profile) -> str:
    listed = "\n".join(f"{key}={value!r}" for key, value in sorted(_values(profile).items()))
    return hashlib.sha256(f"{VERSION}\n{listed}".encode()).hexdigest()


def _profile(table: Mapping[str, Any]) -> Profile:
    known = {"version", "sensor", "width_px", "height_px", "lens_position", "views", "made", "checksum", *_NUMBERS}
    if set(table) - known:
        raise ValueError
    number = {key: float(table[key]) for key in _NUMBERS}
    if not all(map(math.isfinite, number.values())) or number["focal_px"] <= 0:
        raise ValueError
    lens = Lens(
        number["focal_px"],
        (number["centre_x_px"], number["centre_y_px"]),
        number["k1"],
        (number["k2"], number["p1"], number["p2"], number["k3"]),
        0.0,
    )
    size = int(table["width_px"]), int(table["height_px"])
    position = float(table["lens_position"]) if "lens_position" in table else None
    optics = Optics(size, str(table["sensor"]), position)
    residuals = number["residual_px"], number["residual_mm"]
    return Profile(lens, optics, *residuals, number["coverage"], int(table["views"]), str(table["made"]))


def _size(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"


def _metres(dioptres: float) -> str:
    return f"{1 / dioptres:.2f} m" if dioptres > 0.01 else "infinity"


def _view_angle(focal: float) -> float:
    return 2 * math.degrees(math.atan(0.5 / focal))


def place(settings: Settings, folder: Path) -> Path:
    """Return the path of the profile, which need not exist: `[camera] lens`, or else a file beside the journal."""
    return Path(settings.camera.lens) if settings.camera.lens else folder / NAME


def profile_in_use(settings: Settings, folder: Path) -> tuple[Profile, Path] | None:
    """Return the profile in use and its path, None if there is none; raises BadInput for an unusable file."""
    path = place(settings, folder)
    if not settings.camera.lens:
        try:
            if not path.is_file():
                return None
        except OSError:  # a folder that this user may not enter
            return None
    return load(path), path


def with_calibrated_focus(settings: Settings, found: tuple[Profile, Path] | None) -> CameraSettings:
    """Return the camera's settings with the focus at which the lens was calibrated, unless the settings name a focus.

    Autofocus is then off: it would change the focal length by more than the accuracy of the profile.
    """
    position = None if found is None else found[0].optics.lens_position
    if position is None or position <= 0 or "camera.focus_m" in settings.places:
        return settings.camera
    return replace(settings.camera, focus_m=1 / position, autofocus=False)


def lens_for(settings: Settings, folder: Path, known: Optics) -> tuple[Lens | None, tuple[Profile, Path] | None]:
    """Return the lens for a camera and its profile; without a profile, the lens that the maker states.

    Raises BadInput if the profile is of another camera, picture size or lens position.
    """
    found = profile_in_use(settings, folder)
    if found is None:
        return default_lens(known), None
    check_fit(found[0], known, str(found[1]))
    return found[0].lens, found


@dataclass(frozen=True, slots=True)
class LensKeeper:
    """Calibrates the lens and saves its profile.

    `place` is the path of the profile, `known` what is known of the camera, `today` returns the day as YYYY-MM-DD.
    """

    place: Path
    known: Optics
    today: Callable[[], str]

    @property
    def focal(self) -> float | None:
        """The focal length that the maker states, in picture widths; None for an unknown sensor."""
        return stated_focal(self.known.sensor)

    def learn(self, views: Sequence[DetectedSheet], size_px: Size) -> Calibration:
        """Calibrate the lens with these views and save it; raises BadInput, with a notice, if that is impossible."""
        known, found = replace(self.known, size_px=size_px), calibrate_lens(views, size_px, focal=self.focal)
        check_plausible(found.lens, known)
        kept = Profile(found.lens, known, found.residual_px, found.residual_mm, found.coverage, found.views,
                       self.today())  # fmt: skip
        try:
            save(self.place, kept)
        except BadInput as error:
            raise BadInput(Notice("lens.not_written", found=str(error))) from error
        return found
