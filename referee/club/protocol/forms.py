"""Documents as JSON and back, led by their dataclasses' type hints; the JSON schemas are made of the same hints.

Reading is strict about what it knows: kinds of values, lengths, ranges. Fields and facts that it does not know are
passed over, since a newer table may tell more.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.errors import BadInput

LARGEST = 2**53 - 1
"""What every reader of JSON keeps exactly."""
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a text may be, how many values a list may hold, how large a number may be, how a text must look."""

    most: int = 200
    least: int = 0
    largest: float = LARGEST
    pattern: str | None = None


PLAIN = Limits()


@dataclass(frozen=True, slots=True)
class Form:
    """How values of one type are written and read, and their JSON schema; reading raises BadInput."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    schema: Schema


def form(hint: Any, limits: Limits = PLAIN) -> Form:
    """The form of a type; raises TypeError for one that documents cannot hold."""
    return _form(hint, limits)


@functools.cache
def _form(hint: Any, limits: Limits) -> Form:
    if typing.get_origin(hint) is typing.Annotated:
        inner, given = typing.get_args(hint)
        return form(inner, given)
    if hint in _SIMPLE:
        return _SIMPLE[hint](limits)
    if isinstance(hint, type) and hasattr(hint, "club_form"):
        own: Form = hint.club_form()
        return own
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _choice(hint)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _record(hint)
    return _compound(typing.get_origin(hint), typing.get_args(hint), limits)


def _compound(origin: Any, members: tuple[Any, ...], limits: Limits) -> Form:
    if origin is typing.Literal:
        return _constant(members[0])
    if origin is tuple:
        return _several(members[0], limits)
    if origin in (types.UnionType, typing.Union):
        rest = [member for member in members if member is not type(None)]
        return _optional(form(rest[0], limits)) if len(rest) == 1 else _one_of(rest)
    raise TypeError(f"expected a type that documents can hold, got {origin!r} of {members!r}")


def wrong(expected: str, found: object) -> BadInput:
    """What is raised for a value of the wrong kind."""
    return BadInput(f"expected {expected}, got {found!r:.60}")


def _same(value: Any) -> Any:
    return value


def _flag(_: Limits) -> Form:
    def read(value: Any) -> bool:
        if not isinstance(value, bool):
            raise wrong("true or false", value)
        return value

    return Form(_same, read, {"type": "boolean"})


def _whole(limits: Limits) -> Form:
    low, high = limits.least, limits.largest

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise wrong(f"a whole number from {low} to {high}", value)
        return value

    return Form(_same, read, {"type": "integer", "minimum": low, "maximum": int(high)})


def _number(limits: Limits) -> Form:
    high = limits.largest

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= high:
            raise wrong(f"a number from 0 to {high}", value)
        return float(value)

    def write(value: float) -> float:
        return round(value, 3) if math.isfinite(value) else high

    return Form(write, read, {"type": "number", "minimum": 0, "maximum": high})


def _text(limits: Limits) -> Form:
    pattern = None if limits.pattern is None else re.compile(limits.pattern, re.ASCII)

    def read(value: Any) -> str:
        if not isinstance(value, str) or len(value) > limits.most or not sound(value):
            raise wrong(f"a text of at most {limits.most} characters", value)
        if pattern is not None and not pattern.fullmatch(value):
            raise wrong(f"a text such as {limits.pattern}", value)
        return value

    schema: Schema = {"type": "string", "maxLength": limits.most}
    return Form(
        lambda value: shorten(value, limits.most),
        read,
        schema if limits.pattern is None else {**schema, "pattern": f"^({limits.pattern})$"},
    )


def sound(text: str) -> bool:
    """Whether a text can be kept and shown anywhere: no half characters, no control characters but line ends."""
    return not any(letter in _UNSOUND or "\ud800" <= letter <= "\udfff" for letter in text)


_UNSOUND = frozenset(map(chr, (*range(32), 127))) - {"\n"}


def shorten(text: str, most: int) -> str:
    """A text of ours as documents may hold it."""
    text = "".join(letter if sound(letter) else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


_SIMPLE: Mapping[Any, Callable[[Limits], Form]] = {bool: _flag, int: _whole, float: _number, str: _text}


def _choice(kind: type[enum.Enum]) -> Form:
    values = {member.value: member for member in kind}

    def read(value: Any) -> enum.Enum:
        if not isinstance(value, str) or value not in values:
            raise wrong(f"one of {', '.join(values)}", value)
        return values[value]

    return Form(lambda member: kind(member).value, read, {"enum": list(values)})


def _constant(only: Any) -> Form:
    def read(value: Any) -> Any:
        if type(value) is not type(only) or value != only:
            raise wrong(f"{only!r}", value)
        return value

    return Form(_same, read, {"const": only})


def _optional(inner: Form) -> Form:
    return Form(
        lambda value: None if value is None else inner.write(value),
        lambda value: None if value is None else inner.read(value),
        {"anyOf": [inner.schema, {"type": "null"}]},
    )


def _several(member: Any, limits: Limits) -> Form:
    inner = form(member)

    def read(values: Any) -> tuple[Any, ...]:
        if not isinstance(values, list) or len(values) > limits.most:
            raise wrong(f"a list of at most {limits.most} values", values)
        found = (inner.read(value) for value in values)
        return tuple(value for value in found if value is not UNKNOWN)

    schema = {"type": "array", "items": inner.schema, "maxItems": limits.most}
    return Form(lambda values: [inner.write(value) for value in values[: limits.most]], read, schema)


UNKNOWN = object()
"""Stands for a fact of a kind that this version does not know."""


def _one_of(members: list[Any]) -> Form:
    """One of several records, told apart by their `kind`."""
    forms = {typing.get_args(typing.get_type_hints(cls)["kind"])[0]: (cls, form(cls)) for cls in members}
    classes: dict[type[Any], Form] = dict(forms.values())

    def read(value: Any) -> Any:
        kind = value.get("kind") if isinstance(value, dict) else None
        if not isinstance(kind, str) or len(kind) > PLAIN.most:
            raise wrong("an object with its kind", value)
        return forms[kind][1].read(value) if kind in forms else UNKNOWN

    return Form(
        lambda value: classes[type(value)].write(value), read, {"oneOf": [one.schema for one in classes.values()]}
    )


def _record(cls: type[Any]) -> Form:
    """A dataclass as an object; a field that is missing when read has its default."""
    hints = typing.get_type_hints(cls, include_extras=True)
    fields = dataclasses.fields(cls)
    forms = {field.name: form(hints[field.name]) for field in fields}
    needed = [field.name for field in fields if field.default is dataclasses.MISSING or field.name == "kind"]

    def write(value: Any) -> dict[str, Any]:
        return {name: one.write(getattr(value, name)) for name, one in forms.items()}

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise wrong("an object", value)
        if missing := [name for name in needed if name not in value]:
            raise wrong(f"an object with {', '.join(missing)}", value)
        return cls(**{name: _at(name, one, value[name]) for name, one in forms.items() if name in value})

    properties = {name: one.schema for name, one in forms.items()}
    return Form(write, read, {"type": "object", "properties": properties, "required": needed})


def _at(name: str, inner: Form, value: Any) -> Any:
    try:
        return inner.read(value)
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from None
