"""Tiles as the page draws them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, Tile
from referee.i18n import Wording

_CARDS = {1: "ace", 11: "jack", 12: "queen", 13: "king"}


def face(tile: Tile | None, words: Wording) -> dict[str, Any]:
    """One tile: its key as in JSON elsewhere, what stands on it, its colour and that as letters, and its name."""
    if tile is None:
        return {"tile": FACE_DOWN, "sign": "", "colour": "", "letters": "", "name": words(Notice("play.label_back"))}
    name = words(Notice("play.label_tile", tile=tile))
    if tile.colour is None:
        return {"tile": tile.name, "sign": "\u2605", "colour": "joker", "letters": "", "name": name}
    return {
        "tile": tile.name,
        "sign": sign(tile, words),
        "colour": tile.colour.name.lower(),
        "letters": words(Notice(f"page.letters_{tile.colour.name.lower()}")),
        "name": name,
    }


def sign(tile: Tile, words: Wording) -> str:
    """What stands on a tile: its number, or a card's letter as this language has it."""
    card = _CARDS.get(tile.number) if words.faces == "cards" else None
    return str(tile.number) if card is None else words(Notice(f"page.card_{card}"))


def faces(tiles: Iterable[Tile | None], words: Wording) -> list[dict[str, Any]]:
    """Several tiles."""
    return [face(tile, words) for tile in tiles]
