"""The exposure of the camera, judged by white things in its pictures: paper and tiles.

Ink is measured relative to the tile that it is printed on, which is impossible if the tile is overexposed. So neither
the tiles nor the paper around the markers may be clipped. The exposure is changed only if whites are clipped or really
dim, and then far enough that it need not be changed back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.geometry.markers import SQUARE_MM
from referee.vision.reading import crops
from referee.vision.sighting import Floats, Image, Quality, Sighting

# Chosen by hand, not fitted: no real camera has been measured yet. The gaps between the limits keep the exposure from
# changing back and forth.
CLIPPED = 250.0
"""A channel is clipped from this level on."""
MANY = 0.25
"""The part of the whites that may be clipped in at least one channel."""
MOST = 0.5
"""The part of the whites that may be clipped in all channels."""
DIM, RIGHT = 110.0, 180.0
"""Whites below the first level are dim, and are then brought to the second."""
EVEN, HIGH, FEW = 150.0, 235.0, 0.05
"""After a correction, whites should be between these levels, with at most this part of them clipped."""
BLACK = 60.0
"""A picture in which almost nothing is brighter than this level was taken in the dark."""
LESS, LEAST = 0.6, 0.35
"""Factors of light if whites are clipped in one channel, or in all; by how much they are clipped is unknown."""
AT_ONCE = 2.5
"""The largest factor by which one step increases the light."""
RANGE = (0.1, 6.0)
"""Limits of the factor, relative to the light when the camera started; beyond them people must see to the lamps."""
GAMMA = 2.2
"""The light is proportional to the level raised to this power."""
PAPER_MM = 24.0
"""Distance from a marker's centre at which its white paper is measured, between the black square and the edge."""
SAMPLE = 16
"""The approximate number of tiles that are measured."""
USUAL, DARKER, BRIGHTER = (0.7, 1.4), (0.6, 0.35), (1.6, 2.5)
"""Factors of light for a second and a third picture of a table about which the first one leaves doubts."""


@dataclass(frozen=True, slots=True)
class Whites:
    """The whites in a picture: their level in the brightest channel, and the parts clipped in one and in all."""

    level: float
    clipped: float
    white: float


def whites(picture: Image, sighting: Sighting, table_mm: tuple[float, float]) -> Whites | None:
    """Return the whites of a picture of a marked table; None if nothing in it is known to be white."""
    return _whites(np.concatenate([_bodies(picture, sighting), _paper(picture, sighting, table_mm)]))


def paper_of(picture: Image, markers: Mapping[int, npt.NDArray[np.float32]]) -> Whites | None:
    """Return the whites of the paper around markers with these corners (4, 2); None if there is none."""
    square = np.asarray([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * np.float32(SQUARE_MM / 2)
    sides = np.asarray([(1, 0), (0, 1), (-1, 0), (0, -1)], np.float32) * np.float32(PAPER_MM)
    views = [cv2.getPerspectiveTransform(square, np.asarray(corners, np.float32)) for corners in markers.values()]
    spots = [cv2.perspectiveTransform(sides[None], view)[0] for view in views]
    return _whites(_seen_at(picture, np.asarray(spots, np.float32).reshape(-1, 2)))


def brought_right(seen: Whites, factor: float) -> float:
    """Return the factor of light that corrects the whites; `factor` itself if they are right already."""
    if seen.white > MOST:
        wanted = factor * LEAST
    elif seen.clipped > FEW:
        wanted = factor * LESS
    elif EVEN <= seen.level <= HIGH:
        return factor
    else:
        wanted = factor * min(AT_ONCE, (RIGHT / max(seen.level, 1.0)) ** GAMMA)
    return min(max(wanted, RANGE[0]), RANGE[1])


def is_dark(picture: Image) -> bool:
    """Return whether a picture shows almost nothing because it is too dark."""
    return bool(np.quantile(picture[::8, ::8], 0.99) < BLACK)


def is_bleached(picture: Image) -> bool:
    """Return whether most of a picture is too bright to show anything."""
    return bool(np.quantile(picture[::8, ::8].min(axis=2), 0.5) >= CLIPPED)


def _whites(colours: Floats) -> Whites | None:
    """Return the whites with these colours (n, 3); None if there are none."""
    if not len(colours):
        return None
    brightest, darkest = colours.max(axis=1), colours.min(axis=1)
    return Whites(
        float(np.quantile(brightest, 0.8)), float((brightest >= CLIPPED).mean()), float((darkest >= CLIPPED).mean())
    )


def better(seen: Whites, factor: float) -> float:
    """Return the factor of light to use from now on, given whites of a picture taken with `factor`."""
    if seen.white > MOST:
        wanted = factor * LEAST
    elif seen.clipped > MANY:
        wanted = factor * LESS
    elif seen.level < DIM:
        wanted = factor * min(AT_ONCE, (RIGHT / max(seen.level, 1.0)) ** GAMMA)
    else:
        return factor
    return min(max(wanted, RANGE[0]), RANGE[1])


def bracket(quality: Quality) -> tuple[float, float]:
    """Return the factors of light for a second and a third picture, given the quality of the first."""
    if quality.bright or quality.glare:
        return DARKER
    return BRIGHTER if quality.dark else USUAL


def _bodies(picture: Image, sighting: Sighting) -> Floats:
    """Return the body colours (n, 3) of some tiles."""
    corners = np.asarray([read.corners_px for read in sighting.reads], np.float32).reshape(-1, 4, 2)
    cut = crops.cut(picture, corners[:: max(1, len(corners) // SAMPLE)], 0.9)[:, 2::4, 2::4]
    return np.asarray(np.median(cut.reshape(len(cut), -1, 3), axis=1), np.float32) if len(cut) else _nothing()


def _paper(picture: Image, sighting: Sighting, table_mm: tuple[float, float]) -> Floats:
    """Return the colours (n, 3) of the paper around the markers, at four places each."""
    if sighting.outline_px is None:
        return _nothing()
    width, height = table_mm
    corners = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    sides = np.asarray([(1, 0), (0, 1), (-1, 0), (0, -1)], np.float32) * np.float32(PAPER_MM)
    view = cv2.getPerspectiveTransform(corners, np.asarray(sighting.outline_px, np.float32))
    return _seen_at(picture, cv2.perspectiveTransform((corners[:, None] + sides[None]).reshape(1, -1, 2), view)[0])


def _seen_at(picture: Image, spots: Floats) -> Floats:
    """Return the colours (m, 3) at those spots (n, 2) that lie within the picture."""
    inside = ((spots >= 2) & (spots < np.asarray(picture.shape[1::-1]) - 3)).all(axis=1)
    seen = [picture[y - 1 : y + 2, x - 1 : x + 2] for x, y in np.round(spots[inside]).astype(int)]
    return np.asarray([np.median(s.reshape(-1, 3), axis=0) for s in seen], np.float32) if seen else _nothing()


def _nothing() -> Floats:
    return np.zeros((0, 3), np.float32)
