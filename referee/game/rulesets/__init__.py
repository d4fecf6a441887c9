"""The rule books, by name."""

from __future__ import annotations

from collections.abc import Mapping

from referee.errors import BadInput
from referee.game.rulesets.base import Ruleset
from referee.game.rulesets.brettspielnetz import BRETTSPIELNETZ
from referee.game.rulesets.classic import CLASSIC
from referee.game.rulesets.gin import GIN
from referee.game.rulesets.piatnik import PIATNIK
from referee.game.rulesets.ravensburger import RAVENSBURGER
from referee.game.rulesets.rummikub import RUMMIKUB

__all__ = ["RULESETS", "Ruleset", "ruleset"]

RULESETS: Mapping[str, Ruleset] = {
    rules.name: rules for rules in (RAVENSBURGER, BRETTSPIELNETZ, PIATNIK, CLASSIC, GIN, RUMMIKUB)
}


def ruleset(name: str) -> Ruleset:
    """The ruleset called `name`; raises BadInput that lists the known ones."""
    try:
        return RULESETS[name]
    except KeyError:
        raise BadInput(f"expected rules out of {', '.join(RULESETS)}, got {name!r}") from None
