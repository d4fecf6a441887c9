"""Options: what the players can choose in a rule book before a match, and which choices exclude each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.errors import BadInput
from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that the players make before a match; `text` asks for it in one short question.

    `choices` has for each choice the fields that it changes; a field of a part is written with a dot
    (``timing.seconds``). `numbers` allows some whole numbers as well, in ascending order, and says which field they
    set.
    """

    name: str
    text: Notice
    default: str
    choices: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]
    numbers: tuple[tuple[int, ...], str] | None = None
    formerly: str | None = None
    """The choice in matches of an older edition, in which nobody could choose, if it is not the default."""
    for_tournaments: bool = False
    """Whether it comes from tournaments and not from a rule book, so that it is offered apart from the others."""

    @property
    def example(self) -> Notice:
        """What one of the choices means, behind the question."""
        return Notice(f"{self.text.key}_example")

    @property
    def label(self) -> Notice:
        """What is chosen, as a noun: for a list of what was chosen, where a question would stand beside its answer."""
        return Notice(f"{self.text.key}_label")

    @property
    def every_choice(self) -> tuple[str, ...]:
        """All choices, the default first."""
        names = [name for name, _ in self.choices if name != self.default]
        return (self.default, *names, *([f"{self.numbers[0][0]}-{self.numbers[0][-1]}"] if self.numbers else []))

    def changes(self, choice: str) -> dict[str, Any]:
        """Return the fields that `choice` changes; raises BadInput, which lists the known choices, for any other."""
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
        """Return the choice that applies if `value` returns the value of the field at each path."""
        for known, fields in self.choices:
            if all(value(path) == there for path, there in fields):
                return known
        return str(value(self.numbers[1])) if self.numbers else self.default


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two choices that exclude each other, and why; a choice is an option's name with one of its choices."""

    one: tuple[str, str]
    other: tuple[str, str]
    why: Notice
