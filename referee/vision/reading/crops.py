"""Upright crops of single tiles, and ink measured relative to a tile's own body."""

from __future__ import annotations

import functools
import threading

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.sighting import Floats, Image

HEIGHT, WIDTH = 64, 48
"""The size of a crop in pixels, as the reader network expects it."""
CLIPPED = 249.0
"""A channel of a picture is clipped from this level on."""
DARKEST = 16.0
"""A tile counts as at least this bright in each channel. In less light, it cannot be measured what an ink absorbs."""
MARGIN = 1.2  # includes some surroundings, which show where the tile ends, and that there is one


class Sizes:
    """A picture in its own size and in smaller ones; each is computed once, when a thread first needs it."""

    def __init__(self, picture: Image) -> None:
        self.picture = picture
        self._shrunk = {1: picture}
        self._computing = threading.Lock()

    def shrunk_by(self, level: int) -> Image:
        """Return the picture shrunk by a whole number."""
        with self._computing:
            if level not in self._shrunk:
                height, width = self.picture.shape[:2]
                size = (max(1, width // level), max(1, height // level))
                smaller = cv2.resize(self.picture, size, interpolation=cv2.INTER_AREA)
                self._shrunk[level] = np.asarray(smaller, np.uint8)
            return self._shrunk[level]


def short_sides(corners: Floats) -> Floats:
    """Return the mean lengths (n,) of the top and bottom edges of quads (n, 4, 2), in pixels."""
    top = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    bottom = np.linalg.norm(corners[:, 2] - corners[:, 3], axis=1)
    return np.asarray((top + bottom) / 2, np.float32)


def relative_sides(corners: Floats) -> Floats:
    """Return width or height of quads (n, 4, 2), divided by the median of all; the smaller of both ratios, (n,)."""
    sizes = np.stack([short_sides(corners), short_sides(np.roll(corners, 1, axis=1))], axis=1)
    return np.asarray((sizes / np.maximum(np.median(sizes, axis=0), 1e-6)).min(axis=1), np.float32)


def cut(picture: Image | Sizes, corners: Floats, margin: float = MARGIN, step: int = 1) -> Image:
    """Warp each quad of `corners` (n, 4, 2), clockwise from top left, to a crop; return (n, HEIGHT, WIDTH, 3).

    Large tiles are taken from a reduced picture, so that thin strokes are averaged and not skipped. With a `step`,
    only every `step`-th pixel of a crop is computed, beginning in the middle of the first step; the result is then (n,
    HEIGHT // step, WIDTH // step, 3).
    """
    high, wide = HEIGHT // step, WIDTH // step
    crops = np.empty((len(corners), high, wide, 3), np.uint8)
    if not len(corners):
        return crops
    sizes = picture if isinstance(picture, Sizes) else Sizes(picture)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    levels = np.maximum(1, np.floor(short_sides(corners) * margin / WIDTH + 0.25)).astype(int)
    height, width = sizes.picture.shape[:2]
    for level in np.unique(levels):
        shrunk = sizes.shrunk_by(int(level))
        ratio = np.asarray([shrunk.shape[1] / width, shrunk.shape[0] / height], np.float32)
        rows = np.flatnonzero(levels == level)
        quads = ((corners[rows] + 0.5) * ratio - 0.5).astype(np.float32)
        for i, matrix in zip(rows, views(quads) @ _unit(margin, step), strict=True):
            cv2.warpPerspective(
                shrunk, matrix, (wide, high), dst=crops[i], flags=flags, borderMode=cv2.BORDER_REPLICATE
            )
    return crops


def views(quads: Floats) -> npt.NDArray[np.float64]:
    """Return the homographies (n, 3, 3) from the unit square to quads (n, 4, 2), both clockwise from top left.

    Uses Heckbert's closed form (Fundamentals of Texture Mapping, 1989) for all quads at once.
    """
    a, b, c, d = quads.astype(np.float64).transpose(1, 0, 2)
    bent, right, left = a - b + c - d, b - c, d - c
    area = right[:, 0] * left[:, 1] - right[:, 1] * left[:, 0]
    area = np.where(np.abs(area) < 1e-9, np.inf, area)  # a quad without an area is treated as a parallelogram
    g = (bent[:, 0] * left[:, 1] - bent[:, 1] * left[:, 0]) / area
    h = (right[:, 0] * bent[:, 1] - right[:, 1] * bent[:, 0]) / area
    result = np.ones((len(quads), 3, 3))
    result[:, :2, 0] = b - a + g[:, None] * b
    result[:, :2, 1] = d - a + h[:, None] * d
    result[:, :2, 2] = a
    result[:, 2, 0], result[:, 2, 1] = g, h
    return result


@functools.cache
def _unit(margin: float, step: int) -> npt.NDArray[np.float64]:
    """Return the matrix (3, 3) from pixels of a crop, of which every `step`-th is kept, to the tile's unit square."""
    low, high = _nominal(margin)[[0, 2]].astype(np.float64)
    scale, start = step / (high - low), (step // 2 - low) / (high - low)
    return np.asarray([[scale[0], 0, start[0]], [0, scale[1], start[1]], [0, 0, 1]])


@functools.cache
def _nominal(margin: float) -> Floats:
    """Return where the corners of a quad are in its crop, (4, 2)."""
    frame = np.asarray([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32) - 0.5
    centre = frame.mean(0)
    return np.asarray((frame - centre) / margin + centre, np.float32)


def shifts_between(corners: Floats, exact: Floats) -> Floats:
    """Return the distances (n, 8) of `exact` corners from given ones, both (n, 4, 2), in the crop, in crop widths."""
    target = _nominal(MARGIN)
    shifts = np.zeros((len(corners), 8), np.float32)
    for i in range(len(corners)):
        matrix = cv2.getPerspectiveTransform(corners[i].astype(np.float32), target)
        seen = cv2.perspectiveTransform(exact[i][None].astype(np.float32), matrix)[0]
        shifts[i] = (seen - target).ravel() / WIDTH
    return shifts


def apply_shifts(corners: Floats, shifts: Floats) -> Floats:
    """Return corners (n, 4, 2) moved by shifts (n, 8) in their crops; the inverse of `shifts_between`."""
    seen = (_nominal(MARGIN) + shifts.reshape(-1, 4, 2) * WIDTH).astype(np.float32)
    matrices = views(corners.astype(np.float32)) @ _unit(MARGIN, 1)
    moved = np.concatenate([seen, np.ones((len(seen), 4, 1))], axis=2) @ matrices.transpose(0, 2, 1)
    return np.asarray(moved[..., :2] / moved[..., 2:], np.float32)


def relative_ink(crops: Image) -> Floats:
    """Divide crops by the colour of their body: from (n, H, W, 3) BGR bytes to (n, 3, H, W), 0 for body, -1 for black.

    The body's colour is the median, since ink covers less than half of every tile. This removes the colour and
    brightness of the light, which fixed thresholds cannot do.
    """
    if not len(crops):
        return np.zeros((0, 3, HEIGHT, WIDTH), np.float32)
    body = np.maximum(medians(crops[:, 8:-8:2, 6:-6:2]), np.float32(DARKEST))
    relative = np.empty((len(crops), 3, *crops.shape[1:3]), np.float32)
    for channel, levels in enumerate(cv2.split(crops.reshape(-1, crops.shape[2], 3))):
        np.divide(levels.reshape(crops.shape[:3]), body[:, channel, None, None], out=relative[:, channel])
    np.minimum(relative, 1.6, out=relative)
    relative -= 1.0
    return relative


def medians(crops: Image) -> Floats:
    """Return the median colours (n, 3) of crops (n, h, w, 3); a faster `np.median`."""
    count = crops.shape[1] * crops.shape[2]
    levels = np.ascontiguousarray(crops.transpose(0, 3, 1, 2)).reshape(len(crops), 3, count)
    levels.sort(axis=2, kind="stable")
    return np.asarray(levels[..., [(count - 1) // 2, count // 2]].mean(axis=2), np.float32)
