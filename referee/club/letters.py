"""Which texts can be shown, letter by letter."""

from __future__ import annotations

import unicodedata

_JOINER = "\N{ZERO WIDTH JOINER}"
_NON_JOINER = "\N{ZERO WIDTH NON-JOINER}"
_VIRAMA = 9
"""Combining class of the signs after which scripts of India choose how letters are joined (RFC 5892, A.1, A.2)."""


def can_be_shown(text: str) -> bool:
    """Whether every letter of a text can be seen; of joiners, whether each joins something.

    Joiners that join nothing are refused: two names would look alike.
    """
    return all(letter.isprintable() or _joins(text, place) for place, letter in enumerate(text))


def _joins(text: str, place: int) -> bool:
    """Whether a joiner stands between two emoji, as in a family of several people, or after the sign of a virama."""
    if text[place] not in (_JOINER, _NON_JOINER) or not 0 < place < len(text) - 1:
        return False
    if unicodedata.combining(text[place - 1]) == _VIRAMA:
        return True
    before = text[:place].rstrip("\N{VARIATION SELECTOR-16}")
    return text[place] == _JOINER and _is_emoji(before[-1:]) and _is_emoji(text[place + 1])


def _is_emoji(letter: str) -> bool:
    """Whether a letter is a picture, or the colour of its skin."""
    return bool(letter) and (unicodedata.category(letter) == "So" or "\U0001f3fb" <= letter <= "\U0001f3ff")
