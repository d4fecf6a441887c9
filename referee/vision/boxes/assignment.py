"""Names for tiles in doubt when a whole box lies on the table: the likeliest ones for all of them together."""

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
"""Rounds of balancing; a few dozen are needed for a box."""
NEVER = 1e-9
"""The least chance of a name; it ensures that there is always a solution."""
STRAY = 1e-6
"""The chance that a tile is none of the box's."""

Chances = Mapping[str, float]


def chances_of(faces: Floats, colours: Floats, tileset: TileSet) -> dict[str, float]:
    """Return how likely one tile, given `faces` (FACES,) and `colours` (6,), is each tile of a box, by name."""
    numbers = faces[:HIGHEST] + faces[HIGHEST : 2 * HIGHEST]
    return {tile.name: float(faces[JOKER]) if tile.is_joker else _face_score(tile, numbers, colours)
            for tile in tileset.inventory()}  # fmt: skip


def _face_score(tile: Tile, numbers: Floats, colours: Floats) -> float:
    return 0.0 if tile.colour is None else float(numbers[tile.number - 1] * colours[COLOURS.index(tile.colour)])


def shares(waiting: Sequence[Chances], left: Counter[str]) -> list[dict[str, float]]:
    """Return how likely each tile has each name, given that together the tiles are what is left of the box.

    Rows and columns of the table of chances are scaled in turn until every tile has one name and every name occurs as
    often as it is left (Sinkhorn, 1967). If too many tiles were read as one name, the likeliest ones keep it. If tiles
    are missing, names are left over; if there are too many tiles, some do not belong to the box.
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
