"""Reading a tile a second time, upside down: which tiles need it, and what becomes of a read after it.

The networks were trained on crops either way up, so a print that is clear reads the same both ways. A read that is
sure one way only is put in doubt.
"""

from __future__ import annotations

import functools
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from referee.game.tiles import TileSet
from referee.vision.reading.certainty import FULL, Trust, soften_one
from referee.vision.reading.glyphs import GLYPHS, STYLES
from referee.vision.sighting import Floats, Read

TWICE = 0.99
"""A tile that is read with less confidence than this is read once more, upside down."""
_PRINT_B = np.asarray([GLYPHS.index("B") in style.glyphs for style in STYLES])
PRINTS_B = 0.05
"""From this chance on, a box of cards may print the B that is a jack on German cards."""


PALE = 0.25
"""A print is pale if it absorbs less than this part of the brightness of its body. In the pictures of ../shared/boxes,
95 % of the red, blue and black prints absorb 0.32 or more; in the match with the misread below, yellow ones 0.1 to
0.19."""
_BRIGHTNESS = np.asarray([0.114, 0.587, 0.299])
"""The weights of blue, green and red in brightness (Rec. 601)."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What it takes that a number which was read is beyond doubt.

    `first` is the least confidence of the first reading; `second` is the chance that the number must have upside down.
    If `again` is true, several pictures can settle a doubt that one alone leaves.
    """

    first: float
    second: float
    again: bool = False


USUAL = Demand(first=0.0, second=0.2)
"""If a number has no more than this chance upside down, the two readings contradict each other."""
LIKE_A, OPEN_4 = (1, 4), Demand(first=0.0, second=0.8)
"""An open 4 upside down looks like an A. So in boxes of cards these numbers are always read once more."""
LIKE_B, PALE_B = (8, 11), Demand(first=0.995, second=0.9, again=True)
"""A pale 8 looks like a B. In one of 2,345 turns drawn at random (`benchmarks.evenings`, seed 6) a yellow 8 was read
as a jack with a confidence of 0.988, and 0.956 upside down; in twelve later pictures of that tile the jack had 0.06 to
0.93. The same demands for all colours would have asked about 17 of 200 turns of Classic Rummy instead of 3."""
LOOK_ALIKE = dict((LIKE_A, LIKE_A[::-1], LIKE_B, LIKE_B[::-1]))
"""By number, the one that it looks like."""


def look_alikes(box: TileSet, styles: Floats) -> frozenset[int]:
    """Return the numbers that look like another one of their box.

    `styles` (len(STYLES),) are the chances of the face styles.
    """
    if box.faces != "cards":
        return frozenset()
    prints_b = float(styles[_PRINT_B].sum()) > PRINTS_B
    return frozenset((*LIKE_A, *LIKE_B) if prints_b else LIKE_A)


def needs_second_reading(read: Read, alike: Collection[int], trust: Trust = FULL) -> bool:
    """Return whether a tile that is not in doubt should be read once more; `trust` has lowered its confidence.

    `alike` is what `look_alikes()` has found.
    """
    return read.confidence < _confidence_of_once(trust.number) or _demand_for(read, alike) is not USUAL


@functools.cache
def _confidence_of_once(temperature: float) -> float:
    """Return the confidence from which on a tile is not read once more, if log odds are divided by `temperature`."""
    return soften_one(TWICE, temperature)


def _demand_for(read: Read, alike: Collection[int]) -> Demand:
    if read.tile is None or read.tile.number not in alike:
        return USUAL
    if read.tile.number in LIKE_A:
        return OPEN_4
    pale = read.absorbed is not None and float(_BRIGHTNESS @ read.absorbed) < PALE
    return PALE_B if pale else USUAL


def unless_contradicted(read: Read, believed: float, alike: Collection[int]) -> Read:
    """Return a read, put in doubt if its face is unlikely, with the chance `believed`, when read upside down.

    `alike` is what `look_alikes()` has found.
    """
    demand = _demand_for(read, alike)
    if read.doubtful or (read.confidence >= demand.first and believed > demand.second):
        return read
    return replace(read, doubtful=True, confidence=(read.confidence + believed) / 2, look_again=demand.again)


def unless_overturned(first: Read, both: Read) -> Read:
    """Return the outcome of two readings of a tile; the second may settle a doubt, but a changed face is in doubt."""
    if both.doubtful or both.name == first.name:
        return both
    believed = dict(first.alternatives).get(both.name, 0.0)
    return replace(both, doubtful=True, confidence=(both.confidence + believed) / 2)
