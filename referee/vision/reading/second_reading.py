"""Reading a tile a second time, upside down: which tiles need it, and what becomes of a read after it.

The networks were trained on crops either way up, so a print that is clear reads the same both ways. A read that is
sure one way only is put in doubt.
"""

from __future__ import annotations

import functools
from dataclasses import replace

from referee.vision.reading.certainty import FULL, Trust, soften_one
from referee.vision.sighting import Read

TWICE = 0.99
"""A tile that is read with less confidence than this is read once more, upside down."""
CONTRADICTED = 0.2
"""If a number has no more than this chance upside down, the two readings contradict each other."""


def needs_second_reading(read: Read, trust: Trust = FULL) -> bool:
    """Return whether a tile that is not in doubt should be read once more; `trust` has lowered its confidence."""
    return read.confidence < _confidence_of_once(trust.number)


@functools.cache
def _confidence_of_once(temperature: float) -> float:
    """Return the confidence from which on a tile is not read once more, if log odds are divided by `temperature`."""
    return soften_one(TWICE, temperature)


def unless_contradicted(read: Read, believed: float) -> Read:
    """Return a read, put in doubt if its face is unlikely, with the chance `believed`, when read upside down."""
    if read.doubtful or believed > CONTRADICTED:
        return read
    return replace(read, doubtful=True, confidence=(read.confidence + believed) / 2)


def unless_overturned(first: Read, both: Read) -> Read:
    """Return the outcome of two readings of a tile; the second may settle a doubt, but a changed face is in doubt."""
    if both.doubtful or both.name == first.name:
        return both
    believed = dict(first.alternatives).get(both.name, 0.0)
    return replace(both, doubtful=True, confidence=(both.confidence + believed) / 2)
