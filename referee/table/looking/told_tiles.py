"""Applies what players have said about tiles (words) to later looks, as long as the tiles lie there.

A word still holds if its tile is pushed a little. If the tile had been read beyond doubt, the word holds only while
the tile is read as the same one in the same place. A word is dropped if the tile is gone, if its print clearly shows
another tile, or if its neighbours show that the row has moved by one tile.
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
"""A word still holds if the print gives the named tile at least this chance. Chosen by hand."""
BESIDE_MM = 60.0
"""A sure tile within this distance shows whether the row has moved: the next two tiles, each 26 mm wide."""


@dataclass(frozen=True, slots=True)
class Held:
    """A sighting in which words of players have settled doubts."""

    sighting: Sighting
    given: tuple[Word, ...] = ()
    """All words that were applied."""
    words: tuple[Word, ...] = ()
    """The words that still hold, with the places of their tiles in this sighting."""
    lost: tuple[Word, ...] = ()
    """The words about tiles that were not found."""


def hold(sighting: Sighting, words: tuple[Word, ...], before: Sequence[Read] = ()) -> Held:
    """Return the sighting with the words applied; `before` are the reads of an earlier look at the same table."""
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
    """Return the reads; if a word settles which of two inks is which, it is applied to all tiles of both."""
    for number, tile in told:
        settled = with_inks_told(sighting, pair, number, tile)
        if settled is not sighting:
            known = {i for i, _ in told}
            return [
                read if i in known else settled.reads[i] if i in pair.reads else read for i, read in enumerate(reads)
            ]
    return reads


def with_unseen(sighting: Sighting, words: Sequence[Word]) -> tuple[Sighting, tuple[Word, ...]]:
    """Add tiles that were not found but that players have placed; return the sighting and the words used.

    The caller must know that these tiles still lie there.
    """
    there = []
    for word in words:
        found = None if word.tile is None else with_tile(sighting, word.tile, word.x_mm, word.y_mm, word.angle_deg)
        if found is not None:
            sighting = found
            there.append(word)
    return sighting, tuple(there)


def word_for(read: Read, tile: Tile | None, offered: tuple[Tile | None, ...], about: About = About.DOUBT) -> Word:
    """Return a player's word about a read, which must have a place."""
    return Word(tile, float(read.x_mm or 0), float(read.y_mm or 0), float(read.angle_deg), offered, about)


def _as_read(word: Word) -> Read:
    return Read(word.tile, 1.0, False, (), np.zeros((4, 2), np.float32), word.angle_deg, word.x_mm, word.y_mm)


def _name(word: Word) -> str:
    return FACE_DOWN if word.tile is None else word.tile.name


def _may_still_be(read: Read, word: Word) -> bool:
    """Return whether the print of a read may be the one that the word is about."""
    if not read.doubtful:
        return read.tile == word.tile or (word.about is About.MISREAD and word.offered[:1] == (read.tile,))
    listed = dict(read.alternatives).get(_name(word), 0.0) >= LISTED
    return read.tile == word.tile or listed or read.tile in word.offered


def _is_replaced(read: Read, reads: Sequence[Read], before: Sequence[Read]) -> bool:
    """Return whether a neighbour that is beyond doubt is a different tile than the one in its place before."""
    for i, (j, pushed) in follow(reads, before).items():
        other = reads[i]
        sure = not (other.doubtful or before[j].doubtful or pushed or other is read)
        near = np.hypot((other.x_mm or 0) - (read.x_mm or 0), (other.y_mm or 0) - (read.y_mm or 0)) < BESIDE_MM
        if sure and near and other.name != before[j].name:
            return True
    return False
