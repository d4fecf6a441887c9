"""Which inks of a table cannot be told apart after all, by where their tiles lie.

The fit of `inks.py` assigns each tile to the nearest ink and is as certain as its normal distributions are narrow. Two
of its inks may still be one ink that is seen unevenly, and one of its inks may be two.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from referee.vision.sighting import Doubles

# Unless a comment names a source, these values were chosen by hand, not fitted.
VEIL = 0.2
"""Standard deviation of the factor by which haze and glare scale the absorbance of an ink."""
FLOOR = 0.03
"""The least standard error of any measurement, in absorbance."""
NEAR = 0.12
"""Inks whose estimates are closer to each other than this, in absorbance, count as indistinguishable. On drawn boxes
that were not used in training, enrolled or not, the closest inks that were told apart rightly were 0.13 apart."""
CLOSE, GAP = 0.25, 0.25
"""Inks closer than CLOSE also count as indistinguishable if the gap between their tiles is less than GAP of the
distance between the inks. Otherwise one ink that is seen unevenly would be split in two. On drawn boxes, enrolled or
not, and on scenes in six lights, right pairs this close had gaps of 0.5 to 0.9; a wrong pair, by which seven blue
tiles were named black, had 0.05."""
CLOSER, WIDER_GAP = 0.16, 0.43
"""Inks closer than CLOSER need this gap. Of pairs that close on drawn boxes and wooden tables (seeds 10, 21, 22 and
40), the right ones had gaps of 0.45 to 0.61, and one with a tile on the wrong side had 0.41."""
FEWEST, UNEVEN, UNEVEN_GAP, VEILED = 4, 4.0, 0.1, 1.5
"""The tiles of an ink, if they are at least FEWEST, may be of two inks if they fall into two groups whose gap is this
many times the standard deviation within the groups, at least UNEVEN_GAP in absorbance, and VEILED times what haze
usually causes. On 1,147 disturbed pictures (`benchmarks.kinds`) and 137 photos nine tiles are put in doubt by
this, four of which are wrong."""


def share_between_near(chances: Doubles, means: Doubles, seen: Doubles) -> Doubles:
    """Return the chances (n, k) of tiles with absorbance `seen` (n, 3), shared evenly among indistinguishable inks.

    `means` (k, 3) are those of the inks.
    """
    distances = np.linalg.norm(means[:, None] - means, axis=2)
    alike = distances < NEAR
    names = chances.argmax(axis=1)
    for one, two in zip(*np.nonzero(np.triu((distances >= NEAR) & (distances < CLOSE))), strict=True):
        gap = _gap_between(seen[names == one], seen[names == two], means[[one, two]])
        alike[one, two] = alike[two, one] = gap < (WIDER_GAP if distances[one, two] < CLOSER else GAP)
    return np.asarray(chances @ (alike / alike.sum(axis=1, keepdims=True)))


def _gap_between(ones: Doubles, twos: Doubles, means: Doubles) -> float:
    """Return the gap between the tiles (a, 3) and (b, 3) of two inks, as a part of the distance of their means (2, 3).

    It is negative if the tiles overlap, and 1 if an ink has no tiles.
    """
    if not len(ones) or not len(twos):
        return 1.0
    way = means[1] - means[0]
    return float(((twos @ way).min() - (ones @ way).max()) / (way @ way))


def share_with_missing(chances: Doubles, seen: Doubles) -> Doubles:
    """Return the chances (n, k), shared with the inks that no tile has, for tiles that stand apart from their ink.

    If the tiles of one ink fall into two groups, while another ink seems to be missing, the smaller group may have
    that ink: haze can pale an ink as much as two inks differ.
    """
    names = chances.argmax(axis=1)
    missing = np.bincount(names, minlength=chances.shape[1]) == 0
    if not missing.any():
        return chances
    result = chances.copy()
    for ink in np.flatnonzero(~missing):
        rows = np.flatnonzero(names == ink)
        odd = rows[_smaller_group(seen[rows])]
        half = result[odd, ink] / 2
        result[odd, ink] = half
        result[np.ix_(odd, missing)] += half[:, None] / missing.sum()
    return result


def _smaller_group(seen: Doubles) -> npt.NDArray[np.int64]:
    """Return which of the tiles (n, 3) of one ink stand apart from the others along their longest axis; often none.

    Of two groups of the same size, either may be the odd one, so all tiles are returned.
    """
    none = np.zeros(0, np.int64)
    if len(seen) < FEWEST:
        return none
    middle = seen.mean(axis=0)
    axis = np.linalg.svd(seen - middle, full_matrices=False)[2][0]
    order = np.argsort(seen @ axis)
    along = (seen @ axis)[order]
    gaps = np.diff(along)
    split = int(np.argmax(gaps)) + 1
    low, high = along[:split], along[split:]
    within = math.sqrt((len(low) * low.var() + len(high) * high.var()) / len(along) + FLOOR**2)
    if gaps[split - 1] < max(UNEVEN_GAP, UNEVEN * within, VEILED * VEIL * abs(float(axis @ middle))):
        return none
    if 2 * split == len(along):
        return order
    return order[:split] if 2 * split < len(along) else order[split:]
