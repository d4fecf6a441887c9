"""What is missing in the camera's picture, as the doctor finds it, for somebody who sets the table up at a screen."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from referee.cli.parts.lens_profiles import Through
from referee.doctor.finding import Finding, Result
from referee.doctor.measure import Spot
from referee.doctor.place import judge_view
from referee.doctor.seeing import judge_seeing
from referee.doctor.view import View, measure_view
from referee.table.preparation.prepared import Inspection, Remark
from referee.vision.complaints import complaint_of
from referee.vision.geometry.pose import Lens
from referee.vision.sighting import Floats, Image, Reader

WIDEST = 1280
"""Pixels that are kept of a picture's width."""
OUTLINE = 24
"""Points of the ring around a mirrored lamp,"""
RING_MM = 18.0
"""which is so much wider than the lamp."""


def inspector(table_mm: tuple[float, float], reader: Reader | None) -> Callable[[Image], Inspection]:
    """Looks at pictures of a table of that size, through the lens that the reader knows."""
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
    """The outline of a ring around a mirrored lamp, in pixels."""
    radius = float(np.sqrt(spot.area_mm2 / np.pi)) + RING_MM
    turn = np.linspace(0.0, 2 * np.pi, OUTLINE, endpoint=False)
    around = np.column_stack([spot.x_mm + radius * np.cos(turn), spot.y_mm + radius * np.sin(turn)])
    if view.pose is None:
        return np.zeros((0, 2), np.float32)
    return np.asarray(view.pose.on_plane(around, 0.0), np.float32)
