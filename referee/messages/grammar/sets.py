"""What the tiles of a set have in common, so that it can be named shortly: `red 5 6 7`, `7 in red blue black`."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.tiles import Colour, Tile


@dataclass(frozen=True, slots=True)
class Shown:
    """Some tiles as they lie; `colour` and `number` (a tile that has it) are what all but the jokers share."""

    tiles: tuple[Tile, ...]
    colour: Colour | None = None
    number: Tile | None = None


def shown(tiles: tuple[Tile, ...]) -> Shown:
    """How to name these tiles."""
    plain = [tile for tile in tiles if not tile.is_joker]
    if not plain:
        return Shown(tiles)
    if len({tile.colour for tile in plain}) == 1 and len(tiles) > 1:
        return Shown(tiles, colour=plain[0].colour)
    if len({tile.number for tile in plain}) == 1 and len(tiles) > 1:
        return Shown(tiles, number=plain[0])
    return Shown(tiles)
