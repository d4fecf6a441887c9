"""Grouping tiles into sets by where they lie: neighbours side by side, in reading order.

They are grouped again if after the look a tile turns out to be face up or face down.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import numpy as np

from referee.game.tiles import TILE_SETS
from referee.vision.finding.finder import inverses
from referee.vision.sighting import Floats, Sighting

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


def _right_neighbours(centres: Floats, across: Floats, down: Floats) -> dict[int, int]:
    """Return for each tile its neighbour on the right, if any; a tile has at most one neighbour on each side.

    Within a set, all down vectors must point the same way, so callers align them first.
    """
    own = np.stack([across, down], axis=2).astype(np.float64)
    way = (centres[None] - centres[:, None]) @ inverses(own, 1e-6).transpose(0, 2, 1)
    right, below = way[..., 0], np.abs(way[..., 1])
    units = down / np.maximum(np.linalg.norm(down, axis=1, keepdims=True), 1e-9)
    beside = (right > 0.5) & (right < 1 + MAX_GAP) & (below <= MAX_STEP) & (units @ units.T > np.cos(MAX_TURN))
    np.fill_diagonal(beside, False)
    links = sorted((float(right[i, j] + below[i, j]), int(i), int(j)) for i, j in np.argwhere(beside))
    taken_right: dict[int, int] = {}
    taken_left: set[int] = set()
    for _, i, j in links:
        if i not in taken_right and j not in taken_left:
            taken_right[i] = j
            taken_left.add(j)
    return taken_right


def rows(corners: Floats) -> list[list[int]]:
    """Return tiles side by side as rows of indices, whichever way up each lies; every tile is in exactly one row.

    `corners` is (n, 4, 2) on the plane of the tops (or in the picture). Each row is from left to right for somebody at
    whom its *aligned* down vector points; `reading_order` turns it round if the prints say so.
    """
    if not len(corners):
        return []
    centres, across, down = axes(corners)
    # A tile and a neighbour that is upside down are in one row, so all down vectors are brought into one half plane.
    # Rows near its border fall apart. So this is done with two half planes, and each row taken from the better one.
    chains: list[list[int]] = []
    for reference in (np.asarray([0.13, 1.0]), np.asarray([1.0, -0.13])):
        sign = np.where(down @ reference < 0, -1.0, 1.0)[:, None].astype(np.float32)
        chains += _chains(_right_neighbours(centres, across * sign, down * sign), len(corners))
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


def way_up_votes(row: list[int], corners: Floats, inverted: list[bool], sure: list[bool]) -> dict[int, float]:
    """Return how likely each tile of a row stands upright in its quad, given its neighbours that were surely read.

    A tile itself does not count; without neighbours the chance is 0.5.
    """
    _, _, down = axes(corners[row])
    printed = np.where(np.asarray([inverted[i] for i in row])[:, None], -down, down)
    signs = np.where(down @ printed.T > 0, 1, -1) * np.asarray([sure[i] for i in row])
    np.fill_diagonal(signs, 0)
    counts = np.abs(signs).sum(axis=1).tolist()
    return {
        i: _share(balance, count) if count else 0.5
        for i, balance, count in zip(row, signs.sum(axis=1).tolist(), counts, strict=True)
    }


def _share(balance: int, count: int) -> float:
    # Players do lay single tiles upside down, so even neighbours that agree leave a little doubt.
    if abs(balance) < count:
        return 0.5
    certainty = 0.985 if count >= 2 else 0.95
    return certainty if balance > 0 else 1 - certainty


def reading_order(row: list[int], corners: Floats) -> list[int]:
    """Return a row from left to right for its reader; `corners` start at each tile's printed top left."""
    if len(row) < 2:
        return row
    _, across, _ = axes(corners[row])
    centres = corners[row].mean(axis=1)
    units = across / np.linalg.norm(across, axis=1, keepdims=True)
    return row if float(units.sum(axis=0) @ (centres[-1] - centres[0])) >= 0 else row[::-1]


def regroup_sets(sighting: Sighting) -> Sighting:
    """Return the sighting of a marked table with its sets grouped again by position; a face-down tile ends a set."""
    reads = sighting.reads
    if any(read.x_mm is None or read.y_mm is None for read in reads):
        return sighting
    quads = _quads(sighting)
    sets: list[tuple[int, ...]] = []
    for row in rows(quads):
        part: list[int] = []
        for i in [*row, None]:
            if i is not None and reads[i].tile is not None:
                part.append(i)
            elif part:
                sets.append(tuple(reading_order(part, quads)))
                part = []
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
