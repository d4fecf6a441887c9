"""Notices in words: a catalogue gives the sentence, a grammar the names in it."""

from __future__ import annotations

import functools
import gettext
import string
from collections.abc import Iterable
from importlib import resources
from typing import Any, cast

from referee.errors import MissingCatalogue
from referee.game.notice import Notice, Value, notice_of
from referee.game.tiles import Colour, Tile
from referee.i18n.grammar import GRAMMARS
from referee.i18n.notices import NOTICES

LANGUAGES = tuple(GRAMMARS)
"""Codes of the languages that the referee speaks; English first."""
WORDS = "words"
"""The catalogue of nouns that are counted and of other pieces of sentences."""
_NOTHING = "\0"
"""Stands for a field without anything in it, until the sentence is put together."""
_WRITTEN = {"set", "short"}
"""Tiles that operators read in notation."""
_BETWEEN = {"sentences": " ", "comma": ", ", "bars": " | "}


class Wording:
    """The sentences of one language.

    Its methods raise MissingCatalogue where a catalogue that they need was not compiled.

    `faces` tells how the tiles in play are called: by numbers, or as cards. With `notation` sets are written as
    `R7 B7 K7`, for operators.
    """

    def __init__(self, language: str = "en", faces: str = "numbers", *, notation: bool = False) -> None:
        """Raises KeyError for a language that is not among LANGUAGES."""
        self.language, self.faces, self._notation = language, faces, notation
        self._grammar = GRAMMARS[language]
        self._formatter = _Formatter(self)

    def of_faces(self, faces: str) -> Wording:
        """Return the wording in the same language for tiles with other faces."""
        return Wording(self.language, faces, notation=self._notation)

    def __call__(self, told: Notice) -> str:
        """The notice in words; raises KeyError where its key or a field is not declared, or no sentence is there."""
        fields = dict(told.fields)
        by = NOTICES[told.key].by
        text = self.entry(told.key, None if by is None else amount(fields[by]))
        # A field without anything in it takes one of the blanks beside it along.
        said = self._formatter.vformat(text, (), fields)
        return said.replace(f" {_NOTHING}", "").replace(f"{_NOTHING} ", "").replace(_NOTHING, "")

    def sentence(self, told: Notice) -> str:
        """The notice with a capital, as a sentence by itself; a name that begins it stays as it is written."""
        text = self(told)
        names = [value for _, value in told.fields if isinstance(value, str)]
        return text if any(name and text.startswith(name) for name in names) else _capitalise(text, "cap")

    def all(self, told: Iterable[Notice]) -> str:
        """Several sentences, one after the other."""
        return " ".join(map(self, told))

    @property
    def colon(self) -> str:
        """What stands between a heading and what it announces; French has a blank before it."""
        return self._grammar.colon

    def entry(self, key: str, number: int | None = None) -> str:
        """What the catalogue says for a key; `number` chooses between singular and plural, whatever its sign."""
        catalogue = _catalogue(self.language, key.partition(".")[0])
        text = catalogue.gettext(key) if number is None else catalogue.ngettext(key, key, abs(number))
        if text == key:
            raise KeyError(f"{key} ({self.language})")
        return text

    def value(self, value: Value, how: str) -> str:
        """A field in words; `how` is what stands behind the colon in the sentence."""
        if isinstance(value, Notice):
            return _capitalise(self(value), how)
        if isinstance(value, Tile | Colour) or (isinstance(value, tuple) and value and isinstance(value[0], Tile)):
            if how.lower() in _WRITTEN and self._notation:
                return " ".join(map(str, value if isinstance(value, tuple) else (value,)))
            return self._grammar.name_value(cast("Tile | Colour | tuple[Tile, ...]", value), how, self.faces)
        if isinstance(value, tuple):
            return self._several([self.value(one, "") for one in value], how)
        return value if isinstance(value, str) else self._number(value, how)

    def _several(self, parts: list[str], how: str) -> str:
        if how in _BETWEEN:
            return _BETWEEN[how].join(parts)
        if how == "semicolon":
            return self._grammar.semicolon.join(parts)
        return self._grammar.join_parts(parts, either=how == "or")

    def _number(self, value: float, how: str) -> str:
        if how.isalpha() or "_" in how:
            return self.entry(f"{WORDS}.{how}", int(value)).format(n=value)
        return self._grammar.number(format(value, how) if how != "+" else f"{value:+d}" if value else "0")


def amount(value: Value) -> int:
    """How many a field speaks of: a number, or as many as there are in it."""
    if isinstance(value, tuple):
        return len(value)
    if not isinstance(value, int):
        raise TypeError(f"expected a number or several values to choose a plural by, got {value!r}")
    return value


def _capitalise(text: str, how: str) -> str:
    return text[:1].upper() + text[1:] if how == "cap" else text


class _Formatter(string.Formatter):
    """Named placeholders, whose part behind the colon is a word of the grammar: ``{tiles:the}``, ``{left:tile}``."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording

    def format_field(self, value: Any, format_spec: str) -> str:
        return self._wording.value(value, format_spec) or _NOTHING


@functools.cache
def _catalogue(language: str, domain: str) -> gettext.NullTranslations:
    folder = resources.files("referee.i18n") / "locale"
    with resources.as_file(folder) as path:
        try:
            return gettext.translation(domain, path, [language])
        except FileNotFoundError:
            missing = path / language / "LC_MESSAGES" / f"{domain}.mo"
            raise MissingCatalogue(
                f"expected compiled sentences in {missing}, found no such file: run `make messages`"
            ) from None


ENGLISH = Wording("en", notation=True)
"""What operators read, whatever the players' language."""


def error_text(error: BaseException) -> str:
    """What operators read of an error, be it made with a notice or with a text."""
    told = notice_of(error)
    return str(error) if told is None else ENGLISH(told)


def count(number: int, noun: str) -> str:
    """A number with its noun: ``1 tile``, ``3 tiles``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def sendable(text: str) -> bytes:
    """The text as UTF-8, with a question mark for every half of a character."""
    return text.encode("utf-8", "replace")
