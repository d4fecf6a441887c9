"""How much light the camera should take in, judged by what is white in its pictures: paper and tiles.

Ink is read relative to the tile it is printed on, which is impossible once the tile is as white as a picture gets. So
neither the tiles nor the paper around the markers may be clipped. The exposure is changed only where whites are
clipped or really dim, and then far enough that it does not change back.
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
"""Levels of a channel from which on it is clipped."""
MANY = 0.25
"""The part of the whites in the picture that may be clipped in one channel,"""
MOST = 0.5
"""and the part that may be clipped in all."""
DIM, RIGHT = 110.0, 180.0
"""Levels below which whites are dim, and to which they are brought then."""
EVEN, HIGH, FEW = 150.0, 235.0, 0.05
"""Levels between which whites should lie once they were brought right, and the part that may be clipped then."""
BLACK = 60.0
"""A picture in which almost nothing is brighter than this level was taken in the dark."""
LESS, LEAST = 0.6, 0.35
"""Factors of light for whites clipped in one channel and in all: by how much they are clipped cannot be seen."""
AT_ONCE = 2.5
"""No step makes the light more than this many times as strong."""
RANGE = (0.1, 6.0)
"""Limits of the factor to the light at the start of the camera; beyond them somebody must see to the lamps."""
GAMMA = 2.2
"""The level is proportional to this root of the light."""
PAPER_MM = 24.0
"""Distance from a marker's centre at which its white paper is seen, between the black square and the edge."""
SAMPLE = 16
"""How many tiles are looked at."""
USUAL, DARKER, BRIGHTER = (0.7, 1.4), (0.6, 0.35), (1.6, 2.5)
"""Factors for a second and a third picture of a table that one picture leaves in doubt."""


@dataclass(frozen=True, slots=True)
class Whites:
    """What is white in a picture: the brightest channel's level, and the parts that are clipped in one and in all."""

    level: float
    clipped: float
    white: float


def whites(picture: Image, sighting: Sighting, table_mm: tuple[float, float]) -> Whites | None:
    """Return the whites of a picture of a marked table; None where nothing is known to be white."""
    return _whites(np.concatenate([_bodies(picture, sighting), _paper(picture, sighting, table_mm)]))


def paper_of(picture: Image, markers: Mapping[int, npt.NDArray[np.float32]]) -> Whites | None:
    """Return the whites of the paper around markers with these corners (4, 2); None without any."""
    square = np.asarray([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * np.float32(SQUARE_MM / 2)
    sides = np.asarray([(1, 0), (0, 1), (-1, 0), (0, -1)], np.float32) * np.float32(PAPER_MM)
    views = [cv2.getPerspectiveTransform(square, np.asarray(corners, np.float32)) for corners in markers.values()]
    spots = [cv2.perspectiveTransform(sides[None], view)[0] for view in views]
    return _whites(_seen_at(picture, np.asarray(spots, np.float32).reshape(-1, 2)))


def brought_right(seen: Whites, factor: float) -> float:
    """Return the factor of light that brings the whites right; `factor` itself where they are right already."""
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
    """Return whether a picture shows almost nothing for lack of light."""
    return bool(np.quantile(picture[::8, ::8], 0.99) < BLACK)


def is_bleached(picture: Image) -> bool:
    """Return whether most of a picture is too bright to show anything."""
    return bool(np.quantile(picture[::8, ::8].min(axis=2), 0.5) >= CLIPPED)


def _whites(colours: Floats) -> Whites | None:
    """What white things of these colours (n, 3) are like; None where there are none."""
    if not len(colours):
        return None
    brightest, darkest = colours.max(axis=1), colours.min(axis=1)
    return Whites(
        float(np.quantile(brightest, 0.8)), float((brightest >= CLIPPED).mean()), float((darkest >= CLIPPED).mean())
    )


def better(seen: Whites, factor: float) -> float:
    """Return the factor of light to use from now on, if these whites were taken with `factor`."""
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
    """The colours (n, 3) of some tiles."""
    corners = np.asarray([read.corners_px for read in sighting.reads], np.float32).reshape(-1, 4, 2)
    cut = crops.cut(picture, corners[:: max(1, len(corners) // SAMPLE)], 0.9)[:, 2::4, 2::4]
    return np.asarray(np.median(cut.reshape(len(cut), -1, 3), axis=1), np.float32) if len(cut) else _nothing()


def _paper(picture: Image, sighting: Sighting, table_mm: tuple[float, float]) -> Floats:
    """The colours (n, 3) of the paper around the markers, four places for each."""
    if sighting.outline_px is None:
        return _nothing()
    width, height = table_mm
    corners = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    sides = np.asarray([(1, 0), (0, 1), (-1, 0), (0, -1)], np.float32) * np.float32(PAPER_MM)
    view = cv2.getPerspectiveTransform(corners, np.asarray(sighting.outline_px, np.float32))
    return _seen_at(picture, cv2.perspectiveTransform((corners[:, None] + sides[None]).reshape(1, -1, 2), view)[0])


def _seen_at(picture: Image, spots: Floats) -> Floats:
    """Return the colours (m, 3) at those of the spots (n, 2) that lie in the picture."""
    inside = ((spots >= 2) & (spots < np.asarray(picture.shape[1::-1]) - 3)).all(axis=1)
    seen = [picture[y - 1 : y + 2, x - 1 : x + 2] for x, y in np.round(spots[inside]).astype(int)]
    return np.asarray([np.median(s.reshape(-1, 3), axis=0) for s in seen], np.float32) if seen else _nothing()


def _nothing() -> Floats:
    return np.zeros((0, 3), np.float32)
