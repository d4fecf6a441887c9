"""Upright crops of single tiles, and their ink measured against the tile's own body."""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.sighting import Floats, Image

HEIGHT, WIDTH = 56, 40
MARGIN = 1.08  # a little of the surroundings shows where the tile ends


def short_sides(corners: Floats) -> Floats:
    """Mean length of the top and bottom edges of quads (n, 4, 2), pixels, (n,)."""
    top = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    bottom = np.linalg.norm(corners[:, 2] - corners[:, 3], axis=1)
    return np.asarray((top + bottom) / 2, np.float32)


def cut(picture: Image, corners: Floats, margin: float = MARGIN) -> Image:
    """Warp each quad of `corners` (n, 4, 2), top left first, clockwise, to an (n, HEIGHT, WIDTH, 3) crop.

    Large tiles are read from a shrunken picture, so that thin strokes are averaged and not skipped.
    """
    crops = np.empty((len(corners), HEIGHT, WIDTH, 3), np.uint8)
    if not len(corners):
        return crops
    source = np.asarray([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32) - 0.5
    centre = source.mean(0)
    target = np.asarray((source - centre) / margin + centre, np.float32)
    levels = np.maximum(1, np.floor(short_sides(corners) / WIDTH + 0.25)).astype(int)
    for level in np.unique(levels):
        shrunk = picture
        if level > 1:
            size = (max(1, picture.shape[1] // int(level)), max(1, picture.shape[0] // int(level)))
            shrunk = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        ratio = np.asarray([shrunk.shape[1] / picture.shape[1], shrunk.shape[0] / picture.shape[0]], np.float32)
        for i in np.flatnonzero(levels == level):
            quad = (corners[i] + 0.5) * ratio - 0.5
            matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
            cv2.warpPerspective(
                shrunk, matrix, (WIDTH, HEIGHT), dst=crops[i], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
    return crops


def relative_ink(crops: Image) -> Floats:
    """Divide each crop by its body's colour: (n, H, W, 3) BGR bytes to (n, 3, H, W), bare body near 0, black near -1.

    The body is the median colour: ink covers less than half of every tile, and the median is free of its hue. So
    the light's colour and brightness drop out, which fixed thresholds cannot do.
    """
    flat = crops[:, 4:-4:2, 4:-4:2].reshape(len(crops), -1, 3)
    body = np.median(flat, axis=1).astype(np.float32)
    relative = crops.astype(np.float32) / np.maximum(body, 16.0)[:, None, None, :]
    return np.ascontiguousarray(np.minimum(relative, 1.6).transpose(0, 3, 1, 2) - 1.0)
