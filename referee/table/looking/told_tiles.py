"""What players said a tile is holds for that tile while it lies there, also when it is pushed a little.

A tile that was read beyond doubt is what players say only while it is read as just that, in just that place. It is
dropped once the tile is gone, once its print clearly is another one, and once the tiles beside it tell that the
row has moved on by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.game.match.events import About, Word
from referee.game.tiles import FACE_DOWN, Tile
from referee.vision.asked import InkPair, ink_pair, none_too_many, with_inks_told
from referee.vision.change.tracking import follow
from referee.vision.finding.grouping import regroup_sets
from referee.vision.finding.told_place import with_tile
from referee.vision.sighting import Read, Sighting

LISTED = 0.01
"""The chance from which the tile that players named is still one that the print may be."""
BESIDE_MM = 60.0
"""So far around it a sure tile tells whether the row has moved."""


@dataclass(frozen=True, slots=True)
class Held:
    """A sighting with doubts settled as players said."""

    sighting: Sighting
    given: tuple[Word, ...] = ()
    """What players had said,"""
    words: tuple[Word, ...] = ()
    """what of it holds, with the places in this look,"""
    lost: tuple[Word, ...] = ()
    """and what is about tiles that were not found."""


def hold(sighting: Sighting, words: tuple[Word, ...], before: Sequence[Read] = ()) -> Held:
    """The sighting with what players said of its tiles; `before` are reads of an earlier look at the same table."""
    if not words:
        return Held(sighting)
    reads, held, told, found = list(sighting.reads), [], [], set()
    pair = ink_pair(sighting)
    for i, (j, _) in follow(sighting.reads, [_as_read(word) for word in words]).items():
        found.add(j)
        word, read = words[j], sighting.reads[i]
        if not _may_still_be(read, word) or _is_replaced(read, sighting.reads, before):
            continue
        if read.doubtful or read.tile != word.tile:
            seen = ((read.name, read.confidence), *read.alternatives)
            others = tuple(pair for pair in seen if pair[0] != _name(word))
            reads[i] = replace(read, tile=word.tile, doubtful=False, alternatives=others)
        told.append((i, word.tile))
        held.append(replace(word, x_mm=float(read.x_mm or 0), y_mm=float(read.y_mm or 0), angle_deg=read.angle_deg))
    if pair is not None:
        reads = _with_both_inks(sighting, pair, reads, told)
    lost = tuple(word for j, word in enumerate(words) if j not in found)
    settled = replace(sighting, reads=none_too_many(sighting, reads))
    turned = any((read.tile is None) != (was.tile is None) for read, was in zip(reads, sighting.reads, strict=True))
    return Held(regroup_sets(settled) if turned else settled, words, tuple(held), lost)


def _with_both_inks(
    sighting: Sighting, pair: InkPair, reads: list[Read], told: Sequence[tuple[int, Tile | None]]
) -> list[Read]:
    """These reads, and what players said of one tile of two inks taken for all others of both."""
    for number, tile in told:
        settled = with_inks_told(sighting, pair, number, tile)
        if settled is not sighting:
            known = {i for i, _ in told}
            return [
                read if i in known else settled.reads[i] if i in pair.reads else read for i, read in enumerate(reads)
            ]
    return reads


def with_unseen(sighting: Sighting, words: Sequence[Word]) -> tuple[Sighting, tuple[Word, ...]]:
    """The sighting with tiles that it has not found and players have told of; and those words of which that is true.

    What a word is about must still lie there: that is for whoever calls this to know.
    """
    there = []
    for word in words:
        found = None if word.tile is None else with_tile(sighting, word.tile, word.x_mm, word.y_mm, word.angle_deg)
        if found is not None:
            sighting = found
            there.append(word)
    return sighting, tuple(there)


def word_for(read: Read, tile: Tile | None, offered: tuple[Tile | None, ...], about: About = About.DOUBT) -> Word:
    """The word of a player about a read with a place."""
    return Word(tile, float(read.x_mm or 0), float(read.y_mm or 0), float(read.angle_deg), offered, about)


def _as_read(word: Word) -> Read:
    return Read(word.tile, 1.0, False, (), np.zeros((4, 2), np.float32), word.angle_deg, word.x_mm, word.y_mm)


def _name(word: Word) -> str:
    return FACE_DOWN if word.tile is None else word.tile.name


def _may_still_be(read: Read, word: Word) -> bool:
    """Whether the print may still be of the tile that the word is about."""
    if not read.doubtful:
        return read.tile == word.tile or (word.about is About.MISREAD and word.offered[:1] == (read.tile,))
    listed = dict(read.alternatives).get(_name(word), 0.0) >= LISTED
    return read.tile == word.tile or listed or read.tile in word.offered


def _is_replaced(read: Read, reads: Sequence[Read], before: Sequence[Read]) -> bool:
    """Whether a sure tile close by is another one than the one that lay in its place."""
    for i, (j, pushed) in follow(reads, before).items():
        other = reads[i]
        sure = not (other.doubtful or before[j].doubtful or pushed or other is read)
        near = np.hypot((other.x_mm or 0) - (read.x_mm or 0), (other.y_mm or 0) - (read.y_mm or 0)) < BESIDE_MM
        if sure and near and other.name != before[j].name:
            return True
    return False
