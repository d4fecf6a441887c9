"""Matching the tiles of a look with those of an earlier one: by where they lie, one to one, before prints count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from referee.vision.sighting import Read

NEAR_MM, TURN_DEG = 4.0, 8.0
"""A tile within these of an earlier one was not moved;"""
PUSH_MM, PUSH_DEG = 24.0, 20.0
"""one within these may have been pushed: less than a tile's width, so that no neighbour is meant."""

_Grid = npt.NDArray[np.float64]


def follow(reads: Sequence[Read], earlier: Sequence[Read]) -> dict[int, tuple[int, bool]]:
    """Return for each read, by index, which earlier tile it is, and whether that was pushed since.

    Both must be of a marked table. A tile counts as pushed only where nothing else is possible: its old place is
    empty, no sure read elsewhere is that tile, and no other tile in doubt lies within reach.
    """
    moved, turned = _apart(reads, earlier)
    near = (moved < NEAR_MM) & (turned < TURN_DEG)
    pairs = _alone(near)
    found = {int(i): (int(j), False) for i, j in pairs}
    left = [i for i in range(len(reads)) if i not in found and not near[i].any()]
    old = [j for j in range(len(earlier)) if not near[:, j].any()]
    for i in [i for i in left if not reads[i].doubtful]:
        left.remove(i)
        same = [j for j in old if earlier[j].name == reads[i].name and not earlier[j].doubtful]
        if same:
            nearest = min(same, key=lambda j: float(moved[i, j]))
            old.remove(nearest)
            if moved[i, nearest] < PUSH_MM:
                found[i] = (nearest, True)
    reach = np.zeros_like(near)
    reach[np.ix_(left, old)] = (moved < PUSH_MM)[np.ix_(left, old)]
    found |= {int(i): (int(j), True) for i, j in _alone(reach) if turned[i, j] < PUSH_DEG}
    return found


def _apart(reads: Sequence[Read], earlier: Sequence[Read]) -> tuple[_Grid, _Grid]:
    """Return the distance of every read from every earlier one in mm, and the turn in degrees: (n, m) each."""
    here, there = _places_of(reads), _places_of(earlier)
    with np.errstate(invalid="ignore"):
        moved = np.hypot(here[:, None, 0] - there[None, :, 0], here[:, None, 1] - there[None, :, 1])
        turned = np.abs((here[:, None, 2] - there[None, :, 2] + 180) % 360 - 180)
    return np.where(np.isnan(moved), np.inf, moved), turned


def _places_of(reads: Sequence[Read]) -> _Grid:
    """Return place and angle of every read (n, 3); NaN where the picture had no markers."""
    rows = [(np.nan if r.x_mm is None else r.x_mm, np.nan if r.y_mm is None else r.y_mm, r.angle_deg) for r in reads]
    return np.asarray(rows, np.float64).reshape(-1, 3)


def _alone(near: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """The pairs (k, 2) of which neither has another within reach."""
    return np.argwhere(near & (near.sum(axis=1, keepdims=True) == 1) & (near.sum(axis=0, keepdims=True) == 1))
