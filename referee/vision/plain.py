"""A surface whose texture is too weak to be seen: it is bare where its colour is just what it was, all around as well.

A sheet of paper or a book may have nearly the colour of the table, but hardly to a percent in all three channels, and
its rim shows. That can be told from the mean of several pictures only; the noise of a single one is larger.
"""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.covering import PX_PER_MM, Mask, wider
from referee.vision.sighting import Floats, Image

AROUND_MM = 60.0
"""So far around a place the table must look as it did, too: what is larger hides more than a tile."""
LEAST = 2.0
"""So many times the place must be seen of what is around it."""
LIGHT, CAST = 0.03, 0.01
"""The parts by which light around a place may differ from that on all of the table, and in one channel only."""
SMOOTH_PX = 1.5
"""What noise is left is smoothed away; a rim is longer than that."""
TINT = 0.005
"""The part by which the mean of a place may differ in any channel from what the light around it gives,"""
SPOT = 0.022
"""and any spot in it,"""
RING, NEARLY_ALL = 0.015, 0.99
"""and nearly all of what is around it: the rim of a sheet is a larger part."""
DARKEST = 4.0
"""Levels added before a factor is taken: black has none."""


def around(place: Mask, clear: Mask) -> Mask:
    """What is `clear` (h, w) around a place."""
    return wider(place, AROUND_MM) & ~wider(place, 2 / PX_PER_MM) & clear


def looks_as_it_did(then: Image | Floats, now: Image | Floats, place: Mask, ring: Mask, gain: Floats) -> bool:
    """Whether a place (h, w), and the `ring` around it, have just the colours they had, in the light of now.

    `gain` (3,) is the factor by which light has changed on all of the table. Around the place it may differ a little
    from that, and rise or fall evenly.
    """
    if ring.sum() < LEAST * place.sum():
        return False
    change, here = _change(then, now, place | ring, ring)
    tints = np.abs(change[place].mean(axis=0))
    light = here - np.log(gain)
    usual = np.abs(light).max() < LIGHT and np.ptp(light) < CAST
    same = tints.max() < TINT and np.abs(change[place]).max() < SPOT
    return bool(usual and same and np.quantile(np.abs(change[ring]).max(axis=1), NEARLY_ALL) < RING)


def _change(then: Image | Floats, now: Image | Floats, seen: Mask, ring: Mask) -> tuple[Floats, Floats]:
    """By which part each pixel of `seen` has changed, (h, w, 3), smoothed and without the change of light; that, too.

    The change of light is told for the middle of what is seen, (3,); both are logarithms.
    """
    rows, columns = np.nonzero(seen)
    box = np.s_[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    inside = seen[box].astype(np.float32)[..., None]
    factor = (now[box].astype(np.float32) + DARKEST) / (then[box].astype(np.float32) + DARKEST)
    weights = cv2.GaussianBlur(inside, (0, 0), SMOOTH_PX)[..., None]
    smooth = cv2.GaussianBlur(np.log(factor) * inside, (0, 0), SMOOTH_PX) / np.maximum(weights, 1e-3)
    y, x = np.mgrid[: inside.shape[0], : inside.shape[1]].astype(np.float32)
    plane = np.stack([np.ones_like(x), x - x.mean(), y - y.mean()], axis=-1)
    fit = np.linalg.lstsq(plane[ring[box]], smooth[ring[box]], rcond=None)[0]
    change = np.zeros((*seen.shape, 3), np.float32)
    change[box] = smooth - plane @ fit
    return change, np.asarray(fit[0], np.float32)
