"""Values of settings: of the right type, in their range, and short enough for a message of one line."""

from __future__ import annotations

import json
import tomllib
from dataclasses import Field, fields
from typing import Any, get_args, get_origin, get_type_hints

from referee.errors import BadInput

_LONGEST_SHOWN = 80
_ENDLESS = "..."


def checked_value(item: Field[Any], section: type, value: Any, where: str) -> Any:
    """The value as the field's type; raises BadInput where it has another type or lies outside its range."""
    kind = get_type_hints(section)[item.name]
    several = kind in (tuple[str, ...], tuple[int, ...])
    inner = get_args(kind)[0] if several else kind
    parts = value if several and isinstance(value, list | tuple) else [value]
    if several is not isinstance(value, list | tuple) or not all(_fits(part, inner, item) for part in parts):
        found = "another value, which is kept secret" if item.metadata.get("secret") else format_value(value)
        raise BadInput(f"{where}: expected {_expected_text(item, kind)}, found {found}")
    return tuple(parts) if several else kind(value)


def _fits(value: Any, kind: type, item: Field[Any]) -> bool:
    """Whether a value, or one of a list, is of that type and in its range; a whole number will do for a length."""
    low, high, one_of = item.metadata["low"], item.metadata["high"], item.metadata["one_of"]
    if type(value) is not kind and not (kind is float and type(value) is int):
        return False
    if isinstance(value, str):
        return "\0" not in value and (not one_of or value in one_of)
    return low is None or low <= value <= high


def fit_to_show(value: Any, where: str) -> Any:
    """A value for the panel, whose messages show it whole."""
    text = format_value(value)
    if text.endswith(_ENDLESS):
        raise BadInput(f"{where}: expected a setting of the panel, found {text}")
    return value


def format_value(value: Any) -> str:
    """A value for a message of one line."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # thousands of digits, hundreds of brackets
        return f"something endless{_ENDLESS}"
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + _ENDLESS


def _expected_text(item: Field[Any], kind: Any) -> str:
    names = {str: "a text", int: "a whole number", float: "a number", bool: "true or false",
             tuple[str, ...]: "a list of texts", tuple[int, ...]: "a list of whole numbers"}  # fmt: skip
    limits = limits_of(item)
    return limits if item.metadata["one_of"] else names[kind] + (f" ({limits})" if limits else "")


def limits_of(item: Field[Any]) -> str:
    """What a setting may be, in words; nothing where its type says it all."""
    if item.metadata["one_of"]:
        return "one of " + ", ".join(item.metadata["one_of"])
    low, high = item.metadata["low"], item.metadata["high"]
    return "" if low is None else f"{low:.10g} to {high:.10g}"


def parse_value(text: str, kind: Any) -> Any:
    """A value as TOML would have it; anything else is a text, and where a text belongs so is a number: season 2026.

    Where a list belongs, and TOML finds none, the parts between commas are its members: `Ann,Ben`, or `Ann` alone.
    """
    value = _as_toml(text)
    if (kind is tuple or get_origin(kind) is tuple) and not text.lstrip().startswith(("[", "{")):
        member = (*get_args(kind), int)[0]
        quoted = _as_toml(f"[{text}]")
        if isinstance(quoted, list) and all(type(one) is member for one in quoted):
            return quoted
        return [parse_value(part.strip(), member) for part in text.split(",")]
    return text if kind is str and not isinstance(value, str) else value


def _as_toml(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def toml_of(value: Any) -> str:
    """A value as it stands in a settings file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(map(toml_of, value)) + "]"
    # JSON's strings are TOML's, but for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(value, str) else str(value)


def choices_of(section: Any, key: str) -> tuple[str, ...]:
    """What a setting may be, where it is one of a few."""
    return next(tuple(item.metadata["one_of"]) for item in fields(section) if item.name == key)
