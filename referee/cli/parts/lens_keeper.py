"""Learns the lens of the camera in use from views of the sheet, and stores it where `play` looks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from referee.cli.parts import lens_profiles as optics
from referee.cli.parts.lens_profiles import Optics, Profile
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.vision.geometry.calibration_sheet import DetectedSheet
from referee.vision.geometry.lens_calibration import Calibration, Size, calibrate_lens


@dataclass(frozen=True, slots=True)
class LensKeeper:
    """`place` is the profile's, `known` what is known of the camera; `today` gives the day as YYYY-MM-DD."""

    place: Path
    known: Optics
    today: Callable[[], str]

    @property
    def focal(self) -> float | None:
        """The focal length that the maker states, in picture widths; None for an unknown sensor."""
        return optics.stated_focal(self.known.sensor)

    def learn(self, views: Sequence[DetectedSheet], size_px: Size) -> Calibration:
        """The lens behind these views, stored; raises BadInput, with a notice, where that cannot be."""
        known, found = replace(self.known, size_px=size_px), calibrate_lens(views, size_px, focal=self.focal)
        optics.check_plausible(found.lens, known)
        kept = Profile(found.lens, known, found.residual_px, found.residual_mm, found.coverage, found.views,
                       self.today())  # fmt: skip
        try:
            optics.save(self.place, kept)
        except BadInput as error:
            raise BadInput(Notice("lens.not_written", found=str(error))) from error
        return found
