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
    """How far a tile is believed.

    `number` and `ink` are the temperatures by which the log odds of its number and ink are divided. `back` is the
    factor by which the odds of a back are multiplied: the networks have learnt from many prints that can hardly be
    seen, but where nothing is wrong with a picture a print is visible.
    """

    number: float = 1.0
    ink: float = 1.0
    back: float = 1.0

    def joined_with(self, other: Trust) -> Trust:
        """Return the more cautious value of each part."""
        return Trust(max(self.number, other.number), max(self.ink, other.ink), min(self.back, other.back))


FULL = Trust()
"""Chances are believed as they are."""
# `python -m benchmarks kinds` shows which values are best for all kinds of disturbance together, and how often reads
# are wrong if a kind is left out while they are chosen. Those in use are stricter where few kinds show a fault.
USUAL = Trust(back=3.0)
"""For every tile, whatever the picture is like."""
BLURRED = Trust(number=1.5, ink=1.2, back=1.0)
DARK = Trust(number=1.5, ink=1.5, back=1.0)
PACKED = Trust(ink=1.5, back=2.0)
COLOURLESS = Trust(number=8.0, ink=50.0, back=0.01)
"""Hardly anything is beyond doubt in a picture with almost no colour left."""
GREY = Trust(ink=50.0)
"""No ink is beyond doubt in a picture without colours."""
BRIGHT = Trust(number=2.1, ink=1.5, back=0.1)
"""For a picture in which most tiles are white in all channels: prints pale, and inks change."""
BLEACHED = Trust(number=1.2, ink=1.5, back=2.0)
"""For tiles whose body is white in all channels, and for tiles that mirror a lamp."""
CLIPPED = Trust(ink=1.6, back=USUAL.back)
"""For tiles whose body is clipped in any channel: the ink of such a tile seems to absorb less of it."""
CUT_OFF = Trust(number=20.0)
"""For tiles that the edge of the picture cuts off: a 12 without its left part is a 2."""
ENROLLED = Trust(number=1.8, ink=1.5, back=USUAL.back)
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
        (quality.grey, GREY),
        (quality.bright, BRIGHT),
        (enrolled, ENROLLED),
    ):
        if holds:
            whole = whole.joined_with(trust)
    found = []
    for tile in range(count):
        own = whole.joined_with(CLIPPED) if tile in quality.clipped else whole
        own = own.joined_with(BLEACHED) if tile in quality.bleached else own
        found.append(own.joined_with(CUT_OFF) if tile in quality.cut else own)
    return found


def weigh_back(back: float, printed: float, factor: float) -> tuple[float, float]:
    """Return the chances of a back and of any print, with the odds of the back multiplied by `factor`."""
    weighed = factor * back
    scale = (back + printed) / max(weighed + printed, 1e-12)
    return weighed * scale, printed * scale


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
