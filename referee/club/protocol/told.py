"""Notices in documents. They are like those in the journal, except that players appear as seats instead of names.

The reader replaces each seat with a name, or with a word for the seat; so one document serves every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n.notices import NOTICES
from referee.journal.codec import Codec, bad_value, is_sound, shorten

DEEPEST = 6
"""How deeply notices may be nested."""
LONGEST_TEXT = 300
MOST_VALUES = 120
"""The most values in a list: a little more than the tiles of a box."""
_KEY = re.compile(r"[a-z][a-z0-9_.]{0,79}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_WHO = "seat"
HIDDEN = "…"


@dataclass(frozen=True, slots=True)
class Told:
    """A notice as JSON. If a field is the name of a player, it has `{"seat": n}` instead, counted from 0."""

    body: Mapping[str, Any]

    @classmethod
    def from_notice(cls, notice: Notice, names: Sequence[str] = (), *, hide: bool = True) -> Told:
        """Return a notice with each field that is one of `names` replaced by its seat.

        With `hide`, names within longer texts are replaced by `HIDDEN`.
        """
        return cls(_names_to_seats(notice.to_json(), {name: seat for seat, name in enumerate(names)}, hide))

    def notice(self, names: Sequence[str]) -> Notice:
        """Return the notice with seats replaced by `names`.

        Raises BadInput if this version has no sentence for it, because its key or its fields are unknown.
        """
        told = Notice.from_json(_seats_to_names(dict(self.body), names))
        _check(told)
        return told

    @classmethod
    def json_codec(cls) -> Codec:
        """Return the codec that reads and writes notices in documents."""
        return Codec(lambda told: dict(told.body), lambda value: cls(_read(value, 0)), _SCHEMA)


_SCHEMA = {
    "type": "object",
    "properties": {"notice": {"type": "string", "pattern": f"^{_KEY.pattern}$"}},
    "required": ["notice"],
}


def _names_to_seats(value: Any, seats: Mapping[str, int], hide: bool) -> Any:
    if isinstance(value, dict):
        # Keys of notices, and names of tiles and colours, are not entered by players.
        return {
            name: one
            if name in ("notice", "tile", "colour") and isinstance(one, str)
            else _names_to_seats(one, seats, hide)
            for name, one in value.items()
        }
    if isinstance(value, list):
        return [_names_to_seats(one, seats, hide) for one in value[:MOST_VALUES]]
    if not isinstance(value, str):
        return value
    if value in seats:
        return {_WHO: seats[value]}
    return shorten(hide_names(value, seats) if hide else value, LONGEST_TEXT)


def hide_names(text: str, names: Iterable[str]) -> str:
    """Return a text with the names of players in it replaced by `HIDDEN`."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", HIDDEN, text)
    return text


def _seats_to_names(value: Any, names: Sequence[str]) -> Any:
    if isinstance(value, dict):
        if set(value) == {_WHO}:
            seat = value[_WHO]
            return names[seat] if seat < len(names) else str(seat + 1)
        return {name: _seats_to_names(one, names) for name, one in value.items()}
    return [_seats_to_names(one, names) for one in value] if isinstance(value, list) else value


def _read(value: Any, depth: int) -> dict[str, Any]:
    if not isinstance(value, dict) or depth > DEEPEST or len(value) > 20:
        raise bad_value("a notice", value)
    key = value.get("notice")
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise bad_value("the key of a notice", key)
    if strange := next((name for name in value if not _NAME.fullmatch(name)), None):
        raise bad_value("the name of a field", strange)
    return {name: one if name == "notice" else _field(one, depth) for name, one in value.items()}


def _field(value: Any, depth: int) -> Any:
    if isinstance(value, dict):
        if "notice" in value:
            return _read(value, depth + 1)
        if set(value) == {_WHO}:
            if isinstance(value[_WHO], bool) or not isinstance(value[_WHO], int) or not 0 <= value[_WHO] < 8:
                raise bad_value("a seat from 0 to 7", value[_WHO])
            return value
        Notice.from_json({"notice": "a", "field": value})  # a tile or a colour
        return value
    if isinstance(value, list) and depth <= DEEPEST and len(value) <= MOST_VALUES:
        return [_field(one, depth + 1) for one in value]
    if isinstance(value, str) and len(value) <= LONGEST_TEXT and is_sound(value):
        return value
    if not isinstance(value, bool) and isinstance(value, int | float) and abs(value) <= 1e15:
        return value
    raise bad_value("a field of a notice", value)


def _check(told: Notice) -> None:
    """Raise BadInput if this version has no sentence for a notice."""
    form = NOTICES.get(told.key)
    fields = dict(told.fields)
    if form is None or set(fields) != set(form.fields):
        raise BadInput(f"expected a notice of this version, got {told.key!r:.60} with {', '.join(fields)!r:.60}")
    for name, value in fields.items():
        if not form.fields[name].accepts(value):
            raise BadInput(f"expected {form.fields[name].value} for {name} of {told.key}, got {value!r:.60}")
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Notice):
                _check(inner)
