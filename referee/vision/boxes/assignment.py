"""Names for the tiles in doubt when a whole box lies on the table: the likeliest ones for all of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from referee.game.tiles import HIGHEST, Tile, TileSet
from referee.vision.reading.glyphs import JOKER
from referee.vision.reading.inks import COLOURS
from referee.vision.sighting import Floats

# Chosen by hand, not fitted; the result depends little on them.
ROUNDS = 200
"""Rounds of balancing; a box needs some dozens."""
NEVER = 1e-9
"""The least chance of a name, so that there is always a solution;"""
STRAY = 1e-6
"""and the chance of a tile that is not one of the box's at all."""

Chances = Mapping[str, float]


def chances_of(faces: Floats, colours: Floats, tileset: TileSet) -> dict[str, float]:
    """How likely one tile (FACES,), (6,) is each of a box's, by its name."""
    numbers = faces[:HIGHEST] + faces[HIGHEST : 2 * HIGHEST]
    return {tile.name: float(faces[JOKER]) if tile.is_joker else _face_score(tile, numbers, colours)
            for tile in tileset.inventory()}  # fmt: skip


def _face_score(tile: Tile, numbers: Floats, colours: Floats) -> float:
    return 0.0 if tile.colour is None else float(numbers[tile.number - 1] * colours[COLOURS.index(tile.colour)])


def shares(waiting: Sequence[Chances], left: Counter[str]) -> list[dict[str, float]]:
    """Return how likely each tile is each name, if together the tiles are what is left of the box.

    The table of chances is scaled, rows and columns in turn, until every tile has one name and every name occurs as
    often as it is left (Sinkhorn, 1967). So of many tiles read as one name, those that are likeliest keep it. Where
    tiles are missing, names are left over; where there are too many tiles, some are none of the box's.
    """
    names = sorted(+left)
    if not waiting or not names:
        return [{} for _ in waiting]
    table = np.asarray([[max(NEVER, one.get(name, 0.0)) for name in names] for one in waiting])
    counts = np.asarray([left[name] for name in names], float)
    missing = int(counts.sum()) - len(waiting)
    if missing > 0:
        table, rows = np.vstack([table, np.ones(len(names))]), np.append(np.ones(len(waiting)), missing)
    else:
        rows = np.ones(len(waiting))
    if missing < 0:
        table, counts = np.column_stack([table, np.full(len(waiting), STRAY)]), np.append(counts, -missing)
    down = np.ones(len(counts))
    for _ in range(ROUNDS):
        across = rows / (table @ down)
        down = counts / (table.T @ across)
    found = table * across[:, None] * down
    return [dict(zip(names, map(float, row[: len(names)]), strict=True)) for row in found[: len(waiting)]]
