"""Checks whether a text can be shown, character by character."""

from __future__ import annotations

import unicodedata

_JOINER = "\N{ZERO WIDTH JOINER}"
_NON_JOINER = "\N{ZERO WIDTH NON-JOINER}"
_VIRAMA = 9
"""Combining class of viramas. After one, a joiner controls how Indic letters are joined (RFC 5892, A.1, A.2)."""


def can_be_shown(text: str) -> bool:
    """Return whether every character of a text is visible, or is a joiner that joins something.

    Any other joiner is invisible and would make two different names look the same.
    """
    return all(letter.isprintable() or _joins(text, place) for place, letter in enumerate(text))


def _joins(text: str, place: int) -> bool:
    """Return whether the character is a joiner between two emoji (as in a family emoji) or one after a virama."""
    if text[place] not in (_JOINER, _NON_JOINER) or not 0 < place < len(text) - 1:
        return False
    if unicodedata.combining(text[place - 1]) == _VIRAMA:
        return True
    before = text[:place].rstrip("\N{VARIATION SELECTOR-16}")
    return text[place] == _JOINER and _is_emoji(before[-1:]) and _is_emoji(text[place + 1])


def _is_emoji(letter: str) -> bool:
    """Return whether a character is an emoji or a skin tone modifier."""
    return bool(letter) and (unicodedata.category(letter) == "So" or "\U0001f3fb" <= letter <= "\U0001f3ff")
