"""Matches the tiles of a look with those of an earlier one, one to one, by their places; then prints are considered.

A tile that was not moved is still the same tile, which helps if its read is doubtful. This prior has a finite weight:
if the picture speaks clearly against the earlier tile, the doubt remains. So a tile that was exchanged in place is
never read as the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from referee.vision.sighting import Read, Sighting

# Chosen by hand, not fitted. They must be larger than the error of places (half a millimetre on scenes, see
# models/METRICS.md) and smaller than the width of a tile, 26 mm.
NEAR_MM, TURN_DEG = 4.0, 8.0
"""A tile within these limits of an earlier one was not moved."""
PUSH_MM, PUSH_DEG = 24.0, 20.0
"""A tile within these limits may have been pushed; the distance is less than a tile's width, to exclude neighbours."""

_Grid = npt.NDArray[np.float64]
WEIGHT = 40.0
"""Odds, before the print is considered, that a tile in the place of a confirmed one is the same tile."""
AGREES = 10.0
"""These odds are multiplied by this if the likeliest reading is that very tile: a tile that replaced it would more
likely look like any other."""
UNSEEN = 0.002
"""The chance of a tile that is not among a read's alternatives."""


def follow(reads: Sequence[Read], earlier: Sequence[Read]) -> dict[int, tuple[int, bool]]:
    """Return for each read, by index, which earlier tile it is, and whether that tile has been pushed since.

    Both must be of a marked table. A tile counts as pushed only if there is no other explanation: its old place is
    empty, no sure read elsewhere is this tile, and no other tile in doubt is within reach.
    """
    moved, turned = _distances(reads, earlier)
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


def _distances(reads: Sequence[Read], earlier: Sequence[Read]) -> tuple[_Grid, _Grid]:
    """Return the distance of every read from every earlier one in mm, and the turn in degrees: (n, m) each."""
    here, there = _places_of(reads), _places_of(earlier)
    with np.errstate(invalid="ignore"):
        moved = np.hypot(here[:, None, 0] - there[None, :, 0], here[:, None, 1] - there[None, :, 1])
        turned = np.abs((here[:, None, 2] - there[None, :, 2] + 180) % 360 - 180)
    return np.where(np.isnan(moved), np.inf, moved), turned


def _places_of(reads: Sequence[Read]) -> _Grid:
    """Return place and angle of each read, (n, 3); NaN for places in a picture without markers."""
    rows = [(np.nan if r.x_mm is None else r.x_mm, np.nan if r.y_mm is None else r.y_mm, r.angle_deg) for r in reads]
    return np.asarray(rows, np.float64).reshape(-1, 3)


def _alone(near: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Return the pairs (k, 2) in which neither partner has another one within reach."""
    return np.argwhere(near & (near.sum(axis=1, keepdims=True) == 1) & (near.sum(axis=0, keepdims=True) == 1))


def with_confirmed(sighting: Sighting, confirmed: Sequence[Read]) -> Sighting:
    """Return the sighting with doubts settled where the same tile was confirmed in this place or close to it.

    Both must be of a marked table. A tile that is in doubt because the box holds too few of it stays in doubt.
    """
    return _settle_reads(sighting, confirmed, pushed=True, weight=WEIGHT)


def with_seen(sighting: Sighting, seen: Sequence[Read]) -> Sighting:
    """Return the sighting with doubts settled by an earlier look of this turn, where tiles were not moved.

    Only reads beyond doubt count. Players whose turn was refused exchange tiles in place more often than others, so
    this weighs less than a confirmed table.
    """
    return _settle_reads(sighting, seen, pushed=False, weight=WEIGHT / AGREES)


def _settle_reads(sighting: Sighting, known: Sequence[Read], *, pushed: bool, weight: float) -> Sighting:
    if not any(_may_be(read, sighting.sure_from) for read in sighting.reads):
        return sighting
    reads = list(sighting.reads)
    for i, (j, moved) in follow(sighting.reads, known).items():
        if not known[j].doubtful and (pushed or not moved):
            reads[i] = _weigh_read(reads[i], known[j], sighting.sure_from, weight / AGREES if moved else weight)
    return replace(sighting, reads=tuple(reads))


def _may_be(read: Read, sure_from: float) -> bool:
    """Return whether the read is in doubt because of the print itself."""
    return read.doubtful and read.confidence < sure_from


def _weigh_read(read: Read, known: Read, sure_from: float, weight: float) -> Read:
    if not _may_be(read, sure_from):
        return read
    seen = {read.name: read.confidence, **dict(read.alternatives)}
    chance = min(max(seen.get(known.name, UNSEEN), UNSEEN), 1 - UNSEEN)
    odds = chance / (1 - chance) * weight * (AGREES if read.name == known.name else 1.0)
    confidence = odds / (1 + odds)
    if confidence < sure_from:
        return read
    others = tuple((name, p) for name, p in seen.items() if name != known.name)
    return replace(read, tile=known.tile, confidence=confidence, doubtful=False, alternatives=others)
