"""Recognising an earlier patch of a picture again, whatever the light has become since.

A surface whose texture is too weak to be seen is bare where its colour is just what it was, also around it. A sheet of
paper or a book may have nearly the colour of the table, but hardly to half a percent in all three channels. That can
be measured in the mean of several pictures only; the noise of a single one is larger.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.change.occlusion import FEWEST_PX, Mask, wider
from referee.vision.sighting import Floats, Image

# Unless a comment names a source, these values were chosen by hand, not fitted; `python -m benchmarks hands` measures
# the result (models/METRICS.md).
SHIFTS_PX = (0.0, -0.5, 0.5, -1.0, 1.0)
"""Pixels by which markers that are found a little differently may shift a view, to either side: 1 px is 1.7 mm."""
PAD_PX = 3
"""Pixels around a patch that are cut out as well, so that it can be shifted."""
SHADE_PX = 4.0
"""Structures larger than this are light and shade, smaller ones texture and print."""

GREY = np.asarray([0.114, 0.587, 0.299], np.float32)
"""The weights of blue, green and red in a grey level (ITU-R BT.601)."""
DARKEST = 4.0
"""Levels added before a factor is taken: black has none."""
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


@dataclass(frozen=True, slots=True)
class Match:
    """How well an earlier patch is recognised in the present picture; n is the number of its pixels."""

    told: Floats
    """The earlier colours (n, 3), shifted to where they fit best."""
    seen: Floats
    """The present colours (n, 3)."""
    gain: Floats
    """How many times as bright each pixel is now, (n, 3)."""
    levels: Floats
    """By how many levels the texture of each pixel differs in the present light, (n,)."""
    texture: float
    """The standard deviation, in levels, of the earlier texture in the present light."""
    correlation: float
    """The correlation of both textures, all channels together, between -1 and 1."""
    slope: float
    """The slope of the present texture against the earlier one; 1 if it is the same."""


def match(before: Image | Floats, now: Image | Floats, inside: Mask) -> Match:
    """Compare the patch `inside` of both pictures, the earlier one shifted to where it fits best."""
    rows, columns = np.nonzero(inside)
    top, left = max(0, rows.min() - PAD_PX), max(0, columns.min() - PAD_PX)
    box = np.s_[top : rows.max() + 1 + PAD_PX, left : columns.max() + 1 + PAD_PX]
    old, new, mask = before[box].astype(np.float32), now[box].astype(np.float32), inside[box]
    shading = _Shading.for_mask(mask)
    print_now, shade_now = shading.split(new)
    best, fits = -math.inf, (old, print_now, shade_now)
    for x, y in itertools.product(SHIFTS_PX, SHIFTS_PX):
        move = np.asarray([[1, 0, x], [0, 1, y]], np.float32)
        shifted = cv2.warpAffine(old, move, old.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        told = np.asarray(shifted, np.float32)
        print_then, shade = shading.split(told)
        alike = correlation(print_then, print_now)
        if alike > best:
            best, fits = alike, (told, print_then, shade)
    told, print_then, shade = fits
    levels = np.abs((print_now - print_then) * shade_now).max(axis=1)
    texture = _texture(print_then, shade_now)
    return Match(told[mask], new[mask], shade_now / shade, levels, texture, best, _slope(print_then, print_now))


def usual_texture(picture: Image | Floats, table: Mask, size: tuple[int, int], every: int) -> float:
    """Return the median texture, in levels, of patches that lie wholly within a mask (h, w); 0 without any.

    Patches are of a `size` (h, w) and begin `every` pixels apart, each measured without its light and shade.
    """
    high, wide = size
    shading = _Shading.for_mask(np.ones(size, bool))
    found = []
    for top, left in itertools.product(range(0, table.shape[0] - high, every), range(0, table.shape[1] - wide, every)):
        patch = np.s_[top : top + high, left : left + wide]
        if table[patch].all():
            found.append(_texture(*shading.split(np.asarray(picture[patch], np.float32))))
    return float(np.median(found)) if found else 0.0


def _texture(grown: Floats, shade: Floats) -> float:
    """Return the levels by which a patch differs from its own shade, (n, 3) each, in the channel with the most."""
    return float((grown * shade).std(axis=0).max())


def without_shadows(picture: Image | Floats, tiles: Mask, inside: Mask) -> Floats:
    """Return a picture (h, w, 3), as floats, without what runs along the edges of `tiles` as their shadows do.

    It is measured and removed on the patch `inside`, as the median level at each distance in pixels from the nearest
    tile. Both pictures that are compared must be treated so: a grain that runs along the edge is removed, too, and
    must not be found in one of them only.
    """
    away = np.round(cv2.distanceTransform((~tiles).astype(np.uint8), cv2.DIST_L2, 5)).astype(int)
    level = np.log(picture @ GREY + DARKEST)
    rings = away[inside]
    steps = np.unique(rings)
    usual = np.asarray([np.median(level[inside][rings == step]) for step in steps])
    factor = np.exp(np.interp(away, steps, usual - usual.mean())).astype(np.float32)
    return np.asarray(picture / factor[..., None], np.float32)


@dataclass(frozen=True, slots=True)
class _Shading:
    """How light falls on the pixels of a mask (h, w), n of them: in a slope or the edge of a shadow, and smoothly.

    Without the slope and edge they would leave a mark of their own, the same on every surface. `terms` (n, 10) are
    those of a cubic polynomial in the place of each pixel, `inverse` (10, n) fits them; `weights` (n, 1): how much of
    what is around each pixel lies within the mask.
    """

    mask: Mask
    terms: Floats
    inverse: Floats
    weights: Floats

    @classmethod
    def for_mask(cls, mask: Mask) -> _Shading:
        place = np.argwhere(mask).astype(np.float32)
        y, x = ((place - place.mean(axis=0)) / np.maximum(np.ptp(place, axis=0), 1)).T
        terms = np.stack([y**i * x**j for i in range(4) for j in range(4 - i)], axis=1)
        around = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), SHADE_PX)[mask][:, None]
        return cls(mask, *(np.asarray(one, np.float32) for one in (terms, np.linalg.pinv(terms), around)))

    def split(self, patch: Floats) -> tuple[Floats, Floats]:
        """Split a patch (h, w, 3) into texture, as parts of its shade, and that shade, (n, 3) each."""
        level = patch[self.mask] + 1
        slope = np.maximum(self.terms @ (self.inverse @ level), 1)
        even = np.zeros_like(patch)
        even[self.mask] = level / slope
        shade = slope * cv2.GaussianBlur(even, (0, 0), SHADE_PX)[self.mask] / self.weights
        return np.asarray(level / shade - 1, np.float32), np.asarray(shade, np.float32)


def correlation(one: npt.NDArray[np.floating], other: npt.NDArray[np.floating]) -> float:
    """Return the correlation of all channels together, between -1 and 1."""
    aa, ab, bb = _products(one, other)
    size = float(np.sqrt(aa * bb))
    return float(ab) / size if size > 0 else 0.0


def _slope(one: Floats, other: Floats) -> float:
    """Return the slope of the line through what rises with `one`, of all channels together."""
    aa, ab, _ = _products(one, other)
    return float(ab) / float(aa) if aa > 0 else 0.0


def _products(one: npt.NDArray[np.floating], other: npt.NDArray[np.floating]) -> tuple[Any, Any, Any]:
    """The sums of squares of one, of its products with the other, and of the other's squares, about their means."""
    a, b = one - one.mean(axis=0), other - other.mean(axis=0)
    return (a * a).sum(), (a * b).sum(), (b * b).sum()


def fine(picture: Image | Floats) -> Floats:
    """The texture of a picture, without its light and shade."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), SHADE_PX), np.float32)


def surroundings(place: Mask, clear: Mask) -> Mask:
    """What is `clear` (h, w) around a place."""
    return np.asarray(wider(place, AROUND_MM) & ~place & clear, bool)


def looks_as_it_did(then: Image | Floats, now: Image | Floats, place: Mask, clear: Mask) -> bool:
    """Return whether a place (h, w) and what is `clear` around it have their old colours, in the present light.

    `clear` (h, w) is where both pictures show the table. Light may have changed on all of it by a factor, in each
    channel by itself, and may rise or fall a little around the place.
    """
    ring = surroundings(place, clear)
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
