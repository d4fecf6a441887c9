"""What all languages share: how placeholders are read, how several tiles and sets are put together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

from referee.game.tiles import Colour, Tile

CARDS = {1: "ace", 11: "jack", 12: "queen", 13: "king"}
"""Faces with names of their own, where tiles are called as cards."""

_EACH = ("bare", "list", "numbers_or", "colours_or", "the_number")


class Language(ABC):
    """One language; what may stand behind the colon of a placeholder is this.

    For tiles `the`, `the_CASE` (the cases of the language), `bare`, `short`, `list`, `many`, `the_number`, `set`, and
    for one of several `the_or`, `the_or_CASE`, `numbers_or`, `colours_or`; for a colour nothing, `noun` or `plural`.
    With a capital first letter (`The`) it begins a sentence.
    """

    and_, or_, decimal, colon, semicolon = "and", "or", ".", ": ", "; "

    def name_value(self, value: Tile | Colour | tuple[Tile, ...], how: str, faces: str) -> str:
        """Tiles or a colour in words; `faces`: by numbers, or as cards."""
        if isinstance(value, Colour):
            return self.colour(value, how)
        tiles, word = value if isinstance(value, tuple) else (value,), how.lower()
        text = self._tiles(tiles, word, faces)
        return text[:1].upper() + text[1:] if how != word else text

    def join_parts(self, parts: Sequence[str], *, either: bool = False) -> str:
        """The parts with commas, and *and* before the last, or *or* if it is `either` of them."""
        word = self.or_ if either else self.and_
        return f" {word} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))

    def number(self, text: str) -> str:
        """A number as it is written in this language, from how it is written in English."""
        return text.replace(".", self.decimal)

    def _tiles(self, tiles: tuple[Tile, ...], how: str, faces: str) -> str:
        if how == "set":
            return self._set(tiles, faces)
        if how == "many":
            return self.many(tiles[0], len(tiles), faces)
        if how.startswith(_EACH):
            return self._each(tiles, how, faces)
        start, _, case = how.removeprefix("short").removeprefix("the").strip("_").partition("_")
        if start == "or":
            return self.join_parts([self.the(tile, case, faces) for tile in tiles], either=True)
        return self.join_parts([self._times(tile, times, start, faces) for tile, times in Counter(tiles).items()])

    def _each(self, tiles: tuple[Tile, ...], how: str, faces: str) -> str:
        """Tiles one by one, whatever comes twice."""
        match how:
            case "numbers_or":
                return self.join_parts([self.face(tile, faces) for tile in tiles], either=True)
            case "colours_or":
                return self.join_parts([self.colour(tile.colour, "") for tile in tiles if tile.colour], either=True)
            case "the_number":
                return self.the_number(tiles[0], faces)
        return ", ".join(self.bare(tile, faces) for tile in tiles)

    def _times(self, tile: Tile, times: int, case: str, faces: str) -> str:
        return self.the(tile, case, faces) if times == 1 else self.several(tile, times, case, faces)

    def _set(self, tiles: tuple[Tile, ...], faces: str) -> str:
        """A set as it lies: by what its tiles have in common, so that it is short."""
        plain = [tile for tile in tiles if not tile.is_joker]
        if len(tiles) > 1 and len({tile.colour for tile in plain}) == 1 and plain[0].colour is not None:
            return self.run([self.face(tile, faces) for tile in tiles], plain[0].colour)
        if len(tiles) > 1 and len({tile.number for tile in plain}) == 1:
            colours = [
                self.face(tile, faces) if tile.colour is None else self.colour(tile.colour, "") for tile in tiles
            ]
            return self.group(self.face(plain[0], faces), colours)
        return ", ".join(self.bare(tile, faces) for tile in tiles)

    @abstractmethod
    def colour(self, colour: Colour, how: str) -> str:
        """A colour as it describes a tile; with `noun` as a thing of its own, with `plural` before or after tiles."""

    @abstractmethod
    def face(self, tile: Tile, faces: str) -> str:
        """What is printed on a tile: its number, `jack`, or `joker`."""

    @abstractmethod
    def bare(self, tile: Tile, faces: str) -> str:
        """The tile without an article: `red 7`."""

    @abstractmethod
    def the(self, tile: Tile, case: str, faces: str) -> str:
        """The tile with its article, in a case of the language: `the red 7`."""

    @abstractmethod
    def the_number(self, tile: Tile, faces: str) -> str:
        """The tile with its article and without its colour: `the 7`."""

    @abstractmethod
    def several(self, tile: Tile, times: int, case: str, faces: str) -> str:
        """The same tile some times: `2 times the red 7`, `2 jokers`."""

    @abstractmethod
    def many(self, tile: Tile, times: int, faces: str) -> str:
        """Several of a tile: `3 red 7s`."""

    @abstractmethod
    def run(self, faces: Sequence[str], colour: Colour) -> str:
        """Tiles of one colour as they lie."""

    @abstractmethod
    def group(self, face: str, colours: Sequence[str]) -> str:
        """Tiles of one number as they lie."""
