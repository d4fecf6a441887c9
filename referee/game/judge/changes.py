"""What differs between two tables by the rules of a book: whether it matters in which order a set with jokers lies."""

from __future__ import annotations

from functools import partial

from referee.game.judge.joker_values import may_mean_the_same, means_the_same
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Change, Set, Table, in_order


def change_by(rules: Ruleset, before: Table, after: Table) -> Change:
    """Compare two tables; a set in which a joker went to another place is another one where its place tells."""
    if not rules.joker_rule.as_laid:
        return Change.between(before, after)
    exactly, perhaps = partial(means_the_same, rules=rules), partial(may_mean_the_same, rules=rules)
    return Change.between(before, after, exactly, perhaps)


def laid_back(rules: Ruleset, before: Table, now: Table) -> Table:
    """The table with the sets of before as they lay, where only their jokers went to other places."""
    change = change_by(rules, before, now)
    old = {in_order(tiles): tiles for tiles in change.old}
    moved: dict[int, Set] = {i: old[in_order(tiles)] for i, tiles in change.new if in_order(tiles) in old}
    return tuple(moved.get(index, tiles) for index, tiles in enumerate(now)) if moved else now
