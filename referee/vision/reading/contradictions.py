"""What speaks against a read that seems sure: its crop on its head, and prints around it that cannot be told."""

from __future__ import annotations

from dataclasses import replace

from referee.game.tiles import TileSet
from referee.vision.reading import joint as reading
from referee.vision.sighting import Floats, Read

TWICE = 0.99
"""A tile that is read with less confidence is read once more, on its head;"""
CONTRADICTED = 0.2
"""where its number is then no likelier than this, the two readings contradict each other."""
LIKE_A, ALIKE = (1, 4), 0.8
"""An open 4 on its head looks like an A: in boxes of cards these numbers are always read once more, and stand only
where the number is as likely as this then, too."""
FADED = 1 / 3
"""Where more of the prints of a picture than this are in doubt, what looks like a back may be a print, too."""


def is_unsure(read: Read, box: TileSet) -> bool:
    """Whether a tile that is not in doubt is read once more all the same."""
    return read.confidence < TWICE or _like_a(read, box)


def _like_a(read: Read, box: TileSet) -> bool:
    """Whether a tile looks like another number of its box on its head."""
    return box.faces == "cards" and read.tile is not None and read.tile.number in LIKE_A


def unless_faded(reads: tuple[Read, ...]) -> tuple[Read, ...]:
    """All reads of a picture; its backs in doubt where so few prints are told that one may not be seen at all."""
    prints = [read.doubtful for read in reads if read.tile is not None]
    if sum(prints) <= FADED * len(prints):
        return reads
    return tuple(replace(read, doubtful=True) if read.tile is None else read for read in reads)


def unless_contradicted(read: Read, kinds: Floats, box: TileSet) -> Read:
    """A read, in doubt where its crop on its head, `kinds` (KINDS,), shows its number as hardly likely."""
    believed, least = reading.shows(kinds, read.tile), ALIKE if _like_a(read, box) else CONTRADICTED
    if read.doubtful or believed > least:
        return read
    return replace(read, doubtful=True, confidence=(read.confidence + believed) / 2)


def unless_overturned(first: Read, both: Read) -> Read:
    """What two readings of a tile make of it: they may settle a doubt, but never turn one face into another."""
    if both.doubtful or both.name == first.name:
        return both
    believed = dict(first.alternatives).get(both.name, 0.0)
    return replace(both, doubtful=True, confidence=(both.confidence + believed) / 2)
