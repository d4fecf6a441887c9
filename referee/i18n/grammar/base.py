"""What all languages share: reading placeholders, and joining several tiles and sets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

from referee.game.tiles import Colour, Tile

CARDS = {1: "ace", 11: "jack", 12: "queen", 13: "king"}
"""Numbers that have a name of their own if the tiles are named like cards."""

_EACH = ("bare", "list", "numbers_or", "colours_or", "the_number")


class Language(ABC):
    """The grammar of one language.

    It defines the words that may follow the colon of a placeholder. For tiles: `the`, `the_CASE` (a case of the
    language), `bare`, `short`, `list`, `many`, `the_number`, `set`, and if one of several is meant, `the_or`,
    `the_or_CASE`, `numbers_or`, `colours_or`; `count` is their number. For a colour: no
    word, `noun` or `plural`. If the word has a capital first letter (`The`), so has the text, to begin a sentence.
    For the name of a player: no word, or a case of a language whose prepositions change before a vowel.
    """

    and_, or_, decimal, colon, semicolon = "and", "or", ".", ": ", "; "

    def name_value(self, value: Tile | Colour | tuple[Tile, ...], how: str, faces: str) -> str:
        """Return tiles or a colour in words; `faces` is "numbers" or "cards"."""
        if isinstance(value, Colour):
            return self.colour(value, how)
        tiles, word = value if isinstance(value, tuple) else (value,), how.lower()
        text = self._tiles(tiles, word, faces)
        return text[:1].upper() + text[1:] if how != word else text

    def join_parts(self, parts: Sequence[str], *, either: bool = False) -> str:
        """Return the parts joined by commas, with *and* before the last, or *or* if `either` is true."""
        word = self.or_ if either else self.and_
        return f" {word} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))

    def name(self, name: str, _case: str) -> str:
        """Return a name as it is written, whatever the case: most languages leave the word before it alone."""
        return name

    def number(self, text: str) -> str:
        """Return a number as this language writes it, given as English writes it."""
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
        """Return the tiles one by one, without counting equal ones together."""
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
        """Return a set in the order in which it lies, as players read it out.

        The colour of a run is named once. In a group every tile is named in full, since "9 in black, orange" is not
        how people say it.
        """
        plain = [tile for tile in tiles if not tile.is_joker]
        if len(tiles) > 1 and len({tile.colour for tile in plain}) == 1 and plain[0].colour is not None:
            return self.run([self.face(tile, faces) for tile in tiles], plain[0].colour)
        return ", ".join(self.bare(tile, faces) for tile in tiles)

    @abstractmethod
    def colour(self, colour: Colour, how: str) -> str:
        """Return a colour: as an adjective, as a noun if `how` is `noun`, or for several tiles if it is `plural`."""

    @abstractmethod
    def face(self, tile: Tile, faces: str) -> str:
        """Return what is printed on a tile: its number, `jack`, or `joker`."""

    @abstractmethod
    def bare(self, tile: Tile, faces: str) -> str:
        """Return the tile without an article: `red 7`."""

    @abstractmethod
    def the(self, tile: Tile, case: str, faces: str) -> str:
        """Return the tile with its article, in a case of the language: `the red 7`."""

    @abstractmethod
    def the_number(self, tile: Tile, faces: str) -> str:
        """Return the tile with its article and without its colour: `the 7`."""

    @abstractmethod
    def several(self, tile: Tile, times: int, case: str, faces: str) -> str:
        """Return several equal tiles, with article: `the two red 7s`, `2 jokers`."""

    @abstractmethod
    def many(self, tile: Tile, times: int, faces: str) -> str:
        """Return several equal tiles, without article: `3 red 7s`."""

    @abstractmethod
    def run(self, faces: Sequence[str], colour: Colour) -> str:
        """Return tiles of one colour, in the order in which they lie."""
