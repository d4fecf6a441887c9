"""The signs printed on tiles, and which of them one box uses for its numbers.

`11`, `J`, `B` and `V` are four glyphs of one number. A box prints one of them: that is its *face style*.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.tiles import HIGHEST

NUMERALS = tuple(str(n) for n in range(1, HIGHEST + 1))
LETTERS = {"A": 1, "J": 11, "B": 11, "V": 11, "Q": 12, "D": 12, "K": 13, "R": 13}
GLYPHS = (*NUMERALS, *LETTERS)
NUMBERS = tuple(LETTERS.get(glyph) or int(glyph) for glyph in GLYPHS)
"""The number that each glyph stands for."""

INVERTED = len(GLYPHS)
"""Kinds of the reader below this are upright glyphs; from here on come the same number of upside-down ones."""
JOKER_KIND, BACK_KIND, NONE_KIND = 2 * INVERTED, 2 * INVERTED + 1, 2 * INVERTED + 2
KINDS = NONE_KIND + 1

SUITS = ("none", "heart", "diamond", "spade", "club")
"""The marks beside a number in boxes of cards; the first one stands for a tile without a mark."""


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """What one box prints for each number: `glyphs[n - 1]` is the index of number n's glyph."""

    name: str
    glyphs: tuple[int, ...]
    cards: bool
    """Whether this is how cards are marked."""


def _style(name: str, signs: dict[int, str]) -> FaceStyle:
    chosen = tuple(GLYPHS.index(signs.get(n, str(n))) for n in range(1, HIGHEST + 1))
    return FaceStyle(name, chosen, bool(signs))


STYLES = (
    _style("numbers", {}),
    *(
        _style(
            "".join(([] if ace == "1" else [ace]) + list(court)), {1: ace, 11: court[0], 12: court[1], 13: court[2]}
        )
        for court in ("JQK", "BDK", "VDR")
        for ace in ("A", "1")
    ),
)
"""The styles in use: plain numbers, or English, German and French court cards, with an ace or a one."""
