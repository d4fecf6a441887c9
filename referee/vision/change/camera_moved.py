"""Whether the camera has moved, judged by where the corners of the play area are seen.

Reads and views from above are kept in the table's own millimetres, so they stay valid when the camera is bumped. Only
a picture taken while it swings must not be judged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.vision.sighting import Floats, Sighting

MOVED = 3.5 / 2304
"""In picture widths: more than markers wander by noise while one of them is hidden; two millimetres on the table."""
STEADY = 1.5 / 2304
"""In picture widths: two pictures in a row that differ by less were taken by a camera at rest."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Where the play area is seen: its corners (4, 2) in pictures of `size` (height, width)."""

    outline: Floats
    size: tuple[int, int]

    @classmethod
    def behind(cls, sighting: Sighting, size: tuple[int, int]) -> Stand | None:
        """Return the stand that a sighting shows; None where it shows no marked table."""
        return None if sighting.outline_px is None else cls(sighting.outline_px, size)

    def differs(self, other: Stand, by: float = MOVED) -> bool:
        """Return whether two stands differ by more than `by` picture widths."""
        if self.size != other.size:
            return True
        way = np.linalg.norm(self.outline - other.outline, axis=1)
        return bool(not np.isfinite(way).all() or way.max() > by * max(self.size))
