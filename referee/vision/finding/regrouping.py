"""Grouping tiles into sets once more, when a tile turned out to lie face up, or face down, after the look."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.game.tiles import TILE_SETS
from referee.vision.finding import grouping as group
from referee.vision.sighting import Floats, Sighting

_USUAL_MM = (26.0, 37.5)


def regroup_sets(sighting: Sighting) -> Sighting:
    """Return the sighting of a marked table with its sets grouped again by position. A face-down tile ends a set."""
    reads = sighting.reads
    if any(read.x_mm is None or read.y_mm is None for read in reads):
        return sighting
    quads = _quads(sighting)
    sets: list[tuple[int, ...]] = []
    for row in group.rows(quads):
        part: list[int] = []
        for i in [*row, None]:
            if i is not None and reads[i].tile is not None:
                part.append(i)
            elif part:
                sets.append(tuple(group.reading_order(part, quads)))
                part = []
    return replace(sighting, sets=tuple(sorted(sets, key=min)))


def _quads(sighting: Sighting) -> Floats:
    """The corners (n, 4, 2) of all tiles in millimetres, the printed top left first."""
    box = TILE_SETS.get(sighting.tileset)
    width, height = _USUAL_MM if box is None else box.size_mm[:2]
    square = np.asarray([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    quads = np.zeros((len(sighting.reads), 4, 2), np.float32)
    for i, read in enumerate(sighting.reads):
        turn = np.radians(read.angle_deg)
        across, down = np.asarray([np.cos(turn), np.sin(turn)]), np.asarray([-np.sin(turn), np.cos(turn)])
        quads[i] = square[:, :1] * across + square[:, 1:] * down + np.asarray([read.x_mm, read.y_mm])
    return quads
