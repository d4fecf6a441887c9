"""How far the reader's chances are believed, by the quality of the picture and of each tile.

The networks are nearly as sure of a blurred print as of a sharp one, and of an ink that the camera has clipped as of
any other, although they are wrong more often. So the log odds of a tile's number and of its ink are divided by a
temperature each (Guo et al., On Calibration of Modern Neural Networks, 2017). Blur makes numbers uncertain,
compression makes inks uncertain, and light that is too bright or mirrored makes both uncertain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from referee.vision.sighting import Quality


@dataclass(frozen=True, slots=True)
class Trust:
    """The temperatures by which the log odds of a tile's number, of its ink, and of its being a back are divided."""

    number: float = 1.0
    ink: float = 1.0
    back: float = 1.0

    def joined_with(self, other: Trust) -> Trust:
        """Return the higher temperature for each part."""
        return Trust(max(self.number, other.number), max(self.ink, other.ink), max(self.back, other.back))


FULL = Trust()
"""Chances are believed as they are."""
# The values are chosen by `python -m benchmarks kinds`, which also chooses them with each kind of disturbance left out
# and measures that kind (models/METRICS.md).
USUAL = Trust()
"""For every tile, whatever the picture is like."""
BLURRED = Trust(number=2.4, ink=1.5, back=2.4)
DARK = Trust(number=1.8, ink=1.8, back=1.8)
PACKED = Trust(number=1.2, ink=1.8)
COLOURLESS = Trust(number=8.0, ink=50.0, back=50.0)
"""Hardly anything is beyond doubt in a picture with almost no colour left."""
BLEACHED = Trust(number=1.5, ink=2.4, back=2.4)
"""For tiles whose body is white in all channels, and for tiles that mirror a lamp."""
ENROLLED = Trust(number=1.8, ink=1.8)
"""For an enrolled box, with whose prototypes and inks network and table agree even if the print is poor; an enrolment
learns nothing about backs."""


def trust_tiles(quality: Quality, count: int, *, enrolled: bool = False) -> list[Trust]:
    """Return how far each of the `count` tiles of a picture is believed."""
    whole = USUAL
    for holds, trust in (
        (not quality.sharp, BLURRED),
        (quality.dark, DARK),
        (quality.packed, PACKED),
        (quality.colourless, COLOURLESS),
        (quality.bright, BLEACHED),
        (enrolled, ENROLLED),
    ):
        if holds:
            whole = whole.joined_with(trust)
    spoilt = whole.joined_with(BLEACHED)
    return [spoilt if i in quality.bleached else whole for i in range(count)]


def soften(chances: Sequence[float], temperature: float) -> list[float]:
    """Return chances with the log odds of the highest one divided by a temperature.

    The others share the rest as before, and the order stays the same. A highest chance of at most half is not changed.
    """
    top = max(chances)
    rest = sum(chances) - top
    if temperature == 1 or top <= rest or rest <= 0:
        return list(chances)
    odds = math.exp(math.log(top / rest) / temperature)
    softened = (top + rest) * odds / (1 + odds)
    scale = (top + rest - softened) / rest
    first = list(chances).index(top)
    return [softened if i == first else chance * scale for i, chance in enumerate(chances)]
