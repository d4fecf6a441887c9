"""Contradictions to a read that seems sure: its crop upside down, and the other prints of its picture."""

from __future__ import annotations

from dataclasses import replace

from referee.game.tiles import TileSet
from referee.vision.reading import joint as reading
from referee.vision.sighting import Floats, Read

TWICE = 0.99
"""A tile that is read with less confidence than this is read once more, upside down;"""
CONTRADICTED = 0.2
"""where its number is no likelier than this then, the two readings contradict each other."""
LIKE_A, ALIKE = (1, 4), 0.8
"""An open 4 upside down looks like an A. So in boxes of cards these numbers are always read once more, and stand only
where the number is at least this likely then, too."""
FADED = 1 / 3
"""Where more of a picture's prints than this are in doubt, what looks like a back may be a print, too."""


def is_unsure(read: Read, box: TileSet) -> bool:
    """Return whether a tile that is not in doubt should be read once more."""
    return read.confidence < TWICE or _like_a(read, box)


def _like_a(read: Read, box: TileSet) -> bool:
    """Return whether a tile looks like another number of its box when it is upside down."""
    return box.faces == "cards" and read.tile is not None and read.tile.number in LIKE_A


def unless_faded(reads: tuple[Read, ...]) -> tuple[Read, ...]:
    """Return all reads of a picture, its backs in doubt where so many prints are unclear that one may be invisible."""
    prints = [read.doubtful for read in reads if read.tile is not None]
    if sum(prints) <= FADED * len(prints):
        return reads
    return tuple(replace(read, doubtful=True) if read.tile is None else read for read in reads)


def unless_contradicted(read: Read, kinds: Floats, box: TileSet) -> Read:
    """Return a read, in doubt where its crop upside down, `kinds` (KINDS,), makes its number unlikely."""
    believed, least = reading.shows(kinds, read.tile), ALIKE if _like_a(read, box) else CONTRADICTED
    if read.doubtful or believed > least:
        return read
    return replace(read, doubtful=True, confidence=(read.confidence + believed) / 2)


def unless_overturned(first: Read, both: Read) -> Read:
    """Return the outcome of two readings of a tile: they may settle a doubt, but never change a sure face."""
    if both.doubtful or both.name == first.name:
        return both
    believed = dict(first.alternatives).get(both.name, 0.0)
    return replace(both, doubtful=True, confidence=(both.confidence + believed) / 2)
