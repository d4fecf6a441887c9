"""The lens: whether it was calibrated, how well, and whether that fits the camera in use."""

from __future__ import annotations

from pathlib import Path

from referee.doctor.finding import Finding, attention, ok, sentence, wrong
from referee.errors import BadInput
from referee.factories import lens_choice
from referee.factories.lens_profiles import Optics
from referee.settings.settings import Settings
from referee.vision.geometry.pose import Lens

POOR_PX = 0.35
"""A residual that is larger per 2304 pixels of width is worth another calibration."""
AGAIN = "Run referee calibrate with this camera as it is set now, or name the right file in [camera] lens."


def lens(settings: Settings, folder: Path, known: Optics) -> tuple[Finding, Lens | None]:
    """What is to be said about the lens, and the lens to read with."""
    try:
        found, chosen = lens_choice.fitting(settings, folder, known)
    except BadInput as error:
        return wrong("lens", sentence(error), AGAIN), None
    if chosen is None:
        what = f"what the maker states for {known.sensor} serves" if found is not None else "a usual lens is assumed"
        text = f"The lens was not calibrated; {what}, and the markers tell how it bends."
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
    text = (
        f"Calibrated on {profile.made} from {profile.views} views of {100 * profile.coverage:.0f} % of the picture; "
        f"points miss by {profile.residual_px:.2f} px, {profile.residual_mm:.2f} mm."
    )
    width = 2304 if known.size_px is None else known.size_px[0]
    if profile.residual_px > POOR_PX * width / 2304:
        return attention("lens", text, "Calibrate again, with the sheet taped flat onto a board.", **figures), found
    return ok("lens", text, **figures), found
