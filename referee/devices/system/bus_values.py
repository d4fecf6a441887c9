"""Values as D-Bus sends them: writing and reading by signature, as the D-Bus specification describes it.

Only little-endian messages are written, and both kinds are read. File descriptors are not supported.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_FIXED = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d"}
"""Types of a fixed size, with their codes in the module `struct`."""
_ALIGNED = {"y": 1, "b": 4, "n": 2, "q": 2, "i": 4, "u": 4, "x": 8, "t": 8, "d": 8, "s": 4, "o": 4, "g": 1, "a": 4,
            "(": 8, "{": 8, "v": 1}  # fmt: skip
LARGEST = 1 << 26
"""The most bytes that an array may have."""


class BadMessage(ValueError):
    """Bytes that are not what their signature says."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A value that carries its signature. It is needed for writing only; values that are read come without it."""

    signature: str
    value: Any


def split(signature: str) -> list[str]:
    """Return the single complete types of a signature: `sa{sv}(uu)` has three."""
    found, rest = [], signature
    while rest:
        end = _end(rest)
        found.append(rest[:end])
        rest = rest[end:]
    return found


def _end(signature: str) -> int:
    """Return the length of the first complete type; raises BadMessage."""
    first = signature[:1]
    if first == "a":
        return 1 + _end(signature[1:])
    if first in ("(", "{"):
        depth = 0
        for place, letter in enumerate(signature):
            depth += (letter in "({") - (letter in ")}")
            if depth == 0:
                return place + 1
    elif first and first in _ALIGNED:
        return 1
    raise BadMessage(f"expected a D-Bus signature, found {signature!r}")


def write(signature: str, values: Sequence[Any]) -> bytes:
    """Return values as bytes, for a place that is aligned to eight bytes."""
    out = bytearray()
    for kind, value in zip(split(signature), values, strict=True):
        _write(out, kind, value)
    return bytes(out)


def _pad(out: bytearray, kind: str) -> None:
    out.extend(bytes(-len(out) % _ALIGNED[kind[0]]))


def _write(out: bytearray, kind: str, value: Any) -> None:
    _pad(out, kind)
    match kind[0]:
        case "s" | "o":
            data = value.encode()
            out += struct.pack("<I", len(data)) + data + b"\0"
        case "g":
            data = value.encode()
            out += bytes([len(data)]) + data + b"\0"
        case "v":
            _write(out, "g", value.signature)
            _write(out, value.signature, value.value)
        case "(" | "{":
            for inner, one in zip(split(kind[1:-1]), value, strict=True):
                _write(out, inner, one)
        case "a":
            _write_array(out, kind[1:], value)
        case _:
            out += struct.pack(f"<{_FIXED[kind]}", value)


def _write_array(out: bytearray, kind: str, value: Any) -> None:
    place = len(out)
    out += bytes(4)
    _pad(out, kind)  # this padding does not count as part of the array
    begin = len(out)
    for one in value.items() if isinstance(value, Mapping) else value:
        _write(out, kind, one)
    out[place : place + 4] = struct.pack("<I", len(out) - begin)


class Reader:
    """Reads values from the bytes of a message, whose first byte is at a place aligned to eight bytes."""

    def __init__(self, data: bytes, *, little: bool = True, at: int = 0) -> None:
        self._data, self._order, self.at = data, "<" if little else ">", at

    def read(self, signature: str) -> tuple[Any, ...]:
        """Return the values of a signature; arrays of bytes as bytes, of pairs as dict, other arrays as list.

        Raises BadMessage.
        """
        try:
            return tuple(self._read(kind) for kind in split(signature))
        except (struct.error, UnicodeDecodeError, IndexError) as error:
            raise BadMessage(f"expected values of the D-Bus signature {signature!r}, found other bytes") from error

    def _take(self, size: int) -> bytes:
        self.at += size
        if size < 0 or self.at > len(self._data):
            raise BadMessage(f"expected {size} more bytes of a D-Bus message, found its end")
        return self._data[self.at - size : self.at]

    def _fixed(self, code: str) -> Any:
        return struct.unpack(f"{self._order}{code}", self._take(struct.calcsize(code)))[0]

    def _align(self, kind: str) -> None:
        self.at += -self.at % _ALIGNED[kind[0]]

    def _read(self, kind: str) -> Any:
        self._align(kind)
        match kind[0]:
            case "s" | "o" | "g":
                size = self._fixed("B" if kind == "g" else "I")
                return self._take(size + 1)[:-1].decode()
            case "v":
                inner = self._read("g")
                if len(split(inner)) != 1:
                    raise BadMessage(f"expected one type in a D-Bus variant, found {inner!r}")
                return self._read(inner)
            case "(" | "{":
                return tuple(self._read(inner) for inner in split(kind[1:-1]))
            case "a":
                return self._read_array(kind[1:])
            case "b":
                return bool(self._fixed("I"))
            case _:
                return self._fixed(_FIXED[kind])

    def _read_array(self, kind: str) -> Any:
        size = self._fixed("I")
        if size > LARGEST:
            raise BadMessage(f"expected a D-Bus array of at most {LARGEST} bytes, found {size}")
        self._align(kind)
        if kind == "y":
            return self._take(size)
        end, found = self.at + size, []
        while self.at < end:
            found.append(self._read(kind))
        return dict(found) if kind[0] == "{" else found
