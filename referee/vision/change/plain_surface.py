"""A surface whose texture is too weak to be seen: it is bare where its colour is just what it was, all around as well.

A sheet of paper or a book may have nearly the colour of the table, but hardly to half a percent in all three channels.
That can be told from the mean of several pictures only; the noise of a single one is larger.
"""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.change.occlusion import FEWEST_PX, Mask, wider
from referee.vision.sighting import Floats, Image

AROUND_MM = 60.0
"""So far around a place the table must look as it did, too."""
SIDES, LEAST = 3, 0.15
"""On this many of four sides, each with this many times the place."""
TINT = 0.007
"""The part by which the light around a place may differ in any channel from that on all of the table,"""
PLACE = 0.005
"""the mean of the place from the light around it,"""
SPOT = 0.022
"""and any spot in it."""
RING, NEARLY_ALL = 0.02, 0.99
"""By so much may nearly all of what is around it differ: the rim of a sheet is a larger part."""
SMOOTH_PX = 1.5
"""What noise is left is smoothed away; a rim is longer than that."""
LEVELS = (8.0, 247.0)
"""Darker or brighter than this everything looks alike."""
ALIKE, MOST = 0.03, 0.9
"""On most of the table light must have changed as on the rest of it, or it is not known what has."""


def around(place: Mask, clear: Mask) -> Mask:
    """What is `clear` (h, w) around a place."""
    return np.asarray(wider(place, AROUND_MM) & ~place & clear, bool)


def looks_as_it_did(then: Image | Floats, now: Image | Floats, place: Mask, clear: Mask) -> bool:
    """Whether a place (h, w) and what is `clear` around it have just the colours they had, in the light of now.

    `clear` (h, w) is where both pictures show the table; light may have changed on all of it by a factor, in each
    channel by itself, and may rise or fall a little around the place.
    """
    ring = around(place, clear)
    if clear.sum() < FEWEST_PX or not _on_all_sides(place, ring):
        return False
    seen = place | ring
    if any(not LEVELS[0] < level < LEVELS[1] for one in (then, now) for level in (one[seen].min(), one[seen].max())):
        return False
    change, here = _change(then, now, seen, ring)
    usual = _usual(then, now, clear)
    if usual is None or np.abs(here - usual).max() > TINT:
        return False
    same = np.abs(change[place].mean(axis=0)).max() < PLACE and np.abs(change[place]).max() < SPOT
    return bool(same and np.quantile(np.abs(change[ring]).max(axis=1), NEARLY_ALL) < RING)


def _on_all_sides(place: Mask, ring: Mask) -> bool:
    """Whether enough is seen on enough sides of a place: light is not told beyond what shows it."""
    middle = np.argwhere(place).mean(axis=0)
    y, x = (np.argwhere(ring) - middle).T
    sides = [((y < 0) & (np.abs(x) < -y)), ((y > 0) & (np.abs(x) < y)), ((x < 0) & (np.abs(y) <= -x)), x >= np.abs(y)]
    return sum(bool(side.sum() > LEAST * place.sum()) for side in sides) >= SIDES


def _usual(then: Image | Floats, now: Image | Floats, clear: Mask) -> Floats | None:
    """By which factor light has changed on all of the table, (3,), as a logarithm; None where not by one."""
    old, new = (cv2.blur(one.astype(np.float32), (3, 3))[clear][::3] for one in (then, now))
    factors = np.log(np.maximum(new, 1) / np.maximum(old, 1))
    usual = np.asarray(np.median(factors, axis=0), np.float32)
    return usual if (np.abs(factors - usual).max(axis=1) < ALIKE).mean() > MOST else None


def _change(then: Image | Floats, now: Image | Floats, seen: Mask, ring: Mask) -> tuple[Floats, Floats]:
    """By which part each pixel of `seen` has changed, (h, w, 3), smoothed and without the change of light; that, too.

    The change of light is told for the middle of what is seen, (3,); both are logarithms.
    """
    rows, columns = np.nonzero(seen)
    box = np.s_[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    inside = seen[box].astype(np.float32)[..., None]
    factor = np.maximum(now[box].astype(np.float32), 1) / np.maximum(then[box].astype(np.float32), 1)
    weights = cv2.GaussianBlur(inside, (0, 0), SMOOTH_PX)[..., None]
    smooth = cv2.GaussianBlur(np.log(factor) * inside, (0, 0), SMOOTH_PX) / np.maximum(weights, 1e-3)
    y, x = np.mgrid[: inside.shape[0], : inside.shape[1]].astype(np.float32)
    plane = np.stack([np.ones_like(x), x - x.mean(), y - y.mean()], axis=-1)
    fit = np.linalg.lstsq(plane[ring[box]], smooth[ring[box]], rcond=None)[0]
    change = np.zeros((*seen.shape, 3), np.float32)
    change[box] = smooth - plane @ fit
    return change, np.asarray(fit[0], np.float32)
