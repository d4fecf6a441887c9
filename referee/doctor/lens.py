"""The lens: whether it was calibrated, how well, and whether that fits the camera in use."""

from __future__ import annotations

from pathlib import Path

from referee.cli.parts import lens_profiles
from referee.cli.parts.lens_profiles import Optics
from referee.doctor.finding import Finding, attention, error_notice, ok, wrong
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.settings.settings import Settings
from referee.vision.geometry.pose import Lens

POOR_PX = 0.35
"""A larger residual than this, per 2304 pixels of width, is worth another calibration."""
AGAIN = Notice("machine.calibrate")


def lens(settings: Settings, folder: Path, known: Optics) -> tuple[Finding, Lens | None]:
    """Return what is to be said about the lens, and the lens to read with."""
    try:
        found, chosen = lens_profiles.fitting(settings, folder, known)
    except BadInput as error:
        return wrong("lens", error_notice(error), AGAIN), None
    if chosen is None:
        stated = Notice("machine.lens_of_maker", sensor=known.sensor)
        text = stated if found is not None else Notice("machine.lens_usual")
        return ok("lens", text, calibrated=False, sensor=known.sensor), found
    profile, path = chosen
    figures = {
        "calibrated": True,
        "file": str(path),
        "residual_px": round(profile.residual_px, 3),
        "residual_mm": round(profile.residual_mm, 3),
        "coverage": round(profile.coverage, 2),
        "made": profile.made,
    }
    text = Notice(
        "machine.lens_calibrated", made=profile.made, views=profile.views, share=100 * profile.coverage,
        pixels=profile.residual_px, millimetres=profile.residual_mm,
    )  # fmt: skip
    width = 2304 if known.size_px is None else known.size_px[0]
    if profile.residual_px > POOR_PX * width / 2304:
        return attention("lens", text, Notice("machine.calibrate_again"), **figures), found
    return ok("lens", text, **figures), found
