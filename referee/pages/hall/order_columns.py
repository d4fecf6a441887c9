"""What stands beside the points in standings, so that everybody can check the order: strength and tie-breaks. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from referee.club.tournament import Counting, Rules, TieBreak, Tournament
from referee.club.tournament.standings import Standing, deciding_ties
from referee.club.tournament.written import signed
from referee.game.notice import Notice

NO_POINTS = "\N{EN DASH}"
"""What stands in the columns of a player who has no points."""
TIES: Mapping[TieBreak, str] = {
    TieBreak.WINS: "director.tie_wins",
    TieBreak.OPPONENTS: "director.tie_opponents",
    TieBreak.MARGIN: "director.tie_margin",
}
"""The tie-breaks whose values are shown as numbers."""
TIE_NAMES: Mapping[TieBreak, str] = {
    **TIES,
    TieBreak.BEST_ROUNDS: "tournament_page.tie_best_rounds",
    TieBreak.DIRECT: "tournament_page.tie_direct",
    TieBreak.LOTS: "tournament_page.tie_lots",
}
"""The names of all tie-breaks."""


def tie_in_sentence(tie: TieBreak) -> Notice:
    """Return the name of a tie-break as it is written inside a sentence."""
    return Notice(f"agreed.tie_{tie.name.lower()}")


def decided_by(tournament: Tournament, words: Callable[[Notice], str]) -> str:
    """Return by what players with equal scores got different places; empty if that has decided nothing."""
    ties = ", ".join(words(tie_in_sentence(one)) for one in deciding_ties(tournament))
    return words(Notice("ranks.equal_decided", ties=ties)) if ties else ""


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


def marks(line: Standing) -> tuple[Notice, ...]:
    """Return what the director added to a line of the standings: points given or taken, and warnings."""
    points = (Notice("results.mark_points", points=signed(line.adjusted)),) if line.adjusted else ()
    return (*points, Notice("results.mark_warnings", warnings=line.warnings)) if line.warnings else points
