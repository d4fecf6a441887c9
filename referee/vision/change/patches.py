"""Recognising a patch of an earlier picture again in different light.

If the texture of a surface is too weak to be recognised, a place on it counts as bare if its colour, and that of its
surroundings, is exactly what it was. A sheet of paper or a book may have nearly the colour of the table, but hardly to
half a percent in all three channels. Only the mean of several pictures is that precise; a single one has too much
noise.
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
"""Pixels by which a view may be shifted to either side, because markers are located a little differently each time;
1 px is 1.7 mm."""
PAD_PX = 3
"""Pixels around a patch that are cut out as well, so that it can be shifted."""
SHADE_PX = 4.0
"""Larger structures than this are light and shade; smaller ones are texture and print."""

GREY = np.asarray([0.114, 0.587, 0.299], np.float32)
"""The weights of blue, green and red in a grey level (ITU-R BT.601)."""
DARKEST = 4.0
"""Levels added before a ratio is computed, because black has none."""
AROUND_MM = 60.0
"""The surroundings of a place that must look as before reach this far."""
SIDES, LEAST = 3, 0.15
"""How many of the four sides of a place must be visible, and how much of each, as a share of the place's area."""
TINT = 0.007
"""The part by which the light around a place may differ from the light on the whole table, in any channel."""
PLACE = 0.005
"""The part by which the mean of the place may differ from the light around it."""
SPOT = 0.022
"""The part by which any spot in the place may differ from the light around it."""
RING, NEARLY_ALL = 0.02, 0.99
"""The part by which the surroundings may differ, and the share of them that must not differ by more. The rim of a
sheet would be a larger share."""
SMOOTH_PX = 1.5
"""Sigma in pixels of the filter that removes the remaining noise; the rim of a sheet is longer than that."""
LEVELS = (8.0, 247.0)
"""Outside of these levels everything looks alike, being too dark or too bright."""
ALIKE, MOST = 0.03, 0.9
"""The change of light must be equal to within this part on this share of the table; otherwise it is not known."""


@dataclass(frozen=True, slots=True)
class Match:
    """How well an earlier patch is recognised in the present picture; n is the number of its pixels."""

    told: Floats
    """The earlier colours (n, 3), shifted to fit best."""
    seen: Floats
    """The present colours (n, 3)."""
    gain: Floats
    """The factor by which each pixel is brighter now, (n, 3)."""
    levels: Floats
    """The difference of the textures at each pixel, in levels in the present light, (n,)."""
    texture: float
    """The standard deviation of the earlier texture, in levels in the present light."""
    correlation: float
    """The correlation of both textures over all channels, between -1 and 1."""
    slope: float
    """The slope of the present texture against the earlier one; 1 if it is the same."""


def match(before: Image | Floats, now: Image | Floats, inside: Mask) -> Match:
    """Compare the patch `inside` of both pictures, after shifting the earlier one to fit best."""
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
    """Return the median texture, in levels, of patches that lie completely within a mask (h, w); 0 if there are none.

    The patches have `size` (h, w) and begin every `every` pixels; light and shade are removed from each.
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
    """Return the standard deviation of a patch's texture in levels, in the channel with the most.

    `grown` is the texture as a part of the shade, `shade` the shade itself, (n, 3) each.
    """
    return float((grown * shade).std(axis=0).max())


def without_shadows(picture: Image | Floats, tiles: Mask, inside: Mask) -> Floats:
    """Return a picture (h, w, 3), as floats, without shadows along the edges of `tiles`.

    The shadows are measured on the patch `inside`, as the median level at each distance in pixels from the nearest
    tile. Apply this to both pictures that are compared: it also removes a grain that runs along the edge of a tile,
    which must then not be found in only one of them.
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
    """A model of the light on the n pixels of a mask (h, w): a smooth slope, and finer shade on top of it.

    Without the slope, gradients and edges of shadows would look like texture, the same on every surface. `terms` (n,
    10) are those of a cubic polynomial at each pixel, `inverse` (10, n) fits them. `weights` (n, 1) says how much of
    each pixel's surroundings lies within the mask.
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
        """Split a patch (h, w, 3) into texture, as a part of the shade, and the shade, (n, 3) each."""
        level = patch[self.mask] + 1
        slope = np.maximum(self.terms @ (self.inverse @ level), 1)
        even = np.zeros_like(patch)
        even[self.mask] = level / slope
        shade = slope * cv2.GaussianBlur(even, (0, 0), SHADE_PX)[self.mask] / self.weights
        return np.asarray(level / shade - 1, np.float32), np.asarray(shade, np.float32)


def correlation(one: npt.NDArray[np.floating], other: npt.NDArray[np.floating]) -> float:
    """Return the correlation over all channels, between -1 and 1."""
    aa, ab, bb = _products(one, other)
    size = float(np.sqrt(aa * bb))
    return float(ab) / size if size > 0 else 0.0


def _slope(one: Floats, other: Floats) -> float:
    """Return the slope of `other` as a linear function of `one`, over all channels."""
    aa, ab, _ = _products(one, other)
    return float(ab) / float(aa) if aa > 0 else 0.0


def _products(one: npt.NDArray[np.floating], other: npt.NDArray[np.floating]) -> tuple[Any, Any, Any]:
    """Return the sums of squares of `one`, of its products with `other`, and of `other`'s squares, about the means."""
    a, b = one - one.mean(axis=0), other - other.mean(axis=0)
    return (a * a).sum(), (a * b).sum(), (b * b).sum()


def fine(picture: Image | Floats) -> Floats:
    """Return the texture of a picture, without its light and shade."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), SHADE_PX), np.float32)


def surroundings(place: Mask, clear: Mask) -> Mask:
    """Return the part of the mask `clear` (h, w) that surrounds a place."""
    return np.asarray(wider(place, AROUND_MM) & ~place & clear, bool)


def looks_as_it_did(then: Image | Floats, now: Image | Floats, place: Mask, clear: Mask) -> bool:
    """Return whether a place (h, w) and its surroundings have the same colours as before, allowing for the light.

    `clear` (h, w) is where both pictures show the table. The light on the whole table may have changed by a factor,
    for each channel separately, and may rise or fall a little across the place.
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
    """Return whether enough sides of a place are visible: light can be interpolated but not extrapolated."""
    middle = np.argwhere(place).mean(axis=0)
    y, x = (np.argwhere(ring) - middle).T
    sides = [((y < 0) & (np.abs(x) < -y)), ((y > 0) & (np.abs(x) < y)), ((x < 0) & (np.abs(y) <= -x)), x >= np.abs(y)]
    return sum(bool(side.sum() > LEAST * place.sum()) for side in sides) >= SIDES


def _usual(then: Image | Floats, now: Image | Floats, clear: Mask) -> Floats | None:
    """Return the log factor (3,) by which light changed on the whole table; None if it changed unevenly."""
    old, new = (cv2.blur(one.astype(np.float32), (3, 3))[clear][::3] for one in (then, now))
    factors = np.log(np.maximum(new, 1) / np.maximum(old, 1))
    usual = np.asarray(np.median(factors, axis=0), np.float32)
    return usual if (np.abs(factors - usual).max(axis=1) < ALIKE).mean() > MOST else None


def _change(then: Image | Floats, now: Image | Floats, seen: Mask, ring: Mask) -> tuple[Floats, Floats]:
    """Return the smoothed change of each pixel of `seen`, (h, w, 3), and the change of light, (3,), as logarithms.

    The change of light is measured on the surroundings `ring` and removed from the change of each pixel.
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
