"""Whether the camera hangs otherwise than before, told from where the markers' corners of the play area are seen.

What is known of the table is kept in the table's own millimetres: reads, and views from straight above. So it outlives
a camera that was bumped; only a picture taken while it swings must not be judged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.vision.sighting import Floats, Sighting

MOVED = 3.5 / 2304
"""In picture widths: farther than markers wander by noise, one of them hidden; two millimetres on the table."""
STEADY = 1.5 / 2304
"""Two pictures in a row that differ by less were taken by a camera at rest."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Where the play area is seen: its corners (4, 2) in pictures of `size` (height, width)."""

    outline: Floats
    size: tuple[int, int]

    @classmethod
    def of(cls, sighting: Sighting, size: tuple[int, int]) -> Stand | None:
        """The stand behind a sighting; None where it shows no marked table."""
        return None if sighting.outline_px is None else cls(sighting.outline_px, size)

    def differs(self, other: Stand, by: float = MOVED) -> bool:
        """Whether two stands differ by more than this many picture widths."""
        if self.size != other.size:
            return True
        way = np.linalg.norm(self.outline - other.outline, axis=1)
        return bool(not np.isfinite(way).all() or way.max() > by * max(self.size))
