"""Reads in notation, for `referee read` and `referee judge`, with the likeliest alternatives."""

from __future__ import annotations

from typing import Any

from referee.game.tiles import FACE_DOWN, Tile
from referee.i18n.wording import count
from referee.vision.sighting import Read, Sighting


def short(name: str) -> str:
    """Return the notation for a tile's long name: R7 for `red-7`; `face-down` is unchanged."""
    return name if name == FACE_DOWN else str(Tile.from_name(name))


def in_words(read: Read) -> str:
    """Return a read in notation; a doubtful one with a question mark and its alternatives."""
    if not read.doubtful:
        return short(read.name)
    others = [short(name) for name, _ in read.alternatives if name != read.name][:2]
    return f"{short(read.name)}?" + (f" (or {' or '.join(others)})" if others else "")


def doubts_in(sighting: Sighting) -> list[dict[str, Any]]:
    """Return everything that must not be judged yet, each with a `text`; tiles have the same fields as in JSON."""
    tiles = sighting.to_json("")["tiles"]
    doubts = [{"text": in_words(sighting.reads[i]), **tiles[i]} for i in sighting.doubts]
    quality = sighting.quality
    unread = len(quality.cut_off_px) - len(quality.cut)
    others = {
        "a hand in the picture": quality.hand,
        f"{count(unread, 'tile')} cut off by the edge of the picture": unread,
        f"{count(quality.too_small, 'tile')} too small to read": quality.too_small,
    }
    return [*doubts, *({"text": text} for text, holds in others.items() if holds)]
