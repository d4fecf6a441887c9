"""Which lens pictures are read with: the profile that the settings name, the one in the journal's folder, or none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.cli.parts import lens_profiles as optics
from referee.cli.parts.lens_profiles import Optics, Profile
from referee.settings.settings import CameraSettings, Settings
from referee.vision.geometry.pose import Lens


def place(settings: Settings, folder: Path) -> Path:
    """Where the profile lies, or is to be written: `[camera] lens`, else beside the journal."""
    return Path(settings.camera.lens) if settings.camera.lens else folder / optics.NAME


def chosen(settings: Settings, folder: Path) -> tuple[Profile, Path] | None:
    """The profile in use; None where nothing was calibrated. Raises BadInput for a file that cannot be used."""
    path = place(settings, folder)
    if not settings.camera.lens:
        try:
            if not path.is_file():
                return None
        except OSError:  # a folder that this user may not enter
            return None
    return optics.load(path), path


def with_calibrated_focus(settings: Settings, found: tuple[Profile, Path] | None) -> CameraSettings:
    """The camera as it is to be set: a lens that was calibrated keeps the focus it had then, unless one is named.

    A scan would change the focal length by more than the profile is worth.
    """
    position = None if found is None else found[0].optics.lens_position
    if position is None or position <= 0 or "camera.focus_m" in settings.places:
        return settings.camera
    return replace(settings.camera, focus_m=1 / position, autofocus=False)


def fitting(settings: Settings, folder: Path, known: Optics) -> tuple[Lens | None, tuple[Profile, Path] | None]:
    """The lens for a camera, and the profile behind it; what the maker states where nothing was calibrated.

    Raises BadInput where the profile is of another camera, mode or lens position.
    """
    found = chosen(settings, folder)
    if found is None:
        return optics.default_lens(known), None
    optics.check_fit(found[0], known, str(found[1]))
    return found[0].lens, found
