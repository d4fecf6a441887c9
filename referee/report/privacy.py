"""Removes everything private from a text: a word stays only if it is known to be harmless.

The names of players, and everything that people entered into the settings, are replaced first. Of what is left, only
the referee's own words, words of Python's error messages, small numbers and tiles in notation stay. So an address, a
PIN, the name of a network or of a machine need not be recognised: it is none of these.

Where the names of the players are not known, nothing is left of any text: they may be the referee's own words.
"""

from __future__ import annotations

import builtins
import itertools
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

GONE = "…"
"""Stands for everything that was removed."""
_MARK = 0xE000
"""The first of the private characters that stand for players while a text is searched."""
_MOST_PLAYERS = 6_000
_NOBODY = "\uf8ff"
"""Stands for a private text that is not the name of a player."""
_MODULE_MARK, _MOST_MODULES = 0xF780, 0x100
"""The first of the characters that stand for modules of ours, and how many of them one text may have."""
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:[.,]\d{1,2})?|0[.,]\d{3})(?:%|s|ms|mm|px|MB|°C|V)?")
"""A number in a text. Longer ones may be a PIN, also in groups of three digits, and several with dots an address."""
_GROUP = re.compile(r"\+?\d{1,3}")
_LARGEST_TILE = 13
"""Several numbers in a row are those of tiles if none is larger; others may be a PIN or the number of a telephone."""
_SEAT = re.compile(r"\d{1,2}")
"""What players without a name are called, and cameras on USB. It tells nothing, and most sentences have such a number.
"""
_TILE = re.compile(r"[RBKO](?:1[0-3]|[1-9])\??|\*\*\??")
_LETTERS = re.compile(r"[^\W\d_]+")
_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
_SOMEBODY = re.compile("[\ue000-\uf770\uf8ff]")
"""The marks of players and of other private texts."""
_UNITS = frozenset({"°C"})
"""Units after a blank whose letters are no word."""
_LONGEST_SIGN = 3
_JOINTS = frozenset("-_'\N{RIGHT SINGLE QUOTATION MARK}.:=")
"""What may join known words within one word, as in `camera.kind`."""
_MODULE = re.compile(r"\S*?/(referee/[a-z_/]+\.py)")
"""The path of a module of ours, in the report of an error; what is before it names folders of this machine."""
_FOUND = re.compile(r", found |\w(?:Error|Exception|Warning): ")
"""What is before the value in the message of an error."""
_QUOTED = re.compile(r"""(?<!\w)b?(?:'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?)""")
"""A value as Python shows it, also without its end. The apostrophe of *can't* begins none."""
_EDGES = "\"'‘’“”„«»‹›()[]{}<>,;:.!?*|=-–—`"  # noqa: RUF001 - as sentences have them
TECHNICAL = frozenset(
    """
    traceback most recent call last file line in module during handling of the above exception another occurred error
    warning info debug expected found got a an no not of at to is was be by with for and or true false none number text
    list table key value folder path name unknown more than less invalid argument connection refused reset timed out
    timeout closed broken pipe permission denied such directory device busy space left on input output memory process
    exited code status main failed with result signal started stopped scheduled restart job counter service referee
    python usr lib py opt systemd sudo apt install px mm ms mb gb s
    """.split()  # noqa: SIM905 - easier to read than a list
)
"""Words of error messages, and of systemd about the service."""


