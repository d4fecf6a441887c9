"""The view of a table from above, as pages show it: the play area with a margin around it."""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.sighting import Floats

MARGIN = 0.04
"""How much of the table is shown beyond the play area on every side, as a part of its width and height."""


def to_unit(outline: Floats) -> np.ndarray:
    """Return the homography from pixels of a picture to parts (0 to 1) of the view from above.

    `outline` (4, 2) are the corners of the play area in the picture, top left first.
    """
    low, high = MARGIN / (1 + 2 * MARGIN), (1 + MARGIN) / (1 + 2 * MARGIN)
    corners = np.asarray([(low, low), (high, low), (high, high), (low, high)], np.float32)
    return cv2.getPerspectiveTransform(np.asarray(outline, np.float32), corners)
