"""Where things lie on the play area: in parts of it, and in words for players."""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.sighting import Floats

_UNIT = np.asarray([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


def in_parts(points_px: Floats, outline_px: Floats) -> Floats:
    """Points (n, 2) of a picture as parts of the play area (n, 2), 0-1 from its top left.

    `outline_px` (4, 2) are the play area's corners in the picture, top left first.
    """
    if not len(points_px):
        return np.zeros((0, 2), np.float32)
    view = cv2.getPerspectiveTransform(np.asarray(outline_px, np.float32), _UNIT)
    return np.asarray(cv2.perspectiveTransform(np.asarray(points_px, np.float32)[None], view)[0], np.float32)


def place_in_words(x: float, y: float) -> str:
    """A place as somebody at the bottom side sees it; `x` and `y` are parts of the play area, 0-1."""
    across = "left" if x < 1 / 3 else "right" if x > 2 / 3 else ""
    along = "top" if y < 1 / 3 else "bottom" if y > 2 / 3 else ""
    if along:
        return f"at the {along} {across}".strip()
    return f"on the {across}" if across else "in the middle"
