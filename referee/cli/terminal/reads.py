"""Reads in notation, for `referee read` and `referee judge`: the likeliest readings first."""

from __future__ import annotations

from typing import Any

from referee.game.tiles import FACE_DOWN, Tile
from referee.vision.sighting import Read, Sighting


def short(name: str) -> str:
    """A tile's long name in notation: `red-7` as R7, `face-down` as it is."""
    return name if name == FACE_DOWN else str(Tile.from_name(name))


def in_words(read: Read) -> str:
    """A read in notation; a doubtful one with a question mark and what else it may be."""
    if not read.doubtful:
        return short(read.name)
    others = [short(name) for name, _ in read.alternatives if name != read.name][:2]
    return f"{short(read.name)}?" + (f" (or {' or '.join(others)})" if others else "")


def doubts_in(sighting: Sighting) -> list[dict[str, Any]]:
    """Everything that must not be judged yet: each has a `text`, and a tile all that JSON says about it."""
    tiles = sighting.to_json("")["tiles"]
    doubts = [{"text": in_words(sighting.reads[i]), **tiles[i]} for i in sighting.doubts]
    return [*doubts, {"text": "a hand in the picture"}] if sighting.quality.hand else doubts
