"""Small pieces of the sentences that players read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from referee.game.tiles import Tile


def count(number: int, noun: str) -> str:
    """A number with its noun: ``1 tile``, ``3 tiles``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def tile_words(tile: Tile) -> str:
    """The tile in words: ``red 7`` or ``joker``."""
    return tile.name.replace("-", " ")


def listed(tiles: Iterable[Tile]) -> str:
    """Several tiles in words: ``the red 7, 2 jokers and the blue 9``."""
    return joined([_times(tile, times) for tile, times in Counter(tiles).items()])


def _times(tile: Tile, times: int) -> str:
    if times == 1:
        return f"the {tile_words(tile)}"
    return f"{times} jokers" if tile.is_joker else f"{times} times the {tile_words(tile)}"


def joined(parts: Sequence[str]) -> str:
    """The parts with commas, and *and* before the last."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
