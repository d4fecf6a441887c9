"""The words that the referee itself uses, in all languages: what they do not cover, somebody else has written."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from referee.game.tiles import TILE_SETS
from referee.i18n.notices import NOTICES
from referee.i18n.wording import LANGUAGES, Wording

WORD = re.compile(r"[^\W\d_]+")
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_NAMED = ("", "the")
"""The ways of naming tiles whose words are collected; the others differ only in articles."""


@functools.cache
def vocabulary() -> frozenset[str]:
    """Return all words of all sentences and of the names of tiles, in every language, in lower case."""
    return frozenset(word.casefold() for text in _texts() for word in WORD.findall(_PLACEHOLDER.sub(" ", text)))


def _texts() -> Iterator[str]:
    for language in LANGUAGES:
        words = Wording(language)
        for key, notice in NOTICES.items():
            yield from (words.entry(key, number) for number in ((None,) if notice.by is None else (1, 2)))
        for box in TILE_SETS.values():
            named = words.of_faces(box.faces)
            yield from (named.value(tile, how) for tile in dict.fromkeys(box.inventory()) for how in _NAMED)
