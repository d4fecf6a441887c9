"""Several sightings of one still table, combined into one.

Pictures of a still table have the same glare and most of the same errors, so they are not independent evidence: the
belief in a face is the mean of the pictures' beliefs, never the product. More pictures settle a doubt if one of them
shows the tile beyond doubt and none contradicts it; they raise a doubt if they contradict each other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile
from referee.vision.reading.joint import too_many
from referee.vision.sighting import Quality, Read, Sighting

# Chosen by hand, not fitted.
NEAR_MM = 8.0
"""Two reads within this distance are of the same tile; two tiles are much farther apart."""
UNSEEN = 0.002
"""The chance that a picture gives to a face that it does not name."""
HALF = 0.5
"""If all pictures name one face, it stands only if each of them gives it at least this chance."""
AGREEING = 2
"""If another picture shows a tile differently, or not at all, at least this many must show it beyond doubt,"""
BELIEVED = 0.95
"""and the mean belief of all pictures must be at least this: the other picture must consider that face, too."""


STEADY, STEADILY = 3, 0.95
"""A number that one picture cannot tell from another one stands if so many pictures show it, all of them, with at
least this mean belief. A yellow 8 taken for a jack in three pictures had 0.946 (`benchmarks.evenings`, seed 6)."""


@dataclass(frozen=True, slots=True)
class Fused:
    """The combination of several sightings, and the index of the one whose picture shows its tiles."""

    sighting: Sighting
    shown_by: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """One tile: its index among the reads of each sighting, or None if it was not found there."""

    rows: tuple[int | None, ...]

    def reads(self, sightings: Sequence[Sighting]) -> Iterator[Read]:
        for row, sighting in zip(self.rows, sightings, strict=True):
            if row is not None:
                yield sighting.reads[row]


def fuse(sightings: Sequence[Sighting]) -> Fused:
    """Combine several sightings of one marked table into one; the first is of the picture with the usual exposure.

    Tiles are matched by their places. A picture without markers gives no places in millimetres; if the first is one,
    or no other picture has markers, the first sighting is returned.
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
    """Return the tiles found in any of the sightings, each once; the nearest reads are matched first."""
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
    """Return pairs of indices of places that are the same, one to one."""
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
    """The combined read of one tile."""

    name: str
    confidence: float
    doubtful: bool
    alternatives: tuple[tuple[str, float], ...]


def _vote(reads: Sequence[Read], pictures: int, sure_from: float) -> _Vote:
    """Return the vote on one tile; a picture in which it was not found has a neutral belief in every face."""
    seen = [{**dict(read.alternatives), read.name: read.confidence} for read in reads]
    hidden = [HALF] * (pictures - len(reads))
    believed = {name: _mean([*(one.get(name, UNSEEN) for one in seen), *hidden]) for one in seen for name in one}
    sure = Counter(read.name for read in reads if not read.doubtful)
    name = max(believed, key=lambda one: (sure[one] > 0, believed[one]))
    confidence, doubtful = believed[name], True
    if len(sure) == 1:
        doubtful = not _face_stands(name, sure[name], reads, pictures, confidence)
    if any(read.look_again for read in reads):
        doubtful = not _is_steady(name, reads, pictures, confidence)
    if not doubtful:
        confidence = max(confidence, sure_from)
    others = tuple(sorted(((n, p) for n, p in believed.items() if n != name), key=lambda pair: -pair[1]))
    return _Vote(name, confidence, doubtful, others)


def _face_stands(name: str, sure: int, reads: Sequence[Read], pictures: int, believed: float) -> bool:
    """Return whether the only face that was read beyond doubt, in `sure` pictures, stands.

    If only some pictures show a tile's back, that is not a doubt about the game. A tile that is found in only one
    picture may be none.
    """
    if len(reads) < pictures and sure < AGREEING:
        return name == FACE_DOWN and sure == len(reads)
    agreed = all(read.name == name and read.confidence >= HALF for read in reads)
    return agreed or (sure >= AGREEING and believed >= BELIEVED)


def _is_steady(name: str, reads: Sequence[Read], pictures: int, believed: float) -> bool:
    """Return whether a number that looks like another one stands, given the mean belief of all pictures in it."""
    same = all(read.name == name and (read.look_again or not read.doubtful) for read in reads)
    return same and STEADY <= len(reads) == pictures and believed >= STEADILY


def _mean(chances: Sequence[float]) -> float:
    """Return the mean of chances, computed from their log odds."""
    clipped = np.clip(np.asarray(chances, np.float64), 1e-6, 1 - 1e-6)
    odds = float(np.mean(np.log(clipped / (1 - clipped))))
    return 1 / (1 + math.exp(-odds))


def _base(pieces: Sequence[_Piece], votes: Sequence[_Vote], sightings: Sequence[Sighting]) -> int:
    """Return the sighting whose sets to keep: the first of those that show the most tiles on the side voted for."""

    def misses(nth: int) -> int:
        return sum(not _fits(piece, vote, sightings[nth], nth) for piece, vote in zip(pieces, votes, strict=True))

    return min(range(len(sightings)), key=misses)


def _fits(piece: _Piece, vote: _Vote, sighting: Sighting, nth: int) -> bool:
    row = piece.rows[nth]
    return row is not None and (sighting.reads[row].name == FACE_DOWN) == (vote.name == FACE_DOWN)


def _lay_votes_on(
    sightings: Sequence[Sighting], nth: int, pieces: Sequence[_Piece], votes: Sequence[_Vote]
) -> Sighting:
    """Return sighting `nth` with the votes applied; a tile that it lacks or shows from the other side is in doubt."""
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
        look_again=read.look_again and doubtful,
    )


def _too_many_doubted(sighting: Sighting) -> Sighting:
    """Return the sighting with all copies of a tile in doubt if more were read than the box holds."""
    box = TILE_SETS.get(sighting.tileset)
    if box is None:
        return sighting
    over = too_many([read.name for read in sighting.reads], box)
    reads = tuple(replace(read, doubtful=True) if i in over else read for i, read in enumerate(sighting.reads))
    return replace(sighting, reads=reads)


def _quality(sightings: Sequence[Sighting]) -> Quality:
    """Return the quality of the first picture, without the faults that are missing in another picture.

    A hand in any of the pictures counts, because it may hide something.
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
        grey=all(one.grey for one in every),
        glare_px=first.glare_px if glare else (),
        cut_off_px=min((one.cut_off_px for one in every), key=len),
    )


def _timings(sightings: Sequence[Sighting]) -> dict[str, float]:
    """Return the sum of the timings."""
    total: Counter[str] = Counter()
    for sighting in sightings:
        total.update(sighting.timings_ms)
    return dict(total)
