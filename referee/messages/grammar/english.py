"""English: ``the red 7``, ``2 jokers and the blue 9``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.game.notation import format_set
from referee.game.tiles import Colour, Tile


class English:
    """Words behind the colon: bare, the, The, many, set, colour."""

    def named(self, value: Tile | Colour | tuple[Tile, ...], how: str, faces: str) -> str:  # noqa: ARG002
        """A tile, several, or a colour."""
        if isinstance(value, Colour):
            return value.value
        tiles = value if isinstance(value, tuple) else (value,)
        if how == "set":
            return format_set(tiles)
        if how == "bare":
            return " ".join(map(_bare, tiles))
        if how == "many":
            return f"{len(tiles)} {_bare(tiles[0])}{'s' * (len(tiles) != 1)}"
        text = self.joined([_times(tile, times) for tile, times in Counter(tiles).items()], "and")
        return text[0].upper() + text[1:] if how == "The" else text

    def joined(self, parts: Sequence[str], word: str) -> str:
        """With commas, and a word before the last."""
        return f" {word} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))

    def number(self, text: str) -> str:
        """As it is."""
        return text


def _bare(tile: Tile) -> str:
    return tile.name.replace("-", " ")


def _times(tile: Tile, times: int) -> str:
    if times == 1:
        return f"the {_bare(tile)}"
    return f"{times} jokers" if tile.is_joker else f"{times} times the {_bare(tile)}"
