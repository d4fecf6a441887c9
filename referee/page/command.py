"""A command: its fields, the parts of the state that it is about, and the function that carries it out.

The fields are a dataclass. The codec of the journal reads them and makes their JSON schema. Input from people is
checked more strictly than documents are, for example `Annotated[int, whole(1, 100)]`.
"""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from referee.game.notice import Notice
from referee.journal.codec import PLAIN, BadValue, Codec, Schema, bad_value, codec_of
from referee.letters import shown
from referee.table.input.requests import Request
from referee.table.input.touches import Touch

ANY_LETTER = r"\w"
ANY_LETTER_IN_SCHEMA = r"[\p{L}\p{N}_]"
"""The same for JSON Schema, in which `\\w` means the letters of English alone."""


class Malformed(ValueError):
    """A post that is not a valid command. The message names the field, what was expected and what was found."""


class Refused(Exception):
    """A command was not carried out, or a question not answered, with a status, one sentence, and headers."""

    def __init__(self, status: int, told: Notice, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(told.key)
        self.status, self.told, self.headers = status, told, headers


@dataclass(frozen=True, slots=True)
class Done:
    """A command was carried out. `told` is what its sender should know about it."""

    told: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A command was not carried out, but will be if it is sent again with its field `sure`; `told` is the question."""

    told: Notice


class Controls(Protocol):
    """What the page can ask of the event loop."""

    journal: Path | None
    """The folder of the journal that the loop writes; None if there is none."""
    reads: Callable[[Any, Any, bool], Any] | None
    """Reads a picture, with the tiles in use, and whether it comes from the table's own camera; may be called in any
    thread. None if no pictures can be read."""

    async def send(self, request: Request) -> Notice | None:
        """Send a request to the loop; return why it was refused, None if it was carried out."""

    async def touch(self, touch: Touch) -> Notice | None:
        """Touch a button; return why the touch does not count, None if it does."""

    def now(self) -> float:
        """Return the time of the loop's clock, in seconds."""


F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class NoFields:
    """The fields of a command without fields."""


@dataclass(frozen=True, slots=True)
class Command(Generic[F]):
    """One kind of command.

    `fields`: the dataclass of its fields.
    `run`: carries the command out, given the fields, the facts and the controls. It returns why that is impossible,
        or Asked if the sender must be sure of it, or Done with something that the sender should know, or None.
    `about`: the parts of the state that must not have changed since the state that the command names; or a function
        that returns them for the fields.
    `patience_s`: a change that is less than this many seconds old is ignored; or a function that returns the seconds
        for the fields.
    """

    fields: type[F]
    run: Callable[[F, Any, Any], Awaitable[Notice | Asked | Done | None]]
    about: tuple[str, ...] | Callable[[F], tuple[str, ...]] = ()
    patience_s: float | Callable[[F], float] = 0.0

    def parts(self, fields: F) -> tuple[str, ...]:
        """Return the parts that a command with these fields is about."""
        return self.about(fields) if callable(self.about) else self.about

    def patience(self, fields: F) -> float:
        """Return the seconds during which a change does not matter to a command with these fields."""
        return self.patience_s(fields) if callable(self.patience_s) else self.patience_s

    @property
    def codec(self) -> Codec:
        """The codec that reads the fields from a post, with their JSON schema."""
        return codec_of(self.fields, PLAIN)

    def read(self, post: Mapping[str, Any]) -> F:
        """Return the fields of a post; raises Malformed."""
        fields: F = read_posted(self.codec, post)
        return fields


def read_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body; raises Malformed."""
    try:
        post = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed("expected JSON, found something else") from error
    if not isinstance(post, dict):
        raise Malformed("expected an object, found something else")
    return post


def read_posted(codec: Codec, value: Any) -> Any:
    """Read a value that a browser has sent; raises Malformed, with the value in short."""
    try:
        return codec.read(value)
    except BadValue as error:
        if error.missing:
            raise Malformed(f"expected a field {error.missing[0]!r}, found none") from error
        raise Malformed(f"{error.where}expected {error.expected}, found {_shorten_json(error.found)}") from error


def _shorten_json(found: object) -> str:
    """Return a value as it looks in JSON, shortened."""
    return "null" if found is None else repr(str(found)[:40])


def read_only(read: Callable[[Any], Any], schema: Schema) -> Codec:
    """Return a codec for values that are read from browsers and never written."""

    def write(value: Any) -> Any:
        raise TypeError(f"expected a value that is only read, got {value!r:.60} to write")

    return Codec(write, read, schema)


def whole(low: int, high: int) -> Codec:
    """Return a codec for whole numbers from `low` to `high`."""

    def read(value: Any) -> int:
        # In JSON, 3.0 is a whole number too.
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
            raise bad_value(f"a whole number from {low} to {high}", value)
        return number

    return read_only(read, {"type": "integer", "minimum": low, "maximum": high})


def number(low: float, high: float, unit: str = "") -> Codec:
    """Return a codec for numbers from `low` to `high`; `unit` is used in error messages."""
    kind = f"a number of {unit}" if unit else "a number"

    def read(value: Any) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:  # NaN is in no range
            raise bad_value(f"{kind} from {low:g} to {high:g}", value)
        return float(value)

    return read_only(read, {"type": "number", "minimum": low, "maximum": high})


def one_named(known: Mapping[str, Any], expected: str = "") -> Codec:
    """Return a codec that reads each of these words as its value; messages name `expected`, or else all words."""
    words = expected or f"one of {', '.join(known)}"

    def read(value: Any) -> Any:
        if not isinstance(value, str) or value not in known:
            raise bad_value(words, value)
        return known[value]

    return read_only(read, {"type": "string", "enum": list(known)})


def one_of(*known: str | enum.Enum) -> Codec:
    """Return a codec for one of these words or members of an enumeration."""
    return one_named({one.value if isinstance(one, enum.Enum) else one: one for one in known})


def several(each: Codec, most: int, least: int | None = None) -> Codec:
    """Return a codec for lists of up to `most` items, and at least `least` if that is given."""
    length = f"at most {most}" if least is None else f"{least} to {most}"

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not (least or 0) <= len(value) <= most:
            raise bad_value(f"a list of {length}", value)
        return tuple(each.read(one) for one in value)

    at_least = {} if least is None else {"minItems": least}
    return read_only(read, {"type": "array", "items": each.schema, **at_least, "maxItems": most})


def visible_text(told: str) -> str:
    """Return a text without its invisible characters, which include line ends."""
    return shown(told).strip()


def one_line(told: str) -> str:
    """Return a text as one line: every run of white space becomes one blank, and invisible characters are removed."""
    return " ".join(filter(None, (shown(word) for word in told.split())))


def text(shortest: int, longest: int, taken: Callable[[str], str] = str, *, lettered: bool = False) -> Codec:
    """Return a codec for texts of `shortest` to `longest` letters.

    `taken` converts the text to the value. If `lettered` is true, the value must contain a letter or digit.
    """

    def read(value: Any) -> str:
        if not isinstance(value, str) or not shortest <= len(value) <= longest:
            raise bad_value(f"{shortest} to {longest} letters", value)
        found = taken(value)
        if lettered and not re.search(ANY_LETTER, found):
            raise bad_value("a text with a letter in it", value)
        return found

    schema: Schema = {"type": "string", "minLength": shortest, "maxLength": longest}
    return read_only(read, {**schema, "pattern": ANY_LETTER_IN_SCHEMA} if lettered else schema)
