"""Tiles, colours, and what a box of tiles holds."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from referee.errors import BadInput

HIGHEST = 13
FACE_DOWN = "face-down"


class Colour(enum.StrEnum):
    """The ink colour of a tile; its letter is used in notation."""

    BLACK = "black"
    BLUE = "blue"
    RED = "red"
    YELLOW = "yellow"
    ORANGE = "orange"
    GREEN = "green"

    __hash__ = str.__hash__
    """Much faster than the hash of an enumeration, and computed at every look-up in a cache."""

    @property
    def letter(self) -> str:
        """One capital letter, which is K for black."""
        return "K" if self is Colour.BLACK else self.value[0].upper()


@dataclass(frozen=True, slots=True, order=True, init=False)
class Tile:
    """A face-up tile: number 1-13 and colour, or the joker (number 0, no colour).

    There is exactly one object for each face, so tiles are compared and hashed by identity, which is fast.
    """

    number: int
    colour: Colour | None = None

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __new__(cls, number: int, colour: Colour | None = None) -> Tile:
        """Return the tile with this face; raises BadInput if there is none."""
        try:
            return _BY_FACE[number, colour]
        except KeyError:
            raise BadInput(f"expected a number 1-{HIGHEST} with a colour, or a joker, got {number} {colour}") from None

    def __reduce__(self) -> tuple[type[Tile], tuple[int, Colour | None]]:
        return Tile, (self.number, self.colour)

    @property
    def is_joker(self) -> bool:
        """True for a joker of any colour."""
        return self.number == 0

    @property
    def name(self) -> str:
        """The long name used in JSON: ``red-7`` or ``joker``."""
        return "joker" if self.colour is None else f"{self.colour.value}-{self.number}"

    @classmethod
    def from_name(cls, name: str) -> Tile:
        """Read a long name; raises BadInput for anything else."""
        if name == "joker":
            return JOKER
        colour, _, number = name.partition("-")
        try:
            return cls(int(number), Colour(colour))
        except ValueError as error:
            raise BadInput(f"expected a tile such as red-7 or joker, got {name!r}") from error

    def __str__(self) -> str:
        return "**" if self.colour is None else f"{self.colour.letter}{self.number}"


def _faces() -> Iterator[Tile]:
    for number, colour in [(0, None), *product(range(1, HIGHEST + 1), Colour)]:
        tile = object.__new__(Tile)
        object.__setattr__(tile, "number", number)
        object.__setattr__(tile, "colour", colour)
        yield tile


FACES = tuple(_faces())
"""All faces of tiles."""
_BY_FACE = {(tile.number, tile.colour): tile for tile in FACES}
JOKER = Tile(0)


@dataclass(frozen=True, slots=True)
class TileSet:
    """What a box holds.

    `size_mm` is width, height and thickness of a tile that stands upright before its reader.
    """

    name: str
    colours: tuple[Colour, ...]
    copies: int = 2
    jokers: int = 2
    faces: str = "numbers"
    size_mm: tuple[float, float, float] = (26.0, 37.5, 9.0)

    def inventory(self) -> Mapping[Tile, int]:
        """How many of each tile the box holds."""
        box = Counter({Tile(n, c): self.copies for c in self.colours for n in range(1, HIGHEST + 1)})
        if self.jokers:
            box[JOKER] = self.jokers
        return box

    @property
    def total(self) -> int:
        """The number of tiles in the box."""
        return len(self.colours) * HIGHEST * self.copies + self.jokers


_YGBR = (Colour.YELLOW, Colour.GREEN, Colour.BLUE, Colour.RED)
_KOBR = (Colour.BLACK, Colour.ORANGE, Colour.BLUE, Colour.RED)
_KYBR = (Colour.BLACK, Colour.YELLOW, Colour.BLUE, Colour.RED)

TILE_SETS: Mapping[str, TileSet] = {
    box.name: box
    for box in (
        TileSet("rummikub", _KOBR, jokers=2, size_mm=(26.0, 37.5, 10.0)),
        TileSet("ravensburger", _YGBR, jokers=4),
        TileSet("brettspielnetz", _YGBR, jokers=2),
        TileSet("piatnik", _KYBR, jokers=2),
        TileSet("classic", _KYBR, jokers=6, faces="cards"),
        TileSet("gin", _KYBR, copies=1, jokers=0, faces="cards"),
    )
}


def tile_set(name: str) -> TileSet:
    """Return the tile set called `name`; raises BadInput, which lists the known names, for any other."""
    try:
        return TILE_SETS[name]
    except KeyError:
        raise BadInput(f"expected a tile set out of {', '.join(TILE_SETS)}, got {name!r}") from None
