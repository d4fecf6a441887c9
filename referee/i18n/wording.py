"""Notices in words: a catalogue has the sentences, a grammar the names of tiles and colours in them."""

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
from referee.i18n.dates import written_moment
from referee.i18n.grammar import GRAMMARS
from referee.i18n.notices import NOTICES, SHORT

LANGUAGES = tuple(GRAMMARS)
"""The codes of all languages of the referee, English first."""
WORDS = "words"
"""The catalogue of nouns that are counted, and of other parts of sentences."""
_NOTHING = "\0"
"""Stands for an empty field until the sentence is complete."""
_WRITTEN = {"set", "short"}
"""The ways of naming tiles that are replaced by notation for operators."""
SHORT_ENOUGH = 60
"""The most characters that are spoken of a notice without a short form. Chosen by hand: about four seconds."""
SEE_PAGE = Notice("play.see_page")
"""What is spoken instead of a long notice that is not meant to be heard, such as a trouble of the broker."""
_SHORTLY = {"short": None, "first": 1}
"""How many of several notices are said, in their short forms."""
_BETWEEN = {"sentences": " ", "comma": ", ", "bars": " | "}


class Wording:
    """The sentences of one language.

    Its methods raise MissingCatalogue if a catalogue that they need was not compiled.

    `faces` is how the tiles in play are named: "numbers" or "cards". If `notation` is true, sets are written as
    `R7 B7 K7`, for operators.
    """

    def __init__(self, language: str = "en", faces: str = "numbers", *, notation: bool = False) -> None:
        """Raise KeyError if the language is not among LANGUAGES."""
        self.language, self.faces, self._notation = language, faces, notation
        self._grammar = GRAMMARS[language]
        self._formatter = _Formatter(self)

    def of_faces(self, faces: str) -> Wording:
        """Return the wording in the same language for tiles with other faces."""
        return Wording(self.language, faces, notation=self._notation)

    def __call__(self, told: Notice) -> str:
        """Return the notice in words; raises KeyError if its key or a field is not declared, or has no sentence."""
        return self._fill_in(self._long_entry(told), told)

    def _long_entry(self, told: Notice) -> str:
        by = NOTICES[told.key].by
        return self.entry(told.key, None if by is None else amount(dict(told.fields)[by]))

    def _fill_in(self, text: str, told: Notice) -> str:
        fields = dict(told.fields)
        # One of the blanks beside an empty field is removed with it.
        said = self._formatter.vformat(text, (), fields)
        return said.replace(f" {_NOTHING}", "").replace(f"{_NOTHING} ", "").replace(_NOTHING, "")

    def short(self, told: Notice) -> str:
        """Return a notice in a short form that can be spoken; the sentence itself if it has no short form.

        A long notice that players are not meant to hear is replaced by the advice to look at the page.
        """
        text = self._short_entry(told)
        if text is not None:
            return self._fill_in(text, told)
        text = self.sentence(told)
        return self(SEE_PAGE) if NOTICES[told.key].spoken is None and len(text) > SHORT_ENOUGH else text

    def is_fixed(self, told: Notice) -> bool:
        """Return whether `short()` returns the same text for every notice with this key."""
        return NOTICES[told.key].spoken is not None and _is_fixed(self._short_entry(told) or self._long_entry(told))

    def _short_entry(self, told: Notice) -> str | None:
        by, key = NOTICES[told.key].short_by, told.key + SHORT
        number = None if by is None else amount(dict(told.fields)[by])
        catalogue = _catalogue(self.language, key.partition(".")[0])
        text = key if number is None else catalogue.ngettext(key, key, abs(number))
        text = catalogue.gettext(key) if text == key else text  # a short form may do without a plural
        return None if text == key else text

    def sentence(self, told: Notice) -> str:
        """Return the notice as a sentence with a capital letter; a name at its beginning keeps its spelling."""
        text = self(told)
        names = [value for _, value in told.fields if isinstance(value, str)]
        return text if any(name and text.startswith(name) for name in names) else _capitalise(text, "cap")

    def all(self, told: Iterable[Notice]) -> str:
        """Return several notices as sentences, one after the other."""
        return " ".join(map(self, told))

    @property
    def colon(self) -> str:
        """The text between a heading and what follows it; in French there is a blank before the colon."""
        return self._grammar.colon

    def entry(self, key: str, number: int | None = None) -> str:
        """Return the catalogue's text for a key; `number`, whatever its sign, chooses between singular and plural."""
        catalogue = _catalogue(self.language, key.partition(".")[0])
        text = catalogue.gettext(key) if number is None else catalogue.ngettext(key, key, abs(number))
        if text == key:
            raise KeyError(f"{key} ({self.language})")
        return text

    def value(self, value: Value, how: str) -> str:
        """Return the value of a field in words; `how` is the part of the placeholder after the colon."""
        if isinstance(value, Notice):
            return self.short(value) if how == "short" else _capitalise(self(value), how)
        if isinstance(value, Tile | Colour) or (isinstance(value, tuple) and value and isinstance(value[0], Tile)):
            if how == "count" and isinstance(value, tuple):
                return str(len(value))
            if how.lower() in _WRITTEN and self._notation:
                return " ".join(map(str, value if isinstance(value, tuple) else (value,)))
            return self._grammar.name_value(cast("Tile | Colour | tuple[Tile, ...]", value), how, self.faces)
        if isinstance(value, tuple):
            return self._several(value, how)
        return self._text(value, how) if isinstance(value, str) else self._number(value, how)

    def _text(self, text: str, how: str) -> str:
        return written_moment(text, self.language) if how == "moment" else self._grammar.name(text, how)

    def _several(self, values: tuple[Value, ...], how: str) -> str:
        if how in _SHORTLY:
            return " ".join(self.value(value, "short") for value in values[: _SHORTLY[how]])
        parts = [self.value(value, "") for value in values]
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
    """Return the number that chooses a plural: the value itself if it is a number, or else its length."""
    if isinstance(value, tuple):
        return len(value)
    if not isinstance(value, int):
        raise TypeError(f"expected a number or several values to choose a plural by, got {value!r}")
    return value


def _capitalise(text: str, how: str) -> str:
    return text[:1].upper() + text[1:] if how == "cap" else text


def _is_fixed(text: str) -> bool:
    return all(name is None for _, name, _, _ in string.Formatter().parse(text))


class _Formatter(string.Formatter):
    """Formats named placeholders in which a word of the grammar follows a colon: ``{tiles:the}``, ``{left:tile}``."""

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
"""The wording for operators, whatever the language of the players."""


def error_text(error: BaseException) -> str:
    """Return the text of an error for operators, whether the error was made with a notice or with a text."""
    told = notice_of(error)
    return str(error) if told is None else ENGLISH(told)


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 tile``, ``3 tiles``; `plural` is that of a noun that takes more than an s."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def sendable(text: str) -> bytes:
    """Return the text as UTF-8, with a question mark for every lone surrogate."""
    return text.encode("utf-8", "replace")
