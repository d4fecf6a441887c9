"""`referee calibrate`: calibrates the camera's lens, from pictures of a printed sheet or guided at the camera."""

from __future__ import annotations

import datetime as dt
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from referee.cli.parts import from_settings as build
from referee.cli.parts import lens_profiles
from referee.cli.parts import lens_profiles as optics
from referee.cli.parts.lens_profiles import Optics, Profile
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import CONFIG, SETTING, journal_folder, settings_of
from referee.cli.terminal.common import Code
from referee.cli.terminal.targets import like_toml, refuse_others
from referee.devices.camera.camera import Camera
from referee.devices.camera.stills import load_picture
from referee.errors import BadInput
from referee.i18n import ENGLISH
from referee.settings.settings import Settings
from referee.table.preparation.lens_steps import Guide
from referee.vision.geometry.calibration_sheet import DetectedSheet, cards_mm, find_sheet, printed_scale
from referee.vision.geometry.lens_calibration import Calibration, calibrate_lens

BAR_MM, BAR_OFF_MM = 100.0, 1.0
PATIENCE_S = 180.0
"""Seconds that the guide waits for one view."""


def calibrate(
    images: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[IMAGE]...",
            parser=common.some_path,
            help="Pictures of the sheet; without any, the camera is used, with a guide.",
        ),
    ] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            parser=common.some_path,
            help="The profile to write; default: where `referee play` looks for it.",
        ),
    ] = None,
    bar: Annotated[
        float | None, typer.Option("--bar", metavar="MM", help="Length of the sheet's 100 mm line on your print.")
    ] = None,
    sensor: Annotated[
        str,
        typer.Option("--sensor", metavar="NAME", help="Camera of the pictures, such as imx708; stored and checked."),
    ] = "",
    lens_position: Annotated[
        float | None,
        typer.Option(
            "--lens-position",
            metavar="D",
            min=0,
            max=40,
            help="Focus of the pictures, in dioptres; stored and checked.",
        ),
    ] = None,
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Learn the camera's lens from pictures of a printed sheet."""
    settings = settings_of(config, setting or [])
    target = out or lens_profiles.place(settings, journal_folder(settings))
    _check_bar(bar)
    common.check_finite("--lens-position", lens_position)
    if out is not None:
        refuse_others(out, "an earlier lens profile", like_toml(("version", "checksum")))
    if images:
        names = [str(image) for image in images]
        views, size = _from_files(images)
        known = Optics(size, sensor, lens_position)
    else:
        if bar is None and sys.stdin.isatty():
            _check_bar(typer.prompt("How long is the sheet's 100 mm line on your print, in mm?", type=float))
        views, known = _from_camera(settings, common.stderr() if as_json else common.stdout())
        names = []
    found = calibrate_lens(views, known.size_px or (0, 0), names, optics.stated_focal(known.sensor))
    optics.check_plausible(found.lens, known)
    profile = Profile(
        found.lens, known, found.residual_px, found.residual_mm, found.coverage, found.views, str(_today())
    )
    optics.save(target, profile)
    if as_json:
        common.print_json(_to_json(found, target))
    else:
        _show(found, target)
    return Code.DONE


def _check_bar(bar: float | None) -> None:
    common.check_finite("--bar", bar)
    if bar is not None and abs(bar - BAR_MM) > BAR_OFF_MM:
        raise BadInput(f"--bar: expected a line of {BAR_MM:g} mm, found {bar:g}: print the sheet again at 100 %")


def _from_files(images: list[Path]) -> tuple[list[DetectedSheet], tuple[int, int]]:
    views: list[DetectedSheet] = []
    first: tuple[int, int] | None = None
    for image in common.show_progress(images, "Reading the pictures"):
        picture = load_picture(image)
        size = picture.shape[1], picture.shape[0]
        if first is not None and size != first:
            wanted = f"{first[0]} x {first[1]} as {images[0]}"
            raise BadInput(f"{image}: expected a picture of {wanted}, found {size[0]} x {size[1]}: use one camera")
        first = size
        seen = find_sheet(picture)
        if seen is None:
            raise BadInput(f"{image}: expected the calibration sheet, found none, or too little of it")
        _check_cards(str(image), cards_mm(picture, seen))
        views.append(seen)
        common.stderr().print(f"{image}: {len(seen.points_mm)} points")
    return views, first or (0, 0)


def _check_cards(name: str, sides: tuple[float, ...]) -> None:
    """Raise BadInput if the 40 mm markers beside the sheet show that it was printed at another scale."""
    if (scale := printed_scale(sides)) is not None:
        raise BadInput(
            f"{name}: expected a sheet printed at 100 %, found one at {100 * scale:.0f} % "
            "by the 40 mm markers beside it: print either again"
        )


def _from_camera(settings: Settings, console: Console) -> tuple[list[DetectedSheet], Optics]:
    """Return views from the camera of the settings, taken one after the other as the guide asks for them."""
    camera = build.opener(settings.camera, time.monotonic)()
    try:
        first = camera.frame(time.monotonic()).picture
        known = build.optics_of(camera, (first.shape[1], first.shape[0]))
        return _photograph_with_guide(camera, known, console), known
    finally:
        camera.close()


def _photograph_with_guide(camera: Camera, known: Optics, console: Console) -> list[DetectedSheet]:
    size = known.size_px or (0, 0)
    guide = Guide(size, optics.stated_focal(known.sensor))
    while not guide.is_done:
        console.print(ENGLISH(guide.asks))
        until, told = time.monotonic() + PATIENCE_S, guide.asks
        while True:
            picture = camera.frame(time.monotonic()).picture
            seen = find_sheet(picture)
            hint = guide.offer(seen)
            if hint is None and seen is not None:
                _check_cards(f"view {len(guide.views)}", cards_mm(picture, seen))
                break
            if hint is not None and hint != told:
                told = hint
                console.print(f"  {ENGLISH(hint)}")
            if time.monotonic() > until:
                raise BadInput(f"expected the sheet as asked for within {PATIENCE_S:g} s, found: {ENGLISH(told)}")
    return guide.views


def _show(found: Calibration, target: Path) -> None:
    width, height = found.size_px
    console = common.stdout()
    console.print(
        f"{found.views} views of {width} x {height} cover {100 * found.coverage:.0f} % of the picture; points miss by "
        f"{found.residual_px:.2f} px, that is {found.residual_mm:.2f} mm on the sheet."
    )
    console.print(
        f"Focal length {found.lens.focal_px:.1f} px (± {100 * found.focal_deviation:.2f} %), "
        f"k1 {found.lens.k1:+.4f}. Written to {target}."
    )


def _to_json(found: Calibration, target: Path) -> dict[str, Any]:
    width, height = found.size_px
    return {
        "file": str(target),
        "views": found.views,
        "width_px": width,
        "height_px": height,
        "coverage": round(found.coverage, 4),
        "residual_px": round(found.residual_px, 4),
        "residual_mm": round(found.residual_mm, 4),
        "focal_px": round(found.lens.focal_px, 2),
        "focal_deviation": round(found.focal_deviation, 6),
        "k1": round(found.lens.k1, 6),
    }


def _today() -> dt.date:
    return dt.datetime.now(tz=dt.UTC).date()
