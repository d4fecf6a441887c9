"""What stands beside the points in standings, so that everybody can check the order: strength and tie-breaks. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from referee.club.tournament import Counting, Rules, TieBreak
from referee.club.tournament.standings import Standing
from referee.game.notice import Notice

NO_POINTS = "\N{EN DASH}"
"""What stands in the columns of a player who has no points."""
TIES: Mapping[TieBreak, str] = {
    TieBreak.WINS: "director.tie_wins",
    TieBreak.OPPONENTS: "director.tie_opponents",
    TieBreak.MARGIN: "director.tie_margin",
}
"""The tie-breaks whose values are shown as numbers."""


def with_scores(rules: Rules) -> bool:
    """Return whether more than the points decides the order, so that a place must not be shown without the score."""
    return rules.counting is not Counting.POINTS


def order_heads(rules: Rules) -> tuple[Notice, ...]:
    """Return the heads of the columns: the strength of opponents if it counts, and the tie-breaks that are numbers."""
    ties = tuple(Notice(TIES[one]) for one in rules.tie_breaks if one in TIES)
    return (Notice("director.strength"), *ties) if with_scores(rules) else ties


def order_values(rules: Rules, line: Standing) -> tuple[Fraction, ...]:
    """Return the values of a line of the standings for the columns of `order_heads`."""
    ties = tuple(value for _, value in line.tie_breaks)
    return (line.strength, *ties) if with_scores(rules) else ties
