"""How far the reader's chances are believed, by the quality of the picture and of each tile.

The networks are nearly as sure of a blurred print as of a sharp one, and of an ink that the camera has clipped as of
any other, although they are wrong more often. So the log odds of a tile's number and of its ink are divided by a
temperature each (Guo et al., On Calibration of Modern Neural Networks, 2017). Blur makes numbers uncertain,
compression makes inks uncertain, and light that is too bright or mirrored makes both uncertain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.vision.sighting import Doubles, Quality


@dataclass(frozen=True, slots=True)
class Trust:
    """How far a tile is believed.

    `number` and `ink` are the temperatures by which the log odds of its number and ink are divided. `back` is the
    factor by which the odds of a back are multiplied: the networks have learnt from many prints that can hardly be
    seen, but where nothing is wrong with a picture a print is visible. `most` is the highest chance that a face may
    have, the back included.
    """

    number: float = 1.0
    ink: float = 1.0
    back: float = 1.0
    most: float = 1.0

    def joined_with(self, other: Trust) -> Trust:
        """Return the more cautious value of each part."""
        return Trust(
            max(self.number, other.number),
            max(self.ink, other.ink),
            min(self.back, other.back),
            min(self.most, other.most),
        )


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
"""No ink is beyond doubt in a picture without colours, or with faint ones."""
BRIGHT = Trust(number=2.1, ink=1.5, back=0.1)
"""For a picture in which most tiles are white in all channels: prints pale, and inks change."""
BLEACHED = Trust(number=1.2, ink=1.5, back=2.0)
"""For tiles whose body is white in all channels, and for tiles that mirror a lamp."""
CLIPPED = Trust(ink=1.6, back=USUAL.back)
"""For tiles whose body is clipped in any channel: the ink of such a tile seems to absorb less of it."""
UNLIT = Trust(ink=50.0)
"""For tiles whose body is all but black in some channel. Of 2,389 tiles in the light of a red lamp, 31 had a wrong ink
without doubt, and all of them were such tiles."""
FAINT = Trust(back=30.0)
"""For tiles on which nothing stands out as prints do. A back is the usual reason, a strong grain included. Of 39,174
prints in pictures of ../shared, spoilt or not, none that counts as faint has a chance of more than 0.02 to be a
back."""
PARTLY_SEEN = Trust(most=0.55)
"""For tiles that the edge of the picture cuts off, or whose outline is too small: a 12 without its left part is a 2,
and half a tile may show no print. The value was chosen by hand; it is above a half, so that the likeliest face stays
the first."""
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
        own = own.joined_with(UNLIT) if tile in quality.unlit else own
        own = own.joined_with(BLEACHED) if tile in quality.bleached else own
        if tile in quality.faint and own.back == USUAL.back:  # otherwise a print may be hard to see for other reasons
            own = replace(own, back=FAINT.back)
        found.append(own.joined_with(PARTLY_SEEN) if tile in quality.cut | quality.small else own)
    return found


def weigh_backs(backs: Doubles, printed: Doubles, factors: Doubles) -> tuple[Doubles, Doubles]:
    """Return the chances of a back and of any print, with the odds of the back multiplied by a factor; all (n,)."""
    weighed = factors * backs
    scale = (backs + printed) / np.maximum(weighed + printed, 1e-12)
    return weighed * scale, printed * scale


def cap(chances: Doubles, most: Doubles) -> Doubles:
    """Return chances (n, k) of which none is higher than `most` (n,), which is at least a half.

    What the highest loses is shared by the others in the row, if there are any.
    """
    rows, first = np.arange(len(chances)), chances.argmax(axis=1)
    top = chances[rows, first]
    over = np.maximum(top - most, 0)
    result: Doubles = chances * (1 + over / np.maximum(chances.sum(axis=1) - top, 1e-12))[:, None]
    result[rows, first] = top - over
    return result


def soften(chances: Doubles, temperatures: Doubles) -> Doubles:
    """Return chances (n, k) made less certain: the log odds of each row's highest are divided by its temperature (n,).

    The others share the rest as before, and the order stays the same. A highest chance of at most half is not changed.
    """
    result = np.array(chances, np.float64)
    top = result.max(axis=1)
    rest = result.sum(axis=1) - top
    rows = np.flatnonzero((temperatures != 1) & (top > rest) & (rest > 0))
    top, rest = top[rows], rest[rows]
    odds = np.exp(np.log(top / rest) / temperatures[rows])
    softened = (top + rest) * odds / (1 + odds)
    first = result[rows].argmax(axis=1)
    result[rows] *= ((top + rest - softened) / rest)[:, None]
    result[rows, first] = softened
    return result


def soften_one(chance: float, temperature: float) -> float:
    """Return a chance of more than half with its log odds divided by a temperature."""
    return float(soften(np.asarray([[chance, 1 - chance]]), np.asarray([temperature]))[0, 0])
