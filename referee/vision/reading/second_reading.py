"""Reading a tile a second time, upside down: which tiles need it, and what becomes of a read after it.

The networks were trained on crops either way up, so a print that is clear reads the same both ways. A read that is
sure one way only is put in doubt.
"""

from __future__ import annotations

import functools
from dataclasses import replace

from referee.game.tiles import FACE_DOWN, JOKER
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


def unless_contradicted(read: Read, believed: float, number: int | None) -> Read:
    """Return a read, put in doubt if its face is unlikely, with the chance `believed`, when read upside down.

    `number` is what the crop then most likely shows: 0 is a joker, and None is a back. The outcome is the mean of both
    readings. If the first one shows no ink, it remains open which number of which ink the second one shows.
    """
    if read.doubtful or believed > CONTRADICTED:
        return read
    others = {name: chance / 2 for name, chance in read.alternatives}
    name = _name_with_ink_of(read, number)
    if name is not None and name != read.name:
        others[name] = others.get(name, 0.0) + (1 - believed) / 2
    likeliest = tuple(sorted(others.items(), key=lambda one: -one[1]))
    return replace(read, doubtful=True, confidence=(read.confidence + believed) / 2, alternatives=likeliest)


def _name_with_ink_of(read: Read, number: int | None) -> str | None:
    """Return the name of a tile with this number in the ink of `read`; None if `read` has no ink for it."""
    if not number:
        return FACE_DOWN if number is None else JOKER.name
    return None if read.tile is None or read.tile.is_joker else replace(read.tile, number=number).name


def unless_overturned(first: Read, both: Read) -> Read:
    """Return the outcome of two readings of a tile; the second may settle a doubt, but a changed face is in doubt."""
    if both.doubtful or both.name == first.name:
        return both
    believed = dict(first.alternatives).get(both.name, 0.0)
    return replace(both, doubtful=True, confidence=(both.confidence + believed) / 2)
