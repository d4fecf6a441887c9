"""Is the picture good enough? Flags taken from the tiles themselves, not from the table around them."""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision import crops
from referee.vision.markers import IDS
from referee.vision.sighting import Floats, Image, Quality

SHARP_FROM = 9.0  # mean gradient of the sharpest edges of a crop, in grey levels a pixel
DARK_BELOW = 45.0  # a tile's body, in grey levels
GLARE_FROM = 0.12  # part of a tile bleached, while its neighbours are not


def assess(picture: Image, corners: Floats, markers: set[int] | None) -> Quality:
    """Flags for a picture whose tiles lie at `corners` (n, 4, 2); `markers` are the corner markers seen, if any.

    A marker that is missing while three are seen is covered by something: the `hand` flag.
    """
    hand = markers is not None and markers < set(IDS)
    if not len(corners):
        return Quality(hand=hand)
    cut = crops.cut(picture, corners[:: max(1, len(corners) // 24)])
    grey = np.stack([cv2.cvtColor(c, cv2.COLOR_BGR2GRAY) for c in cut]).astype(np.float32)
    gradient = np.abs(np.diff(grey, axis=2))[:, :-1] + np.abs(np.diff(grey, axis=1))[:, :, :-1]
    edges = np.quantile(gradient.reshape(len(grey), -1), 0.97, axis=1)
    body = np.median(grey.reshape(len(grey), -1), axis=1)
    bleached = (cut.min(axis=3) >= 250).reshape(len(cut), -1).mean(axis=1)
    return Quality(
        sharp=bool(np.median(edges) / max(1.0, float(np.median(body))) * 128 >= SHARP_FROM),
        glare=bool((bleached - np.median(bleached)).max() > GLARE_FROM or np.median(bleached) > 0.5),
        dark=bool(np.median(body) < DARK_BELOW),
        hand=hand,
    )
