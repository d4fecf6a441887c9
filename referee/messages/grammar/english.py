"""English: ``the red 7``, ``2 jokers and the blue 9``, ``the black king``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from referee.game.tiles import Colour, Tile
from referee.messages.grammar.sets import Shown, shown

_CARDS = {1: "ace", 11: "jack", 12: "queen", 13: "king"}


class English:
    """Words behind the colon: bare, the, The, the_or, the_number, many, list, set, numbers_or, colours_or."""

    def named(self, value: Tile | Colour | tuple[Tile, ...], how: str, faces: str) -> str:
        """A tile, several, or a colour."""
        if isinstance(value, Colour):
            return value.value
        tiles = value if isinstance(value, tuple) else (value,)
        if how == "set":
            return self._set(shown(tiles), faces)
        if how in _EITHER:
            return self.joined([_EITHER[how](tile, faces) for tile in tiles], either=True)
        if how in _PLAIN:
            return ", ".join(_PLAIN[how](tile, faces) for tile in tiles)
        if how == "many":
            return f"{len(tiles)} {_bare(tiles[0], faces)}{'s' * (len(tiles) != 1)}"
        text = self.joined([_times(tile, times, faces) for tile, times in Counter(tiles).items()])
        return text[0].upper() + text[1:] if how == "The" else text

    def joined(self, parts: Sequence[str], *, either: bool = False) -> str:
        """With commas, and a word before the last."""
        word = "or" if either else "and"
        return f" {word} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))

    def number(self, text: str) -> str:
        """As it is."""
        return text

    def _set(self, row: Shown, faces: str) -> str:
        if row.colour is not None:
            return f"{row.colour} {' '.join(_number(tile, faces) for tile in row.tiles)}"
        if row.number is not None:
            colours = " ".join("joker" if tile.is_joker else str(tile.colour) for tile in row.tiles)
            return f"{_number(row.number, faces)} in {colours}"
        return ", ".join(_bare(tile, faces) for tile in row.tiles)


def _number(tile: Tile, faces: str) -> str:
    if tile.is_joker:
        return "joker"
    return _CARDS.get(tile.number, str(tile.number)) if faces == "cards" else str(tile.number)


def _bare(tile: Tile, faces: str) -> str:
    return "joker" if tile.colour is None else f"{tile.colour} {_number(tile, faces)}"


def _times(tile: Tile, times: int, faces: str) -> str:
    if times == 1:
        return f"the {_bare(tile, faces)}"
    return f"{times} jokers" if tile.is_joker else f"{times} times the {_bare(tile, faces)}"


_Named = Callable[[Tile, str], str]
_EITHER: Mapping[str, _Named] = {
    "the_or": lambda tile, faces: f"the {_bare(tile, faces)}",
    "numbers_or": _number,
    "colours_or": lambda tile, _: str(tile.colour),
}
_PLAIN: Mapping[str, _Named] = {
    "bare": _bare,
    "short": _bare,
    "list": _bare,
    "the_number": lambda tile, faces: f"the {_number(tile, faces)}",
}
