"""What a command is: its fields, what it is about, and what it does."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from referee.game.notice import Notice
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


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a command as JSON schema has it, and what makes a value of it."""

    schema: Mapping[str, Any]
    value: Callable[[Any], Any]
    needed: bool = True


Run = Callable[[Mapping[str, Any], Any, Any], Awaitable[Notice | None]]
"""Does what a command says, by its values, the facts and the controls; gives why it cannot be done, if so."""


@dataclass(frozen=True, slots=True)
class Command:
    """One kind of command. `about` names the parts of the state that must not have changed since, or tells by values.

    What has changed less than `patience_s` ago is forgiven, always or by values.
    """

    about: tuple[str, ...] | Callable[[Mapping[str, Any]], tuple[str, ...]]
    run: Run
    fields: Mapping[str, Field] = field(default_factory=dict)
    patience_s: float | Callable[[Mapping[str, Any]], float] = 0.0

    def parts(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """The parts that a command with these values is about."""
        return self.about(values) if callable(self.about) else self.about

    def patience(self, values: Mapping[str, Any]) -> float:
        """How long ago a change is forgiven to a command with these values."""
        return self.patience_s(values) if callable(self.patience_s) else self.patience_s

    def values(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a post, checked; raises Malformed."""
        found = {}
        for name, one in self.fields.items():
            if name in told:
                found[name] = one.value(told[name])
            elif one.needed:
                raise Malformed(f"expected a field {name!r}, found none")
        return found


def whole(low: int, high: int) -> Field:
    """A field with a whole number."""

    def value(told: Any) -> int:
        # In JSON 3.0 is a whole number, too.
        number = int(told) if isinstance(told, float) and told.is_integer() else told
        if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
            raise Malformed(f"expected a whole number from {low} to {high}, found {str(told)[:40]!r}")
        return number

    return Field({"type": "integer", "minimum": low, "maximum": high}, value)


def share() -> Field:
    """A field with a part of a whole, from 0 to 1."""

    def value(told: Any) -> float:
        if isinstance(told, bool) or not isinstance(told, int | float) or not 0 <= told <= 1:
            raise Malformed(f"expected a number from 0 to 1, found {str(told)[:40]!r}")
        return float(told)

    return Field({"type": "number", "minimum": 0, "maximum": 1}, value)


def one_of(*known: str) -> Field:
    """A field with one of a few words."""

    def value(told: Any) -> str:
        if not isinstance(told, str) or told not in known:
            raise Malformed(f"expected one of {', '.join(known)}, found {str(told)[:40]!r}")
        return told

    return Field({"type": "string", "enum": list(known)}, value)


def seconds(low: float, high: float) -> Field:
    """A field with a moment or a length of time."""

    def value(told: Any) -> float:
        number = isinstance(told, int | float) and not isinstance(told, bool)
        if not number or not low <= told <= high:  # no number at all is in no range
            raise Malformed(f"expected a number of seconds from {low:g} to {high:g}, found {str(told)[:40]!r}")
        return float(told)

    return Field({"type": "number", "minimum": low, "maximum": high}, value)


def visible_text(told: str) -> str:
    """What can be seen of a text, line ends left out, too."""
    return "".join(letter for letter in told if letter.isprintable()).strip()


def one_line(told: str) -> str:
    """A text as one line: blanks of all kinds become one, what cannot be shown goes."""
    return " ".join("".join(letter for letter in told if letter.isprintable() or letter.isspace()).split())


def text(shortest: int, longest: int, taken: Callable[[str], str] = str, *, lettered: bool = False) -> Field:
    """A field with a short text; `taken` tells what is taken of it. A `lettered` one has a letter in that."""

    def value(told: Any) -> str:
        if not isinstance(told, str) or not shortest <= len(told) <= longest:
            raise Malformed(f"expected {shortest} to {longest} letters, found {str(told)[:40]!r}")
        found = taken(told)
        if lettered and not re.search(ANY_LETTER, found):
            raise Malformed(f"expected a text with a letter in it, found {told[:40]!r}")
        return found

    schema = {"type": "string", "minLength": shortest, "maxLength": longest}
    return Field({**schema, "pattern": ANY_LETTER} if lettered else schema, value)
