"""Whether the colours of a picture are so faint that coloured inks look black.

A camera may wash out all colours, or turn them into tones of one. A table without colours does not prove that: the
first meld may be of black tiles only, on a grey table. So the prints decide. Nothing is wrong with a picture if one
ink is clearly coloured, or if all inks are as dark and as neutral as black. Other inks may be black in haze, or in
the light of a coloured lamp; but if the rest of the picture has hardly any colours, either, they may be any ink.

The thresholds were chosen by hand on 156 drawn pictures in every light, of which 96 show black tiles only: as they
are, with 5 to 30 % of their colours, and in sepia.
"""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.reading.crops import CLIPPED
from referee.vision.sighting import Floats, Image

COLOURED = 0.3
"""An ink is coloured if it absorbs so much more of one channel than of another. On a table with a coloured ink the
most coloured tile had 0.28 or more; with 20 % of the colours, 0.24 or less."""
TONED, VIVID = 0.012, 0.4
"""A picture with less colour than TONED has none but the tone of its light; sepia has 0.004 or less, and with noise,
saved as JPEG, about 0.01. Where a channel is clipped, an ink in it may seem coloured, by 0.31, so that an ink must
then have VIVID."""
FAINT = 0.08
"""With more colour than this, a picture is not washed out. Virtual tables with all inks have 0.1 to 0.15, and with a
fifth of their colours 0.03 or less; a white one with tiles of one ink has 0.007."""
BLACK_FROM, PALER = 0.7, 0.15
"""Black absorbs this part of the light or more, if nothing pales it, and not so much less than the darkest ink beside
it. Washed-out blue absorbs 0.64 to 0.71."""
NEUTRAL = 0.15
"""An ink in a toned picture that is further from neutral than this is not black; on grey tables, black has 0.1."""
TINGED, TINTED = 1.2, 0.5
"""How far a pale black may be from neutral in a picture with few colours: so many times as far as the colours of the
picture go, and this part of the tint of its tile. Washed-out red and blue are usually further."""
CELL = 8
"""Side in pixels of the cells that are averaged, against noise."""
LEVELS, FEWEST = 16, 0.002
"""The number of levels of brightness that count the same, however much of the picture has them; and the least part."""
ALMOST_ALL = 0.98
"""This part of a picture may have no more than its faint colours; a time that a camera writes is smaller."""
GREY = np.asarray([0.114, 0.587, 0.299], np.float32)


def are_colours_faint(picture: Image, bodies: Floats, inks: Floats) -> bool:
    """Return whether coloured inks may look black in a BGR picture (H, W, 3).

    `bodies` (n, 3) are the colours of its tiles with a number, and `inks` (n, 3) the parts of their light that the
    prints absorb.
    """
    coloured = float(np.ptp(inks, axis=1).max()) if len(inks) else VIVID
    if coloured >= VIVID:
        return False
    colours = measure_colours(picture) / max(1.0, float(np.median(bodies @ GREY)))
    if colours >= FAINT or (colours >= TONED and coloured >= COLOURED):
        return False
    darkness = np.median(inks, axis=1)
    pale = darkness < max(BLACK_FROM, float(darkness.max()) - PALER)
    brightest = np.maximum(bodies.max(axis=1), 1.0)
    tinge = np.ptp((inks - darkness[:, None]) * bodies / brightest[:, None], axis=1)
    tinge[brightest >= CLIPPED] = 0
    if colours < TONED:
        return bool((pale | (tinge > NEUTRAL)).any())
    tint = 1 - bodies.min(axis=1) / brightest
    return bool((pale & (tinge > TINGED * colours + TINTED * tint)).any())


def measure_colours(picture: Image) -> float:
    """Return how far the colours of a BGR picture are from tones of one colour, in levels.

    In a grey or a sepia picture the chroma of a pixel follows from its brightness, as a straight line. The result is
    how far nearly all of the picture is from such a line. What is clipped in any channel is left out.
    """
    size = (max(1, picture.shape[1] // CELL), max(1, picture.shape[0] // CELL))
    unclipped = cv2.inRange(picture, (1.0, 1.0, 1.0), (CLIPPED - 1, CLIPPED - 1, CLIPPED - 1))
    whole = cv2.resize(unclipped, size, interpolation=cv2.INTER_AREA) == 255
    cells = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)[whole].astype(np.float32)
    if not len(cells):
        return 0.0
    grey = cells @ GREY
    chroma = cells[:, [0, 2]] - grey[:, None]
    levels = np.minimum(grey * (LEVELS / 256), LEVELS - 1).astype(int)
    counts = np.bincount(levels, minlength=LEVELS)[levels]
    weights = np.where(counts >= FEWEST * len(cells), counts, np.inf)[:, None] ** -0.5
    terms = np.stack([np.ones_like(grey), grey / 128], axis=1)
    line = np.linalg.lstsq(weights * terms, weights * chroma, rcond=None)[0]
    return float(np.quantile(np.abs(chroma - terms @ line).max(axis=1), ALMOST_ALL))
