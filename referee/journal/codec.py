"""Converts values to JSON and back, following the type hints of dataclasses.

New events, documents and commands need no code here. There are two degrees of strictness:

- Without `Limits`, as in the journal, a value is read back exactly as it was. A value of a wrong type is not written.
  Anything that only a newer version may have written is refused, never dropped.
- With `Limits`, as in documents to a club, texts and lists are cut to their limits when they are written. When they
  are read, types, lengths and ranges are checked; fields and facts that this version does not know are ignored, since
  a newer table may send more. The JSON schemas of those documents come from the same hints, and so do the commands of
  a page and their part of its OpenAPI document.

A class defines its own form with `json_codec()`, and a field with `Annotated[type, Codec(...)]`. Reading raises
BadInput, which says what was expected, what was found, and in which field.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import json
import math
import numbers
import operator
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match import events
from referee.game.match.events import Event
from referee.game.notice import Notice
from referee.game.tiles import Tile
from referee.journal.errors import Unknown

LARGEST = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exactly."""
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a value: the length of a text or list, the range of a number, and the pattern of a text."""

    most: int = 200
    least: int = 0
    largest: float = LARGEST
    pattern: str | None = None


PLAIN = Limits()
"""The limits of a field of a document that names none of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Codec:
    """Writes and reads values of one type; both raise BadInput. `schema` is the JSON schema of what is read."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    schema: Schema = field(default_factory=dict)


EVENTS: Mapping[str, type[Any]] = {
    "started": events.Started,
    "pressed": events.Pressed,
    "withdrawn": events.Withdrawn,
    "declared": events.Declared,
    "called": events.Called,
    "insisted": events.Insisted,
    "seen": events.Seen,
    "settled": events.Settled,
    "reviewed": events.Reviewed,
    "agreed": events.Agreed,
    "time-up": events.TimeUp,
    "match-time-up": events.MatchTimeUp,
    "rebuild-begun": events.RebuildBegun,
    "paused": events.Paused,
    "resumed": events.Resumed,
    "hand-shown": events.HandShown,
    "round-started": events.RoundStarted,
    "corrected": events.Corrected,
    "coached": events.Coached,
}
"""Every event by its name in the journal. The name stays even if the class is renamed, because journals outlive
versions."""
_NAMES = {event: kind for kind, event in EVENTS.items()}


def kind_of(event: type[Any]) -> str:
    """Return the name of an event in the journal: `RoundStarted` is `round-started`."""
    return _NAMES[event]


def event_to_text(event: Event) -> tuple[str, str]:
    """Return the kind of an event, and its fields as one line of JSON.

    Raises BadInput for a value of the wrong type.
    """
    return kind_of(type(event)), to_text(event, type(event))


def event_from_text(kind: str, body: str) -> Event:
    """Return the event written as `kind` and `body`; raises Unknown if only a newer version may know it."""
    if kind not in EVENTS:
        raise Unknown(f"expected an event out of {', '.join(EVENTS)}, found {kind!r}: a newer referee wrote it")
    event: Event = from_text(body, EVENTS[kind])
    return event


def to_text(value: Any, hint: Any) -> str:
    """Return a value of the type `hint` as one line of JSON in ASCII, which `from_text` reads; raises BadInput."""
    try:
        return json.dumps(codec_of(hint).write(value), separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise BadInput(f"expected a value the journal can keep, got {value!r} ({error})") from error


def from_text(text: str, hint: Any) -> Any:
    """Return the value of the type `hint` that `to_text` has written; raises Unknown for anything else."""
    try:
        return codec_of(hint).read(json.loads(text))
    except Unknown:
        raise
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        name = getattr(hint, "__name__", hint)
        raise Unknown(f"expected {name} as this referee writes it, found {text[:200]!r} ({error})") from error


def codec_of(hint: Any, limits: Limits | None = None) -> Codec:
    """Return the codec for a type, for documents with `limits`; raises TypeError for a type that JSON cannot hold."""
    return _codec_of(hint, limits)


@functools.cache
def _codec_of(hint: Any, limits: Limits | None) -> Codec:
    if hint in _KNOWN:
        return _KNOWN[hint](limits)
    if isinstance(hint, type):
        return _codec_of_class(hint, limits)
    return _compound(hint, typing.get_origin(hint), typing.get_args(hint), limits)


def _codec_of_class(cls: Any, limits: Limits | None) -> Codec:
    if hasattr(cls, "json_codec"):
        own: Codec = cls.json_codec()
        return own
    if issubclass(cls, enum.Enum):
        return _choice(cls)
    if dataclasses.is_dataclass(cls):
        return _record(cls, limits)
    raise TypeError(f"expected a type that JSON can hold, got {cls!r}")


def _compound(hint: Any, origin: Any, members: tuple[Any, ...], limits: Limits | None) -> Codec:
    if origin is typing.Annotated:
        hint, own = members
        return own if isinstance(own, Codec) else codec_of(hint, own)
    if origin in (types.UnionType, typing.Union):
        rest = [member for member in members if member is not type(None)]
        return _optional(codec_of(rest[0], limits)) if len(rest) == 1 else _one_of(rest, limits)
    if origin is tuple:
        return _tuple(members[0], limits) if members[-1] is Ellipsis else _fixed_tuple(members, limits)
    if origin is typing.Literal:
        return _constant(members[0])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(members[0], members[1], limits)
    raise TypeError(f"expected a type that JSON can hold, got {hint!r}")


class BadValue(BadInput):
    """A value that is not as expected.

    `expected` says what should have been there, and `found` is what was there. `missing` are the fields that an object
    lacks.
    """

    def __init__(self, expected: str, found: object, where: str = "", missing: tuple[str, ...] = ()) -> None:
        super().__init__(f"{where}expected {expected}, got {found!r:.60}")
        self.expected, self.found, self.where, self.missing = expected, found, where, missing

    def with_field(self, field: str) -> BadValue:
        """Return this error for the object that has the value in that field."""
        return BadValue(self.expected, self.found, f"{field}: {self.where}", self.missing)


def bad_value(expected: str, found: object) -> BadInput:
    """Return the error for a value that is not as expected."""
    return BadValue(expected, found)


def _flag(_: Limits | None) -> Codec:
    def check(value: Any) -> bool:
        if not isinstance(value, bool):
            raise bad_value("true or false", value)
        return value

    return Codec(check, check, {"type": "boolean"})


def _whole(limits: Limits | None) -> Codec:
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, numbers.Integral):
            raise bad_value("a whole number", value)
        return operator.index(value)

    if limits is None:
        return Codec(check, check, {"type": "integer"})
    low, high = limits.least, int(limits.largest)

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise bad_value(f"a whole number from {low} to {high}", value)
        return value

    return Codec(check, read, {"type": "integer", "minimum": low, "maximum": high})


def _number(limits: Limits | None) -> Codec:
    low, high = (-sys.float_info.max, sys.float_info.max) if limits is None else (0, limits.largest)

    def read(value: Any) -> float:
        # NaN is in no range.
        if not _is_number(value) or not low <= value <= high:
            raise bad_value("a finite number" if limits is None else f"a number from {low} to {high}", value)
        return float(value)

    def write(value: float) -> float:
        return round(value, 3) if math.isfinite(value) else high

    if limits is None:
        return Codec(read, read, {"type": "number"})
    return Codec(write, read, {"type": "number", "minimum": low, "maximum": high})


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _text(limits: Limits | None) -> Codec:
    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise bad_value("a text", value)
        return str(value)

    if limits is None:
        return Codec(check, check, {"type": "string"})
    most = limits.most
    pattern = None if limits.pattern is None else re.compile(limits.pattern, re.ASCII)

    def read(value: Any) -> str:
        if not isinstance(value, str) or len(value) > most or not is_sound(value):
            raise bad_value(f"a text of at most {most} characters", value)
        if pattern is not None and not pattern.fullmatch(value):
            raise bad_value(f"a text such as {pattern.pattern}", value)
        return value

    schema: Schema = {"type": "string", "maxLength": most}
    return Codec(
        lambda value: shorten(check(value), most),
        read,
        schema if pattern is None else {**schema, "pattern": f"^({pattern.pattern})$"},
    )


_TILE = Codec(lambda tile: tile.name, lambda name: Tile.from_name(str(name)))
_NOTICE = Codec(lambda notice: notice.to_json(), Notice.from_json)
_DOUBT = Codec(lambda doubt: doubt.to_json(), Doubt.from_json)
_KNOWN: Mapping[Any, Callable[[Limits | None], Codec]] = {
    bool: _flag,
    int: _whole,
    float: _number,
    str: _text,
    Tile: lambda _: _TILE,
    Notice: lambda _: _NOTICE,
    Doubt: lambda _: _DOUBT,
}
"""Codecs of plain types, and of classes of `game` with a form of their own. Classes elsewhere have `json_codec()`."""


def is_sound(text: str) -> bool:
    """Return whether a text can be stored and shown anywhere.

    It has no lone surrogates, and no control characters other than line feeds.
    """
    return _UNSOUND.search(text) is None


_UNSOUND = re.compile("[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]")


def shorten(text: str, most: int) -> str:
    """Return a text of ours in the form that documents allow: at most `most` characters, none of them unsound."""
    text = _UNSOUND.sub("\N{REPLACEMENT CHARACTER}", text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _choice(kind: type[enum.Enum]) -> Codec:
    values = {member.value: member for member in kind}

    def read(value: Any) -> enum.Enum:
        if not isinstance(value, str) or value not in values:
            raise bad_value(f"one of {', '.join(values)}", value)
        return values[value]

    return Codec(lambda member: kind(member).value, read, {"enum": list(values)})


def _constant(only: Any) -> Codec:
    def check(value: Any) -> Any:
        if type(value) is not type(only) or value != only:
            raise bad_value(f"{only!r}", value)
        return value

    return Codec(check, check, {"const": only})


def _optional(inner: Codec) -> Codec:
    return Codec(
        lambda value: None if value is None else inner.write(value),
        lambda value: None if value is None else inner.read(value),
        {"anyOf": [inner.schema, {"type": "null"}]},
    )


def _tuple(member: Any, limits: Limits | None) -> Codec:
    inner = codec_of(member, _inner_limits(limits))
    most = None if limits is None else limits.most

    def write(values: Any) -> list[Any]:
        # A text is a sequence too, and would silently be split into characters.
        if not isinstance(values, tuple):
            raise bad_value("a tuple", values)
        return [inner.write(value) for value in values[:most]]

    def read(values: Any) -> tuple[Any, ...]:
        if not isinstance(values, list):
            raise bad_value("a list", values)
        if most is not None and len(values) > most:
            raise bad_value(f"a list of at most {most} values", values)
        return tuple([item for value in values if (item := inner.read(value)) is not UNKNOWN])

    schema: Schema = {"type": "array", "items": inner.schema}
    return Codec(write, read, schema if most is None else {**schema, "maxItems": most})


def _fixed_tuple(members: tuple[Any, ...], limits: Limits | None) -> Codec:
    inner = [codec_of(member, _inner_limits(limits)) for member in members]

    def check(values: Any, kind: type[Any]) -> Any:
        if not isinstance(values, kind) or len(values) != len(inner):
            raise bad_value(f"{len(inner)} values", values)
        return values

    return Codec(
        lambda values: [one.write(value) for one, value in zip(inner, check(values, tuple), strict=True)],
        lambda values: tuple(one.read(value) for one, value in zip(inner, check(values, list), strict=True)),
    )


def _mapping(keys: Any, values: Any, limits: Limits | None) -> Codec:
    if keys is not str:
        raise TypeError(f"expected a mapping from texts, got one from {keys!r}")
    key, inner = codec_of(str, _inner_limits(limits)), codec_of(values, _inner_limits(limits))
    return Codec(
        lambda value: {key.write(name): inner.write(item) for name, item in dict(value).items()},
        lambda value: {key.read(name): inner.read(item) for name, item in dict(value).items()},
    )


UNKNOWN = object()
"""Stands for a fact of a kind that this version does not know."""


def _one_of(members: list[Any], limits: Limits | None) -> Codec:
    """Return the codec for one of several records, which their `kind` distinguishes.

    In JSON, members of other unions could not be distinguished.
    """
    if not all(dataclasses.is_dataclass(cls) for cls in members):
        raise TypeError(f"expected one type, perhaps with None, got {members!r}")
    codecs = {typing.get_args(typing.get_type_hints(cls)["kind"])[0]: codec_of(cls, limits) for cls in members}
    classes = dict(zip(members, codecs.values(), strict=True))

    def read(value: Any) -> Any:
        kind = value.get("kind") if isinstance(value, dict) else None
        if not isinstance(kind, str) or len(kind) > PLAIN.most:
            raise bad_value("an object with its kind", value)
        return codecs[kind].read(value) if kind in codecs else UNKNOWN

    return Codec(
        lambda value: classes[type(value)].write(value), read, {"oneOf": [one.schema for one in codecs.values()]}
    )


def _record(cls: Any, limits: Limits | None) -> Codec:
    """Return the codec for a dataclass, which is an object with all its fields.

    When it is read, a missing field gets its default.
    """
    hints = typing.get_type_hints(cls, include_extras=True)
    fields = [one for one in dataclasses.fields(cls) if one.init]
    codecs = {one.name: codec_of(hints[one.name], _inner_limits(limits)) for one in fields}
    needed = [one.name for one in fields if _has_no_default(one) or one.name == "kind"]

    def write(value: Any) -> dict[str, Any]:
        if type(value) is not cls:
            raise bad_value(cls.__name__, value)
        return {name: one.write(getattr(value, name)) for name, one in codecs.items()}

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise bad_value("an object", value)
        if limits is None and (unknown := sorted(value.keys() - codecs.keys())):
            raise Unknown(
                f"expected {cls.__name__} with {', '.join(codecs)}, found {', '.join(unknown)} too: "
                "a newer referee wrote it"
            )
        found = {}
        for name, one in codecs.items():  # in the order of the fields, so that the first fault is reported
            if name in value:
                found[name] = _read_field(name, one, value[name])
            elif name in needed:
                missing = tuple([name for name in needed if name not in value])
                raise BadValue(f"an object with {', '.join(missing)}", value, missing=missing)
        return cls(**found)

    properties = {name: one.schema for name, one in codecs.items()}
    return Codec(write, read, {"type": "object", "properties": properties, "required": needed})


def _inner_limits(limits: Limits | None) -> Limits | None:
    """Return the limits of the fields and members of a value.

    They are equally strict, but the limits of the value itself do not apply to them.
    """
    return None if limits is None else PLAIN


def _has_no_default(one: dataclasses.Field[Any]) -> bool:
    return one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING


def _read_field(name: str, codec: Codec, value: Any) -> Any:
    try:
        return codec.read(value)
    except Unknown:
        raise
    except BadValue as error:
        raise error.with_field(name) from None
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from None
