"""English: ``the red 7``, ``2 jokers and the blue 9``, ``the black king``."""

from __future__ import annotations

from collections.abc import Sequence

from referee.game.tiles import Colour, Tile
from referee.i18n.grammar.base import CARDS, Language


class English(Language):
    """English has no cases."""

    def colour(self, colour: Colour, how: str) -> str:  # noqa: ARG002
        """Return the colour's name, the same in all uses."""
        return colour.value

    def face(self, tile: Tile, faces: str) -> str:
        """Return a number, a card's name, or joker."""
        if tile.is_joker:
            return "joker"
        return CARDS.get(tile.number, str(tile.number)) if faces == "cards" else str(tile.number)

    def bare(self, tile: Tile, faces: str) -> str:
        """`red 7`."""
        return self.face(tile, faces) if tile.colour is None else f"{tile.colour} {self.face(tile, faces)}"

    def the(self, tile: Tile, case: str, faces: str) -> str:  # noqa: ARG002
        """`the red 7`."""
        return f"the {self.bare(tile, faces)}"

    def the_number(self, tile: Tile, faces: str) -> str:
        """`the 7`."""
        return f"the {self.face(tile, faces)}"

    def several(self, tile: Tile, times: int, case: str, faces: str) -> str:  # noqa: ARG002
        """`the two red 7s`, `the 3 red 7s`; jokers are only counted, because a box may have more of them."""
        if tile.is_joker:
            return f"{times} jokers"
        return f"the {'two' if times == 2 else times} {self.bare(tile, faces)}s"

    def many(self, tile: Tile, times: int, faces: str) -> str:
        """`3 red 7s`."""
        return f"{times} {self.bare(tile, faces)}{'s' * (times != 1)}"

    def run(self, faces: Sequence[str], colour: Colour) -> str:
        """`red 5 6 7`."""
        return f"{colour} {' '.join(faces)}"
