"""The table without its tiles, combined from looks in which its parts were bare."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.change.occlusion import FEWEST_PX, MARGIN_MM, STEP, Mask, TopView, largest, light, wider
from referee.vision.sighting import Floats, Image

# Chosen by hand, not fitted; `python -m benchmarks hands` measures the result (models/METRICS.md).
BESIDE_MM = 8.0
"""The side faces and deep shadow of a tile are seen within this distance around it."""
LONE_MM = 30.0
"""No tile casts a shadow farther than this."""
MOST_LOOKS = 8
"""From this many pictures on, the newest one counts an eighth in the running average of the bare table."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A running average of a table (h, w, 3) over `looks` (h, w) pictures: weak textures without camera noise.

    Its brightness is that of the last picture.
    """

    picture: Floats
    looks: npt.NDArray[np.uint8]

    @classmethod
    def from_picture(cls, picture: Image, where: Mask) -> Mean:
        """Return the mean after a first picture, which shows the table where the mask `where` (h, w) says."""
        return cls(picture.astype(np.float32), where.astype(np.uint8))

    def with_picture(self, picture: Image, where: Mask) -> Mean:
        """Return the mean after one more picture; where the table looks different now, the average starts again."""
        then, new, old = (self.looks > 0) & where, picture.astype(np.float32), self.picture
        if then.sum() >= FEWEST_PX:  # adjust to the present light; medians of whole levels are too coarse for that
            factors = np.maximum(new[then][::3], 1) / np.maximum(old[then][::3], 1)
            old = old * np.exp(np.median(np.log(factors), axis=0))
        steady = then & (largest(np.abs(new - old)) < STEP)
        looks = np.where(where, np.where(steady, np.minimum(self.looks + 1, MOST_LOOKS), 1), self.looks)
        weight = np.where(where, 1 / np.maximum(looks, 1), 0).astype(np.float32)
        mean = old + (new - old) * weight[..., None]
        return Mean(np.asarray(mean, np.float32), looks.astype(np.uint8))


@dataclass(frozen=True, slots=True)
class Bare:
    """The table without its tiles, as first seen and as last seen; `known` is where it was seen at all.

    Both are needed, because something that players insist on leaving there is in only one of them. `mean` averages
    what has stayed the same, including shadows beside tiles as they were last seen, since they stay. `lone` is the
    same average, but only of places far from all tiles and outside their shadows.
    """

    first: Image
    last: Image
    known: Mask
    mean: Mean
    lone: Mean

    @classmethod
    def with_view(cls, bare: Bare | None, view: TopView) -> Bare:
        """Return this with one more view of a confirmed table added."""
        tiles = view.fill(view.tiles)
        free, beside, lone = (~wider(tiles, mm) for mm in (MARGIN_MM, BESIDE_MM, LONE_MM))
        if bare is None or bare.known.shape != free.shape:
            return cls(
                view.picture, view.picture, free, *(Mean.from_picture(view.picture, where) for where in (beside, lone))
            )
        gain = light(view.picture, bare.last, free & bare.known)
        picture = view.picture if gain is None else np.clip(np.rint(view.picture * gain), 0, 255).astype(np.uint8)
        first = _laid_over(picture, bare.first, ~bare.known)
        last = _laid_over(picture, bare.last, free | ~bare.known)
        means = bare.mean.with_picture(view.picture, beside), bare.lone.with_picture(view.picture, lone)
        return cls(first, last, bare.known | free, *means)

    @property
    def layers(self) -> tuple[tuple[Image, Mask], ...]:
        """Both pictures, each with the mask of where it shows the table."""
        return ((self.first, self.known), (self.last, self.known))


def _laid_over(picture: Image, below: Image, mask: Mask) -> Image:
    """Return `picture` where the mask (h, w) is set, and `below` elsewhere."""
    return np.asarray(cv2.copyTo(picture, mask.astype(np.uint8), below.copy()))
