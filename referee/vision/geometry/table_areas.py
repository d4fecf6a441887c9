"""Where things lie on the play area: in parts of it, and in words."""

from __future__ import annotations

import cv2
import numpy as np

from referee.game.notice import Notice
from referee.vision.sighting import Floats

_UNIT = np.asarray([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


def in_parts(points_px: Floats, outline_px: Floats) -> Floats:
    """Return points (n, 2) of a picture as parts of the play area (n, 2), 0-1 from its top left.

    `outline_px` (4, 2) are the play area's corners in the picture, top left first.
    """
    if not len(points_px):
        return np.zeros((0, 2), np.float32)
    view = cv2.getPerspectiveTransform(np.asarray(outline_px, np.float32), _UNIT)
    return np.asarray(cv2.perspectiveTransform(np.asarray(points_px, np.float32)[None], view)[0], np.float32)


_ACROSS, _ALONG = ("left", "", "right"), ("top", "", "bottom")


def place_of(x: float, y: float) -> Notice:
    """Return the name of a place as seen from the bottom side; `x` and `y` are parts of the play area, 0-1."""
    across, along = (0 if part < 1 / 3 else 2 if part > 2 / 3 else 1 for part in (x, y))
    named = "_".join(filter(None, (_ALONG[along], _ACROSS[across])))
    return Notice(f"place.{named or 'middle'}")
