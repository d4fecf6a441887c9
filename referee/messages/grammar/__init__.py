"""How each language names tiles, sets and places, and joins several of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from referee.game.tiles import Colour, Tile
from referee.messages.grammar.english import English


class Grammar(Protocol):
    """One language; `how` is what stands behind the colon of a placeholder."""

    def named(self, value: Tile | Colour | tuple[Tile, ...], how: str, faces: str) -> str:
        """Tiles or a colour in words; `faces`: by numbers, or as cards."""

    def joined(self, parts: Sequence[str], *, either: bool = False) -> str:
        """The parts with commas, and *and* before the last, or *or* if it is `either` of them."""

    def number(self, text: str) -> str:
        """A number as it is written in this language, from how it is written in English."""


GRAMMARS: Mapping[str, Grammar] = {"en": English()}
