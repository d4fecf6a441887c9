"""What a command is: its fields, what it is about, and what it does.

The fields are a dataclass that the codec of the journal reads, and whose JSON schema it makes. What people type and
tap is checked here more closely than documents are: `Annotated[int, whole(1, 100)]`.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from referee.game.notice import Notice
from referee.journal.codec import PLAIN, BadValue, Codec, Schema, bad_value, codec_of
from referee.table.input.requests import Request
from referee.table.input.touches import Touch

ANY_LETTER = r"\w"


class Malformed(ValueError):
    """Not what a command looks like: which field, what was expected, what was found."""


class Refused(Exception):
    """Why a command was not done, with a status that says more than that the state is another one."""

    def __init__(self, status: int, told: Notice) -> None:
        super().__init__(told.key)
        self.status, self.told = status, told


@dataclass(frozen=True, slots=True)
class Done:
    """Something was done, and `told` says what whoever asked for it should know about it."""

    told: tuple[Notice, ...]


class Controls(Protocol):
    """The way from the page to the loop."""

    journal: Path | None
    """The folder of the journal that the loop writes; None where the page knows none."""

    async def send(self, request: Request) -> Notice | None:
        """Ask the loop for something; gives why that cannot be, None where it was done."""

    async def touch(self, touch: Touch) -> Notice | None:
        """Touch a button; gives why that does not count, None where it does."""

    def now(self) -> float:
        """The moment by the clock of the loop."""


F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class NoFields:
    """The fields of a command that has none."""


@dataclass(frozen=True, slots=True)
class Command(Generic[F]):
    """One kind of command. `fields` is a dataclass; `run` does what they say.

    It gives why that cannot be done, if so, or Done with something that is to be known.

    `run` gets the fields, the facts and the controls. `about` names the parts of the state that must not have changed
    since, or tells them by the fields. What has changed less than `patience_s` ago is forgiven, always or by fields.
    """

    fields: type[F]
    run: Callable[[F, Any, Any], Awaitable[Notice | Done | None]]
    about: tuple[str, ...] | Callable[[F], tuple[str, ...]] = ()
    patience_s: float | Callable[[F], float] = 0.0

    def parts(self, fields: F) -> tuple[str, ...]:
        """The parts that a command with these fields is about."""
        return self.about(fields) if callable(self.about) else self.about

    def patience(self, fields: F) -> float:
        """How long ago a change is forgiven to a command with these fields."""
        return self.patience_s(fields) if callable(self.patience_s) else self.patience_s

    @property
    def codec(self) -> Codec:
        """How its fields are read from a post, and their JSON schema."""
        return codec_of(self.fields, PLAIN)

    def read(self, post: Mapping[str, Any]) -> F:
        """The fields of a post; raises Malformed."""
        fields: F = read_posted(self.codec, post)
        return fields


def read_posted(codec: Codec, value: Any) -> Any:
    """What a browser has sent; raises Malformed, which shows it in short."""
    try:
        return codec.read(value)
    except BadValue as error:
        if error.missing:
            raise Malformed(f"expected a field {error.missing[0]!r}, found none") from error
        raise Malformed(f"{error.where}expected {error.expected}, found {_shorten_json(error.found)}") from error


def _shorten_json(found: object) -> str:
    """What was found, in short, as it stands in JSON."""
    return "null" if found is None else repr(str(found)[:40])


def read_only(read: Callable[[Any], Any], schema: Schema) -> Codec:
    """How a value is read that only browsers write."""

    def write(value: Any) -> Any:
        raise TypeError(f"expected a value that is only read, got {value!r:.60} to write")

    return Codec(write, read, schema)


def whole(low: int, high: int) -> Codec:
    """A whole number."""

    def read(value: Any) -> int:
        # In JSON 3.0 is a whole number, too.
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
            raise bad_value(f"a whole number from {low} to {high}", value)
        return number

    return read_only(read, {"type": "integer", "minimum": low, "maximum": high})


def number(low: float, high: float, unit: str = "") -> Codec:
    """Any number, in that unit."""
    kind = f"a number of {unit}" if unit else "a number"

    def read(value: Any) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:  # NaN is in no range
            raise bad_value(f"{kind} from {low:g} to {high:g}", value)
        return float(value)

    return read_only(read, {"type": "number", "minimum": low, "maximum": high})


def one_named(known: Mapping[str, Any], expected: str = "") -> Codec:
    """One of these words, each of which stands for a value; `expected` is told in place of a list of them all."""
    words = expected or f"one of {', '.join(known)}"

    def read(value: Any) -> Any:
        if not isinstance(value, str) or value not in known:
            raise bad_value(words, value)
        return known[value]

    return read_only(read, {"type": "string", "enum": list(known)})


def one_of(*known: str | enum.Enum) -> Codec:
    """One of these words, or of these members of an enumeration."""
    return one_named({one.value if isinstance(one, enum.Enum) else one: one for one in known})


def several(each: Codec, most: int, least: int | None = None) -> Codec:
    """A list, with a least length where one is named."""
    length = f"at most {most}" if least is None else f"{least} to {most}"

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not (least or 0) <= len(value) <= most:
            raise bad_value(f"a list of {length}", value)
        return tuple(each.read(one) for one in value)

    at_least = {} if least is None else {"minItems": least}
    return read_only(read, {"type": "array", "items": each.schema, **at_least, "maxItems": most})


def visible_text(told: str) -> str:
    """What can be seen of a text, line ends left out, too."""
    return "".join(letter for letter in told if letter.isprintable()).strip()


def one_line(told: str) -> str:
    """A text as one line: blanks of all kinds become one, what cannot be shown goes."""
    return " ".join("".join(letter for letter in told if letter.isprintable() or letter.isspace()).split())


def text(shortest: int, longest: int, taken: Callable[[str], str] = str, *, lettered: bool = False) -> Codec:
    """A short text; `taken` tells what is taken of it. A `lettered` one has a letter in that."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or not shortest <= len(value) <= longest:
            raise bad_value(f"{shortest} to {longest} letters", value)
        found = taken(value)
        if lettered and not re.search(ANY_LETTER, found):
            raise bad_value("a text with a letter in it", value)
        return found

    schema: Schema = {"type": "string", "minLength": shortest, "maxLength": longest}
    return read_only(read, {**schema, "pattern": ANY_LETTER} if lettered else schema)
