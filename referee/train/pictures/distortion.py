"""Signs distorted with one slant and weight for a box and a bend for each sign, so that there are more type faces."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.train.pictures.surfaces import Floats, Rng

THINNEST = 0.45
"""Strokes are made thinner only if at least this share of the ink is left; hairlines would vanish."""
NODES = (4, 3)
"""Rows and columns of the nodes between which a sign is bent."""


@dataclass(frozen=True)
class Distortion:
    """How all signs of a box differ from its type face. Lengths are parts of a sign's height.

    `slant` shifts the top to the right against the bottom. `weight` thickens strokes on either side, or makes them
    thinner if it is negative. `bend` is the standard deviation of the shift of each node; each sign has its own
    shifts, which follow from `seed`.
    """

    slant: float
    weight: float
    bend: float
    seed: int

    def apply(self, mask: Floats, glyph: int) -> Floats:
        """Return the distorted mask of ink (h, w), 0 to 1, cropped to its print; `glyph` chooses the bends."""
        height = mask.shape[0]
        rim = round(0.25 * height)
        wide = cv2.copyMakeBorder(mask, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0.0)
        rng = np.random.default_rng([self.seed, glyph])
        shifts = rng.normal(0, self.bend * height, (2, *NODES)).astype(np.float32)
        y, x = np.mgrid[: wide.shape[0], : wide.shape[1]].astype(np.float32)
        x += self.slant * (y - wide.shape[0] / 2)
        x, y = (
            axis + cv2.resize(part, wide.shape[::-1], interpolation=cv2.INTER_CUBIC)
            for axis, part in zip((x, y), shifts, strict=True)
        )
        bent = np.clip(cv2.remap(wide, x, y, cv2.INTER_LINEAR), 0, 1)
        return _crop_to_print(self._change_weight(np.asarray(bent, np.float32), height))

    def _change_weight(self, mask: Floats, height: int) -> Floats:
        """Return a mask with thicker or thinner strokes, changed by whole pixels of a picture four times as large."""
        fine = 4
        radius = round(abs(self.weight) * height * fine)
        if radius == 0:
            return mask
        large = cv2.resize(mask, None, fx=fine, fy=fine, interpolation=cv2.INTER_LINEAR)
        brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
        changed = cv2.dilate(large, brush) if self.weight > 0 else cv2.erode(large, brush)
        if changed.sum() < THINNEST * large.sum():
            return mask
        return np.asarray(cv2.resize(changed, mask.shape[::-1], interpolation=cv2.INTER_AREA), np.float32)


def choose_distortion(rng: Rng) -> Distortion:
    """Choose a distortion at random; people can still read nearly all signs after it."""
    slant = float(rng.normal(0, 0.1)) if rng.random() < 0.5 else 0.0
    return Distortion(slant, float(rng.uniform(-0.03, 0.035)), float(rng.uniform(0, 0.035)), int(rng.integers(2**31)))


def _crop_to_print(mask: Floats) -> Floats:
    rows, columns = (np.flatnonzero(mask.max(axis=axis) > 0.1) for axis in (1, 0))
    if not len(rows) or not len(columns):
        return mask
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
