"""What the referee asks about: every doubt with the place it is about and the tiles it may be."""

from __future__ import annotations

from typing import Any

from referee.game.doubt import Doubt
from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile
from referee.i18n import Wording
from referee.page.faces import face
from referee.table.output.follower import Facts

LIKELY = 3
"""How many readings are big buttons."""


def source(facts: Facts) -> object:
    """All that this part is made of."""
    return facts.doubts, None if facts.seen is None else facts.seen.number


def render(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """The question; None while nothing is asked. Doubts about a tile have its `read` in the look, others have None."""
    if not facts.doubts:
        return None
    seen = facts.seen
    sighting = None if seen is None else seen.look.sighting
    box = None if sighting is None else TILE_SETS.get(sighting.tileset)
    inventory = {} if box is None else box.inventory()
    return {
        "look": 0 if seen is None else seen.number,
        "doubts": [_doubt(doubt, words, set(inventory)) for doubt in facts.doubts],
    }


def _doubt(doubt: Doubt, words: Wording, held: set[Tile]) -> dict[str, Any]:
    text = words(doubt.notice)
    text = text[:1].upper() + text[1:]
    if doubt.read is None:
        return {"read": None, "text": text, "likely": []}
    names = [doubt.read.tile, *(name for name, _ in doubt.read.alternatives)]
    likely: list[Tile | None] = []
    for name in dict.fromkeys(names):
        tile = None if name == FACE_DOWN else Tile.from_name(name)
        if tile is None or not held or tile in held:
            likely.append(tile)
    return {"read": doubt.read.id, "text": text, "likely": [face(tile, words) for tile in likely[:LIKELY]]}
