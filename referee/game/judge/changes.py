"""What differs between two tables by the rules of a book: whether it matters in which order a set with jokers lies."""

from __future__ import annotations

from functools import partial

from referee.game.judge.joker_values import may_mean_the_same, means_the_same
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Change, Table


def change_by(rules: Ruleset, before: Table, after: Table) -> Change:
    """Compare two tables; a set in which a joker went to another place is another one where its place tells."""
    if not rules.joker_rule.as_laid:
        return Change.between(before, after)
    exactly, perhaps = partial(means_the_same, rules=rules), partial(may_mean_the_same, rules=rules)
    return Change.between(before, after, exactly, perhaps)
