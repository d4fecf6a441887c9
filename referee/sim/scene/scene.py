"""What the camera sees at the virtual table: tiles, hands and things around the play area, in the table frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from referee.game.tiles import TILE_SETS, Colour, Tile, TileSet
from referee.sim.scene.arrays import Floats, floats

RGB = tuple[int, int, int]
MARKER_MM = 40.0
SHEET_MM = 60.0


@dataclass(frozen=True, slots=True)
class Placed:
    """One tile on the table; `tile` is None if it lies face-down.

    `x_mm`, `y_mm` is its middle. `angle_deg` is clockwise as seen from above; 0 is upright for the bottom side. `copy`
    distinguishes tiles with the same face, each of which has its own grain and print.
    """

    tile: Tile | None
    x_mm: float
    y_mm: float
    angle_deg: float
    copy: int = 0

    def corners(self, size_mm: tuple[float, float]) -> Floats:
        """Return the corners, (4, 2) in mm, of a tile of width and height `size_mm`.

        The top left corner of the print is the first; the others follow clockwise.
        """
        w, h = size_mm[0] / 2, size_mm[1] / 2
        angle = np.radians(self.angle_deg)
        c, s = np.cos(angle), np.sin(angle)
        box = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
        return floats(box @ np.array([[c, s], [-s, c]]) + [self.x_mm, self.y_mm])


@dataclass(frozen=True, slots=True)
class TileMake:
    """The tiles of one maker: body, digits and marks. Inks are RGB values under white light."""

    body: str = "cream"
    face: str = "bold"
    inks: tuple[tuple[Colour, RGB], ...] = ()
    digit_mm: float = 14.0
    centre: float = 0.40
    mark: str = "none"
    underline: bool = True
    dish: bool = False
    joker: str = "smile"
    joker_inks: tuple[RGB, ...] = ((35, 33, 36), (196, 42, 48))

    def ink(self, tile: Tile, copy: int) -> RGB:
        """Return the colour of the print of `tile`; the copies of the joker have different colours in turn."""
        if tile.colour is None:
            return self.joker_inks[copy % len(self.joker_inks)]
        return dict(self.inks).get(tile.colour, (40, 40, 40))


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table: the middle of its palm, and the direction of its fingers, clockwise from the top side."""

    x_mm: float
    y_mm: float
    pointing_deg: float
    skin: RGB = (201, 150, 122)
    sleeve: RGB = (62, 70, 92)
    size: float = 1.0


@dataclass(frozen=True, slots=True)
class Rack:
    """A player's rack, seen from behind, with `tiles` tiles on it; lengths are in mm."""

    x_mm: float
    y_mm: float
    angle_deg: float
    tiles: int = 14
    colour: RGB = (46, 34, 30)
    length_mm: float = 330.0


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup of coffee on its saucer."""

    x_mm: float
    y_mm: float
    colour: RGB = (226, 224, 216)
    radius_mm: float = 40.0
    height_mm: float = 62.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that the camera sees.

    `surface` is the name of a table top in `referee.sim.scene.surface`, and `seed` determines its grain.
    `marker_turns` has the angle of each marker, in degrees clockwise.
    """

    tiles: tuple[Placed, ...] = ()
    tileset: TileSet = field(default_factory=lambda: TILE_SETS["rummikub"])
    look: TileMake = field(default_factory=TileMake)
    table_mm: tuple[float, float] = (900.0, 600.0)
    surface: str = "walnut"
    seed: int = 1
    markers: tuple[int, ...] = (0, 1, 2, 3)
    marker_turns: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    hands: tuple[Hand, ...] = ()
    props: tuple[Rack | Cup, ...] = ()

    def marker_corners(self, marker: int, side_mm: float = MARKER_MM) -> Floats:
        """Return the corners, (4, 2) in mm, of a square of `side_mm` at the place and angle of a marker (0-3).

        The top left corner is the first; the others follow clockwise.
        """
        width, height = self.table_mm
        x, y = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))[marker]
        return Placed(None, x, y, self.marker_turns[marker]).corners((side_mm, side_mm))


_PLASTIC: dict[Colour, RGB] = {
    Colour.BLACK: (30, 31, 36),
    Colour.BLUE: (22, 92, 178),
    Colour.RED: (205, 32, 46),
    Colour.ORANGE: (241, 130, 20),
    Colour.YELLOW: (236, 176, 16),
    Colour.GREEN: (18, 132, 74),
}
_ON_WOOD: dict[Colour, RGB] = {
    Colour.BLACK: (38, 34, 32),
    Colour.BLUE: (30, 62, 146),
    Colour.RED: (198, 40, 44),
    Colour.ORANGE: (226, 106, 18),
    Colour.YELLOW: (232, 160, 6),
    Colour.GREEN: (24, 112, 62),
}

MAKES: Mapping[str, TileMake] = {
    "cream": TileMake("cream", "bold", tuple(_PLASTIC.items()), digit_mm=13.5, centre=0.36, dish=True),
    "white": TileMake(
        "white", "rounded", tuple(_PLASTIC.items()), digit_mm=14.0, centre=0.40, mark="ring", joker="star"
    ),
    "beech": TileMake(
        "beech", "slab", tuple(_ON_WOOD.items()), digit_mm=14.5, centre=0.46, mark="none", joker="jester"
    ),
    "maple": TileMake("maple", "bold", tuple(_ON_WOOD.items()), digit_mm=14.5, centre=0.40, mark="dot", joker="star"),
}
"""Tile makers by name."""


def usual_make(tileset: TileSet) -> TileMake:
    """Return the make that boxes of `tileset` usually have."""
    return MAKES["cream" if tileset.name == "rummikub" else "beech" if Colour.GREEN in tileset.colours else "white"]
