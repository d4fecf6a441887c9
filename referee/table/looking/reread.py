"""A tile that players say was misread, read once more: what else it may be."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile
from referee.table.looking.look import Look
from referee.vision.sighting import Read, Sighting

NEAR_MM = 12.0
"""What lies within this of a tile is that tile, if nothing was moved."""
MOST = 3
LEAST = 0.25
"""How much more likely a reading is for having been the first one of a new picture."""


@dataclass(frozen=True, slots=True)
class Reread:
    """What a tile of a look may be but what it was read as, the likeliest first; None: no tile, or its back."""

    look: Look
    read: int
    tiles: tuple[Tile | None, ...] = ()

    @classmethod
    def from_look(cls, look: Look, number: int, again: Sighting | None) -> Reread:
        """From the look itself and another sighting, where there is one."""
        if look.sighting is None:
            return cls(look, number)
        before = look.sighting.reads[number]
        chances = defaultdict[str, float](float, before.alternatives)
        if again is not None and (now := _nearest(before, again)) is not None:
            for name, chance in ((now.name, max(now.confidence, LEAST)), *now.alternatives):
                chances[name] += chance
        box = TILE_SETS.get(look.sighting.tileset)
        held = None if box is None else box.inventory()
        names = sorted((name for name in chances if name != before.name), key=lambda name: -chances[name])
        tiles = (None if name == FACE_DOWN else Tile.from_name(name) for name in names)
        return cls(look, number, tuple(t for t in tiles if t is None or held is None or held.get(t))[:MOST])


def _nearest(read: Read, again: Sighting) -> Read | None:
    """The tile of a sighting that lies where this one lay."""
    if read.x_mm is None or read.y_mm is None:
        return None
    near = [
        (math.hypot(other.x_mm - read.x_mm, other.y_mm - read.y_mm), number)
        for number, other in enumerate(again.reads)
        if other.x_mm is not None and other.y_mm is not None
    ]
    distance, number = min(near, default=(math.inf, 0))
    return again.reads[number] if distance < NEAR_MM else None
