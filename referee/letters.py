"""Letters as people see them: which can be shown, and how many there are. An emoji may be many characters."""

from __future__ import annotations

import re
import unicodedata

NAME_LETTERS = 40
"""The most letters of a name, as people count them. So many fit on every page and sheet."""
NAME_CHARACTERS = 64
"""The most characters of a name, however few letters they make: a single letter may carry any number of marks."""

_JOINER = "\N{ZERO WIDTH JOINER}"
_NON_JOINER = "\N{ZERO WIDTH NON-JOINER}"
_VIRAMA = 9
"""Combining class of viramas. After one, a joiner controls how Indic letters are joined (RFC 5892, A.1, A.2)."""
_TAGGED_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f")
"""The flag of a part of a country, such as Scotland: a black flag, and the invisible letters of its code."""
_ARROWS = "\N{LEFT RIGHT ARROW}\N{UP DOWN ARROW}"
"""Arrows that are part of emoji, such as the head that is shaken; Unicode counts one of them as mathematics."""


def can_be_shown(text: str) -> bool:
    """Return whether every character of a text is visible, or joins characters that are.

    Any other joiner is invisible and would make two different names look the same.
    """
    return shown(text) == text


def shown(text: str) -> str:
    """Return a text without its invisible characters, such as line ends and those that turn the direction of writing.

    What joins the parts of an emoji stays: without it a family would fall apart.
    """
    flags = {place for flag in _TAGGED_FLAG.finditer(text) for place in range(*flag.span())}
    return "".join(
        letter
        for place, letter in enumerate(text)
        if letter.isprintable() or place in flags or _is_joining(text, place)
    )


def count_letters(text: str) -> int:
    """Return how many letters people see in a text: an emoji of several characters is one, and so is é.

    These are the grapheme clusters of Unicode (UAX 29), without the conjuncts of Indic scripts, which count as two.
    """
    count, flags, before = 0, 0, ""
    for letter in text:
        flags = flags + 1 if _is_flag_letter(letter) else 0
        joined = before == _JOINER and _is_emoji(letter)
        if not before or not (_continues(letter) or joined or (flags % 2 == 0 and flags)):
            count += 1
        before = letter
    return count


def is_too_long(name: str) -> bool:
    """Return whether a name has more letters, or more characters, than a name may have."""
    return count_letters(name) > NAME_LETTERS or len(name) > NAME_CHARACTERS


def alphabetical(name: str) -> tuple[str, str]:
    """Return a key for sorting names as people look them up: Änne beside Anne, and capitals like small letters."""
    letters = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), name


def _is_joining(text: str, place: int) -> bool:
    """Return whether the character is a joiner between two emoji (as in a family emoji) or one after a virama."""
    if text[place] not in (_JOINER, _NON_JOINER) or not 0 < place < len(text) - 1:
        return False
    if unicodedata.combining(text[place - 1]) == _VIRAMA:
        return text[place + 1].isalpha()
    before = text[:place].rstrip("\N{VARIATION SELECTOR-16}")
    return text[place] == _JOINER and _is_emoji(before[-1:]) and _is_emoji(text[place + 1])


def _is_emoji(letter: str) -> bool:
    """Return whether a character is an emoji or a skin tone modifier."""
    return bool(letter) and (unicodedata.category(letter) == "So" or letter in _ARROWS or _is_skin_tone(letter))


def _is_skin_tone(letter: str) -> bool:
    return "\U0001f3fb" <= letter <= "\U0001f3ff"


def _is_flag_letter(letter: str) -> bool:
    """Return whether it is one of the letters of which two make the flag of a country."""
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _continues(letter: str) -> bool:
    """Return whether a character belongs to the letter before it."""
    marks = unicodedata.category(letter)[0] == "M" or letter in (_JOINER, _NON_JOINER)
    tags = "\U000e0020" <= letter <= "\U000e007f"
    hangul = "\u1160" <= letter <= "\u11ff"  # vowels and final consonants of a syllable
    return marks or tags or hangul or _is_skin_tone(letter)
