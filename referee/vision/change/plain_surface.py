"""A surface whose texture is too weak to be seen: it is bare where its colour is just what it was, also around it.

A sheet of paper or a book may have nearly the colour of the table, but hardly to half a percent in all three channels.
That can be measured in the mean of several pictures only; the noise of a single one is larger.
"""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.change.occlusion import FEWEST_PX, Mask, wider
from referee.vision.sighting import Floats, Image

AROUND_MM = 60.0
"""Distance around a place within which the table must look as it did, too."""
SIDES, LEAST = 3, 0.15
"""How many of the four sides must be visible, and how much of each, as a share of the place."""
TINT = 0.007
"""The part by which the light around a place may differ in any channel from the light on all of the table;"""
PLACE = 0.005
"""the part by which the mean of the place may differ from the light around it,"""
SPOT = 0.022
"""and any spot in it."""
RING, NEARLY_ALL = 0.02, 0.99
"""The part by which the surroundings may differ, and the share of them that must keep to it: the rim of a sheet is
larger."""
SMOOTH_PX = 1.5
"""Sigma in pixels of the filter that removes the rest of the noise; a rim is longer than that."""
LEVELS = (8.0, 247.0)
"""Darker or brighter than these levels everything looks alike."""
ALIKE, MOST = 0.03, 0.9
"""The light must have changed alike, to this part, on this share of the table; else nothing is known about it."""


def around(place: Mask, clear: Mask) -> Mask:
    """What is `clear` (h, w) around a place."""
    return np.asarray(wider(place, AROUND_MM) & ~place & clear, bool)


def looks_as_it_did(then: Image | Floats, now: Image | Floats, place: Mask, clear: Mask) -> bool:
    """Return whether a place (h, w) and what is `clear` around it have their old colours, in the present light.

    `clear` (h, w) is where both pictures show the table. Light may have changed on all of it by a factor, in each
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
    """Return whether enough is visible on enough sides of a place: light cannot be extrapolated."""
    middle = np.argwhere(place).mean(axis=0)
    y, x = (np.argwhere(ring) - middle).T
    sides = [((y < 0) & (np.abs(x) < -y)), ((y > 0) & (np.abs(x) < y)), ((x < 0) & (np.abs(y) <= -x)), x >= np.abs(y)]
    return sum(bool(side.sum() > LEAST * place.sum()) for side in sides) >= SIDES


def _usual(then: Image | Floats, now: Image | Floats, clear: Mask) -> Floats | None:
    """Return the logarithm (3,) of the factor by which light changed on the whole table; None if unevenly."""
    old, new = (cv2.blur(one.astype(np.float32), (3, 3))[clear][::3] for one in (then, now))
    factors = np.log(np.maximum(new, 1) / np.maximum(old, 1))
    usual = np.asarray(np.median(factors, axis=0), np.float32)
    return usual if (np.abs(factors - usual).max(axis=1) < ALIKE).mean() > MOST else None


def _change(then: Image | Floats, now: Image | Floats, seen: Mask, ring: Mask) -> tuple[Floats, Floats]:
    """Return by which part each pixel of `seen` changed, (h, w, 3), smoothed, and the change of light, (3,).

    The change of light, as it is at the middle of what is seen, is taken out of the first; both are logarithms.
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
