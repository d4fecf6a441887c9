"""Prior knowledge about a doubtful read: a tile that was not moved is still that tile.

The prior has a finite weight: a picture that speaks clearly against the tile that was there keeps its doubt, so that a
tile exchanged in place is never read as the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.vision.change.tracking import NEAR_MM, TURN_DEG, follow
from referee.vision.sighting import Read, Sighting

__all__ = ["NEAR_MM", "TURN_DEG", "UNSEEN", "WEIGHT", "with_confirmed", "with_seen"]

WEIGHT = 40.0
"""Odds that a tile which lies where a confirmed one lay is the same tile, before looking at its print;"""
AGREES = 10.0
"""this many times as much if its likeliest reading is that very tile: a tile that replaces it by chance looks like any
other tile, not like the one that it replaces."""
UNSEEN = 0.002
"""The chance given to a tile that is not among a read's alternatives."""


def with_confirmed(sighting: Sighting, confirmed: Sequence[Read]) -> Sighting:
    """Return the sighting with doubts settled where the same tile was confirmed in this place or close to it.

    Both must be of a marked table. Tiles doubted because the box does not hold so many stay doubted.
    """
    return _settle_reads(sighting, confirmed, pushed=True, weight=WEIGHT)


def with_seen(sighting: Sighting, seen: Sequence[Read]) -> Sighting:
    """Return the sighting with doubts settled by an earlier look of this turn, where tiles were not moved.

    Only tiles that it read beyond doubt count. Players whose turn was refused exchange tiles in place more often than
    others, so this weighs less.
    """
    return _settle_reads(sighting, seen, pushed=False, weight=WEIGHT / AGREES)


def _settle_reads(sighting: Sighting, known: Sequence[Read], *, pushed: bool, weight: float) -> Sighting:
    if not any(_may_be(read, sighting.sure_from) for read in sighting.reads):
        return sighting
    reads = list(sighting.reads)
    for i, (j, moved) in follow(sighting.reads, known).items():
        if not known[j].doubtful and (pushed or not moved):
            reads[i] = _weigh_read(reads[i], known[j], sighting.sure_from, weight / AGREES if moved else weight)
    return replace(sighting, reads=tuple(reads))


def _may_be(read: Read, sure_from: float) -> bool:
    """Return whether this is a doubt about the print itself."""
    return read.doubtful and read.confidence < sure_from


def _weigh_read(read: Read, known: Read, sure_from: float, weight: float) -> Read:
    if not _may_be(read, sure_from):
        return read
    seen = {read.name: read.confidence, **dict(read.alternatives)}
    chance = min(max(seen.get(known.name, UNSEEN), UNSEEN), 1 - UNSEEN)
    odds = chance / (1 - chance) * weight * (AGREES if read.name == known.name else 1.0)
    confidence = odds / (1 + odds)
    if confidence < sure_from:
        return read
    others = tuple((name, p) for name, p in seen.items() if name != known.name)
    return replace(read, tile=known.tile, confidence=confidence, doubtful=False, alternatives=others)
