"""The glyphs printed on tiles, and which of them one box uses for its numbers.

`11`, `J`, `B` and `V` are four glyphs of one number. A box prints one of them: that is its *face style*.

So the numbers of a whole table are read together: clear tiles show the style, and so help to read the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.game.tiles import HIGHEST
from referee.vision.sighting import Floats

NUMERALS = tuple(str(n) for n in range(1, HIGHEST + 1))
LETTERS = {"A": 1, "J": 11, "B": 11, "V": 11, "Q": 12, "D": 12, "K": 13, "R": 13}
GLYPHS = (*NUMERALS, *LETTERS)
NUMBERS = tuple(LETTERS.get(glyph) or int(glyph) for glyph in GLYPHS)
"""The number that each glyph stands for."""

INVERTED = len(GLYPHS)
"""Kinds below this are upright glyphs; the same number of kinds from here on are the glyphs upside down."""
JOKER_KIND, BACK_KIND, NONE_KIND = 2 * INVERTED, 2 * INVERTED + 1, 2 * INVERTED + 2
KINDS = NONE_KIND + 1

SUITS = ("none", "heart", "diamond", "spade", "club")
"""The marks beside a number in boxes of cards; `none` is for a tile without a mark."""
JOKER, BACK, NONE = 2 * HIGHEST, 2 * HIGHEST + 1, 2 * HIGHEST + 2
"""Faces 0-12 are the numbers 1-13 upright, 13-25 the same upside down, and then come these."""
FACES = NONE + 1
ODD_TILE = 0.02
"""Any tile may be misread, so none speaks against a style more strongly than with this chance."""
ODD_PRINT = 0.01
"""If a glyph is not printed in the box, this part of its chance goes to no number at all."""
PRINTED = 0.3
"""The part by which the chance of a glyph that is not printed in the box speaks against a back: something is printed.
On a wooden table (../shared/boxes, b57-t02) an 11 that was outlined askew was taken for an A, and then for a back."""
_PLAIN, _CARDS = 0.97, 0.75
"""The chance that a box of numbers prints plain numbers, and a box of cards letters, before anything is read."""
_BARE = (JOKER_KIND, BACK_KIND, NONE_KIND)


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """The glyphs of one box: `glyphs[n - 1]` is the index of the glyph of number n."""

    name: str
    glyphs: tuple[int, ...]
    cards: bool
    """Whether the style has letters, as on cards."""


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
"""All styles: plain numbers, or English, German and French court cards, with an ace or a one."""


def usual_styles(*, cards: bool) -> Floats:
    """Return how likely each style is in a box of numbers or of cards, (len(STYLES),)."""
    lettered = np.asarray([style.cards for style in STYLES])
    share = _CARDS if cards else 1 - _PLAIN
    return np.asarray(np.where(lettered, share / lettered.sum(), (1 - share) / (~lettered).sum()), np.float32)


def style_chances(kinds: Floats, before: Floats) -> Floats:
    """Return how likely each style is after n crops with `kinds` (n, KINDS); `before` (len(STYLES),) is the prior."""
    fits = np.stack([_faces_of_style(kinds, i).sum(axis=1) for i in range(len(STYLES))], axis=1)
    logs = np.log(np.maximum(before, 1e-12)) + np.log(ODD_TILE + (1 - ODD_TILE) * fits).sum(axis=0)
    powers = np.exp(logs - logs.max())
    return np.asarray(powers / powers.sum(), np.float32)


def faces_of(kinds: Floats, styles: Floats, *, jokers: bool = True) -> Floats:
    """Return the chances of all faces, (n, FACES), from the chances of kinds (n, KINDS) and of each style.

    A glyph that no likely style prints leaves doubt: part of its chance goes to no face. It also shows that there is
    no back.
    """
    faces = np.zeros((len(kinds), FACES), np.float32)
    for i, chance in enumerate(styles):
        if chance < 1e-6:
            continue
        inside = _faces_of_style(kinds, i)
        if not jokers:
            inside[:, JOKER] = 0
        total = inside.sum(axis=1, keepdims=True)
        inside[:, :BACK] /= np.maximum(total + ODD_PRINT * (1 - total), 1e-6)
        inside[:, BACK:] /= np.maximum(total + PRINTED * (1 - total), 1e-6)
        faces += np.float32(chance) * inside
    return faces


def _faces_of_style(kinds: Floats, style: int) -> Floats:
    """Return the chances of kinds (n, KINDS) as faces (n, FACES), counting only glyphs of this style."""
    glyphs = np.asarray(STYLES[style].glyphs)
    columns = np.concatenate([glyphs, glyphs + INVERTED, _BARE])
    return np.asarray(kinds[:, columns], np.float32)
