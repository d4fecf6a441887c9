"""Places where only a print shows that a tile lies there: dark strokes of the size of a number, seen from above.

A wooden tile on a wooden table may have no edge that could be seen, in dim or noisy light least of all. Then the
finder misses it or outlines it badly, although its number is plain to see. A place that is found here is only
proposed: it is a tile if the reader sees a tile's print there (`placing.py`).
"""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.sighting import Floats, Image

# Chosen by hand on the pictures of `benchmarks.disturbed` with nine kinds of disturbance: of 21 tiles that were lost
# in these, most of them of one wooden box on a wooden table, 17 have such a print.
CONTRAST = 0.16
"""By this part of the light around it, a stroke is darker in some channel."""
DARKEST = 6.0
"""Added to the light, in levels of 255, so that noise in the dark is no print."""
STRENGTH = 5.0
"""The sum of these parts over all pixels of a print, for a tile that is 16.5 pixels wide."""
SMALLEST, LARGEST, FEWEST_PX = 0.28, 1.1, 10
"""The longer side of a print, in widths of a tile, and its pixels."""
SOFT_PX, STROKE_PX, AROUND_PX = 0.8, 7, 15
"""How much the view is smoothed. Strokes are narrower than the second, and an area as wide as the third has the light
with which they are compared."""


def find_prints(view: Image, tile_px: float) -> Floats:
    """Return the middles (n, 2) of what looks like the print of a tile in a rectified view (h, w, 3), clearest first.

    `tile_px` is the width of a tile in the view.
    """
    soft = cv2.GaussianBlur(view, (0, 0), SOFT_PX)
    strokes = cv2.morphologyEx(soft, cv2.MORPH_BLACKHAT, np.ones((STROKE_PX, STROKE_PX), np.uint8))
    light = cv2.convertScaleAbs(cv2.blur(soft, (AROUND_PX, AROUND_PX)), alpha=1, beta=DARKEST)
    blue, green, red = cv2.split(cv2.divide(strokes, light, scale=255))  # in bytes, which is ten times as fast
    darker = cv2.max(cv2.max(blue, green), red)
    inked = cv2.morphologyEx(np.asarray(darker > 255 * CONTRAST, np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(inked)
    strengths = np.bincount(labels[inked > 0], darker[inked > 0], count) / 255
    sides = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) / tile_px
    fits = (sides >= SMALLEST) & (sides <= LARGEST) & (stats[:, cv2.CC_STAT_AREA] >= FEWEST_PX)
    rows = np.flatnonzero(fits & (strengths >= STRENGTH))
    return np.asarray(middles[rows[np.argsort(-strengths[rows], kind="stable")]], np.float32)
