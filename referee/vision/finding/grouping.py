"""Grouping tiles into sets by where they lie: neighbours side by side, in reading order.

They are grouped again if after the look a tile turns out to be face up or face down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
import numpy.typing as npt

from referee.game.tiles import TILE_SETS
from referee.vision.finding.finder import inverses
from referee.vision.sighting import Doubles, Floats, Sighting

Mask = npt.NDArray[np.bool_]
# Chosen by hand, not fitted; models/METRICS.md counts the sets that are grouped as they were laid.
MAX_GAP = 0.45  # of a tile's width, between neighbours of one set
MAX_STEP = 0.42  # of a tile's height, by which neighbours may be shifted up or down
MAX_TURN = 0.30  # radians between neighbours
_USUAL_MM = (26.0, 37.5)
"""Width and height of a tile, if the box is not known: those of Rummikub."""


def axes(corners: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the centres, across vectors and down vectors (n, 2) of quads (n, 4, 2); the vectors are full sides."""
    centres = corners.mean(axis=1)
    across = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    down = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 2
    return centres, across.astype(np.float32), down.astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Neighbours:
    """Where n tiles lie as seen from each of them, (n, n): one row for each tile, in its own widths and heights.

    `right` and `below` are the distances of the others; `alike` is the cosine of the angle between down vectors.
    """

    right: npt.NDArray[np.float64]
    below: npt.NDArray[np.float64]
    alike: Floats

    @classmethod
    def of_tiles(cls, centres: Floats, across: Floats, down: Floats) -> _Neighbours:
        """Return the neighbours of tiles with these centres, across vectors and down vectors (n, 2)."""
        own = np.stack([across, down], axis=2).astype(np.float64)
        way = (centres[None] - centres[:, None]) @ inverses(own, 1e-6).transpose(0, 2, 1)
        units = down / np.maximum(np.linalg.norm(down, axis=1, keepdims=True), 1e-9)
        return cls(way[..., 0], np.abs(way[..., 1]), units @ units.T)


def _right_neighbours(seen: _Neighbours, signs: Floats) -> dict[int, int]:
    """Return for each tile its neighbour on the right, if any; a tile has at most one neighbour on each side.

    Within a set, all down vectors must point the same way; tiles with the sign (n,) -1 are turned by half for that.
    """
    right = seen.right * signs[:, None]
    alike = seen.alike * signs[:, None] * signs > np.cos(MAX_TURN)
    beside = (right > 0.5) & (right < 1 + MAX_GAP) & (seen.below <= MAX_STEP) & alike
    np.fill_diagonal(beside, False)
    ones, others = np.nonzero(beside)
    apart = (right[ones, others] + seen.below[ones, others]).tolist()
    taken_right: dict[int, int] = {}
    taken_left: set[int] = set()
    for _, i, j in sorted(zip(apart, ones.tolist(), others.tolist(), strict=True)):
        if i not in taken_right and j not in taken_left:
            taken_right[i] = j
            taken_left.add(j)
    return taken_right


def rows(corners: Floats) -> list[list[int]]:
    """Return tiles side by side as rows of indices, whichever way up each lies; every tile is in exactly one row.

    `corners` is (n, 4, 2) on the plane of the tops (or in the picture). Each row is from left to right for somebody at
    whom its *aligned* down vector points; `reading_orders` turns it round if the prints say so.
    """
    if not len(corners):
        return []
    centres, across, down = axes(corners)
    # A tile and a neighbour that is upside down are in one row, so all down vectors are brought into one half plane.
    # Rows near its border fall apart. So this is done with two half planes, and each row taken from the better one.
    seen = _Neighbours.of_tiles(centres, across, down)
    chains: list[list[int]] = []
    for reference in (np.asarray([0.13, 1.0]), np.asarray([1.0, -0.13])):
        signs = np.where(down @ reference < 0, -1.0, 1.0).astype(np.float32)
        chains += _chains(_right_neighbours(seen, signs), len(corners))
    whole: list[list[int]] = []
    taken: set[int] = set()
    for chain in sorted(chains, key=len, reverse=True):
        whole += [list(part) for free, part in groupby(chain, key=lambda i: i not in taken) if free]
        taken.update(chain)
    return sorted(whole, key=min)


def _chains(right: dict[int, int], count: int) -> list[list[int]]:
    starts = set(range(count)) - set(right.values())
    chains = []
    for start in sorted(starts):
        chain = [start]
        while (following := right.get(chain[-1])) is not None:
            chain.append(following)
        chains.append(chain)
    return chains


def way_up_votes(rows: Sequence[Sequence[int]], corners: Floats, inverted: Mask, sure: Mask) -> Doubles:
    """Return how likely each tile stands upright in its quad (n,), given those in its row that were surely read.

    `inverted` (n,) says which tiles are read upside down in their quads `corners` (n, 4, 2), and `sure` (n,) which of
    them surely. A tile itself does not count; without neighbours the chance is 0.5.
    """
    row_of = np.full(len(corners), -1, np.intp)
    for number, row in enumerate(rows):
        row_of[list(row)] = number
    _, _, down = axes(corners)
    printed = np.where(inverted[:, None], -down, down)
    votes = np.where(down @ printed.T > 0, 1, -1) * ((row_of[:, None] == row_of) & sure)
    np.fill_diagonal(votes, 0)
    balance, count = votes.sum(axis=1), np.abs(votes).sum(axis=1)
    # Players do lay single tiles upside down, so even neighbours that agree leave a little doubt.
    certainty = np.where(count >= 2, 0.985, 0.95)
    agreed = (count > 0) & (np.abs(balance) == count)
    return np.where(agreed, np.where(balance > 0, certainty, 1 - certainty), 0.5)


def reading_orders(rows: Sequence[list[int]], corners: Floats) -> list[list[int]]:
    """Return rows from left to right for their reader; `corners` (n, 4, 2) start at each tile's printed top left."""
    centres, across, _ = axes(corners)
    units = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), np.float32(1e-9))
    ordered = []
    for row in rows:
        forwards = len(row) < 2 or float(units[row].sum(axis=0) @ (centres[row[-1]] - centres[row[0]])) >= 0
        ordered.append(row if forwards else row[::-1])
    return ordered


def regroup_sets(sighting: Sighting) -> Sighting:
    """Return the sighting of a marked table with its sets grouped again by position; a face-down tile ends a set."""
    reads = sighting.reads
    if any(read.x_mm is None or read.y_mm is None for read in reads):
        return sighting
    quads = _quads(sighting)
    parts: list[list[int]] = []
    for row in rows(quads):
        part: list[int] = []
        for i in [*row, None]:
            if i is not None and reads[i].tile is not None:
                part.append(i)
            elif part:
                parts.append(part)
                part = []
    sets = [tuple(part) for part in reading_orders(parts, quads)]
    return replace(sighting, sets=tuple(sorted(sets, key=min)))


def _quads(sighting: Sighting) -> Floats:
    """Return the corners (n, 4, 2) of all tiles in millimetres, the printed top left first."""
    box = TILE_SETS.get(sighting.tileset)
    width, height = _USUAL_MM if box is None else box.size_mm[:2]
    square = np.asarray([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    quads = np.zeros((len(sighting.reads), 4, 2), np.float32)
    for i, read in enumerate(sighting.reads):
        turn = np.radians(read.angle_deg)
        across, down = np.asarray([np.cos(turn), np.sin(turn)]), np.asarray([-np.sin(turn), np.cos(turn)])
        quads[i] = square[:, :1] * across + square[:, 1:] * down + np.asarray([read.x_mm, read.y_mm])
    return quads
