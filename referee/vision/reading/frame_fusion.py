"""Several sightings of one still table, fused into one.

Pictures of a still table share their glare and most of their errors, so they are not independent evidence: the belief
in a face is the mean of what each picture says, never the product. More pictures settle a doubt where one of them
shows the tile beyond doubt and none speaks against it; they raise one where they contradict each other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile
from referee.vision.sighting import Quality, Read, Sighting

# Chosen by hand, not fitted.
NEAR_MM = 8.0
"""Two reads within this distance are the same tile; two tiles lie much farther apart."""
UNSEEN = 0.002
"""The chance that a picture gives to a face it does not name."""
HALF = 0.5
"""Where all pictures name one face, none of them may give it less than this."""
AGREEING = 2
"""How many pictures must show a tile beyond doubt where another one shows it differently, or not at all,"""
BELIEVED = 0.95
"""and the least mean belief of all of them in it: it is among what the other picture takes it for."""


@dataclass(frozen=True, slots=True)
class Fused:
    """The outcome of several sightings, and the index of the one that shows the tiles where they are said to lie."""

    sighting: Sighting
    shown_by: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """One tile: its index among the reads of each sighting, None where it was not found."""

    rows: tuple[int | None, ...]

    def reads(self, sightings: Sequence[Sighting]) -> Iterator[Read]:
        for row, sighting in zip(self.rows, sightings, strict=True):
            if row is not None:
                yield sighting.reads[row]


def fuse(sightings: Sequence[Sighting]) -> Fused:
    """Return one sighting from several of the same marked table, the usual picture first.

    Tiles are matched by their places. A picture without markers has no places in millimetres: then the first sighting
    is returned.
    """
    first = sightings[0]
    marked = tuple(s for s in sightings if s.scale == "markers" and s.tileset == first.tileset)
    if len(marked) < 2 or marked[0] is not first:
        return Fused(first, 0)
    pieces = _pieces(marked)
    votes = [_vote(tuple(piece.reads(marked)), len(marked), first.sure_from) for piece in pieces]
    base = _base(pieces, votes, marked)
    sighting = _lay_votes_on(marked, base, pieces, votes)
    sighting = replace(sighting, quality=_quality(marked), timings_ms=_timings(marked), sure_from=first.sure_from)
    return Fused(_too_many_doubted(sighting), sightings.index(marked[base]))


def _pieces(sightings: Sequence[Sighting]) -> list[_Piece]:
    """Return the tiles found in any of the sightings, each once: the nearest reads are matched first."""
    found: list[list[int | None]] = [[row] for row in range(len(sightings[0].reads))]
    places = [_place(read) for read in sightings[0].reads]
    for nth, sighting in enumerate(sightings[1:], 1):
        here = [_place(read) for read in sighting.reads]
        matched = _match_places(places, here)
        for piece, rows in enumerate(found):
            rows.append(matched.get(piece))
        for row in sorted(set(range(len(here))) - set(matched.values())):
            found.append([*[None] * nth, row])
            places.append(here[row])
    return [_Piece(tuple(rows)) for rows in found]


def _match_places(known: Sequence[tuple[float, float]], here: Sequence[tuple[float, float]]) -> dict[int, int]:
    """Pairs of the indices of places that are the same, one to one."""
    if not known or not here:
        return {}
    apart = np.linalg.norm(np.asarray(known)[:, None] - np.asarray(here)[None], axis=2)
    pairs = np.argwhere(apart < NEAR_MM)
    matched: dict[int, int] = {}
    for piece, row in sorted(map(tuple, pairs.tolist()), key=lambda pair: float(apart[pair])):
        if piece not in matched and row not in matched.values():
            matched[piece] = row
    return matched


def _place(read: Read) -> tuple[float, float]:
    if read.x_mm is None or read.y_mm is None:
        raise ValueError(f"expected the reads of a marked table, found {read.name} without a place in mm")
    return read.x_mm, read.y_mm


@dataclass(frozen=True, slots=True)
class _Vote:
    """The outcome of the pictures for one tile."""

    name: str
    confidence: float
    doubtful: bool
    alternatives: tuple[tuple[str, float], ...]


def _vote(reads: Sequence[Read], pictures: int, sure_from: float) -> _Vote:
    """Return the vote on one tile; a picture in which it was not found counts for no face and against none."""
    seen = [{**dict(read.alternatives), read.name: read.confidence} for read in reads]
    hidden = [HALF] * (pictures - len(reads))
    believed = {name: _mean([*(one.get(name, UNSEEN) for one in seen), *hidden]) for one in seen for name in one}
    sure = Counter(read.name for read in reads if not read.doubtful)
    name = max(believed, key=lambda one: (sure[one] > 0, believed[one]))
    confidence, doubtful = believed[name], True
    if len(sure) == 1:
        doubtful = not _face_stands(name, sure[name], reads, pictures, confidence)
    if not doubtful:
        confidence = max(confidence, sure_from)
    others = tuple(sorted(((n, p) for n, p in believed.items() if n != name), key=lambda pair: -pair[1]))
    return _Vote(name, confidence, doubtful, others)


def _face_stands(name: str, sure: int, reads: Sequence[Read], pictures: int, believed: float) -> bool:
    """Return whether the one face that was seen beyond doubt, by `sure` pictures, stands.

    A back that only some pictures show is no doubt about what is played. A tile that stands in the picture once only
    may be none.
    """
    if len(reads) < pictures and sure < AGREEING:
        return name == FACE_DOWN and sure == len(reads)
    agreed = all(read.name == name and read.confidence >= HALF for read in reads)
    return agreed or (sure >= AGREEING and believed >= BELIEVED)


def _mean(chances: Sequence[float]) -> float:
    """The mean of chances, by their log odds."""
    clipped = np.clip(np.asarray(chances, np.float64), 1e-6, 1 - 1e-6)
    odds = float(np.mean(np.log(clipped / (1 - clipped))))
    return 1 / (1 + math.exp(-odds))


def _base(pieces: Sequence[_Piece], votes: Sequence[_Vote], sightings: Sequence[Sighting]) -> int:
    """Return the sighting whose sets can be kept: the first with all tiles, each on the side it was voted to show."""

    def misses(nth: int) -> int:
        return sum(not _fits(piece, vote, sightings[nth], nth) for piece, vote in zip(pieces, votes, strict=True))

    return min(range(len(sightings)), key=misses)


def _fits(piece: _Piece, vote: _Vote, sighting: Sighting, nth: int) -> bool:
    row = piece.rows[nth]
    return row is not None and (sighting.reads[row].name == FACE_DOWN) == (vote.name == FACE_DOWN)


def _lay_votes_on(
    sightings: Sequence[Sighting], nth: int, pieces: Sequence[_Piece], votes: Sequence[_Vote]
) -> Sighting:
    """Return the votes laid on sighting number `nth`; a tile that it lacks, or shows otherwise, is in no set of it."""
    base = sightings[nth]
    reads, sets = list(base.reads), list(base.sets)
    for piece, vote in zip(pieces, votes, strict=True):
        row = piece.rows[nth]
        if row is None:
            read = next(piece.reads(sightings))
            reads.append(_apply_vote(read, vote, doubtful=vote.doubtful or vote.name != FACE_DOWN))
            sets += [] if vote.name == FACE_DOWN else [(len(reads) - 1,)]
        else:
            same_side = _fits(piece, vote, base, nth)
            reads[row] = _apply_vote(reads[row], vote, doubtful=vote.doubtful or not same_side)
    return replace(base, reads=tuple(reads), sets=tuple(sets))


def _apply_vote(read: Read, vote: _Vote, *, doubtful: bool) -> Read:
    return replace(
        read,
        tile=None if vote.name == FACE_DOWN else Tile.from_name(vote.name),
        confidence=vote.confidence,
        doubtful=doubtful,
        alternatives=vote.alternatives,
    )


def _too_many_doubted(sighting: Sighting) -> Sighting:
    """Return the sighting with all copies of a tile in doubt if more were read than the box holds."""
    box = TILE_SETS.get(sighting.tileset)
    if box is None:
        return sighting
    holds = {tile.name: count for tile, count in box.inventory().items()}
    counts = Counter(read.name for read in sighting.reads if read.tile is not None)
    reads = tuple(
        replace(read, doubtful=True) if counts[read.name] > holds.get(read.name, 0) and read.tile is not None else read
        for read in sighting.reads
    )
    return replace(sighting, reads=reads)


def _quality(sightings: Sequence[Sighting]) -> Quality:
    """Return the quality of the first picture, without flags that another exposure or moment does not have.

    A hand in any of the pictures may hide something.
    """
    first, every = sightings[0].quality, [sighting.quality for sighting in sightings]
    glare = all(one.glare for one in every)
    return Quality(
        sharp=any(one.sharp for one in every),
        glare=glare,
        dark=all(one.dark for one in every),
        hand=any(one.hand for one in every),
        bright=all(one.bright for one in every),
        packed=all(one.packed for one in every),
        colourless=all(one.colourless for one in every),
        glare_px=first.glare_px if glare else (),
    )


def _timings(sightings: Sequence[Sighting]) -> dict[str, float]:
    """What all of them took together."""
    total: Counter[str] = Counter()
    for sighting in sightings:
        total.update(sighting.timings_ms)
    return dict(total)
