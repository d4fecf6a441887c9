"""The rule books, by name.

`model` declares what a book can decide, each book has its own module, and `summary` describes one in sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.errors import BadInput
from referee.game.rulebooks.brettspielnetz import BRETTSPIELNETZ
from referee.game.rulebooks.classic import CLASSIC
from referee.game.rulebooks.gin import GIN
from referee.game.rulebooks.model import Ruleset
from referee.game.rulebooks.piatnik import PIATNIK
from referee.game.rulebooks.ravensburger import RAVENSBURGER
from referee.game.rulebooks.rummikub import RUMMIKUB

__all__ = ["RULESETS", "Ruleset", "choices_of", "ruleset"]

RULESETS: Mapping[str, Ruleset] = {
    rules.name: rules for rules in (RAVENSBURGER, BRETTSPIELNETZ, PIATNIK, CLASSIC, GIN, RUMMIKUB)
}


def ruleset(name: str) -> Ruleset:
    """Return the ruleset called `name`; raises BadInput, which lists the known names, for any other."""
    try:
        return RULESETS[name]
    except KeyError:
        raise BadInput(f"expected rules out of {', '.join(RULESETS)}, got {name!r}") from None


def choices_of(texts: Iterable[str]) -> dict[str, str]:
    """Return options written as NAME=CHOICE; raises BadInput for other texts, and for an option chosen in two ways."""
    choices: dict[str, str] = {}
    for text in texts:
        name, equals, choice = (part.strip() for part in text.partition("="))
        if not (name and equals and choice):
            raise BadInput(f"expected an option as NAME=CHOICE such as jokers=2, found {text!r}")
        if choices.setdefault(name.replace("_", "-"), choice) != choice:
            raise BadInput(
                f"expected one choice for the option {name}, found both {choices[name.replace('_', '-')]} and {choice}"
            )
    return choices
