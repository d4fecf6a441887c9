"""Two inks of a table that clearly differ, but whose names are uncertain: one question settles both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.game.tiles import FACE_DOWN, Colour, Tile
from referee.vision.sighting import Read, Sighting

APART = 0.16
"""The least distance of the two inks, in absorbance: as `reading.inks.NEAR`, which says where the figure is from."""
TIGHT = 0.7
"""A tile must lie nearer to its own ink than to the other by this factor. Haze pales inks: of 19 red and orange tiles
of one scene the farthest lay at 0.5."""


@dataclass(frozen=True, slots=True)
class InkPair:
    """The tiles of two inks that may be each other, by their numbers in the sighting, in order."""

    colours: tuple[Colour, Colour]
    reads: tuple[int, ...]

    def other(self, tile: Tile) -> Tile:
        """Return the same number in the other one of the two inks."""
        one, two = self.colours
        return Tile(tile.number, two if tile.colour is one else one)


def ink_pair(sighting: Sighting) -> InkPair | None:
    """Return the two inks of which all tiles are in doubt only because each may be the other; else None.

    Also None where tiles of the two cannot be told apart: then each is a question of its own.
    """
    found: dict[frozenset[Colour], list[int]] = {}
    for i, read in enumerate(sighting.reads):
        inks = _either_ink(read, sighting.sure_from)
        if inks is not None:
            found.setdefault(inks, []).append(i)
    for inks, numbers in sorted(found.items(), key=lambda item: (-len(item[1]), item[1])):
        one, two = sorted(inks, key=list(Colour).index)
        pair = InkPair((one, two), tuple(numbers))
        if not _named_surely(sighting.reads, inks) and _two_plain_inks(sighting.reads, pair):
            return pair
    return None


def with_inks_told(sighting: Sighting, pair: InkPair, number: int, tile: Tile | None) -> Sighting:
    """Return the sighting with both inks named, after players said that the read of that number is `tile`.

    Unchanged where `tile` is of neither ink.
    """
    was = sighting.reads[number].tile
    if number not in pair.reads or was is None or tile is None or tile.colour not in pair.colours:
        return sighting
    swapped = tile.colour != was.colour
    reads = list(sighting.reads)
    for i in pair.reads:
        reads[i] = _rename_read(reads[i], pair, swapped=swapped)
    return replace(sighting, reads=tuple(reads))


def _either_ink(read: Read, sure_from: float) -> frozenset[Colour] | None:
    """Return the two inks between which alone this read is in doubt."""
    if not read.doubtful or read.tile is None or read.confidence >= sure_from:
        return None
    other = next((pair for pair in read.alternatives if pair[0] != read.name), None)
    if other is None or other[0] == FACE_DOWN or read.confidence + other[1] < sure_from:
        return None
    one, two = read.tile, Tile.from_name(other[0])
    if one.colour is None or two.colour is None or one.number != two.number:
        return None
    return frozenset((one.colour, two.colour))


def _named_surely(reads: Sequence[Read], inks: frozenset[Colour]) -> bool:
    return any(not read.doubtful and read.tile is not None and read.tile.colour in inks for read in reads)


def _two_plain_inks(reads: Sequence[Read], pair: InkPair) -> bool:
    """Whether the tiles named for one ink look alike, and unlike those named for the other."""
    kinds = []
    for colour in pair.colours:
        inks = [reads[i].absorbed for i in pair.reads if _colour_of(reads[i]) is colour]
        if not inks or None in inks:
            return False
        kinds.append(np.asarray(inks, np.float64))
    one, two = (kind.mean(axis=0) for kind in kinds)
    if np.linalg.norm(one - two) < APART:
        return False
    ways = ((kinds[0], one, two), (kinds[1], two, one))
    return all(
        (np.linalg.norm(kind - own, axis=1) <= TIGHT * np.linalg.norm(kind - far, axis=1)).all()
        for kind, own, far in ways
    )


def _colour_of(read: Read) -> Colour | None:
    return None if read.tile is None else read.tile.colour


def _rename_read(read: Read, pair: InkPair, *, swapped: bool) -> Read:
    if read.tile is None:
        return read
    tile = pair.other(read.tile) if swapped else read.tile
    seen = ((read.name, read.confidence), *read.alternatives)
    return replace(read, tile=tile, doubtful=False, alternatives=tuple(one for one in seen if one[0] != tile.name))
