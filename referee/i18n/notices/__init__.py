"""All notices: their keys, and the kinds of their fields.

They are declared in one TOML file for each domain. The domain is the first part of a key, and the name of the
catalogue. In `judge.toml`, ``tile_vanished = { by = "tiles", tiles = "tiles" }`` declares ``judge.tile_vanished`` with
one field, whose number chooses between singular and plural.

``spoken = "fault"`` says that players hear the notice during a game, and what kind of message it is. The catalogues
may have a short form of it, for a voice: the entry ``KEY!short``.
"""

from __future__ import annotations

import enum
import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources

from referee.game.notice import Notice, Value
from referee.game.tiles import Colour, Tile

__all__ = ["DOMAINS", "NOTICES", "SHORT", "Kind", "NoticeType", "Speech"]

SHORT = "!short"
"""What follows the key of a notice in the key of its short form."""


class Kind(enum.Enum):
    """The kind of a field's value."""

    TILE = "tile"
    TILES = "tiles"
    """Several tiles, in any order."""
    SET = "set"
    """The tiles of one set, in the order in which they lie."""
    COLOUR = "colour"
    NUMBER = "number"
    AMOUNT = "amount"
    """A measured number, not a count."""
    NAME = "name"
    """The name of a player, a file or a setting, which is shown unchanged."""
    NAMES = "names"
    NOTICE = "notice"
    NOTICES = "notices"

    def accepts(self, value: Value) -> bool:
        """Return whether a value is of this kind."""
        if self in _SEVERAL:
            return isinstance(value, tuple) and all(isinstance(one, _SEVERAL[self]) for one in value)
        return isinstance(value, _ONE[self]) and not isinstance(value, bool)


_ONE: Mapping[Kind, type | tuple[type, ...]] = {
    Kind.TILE: Tile,
    Kind.COLOUR: Colour,
    Kind.NUMBER: int,
    Kind.AMOUNT: (int, float),
    Kind.NAME: str,
    Kind.NOTICE: Notice,
}
_SEVERAL: Mapping[Kind, type] = {Kind.TILES: Tile, Kind.SET: Tile, Kind.NAMES: str, Kind.NOTICES: Notice}


class Speech(enum.Enum):
    """What kind of message a spoken notice is."""

    FAULT = "fault"
    """What is wrong with a turn."""
    STEP = "step"
    """What must be put right."""
    VERDICT = "verdict"
    """What was decided: a turn, points, the end of a round."""
    QUESTION = "question"
    """What the referee asks."""
    TURN = "turn"
    """Who does something next."""
    CLOCK = "clock"
    """How much time is left."""
    NEWS = "news"
    """Everything else."""


@dataclass(frozen=True, slots=True)
class NoticeType:
    """The fields of a notice; `by` names the field whose number chooses between singular and plural.

    `spoken` is None for a notice that players only read.
    """

    fields: Mapping[str, Kind]
    by: str | None = None
    spoken: Speech | None = None

    @property
    def short_by(self) -> str | None:
        """The field whose number chooses between singular and plural in the short form: `by`, or several tiles."""
        several = (name for name, kind in self.fields.items() if kind is Kind.TILES)
        return self.by or next(several, None)


_NAME = re.compile(r"[a-z][a-z0-9_]*")
_BY = "by"
"""Not a field: the key that names the field whose number chooses between singular and plural."""
_SPOKEN = "spoken"
"""Not a field: the key that says what kind of message the notice is, if players hear it."""


def parse_notices(domain: str, text: str) -> Mapping[str, NoticeType]:
    """Return the notices that a file declares, by full key such as ``judge.not_a_set``.

    Raises ValueError for an invalid declaration, with the file, the key and what was expected.
    """
    try:
        entries = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{domain}.toml: expected TOML: {error}") from error
    return {f"{domain}.{key}": _notice_type(f"{domain}.toml: {key}", key, entry) for key, entry in entries.items()}


def _notice_type(where: str, key: str, entry: object) -> NoticeType:
    _check_name(where, key)
    if not isinstance(entry, dict):
        raise ValueError(f'{where}: expected fields with their kinds, such as {{ tile = "tile" }}, found {entry!r}')
    kinds = {name: kind for name, kind in entry.items() if name not in (_BY, _SPOKEN)}
    fields = {name: _kind(f"{where}: {name}", name, kind) for name, kind in kinds.items()}
    if _BY in entry and (not isinstance(entry[_BY], str) or entry[_BY] not in fields):
        expected = " or ".join(fields) or "no `by`, for there is no field"
        raise ValueError(f"{where}: {_BY}: expected {expected}, found {entry[_BY]!r}")
    return NoticeType(fields, entry.get(_BY), _speech(f"{where}: {_SPOKEN}", entry.get(_SPOKEN)))


def _speech(where: str, found: object) -> Speech | None:
    if found is not None and (not isinstance(found, str) or found not in _SPEECHES):
        raise ValueError(f"{where}: expected a kind of message ({', '.join(_SPEECHES)}), found {found!r}")
    return None if found is None else _SPEECHES[str(found)]


def _kind(where: str, name: str, kind: object) -> Kind:
    _check_name(where, name)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"{where}: expected a kind ({', '.join(_KINDS)}), found {kind!r}")
    return _KINDS[kind]


def _check_name(where: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{where}: expected small letters, digits and underscores, found {name!r}")


_KINDS: Mapping[str, Kind] = {kind.value: kind for kind in Kind}
_SPEECHES: Mapping[str, Speech] = {speech.value: speech for speech in Speech}
_FOLDER = resources.files(__name__)

DOMAINS = tuple(sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir() if file.name.endswith(".toml")))
"""All domains. Each has a file of declarations, and a catalogue in every language."""


@functools.cache
def _notices_of(domain: str) -> Mapping[str, NoticeType]:
    return parse_notices(domain, (_FOLDER / f"{domain}.toml").read_text(encoding="utf-8"))


class _Notices(Mapping[str, NoticeType]):
    """Reads the file of a domain when one of its keys is first used: most verbs need few, and so start faster."""

    def __getitem__(self, key: str) -> NoticeType:
        domain = key.partition(".")[0]
        if domain not in DOMAINS:
            raise KeyError(key)
        return _notices_of(domain)[key]

    def __iter__(self) -> Iterator[str]:
        for domain in DOMAINS:
            yield from _notices_of(domain)

    def __len__(self) -> int:
        return sum(len(_notices_of(domain)) for domain in DOMAINS)


NOTICES: Mapping[str, NoticeType] = _Notices()
"""All notices by key, such as ``judge.not_a_set``."""
