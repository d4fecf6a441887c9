"""Upright crops of single tiles, and their ink measured against the tile's own body."""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.sighting import Floats, Image

HEIGHT, WIDTH = 64, 48
MARGIN = 1.2  # the surroundings show where the tile ends, and that there is one


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
    target = _nominal(margin)
    levels = np.maximum(1, np.floor(short_sides(corners) * margin / WIDTH + 0.25)).astype(int)
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


def _nominal(margin: float) -> Floats:
    """Where the corners of a quad land in its crop, (4, 2)."""
    frame = np.asarray([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32) - 0.5
    centre = frame.mean(0)
    return np.asarray((frame - centre) / margin + centre, np.float32)


def shifts_between(corners: Floats, exact: Floats) -> Floats:
    """How far `exact` corners lie from given ones (both (n, 4, 2)), seen in the crop, in crop widths: (n, 8)."""
    target = _nominal(MARGIN)
    shifts = np.zeros((len(corners), 8), np.float32)
    for i in range(len(corners)):
        matrix = cv2.getPerspectiveTransform(corners[i].astype(np.float32), target)
        seen = cv2.perspectiveTransform(exact[i][None].astype(np.float32), matrix)[0]
        shifts[i] = (seen - target).ravel() / WIDTH
    return shifts


def apply_shifts(corners: Floats, shifts: Floats) -> Floats:
    """The inverse of `shifts_between`: corners (n, 4, 2) moved by what was seen in their crops, (n, 8)."""
    target = _nominal(MARGIN)
    moved = np.empty((len(corners), 4, 2), np.float32)
    for i in range(len(corners)):
        matrix = cv2.getPerspectiveTransform(target, corners[i].astype(np.float32))
        seen = target + shifts[i].reshape(4, 2) * WIDTH
        moved[i] = cv2.perspectiveTransform(seen[None].astype(np.float32), matrix)[0]
    return moved


def relative_ink(crops: Image) -> Floats:
    """Divide each crop by its body's colour: (n, H, W, 3) BGR bytes to (n, 3, H, W), bare body near 0, black near -1.

    The body is the median colour: ink covers less than half of every tile, and the median is free of its hue. So
    the light's colour and brightness drop out, which fixed thresholds cannot do.
    """
    if not len(crops):
        return np.zeros((0, 3, HEIGHT, WIDTH), np.float32)
    body = np.median(crops[:, 8:-8:2, 6:-6:2], axis=(1, 2)).astype(np.float32)
    relative = crops.astype(np.float32) / np.maximum(body, 16.0)[:, None, None, :]
    return np.ascontiguousarray(np.minimum(relative, 1.6).transpose(0, 3, 1, 2) - 1.0)
