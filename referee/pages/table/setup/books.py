"""The rule books as the set-up page offers them: number of players, options with their choices, and a summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS, Ruleset, choices_of
from referee.game.rulebooks.choices import Option
from referee.game.rulebooks.summary import summary
from referee.settings.settings import SETTINGS


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of an option: a word or a number."""

    name: str
    label: Notice | str


@dataclass(frozen=True, slots=True)
class Offered:
    """An option of a rule book, with its current choice."""

    name: str
    text: Notice
    example: Notice
    label: Notice
    choices: tuple[Choice, ...]
    chosen: str
    usual: bool
    """Whether the choice is the one that the book has by itself."""
    for_tournaments: bool = False
    """Whether it is folded away with others of its kind."""


@dataclass(frozen=True, slots=True)
class Book:
    """One rule book."""

    name: str
    title: str
    fewest: int
    most: int
    rounds: bool
    """Whether the players choose how many rounds a match has."""
    chosen: bool
    options: tuple[Offered, ...]
    says: tuple[Notice, ...]


def books(values: Mapping[str, Any]) -> tuple[Book, ...]:
    """Return all rule books, the usual one first; the chosen one has the options from the settings."""
    chosen, usual = values.get("game.rules", ""), SETTINGS["game.rules"].default
    ordered = sorted(RULESETS.values(), key=lambda rules: rules.name != usual)
    return tuple(_book(rules, values, chosen=rules.name == chosen) for rules in ordered)


def _book(plain: Ruleset, values: Mapping[str, Any], *, chosen: bool) -> Book:
    rules = plain
    if chosen:
        try:
            rules = plain.choose(**choices_of(values.get("game.options", ())))
        except BadInput:  # reported where the settings are used
            rules = plain
    options = tuple(
        Offered(
            option.name,
            option.text,
            option.example,
            option.label,
            _choices(option),
            rules.choice_of(option),
            usual=rules.choice_of(option) == option.default,
            for_tournaments=option.for_tournaments,
        )
        for option in plain.options
    )
    fewest, most = plain.players
    return Book(plain.name, plain.title, fewest, most, plain.knocking is None, chosen, options, tuple(summary(plain)))


def _choices(option: Option) -> tuple[Choice, ...]:
    names = [option.default, *(name for name, _ in option.choices if name != option.default)]
    numbers = [] if option.numbers is None else list(option.numbers[0])
    return (
        *(Choice(name, label(name)) for name in names),
        *(Choice(str(number), str(number)) for number in numbers),
    )


def label(name: str) -> Notice | str:
    """Return the label of a choice: a notice for a word, the text itself for a number."""
    return name if name.replace("+", "").isdigit() else Notice(f"setup.choice_{name.replace('-', '_')}")
