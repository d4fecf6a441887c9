"""The declaration of a setting, and its values: checking them, and converting them from and to text."""

from __future__ import annotations

import difflib
import ipaddress
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from referee.errors import BadInput

_LONGEST_SHOWN = 80
_ENDLESS = "..."


@dataclass(frozen=True, slots=True)
class Setting:
    """The declaration of one setting: `table.key`, type, default, meaning, and allowed values.

    `low` and `high` are the limits of a number, or of each number of a list. They and the default are in `unit`. The
    value of a `secret` setting is never shown.
    """

    name: str
    kind: Any
    default: Any
    text: str
    low: float | None = None
    high: float | None = None
    unit: str = ""
    one_of: tuple[str, ...] = ()
    secret: bool = False
    host: bool = False
    """Whether the text is the name or address of a machine, for which the port is another setting."""

    @property
    def key(self) -> str:
        """The key within its table."""
        return self.name.partition(".")[2]

    @property
    def limits(self) -> str:
        """The allowed values in words; empty if the type allows any."""
        if self.one_of:
            return "one of " + ", ".join(self.one_of)
        if self.low is None:
            return ""
        return f"{self.low:.10g} to {self.high:.10g}" + (f" {self.unit}" if self.unit else "")

    @property
    def expectation(self) -> str:
        """The type in words, with the allowed values."""
        if self.one_of:
            return self.limits
        if self.host:
            return f"a name or an address without a port, which is set by {self.name.partition('.')[0]}.port"
        return _NAMES[self.kind] + (f" ({self.limits})" if self.limits else "")

    def check(self, value: Any, where: str) -> Any:
        """Return the value as the setting's type; raises BadInput for another type or a value out of range."""
        several = get_origin(self.kind) is tuple
        parts = value if several and isinstance(value, list | tuple) else [value]
        if several is not isinstance(value, list | tuple) or not all(map(self._fits, parts)):
            found = "another value, which is kept secret" if self.secret else format_value(value)
            raise BadInput(f"{where}: expected {self.expectation}, found {found}")
        return tuple(parts) if several else self.kind(value)

    def _fits(self, value: Any) -> bool:
        """Return whether a value, or an item of a list, has the right type and range; an int may stand for a float."""
        kind = (*get_args(self.kind), self.kind)[0]
        if type(value) is not kind and not (kind is float and type(value) is int):
            return False
        if isinstance(value, str):
            return (
                "\0" not in value
                and not (self.host and _has_more_than_host(value))
                and (not self.one_of or value in self.one_of)
            )
        return self.low is None or self.high is None or self.low <= value <= self.high


def _has_more_than_host(text: str) -> bool:
    """Return whether a text is more than the name or the address of a machine, such as an address with a port.

    Whether such a machine exists is found out by whoever asks for it. Only IPv6 addresses have colons, and they may
    have a zone, such as %eth0.
    """
    if ":" not in text:
        return "/" in text or any(letter.isspace() for letter in text)
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return True
    return False


_NAMES: Mapping[Any, str] = {
    str: "a text", int: "a whole number", float: "a number", bool: "true or false",
    tuple[str, ...]: "a list of texts", tuple[int, ...]: "a list of whole numbers",
}  # fmt: skip


def fit_to_show(value: Any, where: str) -> Any:
    """Return a value for the panel; raises BadInput if it is too long to be shown in a message."""
    text = format_value(value)
    if text.endswith(_ENDLESS):
        raise BadInput(f"{where}: expected a setting of the panel, found {text}")
    return value


def format_value(value: Any) -> str:
    """Return a value as text for a message of one line."""
    try:
        text = _repr(value)
    except (ValueError, RecursionError):  # thousands of digits or hundreds of brackets
        return f"something endless{_ENDLESS}"
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + _ENDLESS


def _repr(value: Any) -> str:
    """Return a value as it is written in a settings file, as far as that differs from its repr."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{', '.join(map(_repr, value))}]" if isinstance(value, list) else repr(value)


def parse_value(text: str, kind: Any) -> Any:
    """Return the value of a text that is read as TOML; what is not TOML is a text, and a text setting may be a number.

    For a list that is not in brackets, the text is split at its commas: `Ann,Ben`, or `Ann` alone.
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
    """Return a value as it is written in a settings file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(map(toml_of, value)) + "]"
    # Strings of JSON and TOML are the same, except for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(value, str) else str(value)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint with the nearest known name, or else with all known names."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, 1, 0.6)
    return f"did you mean {close[0]}?" if close else f"known are {', '.join(names)}"
