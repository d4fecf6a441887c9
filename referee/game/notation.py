"""Tiles, sets and tables written as text, and read back: ``R7 B7 K7 | Y3 Y4 ** Y6``."""

from __future__ import annotations

from collections.abc import Iterable

from referee.errors import BadInput
from referee.game.table import Set, Table
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile

__all__ = ["Table", "format_set", "format_table", "format_tile", "parse_set", "parse_table", "parse_tile"]

_COLOURS = {colour.letter: colour for colour in Colour}
_TILES = {str(tile): tile for tile in (JOKER, *(Tile(n, c) for c in Colour for n in range(1, HIGHEST + 1)))}


def parse_tile(text: str) -> Tile:
    """Read one tile, such as ``R7`` or ``**``; small letters will do."""
    try:
        return _TILES[text.strip().upper()]
    except KeyError:
        letters = " ".join(_COLOURS)
        raise BadInput(f"expected one of {letters} with a number 1-{HIGHEST}, or **, got {text!r}") from None


def parse_set(text: str) -> Set:
    """Read the tiles of one set, separated by spaces."""
    return tuple(map(parse_tile, text.split()))


def parse_table(text: str) -> Table:
    """Read sets separated by bars or line ends; a text without tiles is the empty table."""
    sets = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        for part in line.split("|"):
            if not part.strip():
                raise BadInput(f"expected tiles on both sides of |, got {line.strip()!r} (line {number})")
            sets.append(parse_set(part))
    return tuple(sets)


def format_tile(tile: Tile) -> str:
    """Write one tile."""
    return str(tile)


def format_set(tiles: Iterable[Tile]) -> str:
    """Write the tiles of one set."""
    return " ".join(map(str, tiles))


def format_table(table: Iterable[Iterable[Tile]]) -> str:
    """Write all sets; parse_table reads them back."""
    return " | ".join(map(format_set, table))
