"""Events as JSON and back, exactly: led by the dataclasses' type hints, so new events and fields need no word here.

Whatever a newer version may have written and this one does not know is refused, never dropped.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import json
import math
import operator
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match import events
from referee.game.match.events import Event
from referee.game.notice import Notice
from referee.game.tiles import Tile
from referee.journal.errors import Unknown


@dataclass(frozen=True, slots=True)
class Codec:
    """How values of one type are written to JSON and read from it; both raise BadInput for anything else."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


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
    "rebuild-begun": events.RebuildBegun,
    "paused": events.Paused,
    "resumed": events.Resumed,
    "hand-shown": events.HandShown,
    "round-started": events.RoundStarted,
    "corrected": events.Corrected,
}
"""Every event by its name in the journal, which stays though its class be renamed: journals outlive versions."""
_NAMES = {event: kind for kind, event in EVENTS.items()}


def kind_of(event: type[Any]) -> str:
    """The name of an event in the journal: `RoundStarted` is `round-started`."""
    return _NAMES[event]


def event_to_text(event: Event) -> tuple[str, str]:
    """The kind of an event and its fields as one line of JSON; raises BadInput for a value of the wrong type."""
    return kind_of(type(event)), to_text(event, type(event))


def event_from_text(kind: str, body: str) -> Event:
    """The event written as `kind` and `body`; raises Unknown for what only a newer version may know."""
    if kind not in EVENTS:
        raise Unknown(f"expected an event out of {', '.join(EVENTS)}, found {kind!r}: a newer referee wrote it")
    event: Event = from_text(body, EVENTS[kind])
    return event


def to_text(value: Any, hint: Any) -> str:
    """A value of the type `hint` as one line of JSON in ASCII."""
    try:
        return json.dumps(codec_of(hint).write(value), separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise BadInput(f"expected a value the journal can keep, got {value!r} ({error})") from error


def from_text(text: str, hint: Any) -> Any:
    """The value of the type `hint` that `to_text` has written; raises Unknown for anything else."""
    try:
        return codec_of(hint).read(json.loads(text))
    except Unknown:
        raise
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Unknown(
            f"expected {_type_name(hint)} as this referee writes it, found {text[:200]!r} ({error})"
        ) from error


@functools.cache
def codec_of(hint: Any) -> Codec:
    """How to write and read values of a type; raises TypeError for a type the journal has no codec for."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return Codec(lambda value: hint(value).value, hint)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _record(hint)
    return _compound(hint, typing.get_origin(hint), typing.get_args(hint))


def _compound(hint: Any, origin: Any, members: tuple[Any, ...]) -> Codec:
    if origin in (types.UnionType, typing.Union):
        return _optional(members)
    if origin is tuple:
        return _tuple(members)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(*members)
    raise TypeError(f"expected a type that the journal can keep, got {hint!r}")


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise TypeError(f"expected true or false, got {value!r}")


def _whole(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError(f"expected a whole number, got {value!r}")
    return operator.index(value)


def _number(value: Any) -> float:
    if isinstance(value, bool | str) or not math.isfinite(value):
        raise TypeError(f"expected a finite number, got {value!r}")
    return float(value)


def _words(value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"expected a text, got {value!r}")


_PLAIN: Mapping[Any, Codec] = {
    bool: Codec(_flag, _flag),
    int: Codec(_whole, _whole),
    float: Codec(_number, _number),
    str: Codec(_words, _words),
    Tile: Codec(lambda tile: tile.name, lambda name: Tile.from_name(_words(name))),
    Notice: Codec(lambda notice: notice.to_json(), Notice.from_json),
    Doubt: Codec(lambda doubt: doubt.to_json(), Doubt.from_json),
}


def _optional(members: tuple[Any, ...]) -> Codec:
    """A value or nothing. Other unions have no codec: JSON would not tell their members apart."""
    rest = [member for member in members if member is not type(None)]
    if len(rest) != 1:
        raise TypeError(f"expected one type, perhaps with None, got {members!r}")
    inner = codec_of(rest[0])
    return Codec(
        lambda value: None if value is None else inner.write(value),
        lambda value: None if value is None else inner.read(value),
    )


def _tuple(members: tuple[Any, ...]) -> Codec:
    if members[-1] is Ellipsis:
        inner = codec_of(members[0])
        return Codec(
            lambda values: [inner.write(value) for value in _several(values, tuple)],
            lambda values: tuple(inner.read(value) for value in _several(values, list)),
        )
    codecs = [codec_of(member) for member in members]
    return Codec(
        lambda values: [one.write(value) for one, value in zip(codecs, _several(values, tuple), strict=True)],
        lambda values: tuple(one.read(value) for one, value in zip(codecs, _several(values, list), strict=True)),
    )


def _several(values: Any, expected: type) -> Any:
    # A text is a sequence too, and would silently fall into letters.
    if isinstance(values, expected):
        return values
    raise TypeError(f"expected several values, got {values!r}")


def _mapping(keys: Any, values: Any) -> Codec:
    if keys is not str:
        raise TypeError(f"expected a mapping from texts, got one from {keys!r}")
    inner = codec_of(values)
    return Codec(
        lambda value: {_words(key): inner.write(item) for key, item in dict(value).items()},
        lambda value: {_words(key): inner.read(item) for key, item in dict(value).items()},
    )


def _record(cls: type[Any]) -> Codec:
    """A dataclass as an object with all its fields; where one is missing when read, its default holds."""
    hints = typing.get_type_hints(cls)
    codecs = {field.name: codec_of(hints[field.name]) for field in dataclasses.fields(cls) if field.init}

    def write(value: Any) -> dict[str, Any]:
        if type(value) is not cls:
            raise TypeError(f"expected {cls.__name__}, got {value!r}")
        return {name: one.write(getattr(value, name)) for name, one in codecs.items()}

    def read(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise TypeError(f"expected an object, got {value!r}")
        if unknown := sorted(set(value) - set(codecs)):
            raise Unknown(
                f"expected {cls.__name__} with {', '.join(codecs)}, found {', '.join(unknown)} too: "
                "a newer referee wrote it"
            )
        return cls(**{name: codecs[name].read(item) for name, item in value.items()})

    return Codec(write, read)


def _type_name(hint: Any) -> str:
    return str(getattr(hint, "__name__", hint))
