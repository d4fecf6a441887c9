"""What the last confirmed table says of a doubtful read: a tile that was not moved is still that tile.

This helps with a finite weight (DESIGN, what the referee can know): a picture that speaks clearly against the
confirmed tile keeps its doubt, so that a tile exchanged on the spot is never read as the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.vision.sighting import Read, Sighting

NEAR_MM, TURN_DEG = 4.0, 8.0  # a tile that lies within these of a confirmed one was not moved
WEIGHT = 40.0  # odds that it is the same tile, before looking at its print
UNSEEN = 0.002  # the chance given to a tile that is not even among a read's alternatives


def with_confirmed(sighting: Sighting, confirmed: Sequence[Read]) -> Sighting:
    """The sighting with doubts settled where the same tile lay confirmed in the same place.

    Both must be of a marked table. Tiles doubted because the box does not hold so many stay doubted.
    """
    reads = tuple(_settled(read, confirmed, sighting.sure_from) for read in sighting.reads)
    return replace(sighting, reads=reads)


def _settled(read: Read, confirmed: Sequence[Read], sure_from: float) -> Read:
    if not read.doubtful or read.confidence >= sure_from:
        return read
    same = [other for other in confirmed if not other.doubtful and _unmoved(read, other)]
    if len(same) != 1:
        return read
    seen = {read.name: read.confidence, **dict(read.alternatives)}
    chance = min(max(seen.get(same[0].name, UNSEEN), UNSEEN), 1 - UNSEEN)
    odds = chance / (1 - chance) * WEIGHT
    confidence = odds / (1 + odds)
    if confidence < sure_from:
        return read
    others = tuple((name, p) for name, p in seen.items() if name != same[0].name)
    return replace(read, tile=same[0].tile, confidence=confidence, doubtful=False, alternatives=others)


def _unmoved(read: Read, other: Read) -> bool:
    if read.x_mm is None or read.y_mm is None or other.x_mm is None or other.y_mm is None:
        return False
    turn = abs((read.angle_deg - other.angle_deg + 180) % 360 - 180)
    return bool(np.hypot(read.x_mm - other.x_mm, read.y_mm - other.y_mm) < NEAR_MM and turn < TURN_DEG)
