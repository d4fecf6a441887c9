"""Which of several markers with the same number belong to one table.

At a club, a picture may show the next table's markers beside one's own, and a sheet may be left over. A pose from the
markers of two tables would be wrong without anybody noticing: the table would seem to be bare.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

Corners = npt.NDArray[np.float32]
# Chosen by hand after 8 path-traced tables, alone and with a part of another one on each side. The table's own markers
# fit to 0.06, also if only three of them are taken; with a marker of the other table, no choice fits better than 0.4.
FITS = 0.25
"""The markers of one table lie at most this far from where they should be, in sides of a marker."""
POSSIBLE = 0.7
"""If no marker is seen twice, the markers may be farther off than that, since people sometimes give the wrong size of
their table. With 1200 x 700 mm or 700 x 500 mm given, the markers of a table of 900 x 600 mm fit to 0.25."""


def choose_markers(
    spots: Mapping[int, Sequence[Corners]], places_mm: Mapping[int, tuple[float, float]], side_mm: float, needed: int
) -> dict[int, Corners] | None:
    """Return the markers that lie around one table: id to corners (4, 2) in pixels; None if that cannot be told.

    `spots` has the corners (4, 2) of every square that bears the id, `places_mm` where the middle of each marker lies
    on the table. All markers are used if they fit together, or else as many as do, but at least `needed`. Of markers
    that are seen twice, only one may fit: of two sheets that lie close together, nobody knows which one counts.
    """
    repeated = any(len(places) > 1 for places in spots.values())
    for count in range(len(spots), needed - 1, -1):
        choices = [
            dict(zip(ids, chosen, strict=True))
            for ids in itertools.combinations(sorted(spots), count)
            for chosen in itertools.product(*(spots[i] for i in ids))
        ]
        misfits = [_misfit(choice, places_mm, side_mm) for choice in choices]
        fitting = [choice for choice, misfit in zip(choices, misfits, strict=True) if misfit < FITS]
        if repeated and fitting:
            return fitting[0] if len(fitting) == 1 else None
        if not repeated and min(misfits) < POSSIBLE:
            return choices[misfits.index(min(misfits))]
    return None


def _misfit(choice: Mapping[int, Corners], places_mm: Mapping[int, tuple[float, float]], side_mm: float) -> float:
    """Return how far the corners of markers are from where their middles show them to be, in sides, at the worst one.

    A marker may be turned by quarters. A table that seems to be seen from below fits nowhere.
    """
    middles_mm = np.asarray([places_mm[i] for i in choice], np.float32)
    middles = np.asarray([corners.mean(axis=0) for corners in choice.values()], np.float32)
    if len(choice) == 4:
        view = cv2.getPerspectiveTransform(middles_mm, middles)
    else:  # of three markers, the perspective is not known
        view = np.vstack([cv2.getAffineTransform(middles_mm, middles), [0, 0, 1]])
    unit = np.asarray([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32) * np.float32(side_mm)
    worst = 0.0
    for middle, corners in zip(middles_mm, choice.values(), strict=True):
        there = cv2.perspectiveTransform((unit + middle)[None], view)[0]
        if _area(there) * _area(corners) <= 0:
            return float("inf")
        side = float(np.sqrt(abs(_area(corners))))
        apart = [np.linalg.norm(np.roll(there, turn, axis=0) - corners, axis=1).mean() for turn in range(4)]
        worst = max(worst, float(min(apart)) / side)
    return worst


def _area(quad: Corners) -> float:
    """Return the area of a quad (4, 2); negative if it is anticlockwise in the picture."""
    return float(cv2.contourArea(quad, oriented=True))