class Privacy:
    """Replaces names of players by `player 1` and so on, and leaves only known words."""

    def __init__(
        self, players: Iterable[str], private: Iterable[str], known: Collection[str], modules: Collection[str] = (),
        *, hides_all: bool = False,
    ) -> None:  # fmt: skip
        """Take the names and texts to be removed, and the words that may stay (in lower case).

        `players`: the names of players, in an order that is kept for all texts.
        `private`: texts that people entered, such as the name of a network; nothing is left of them.
        `known`: the words that may stay, as far as they are not among those.
        `modules`: the modules of this program, such as `referee/api.py`, which may stay as well.
        `hides_all`: leave nothing of any text, because there are players whose names are not known.
        """
        self.players: Mapping[str, str] = {
            name: f"player {number}" for number, name in enumerate(dict.fromkeys(filter(None, players)), 1)
        }
        marks: dict[str, str] = {}
        for text in private:
            marks |= dict.fromkeys(_spellings(text), _NOBODY)
        for number, name in enumerate(list(self.players)[:_MOST_PLAYERS]):
            told = _spellings(name)
            told |= {f"{spelling}s" for spelling in told}  # the genitive of German, which may be a word of ours
            marks |= dict.fromkeys(told, chr(_MARK + number))
        self._marks = {spelling.casefold(): mark for spelling, mark in marks.items()}
        ordered = sorted(marks, key=len, reverse=True)
        inner = "|".join(map(re.escape, ordered))
        self._search = re.compile(rf"(?<!\w)(?:{inner})(?!\w)", re.IGNORECASE) if ordered else None
        self._modules = frozenset(modules)
        self._hides_all = hides_all
        self._known = frozenset(known) | TECHNICAL | {name.casefold() for name in dir(builtins)}

    def clean(self, text: str) -> str:
        """Return a text without anything private, on one line."""
        if self._hides_all:
            return GONE if text.strip() else ""
        modules: list[str] = []

        def mark_module(match: re.Match[str]) -> str:
            """Return what no name can be found in, because a module may be called like a player."""
            if match[1] not in self._modules or len(modules) == _MOST_MODULES:
                return match[1]
            modules.append(match[1])
            return chr(_MODULE_MARK + len(modules) - 1)

        text = _MODULE.sub(mark_module, _PRIVATE_USE.sub(" ", unicodedata.normalize("NFC", text)))
        text = _without_quoted(text)
        if self._search is not None:
            text = self._search.sub(lambda match: self._marks.get(match[0].casefold(), _NOBODY), text)
        words: list[str] = []
        for word in _without_groups([self._word(word) for word in text.split()]):
            if word != GONE or words[-1:] != [GONE]:
                words.append(word)
        return " ".join(words).translate({_MODULE_MARK + at: module for at, module in enumerate(modules)})

    def clean_json(self, value: Any) -> Any:
        """Return a JSON value whose texts and keys are clean; numbers, true, false and null stay as they are."""
        if isinstance(value, Mapping):
            return {self.clean(str(key)): self.clean_json(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.clean_json(item) for item in value]
        return value if value is None or isinstance(value, bool | int | float) else self.clean(str(value))

    def _word(self, word: str) -> str:
        """Return one word if it may stay, with the signs around it; of a word with a player's name only `player 1`."""
        marks = _SOMEBODY.findall(word)
        if _NOBODY in marks:
            return GONE
        pieces = [self._piece(piece) for piece in _SOMEBODY.split(word)]
        players = [f"player {ord(mark) - _MARK + 1}" for mark in marks]
        if GONE in pieces:
            return " ".join(players) or GONE
        return "".join(piece + player for piece, player in zip(pieces, (*players, ""), strict=True))

    def _piece(self, piece: str) -> str:
        core = piece.strip(_EDGES)
        if not core:
            return piece if len(piece) <= _LONGEST_SIGN else GONE
        return piece if self._is_known(core) else GONE

    def _is_known(self, core: str) -> bool:
        if (
            _PRIVATE_USE.fullmatch(core)
            or core in self._modules
            or core in _UNITS
            or _NUMBER.fullmatch(core)
            or _TILE.fullmatch(core)
        ):
            return True
        letters, signs = _LETTERS.findall(core), _LETTERS.sub("", core)
        return bool(letters) and set(signs) <= _JOINTS and all(part.casefold() in self._known for part in letters)


def _without_quoted(text: str) -> str:
    """Return a text without the values that an error message quotes: settings that cannot be read may have names."""
    found = _FOUND.search(text)
    return text if found is None else text[: found.end()] + _QUOTED.sub(GONE, text[found.end() :])


def _without_groups(words: Sequence[str]) -> Iterator[str]:
    """Yield words; of several bare numbers in a row, unless they are those of tiles, nothing is left."""
    for is_number, group in itertools.groupby(words, _is_bare_number):
        found = list(group)
        yield from [GONE] if is_number and len(found) > 1 and not all(map(_is_of_tile, found)) else found


def _is_bare_number(word: str) -> bool:
    return _GROUP.fullmatch(word.strip(_EDGES)) is not None


def _is_of_tile(word: str) -> bool:
    number = word.strip(_EDGES)
    return number[0] not in "+0" and int(number) <= _LARGEST_TILE


def _spellings(text: str) -> set[str]:
    """Return the ways in which a text may appear, as it is, as a plain console shows it, and each word alone.

    Numbers of one or two digits are left out.
    """
    composed = unicodedata.normalize("NFC", text)
    bare = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    ways = {composed, bare, *composed.split(), *bare.split()}
    ways |= {way.casefold() for way in ways}  # WEISS is Weiß
    return {stripped for way in ways if (stripped := way.strip()) and not _SEAT.fullmatch(stripped)}
