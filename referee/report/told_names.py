"""Names in the log that may be in no journal: of people who sat down before a match, or whom a hall has named.

They are found by the referee's own sentences about them, in every language. What a hall announces is not the
referee's own text at all.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from referee.game.notice import Notice
from referee.i18n.grammar import GRAMMARS
from referee.i18n.notices import NOTICES
from referee.i18n.numbered_players import MOST_SEATS
from referee.i18n.wording import LANGUAGES, Wording

NAMING = (
    "play.begins", "play.joins", "play.leaves", "play.begins_now", "play.joins_now", "play.leaves_now", "start.is_it",
    "start.is_it_held", "club.seated", "club.begun",
)  # fmt: skip
"""Sentences with names of players before a match begins; every later one is in the journal."""
NAMING_OTHERS = ("desk.comes_by_name",)
"""Sentences with names of people who do not play: whoever of a club comes to the table."""
ANNOUNCED = "club.announced"
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_BETWEEN = re.compile(rf",\s+|\s+(?:{'|'.join({one.and_ for one in GRAMMARS.values()} | {'ed'})})\s+")
"""What is between names in a row, in every language; Italian says *ed* before some of them."""


def names_in(lines: Iterable[str], keys: tuple[str, ...] = NAMING) -> Iterator[str]:
    """Yield the names in those lines that are one of these sentences, in any language."""
    patterns = _naming(keys)
    for line in lines:
        for pattern in patterns:
            if (match := pattern.fullmatch(line)) is not None:
                found = (name for group in match.groups() for name in _BETWEEN.split(group) if name)
                yield from (name for name in found if name not in _buttons())


def without_announcement(line: str) -> tuple[str, bool]:
    """Return a line, of an announcement only how it begins, and whether it is one."""
    for start in _announcing():
        if line.startswith(start):
            return start, True
    return line, False


@functools.cache
def _naming(keys: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    texts = dict.fromkeys(text for key in keys for text in _texts(key))
    return tuple(re.compile("(.+?)".join(map(re.escape, _PLACEHOLDER.split(text)))) for text in texts)


@functools.cache
def _announcing() -> tuple[str, ...]:
    return tuple(_PLACEHOLDER.split(text)[0].rstrip() for text in _texts(ANNOUNCED))


def _texts(key: str) -> Iterator[str]:
    for language in LANGUAGES:
        for number in (None,) if NOTICES[key].by is None else (1, 2):
            yield Wording(language).entry(key, number)


@functools.cache
def _buttons() -> frozenset[str]:
    """Return how those are called whose button has no name; these words tell nothing of anybody."""
    return frozenset(
        Wording(language)(Notice("play.button", number=seat))
        for language in LANGUAGES
        for seat in range(1, MOST_SEATS + 1)
    )
