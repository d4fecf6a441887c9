"""Options: what the players of a rule book can choose before a match, and what cannot be chosen together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.errors import BadInput
from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that the players make before a match.

    `choices` maps each to the fields it changes; a field of a part is written with a dot (``timing.seconds``).
    `numbers` allows some whole numbers too, in ascending order, and tells the field they are written to.
    """

    name: str
    text: Notice
    default: str
    choices: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]
    numbers: tuple[tuple[int, ...], str] | None = None
    formerly: str | None = None
    """What holds for matches of an older edition, if not the default: nobody chose then."""

    @property
    def every_choice(self) -> tuple[str, ...]:
        """Every choice, the default first."""
        names = [name for name, _ in self.choices if name != self.default]
        return (self.default, *names, *([f"{self.numbers[0][0]}-{self.numbers[0][-1]}"] if self.numbers else []))

    def changes(self, choice: str) -> dict[str, Any]:
        """The fields that `choice` changes; raises BadInput that lists the known choices."""
        for known, fields in self.choices:
            if known == choice:
                return dict(fields)
        if self.numbers:
            numbers, name = self.numbers
            written = {str(number): number for number in numbers}
            if choice in written:
                return {name: written[choice]}
            if choice.isascii() and choice.isdigit() and len(choice) < 4 and numbers[0] < int(choice) < numbers[-1]:
                raise BadInput(f"expected {self.name} that some set can be worth, got {choice}")
        raise BadInput(f"expected {self.name} out of {', '.join(self.every_choice)}, got {choice!r}")

    def choice_by(self, value: Callable[[str], Any]) -> str:
        """The choice that holds where `value` gives the field of each path."""
        for known, fields in self.choices:
            if all(value(path) == there for path, there in fields):
                return known
        return str(value(self.numbers[1])) if self.numbers else self.default


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two choices that cannot both be made, and why; a choice is an option's name and one of its choices."""

    one: tuple[str, str]
    other: tuple[str, str]
    why: Notice
