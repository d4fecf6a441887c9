"""What was agreed on when a tournament was opened, as one line for its pages. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from referee.club.tournament import Counting, Rules, Tournament
from referee.club.tournament.groups import meets_everybody
from referee.club.tournament.rules import GroupStage
from referee.club.tournament.seating.bounds import SMALLEST
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.pages.hall.order_columns import tie_in_sentence

BETWEEN = " · "


def agreed(tournament: Tournament, words: Wording) -> str:
    """Return what was agreed on for a tournament: only what applies to it."""
    return BETWEEN.join(_pieces(tournament, words))


def _pieces(tournament: Tournament, words: Wording) -> Iterator[str]:
    rules, final = tournament.rules, tournament.final
    if rules.groups is None:
        yield words(Notice(f"agreed.{rules.drawing.value}"))
    else:
        yield words(Notice("agreed.groups", size=rules.groups.size))
    if rules.groups is None or not meets_everybody(rules):  # otherwise they follow from the sizes of the groups
        in_groups, rounds = rules.groups is not None, rules.rounds if final is None else final.rounds
        yield words(Notice("agreed.group_rounds" if in_groups else "agreed.rounds", rounds=rounds))
    if rules.groups is not None:
        yield from map(words, _final(rules.groups, None if final is None else rules.rounds - final.after))
    yield words(_sizes(rules))
    if rules.match_rounds is not None:
        yield words(Notice("agreed.match_rounds", rounds=rules.match_rounds))
    yield words(Notice("agreed.by_strength" if rules.counting is Counting.STRENGTH else "agreed.by_points"))
    if rules.tie_breaks:
        yield words(Notice("agreed.ties", ties=tuple(words(tie_in_sentence(one)) for one in rules.tie_breaks)))
    if may_have_byes(rules):
        yield words(Notice("agreed.bye", points=rules.scheme.bye))
    if rules.team_counts is not None and any(one.team for one in tournament.players):
        yield words(Notice("agreed.team_counts", players=rules.team_counts))


def match_of(rules: Rules) -> Notice | None:
    """Return how many rounds the players of a table play against each other; None if nothing was agreed on."""
    return None if rules.match_rounds is None else Notice("agreed.match_has", rounds=rules.match_rounds)


def may_have_byes(rules: Rules) -> bool:
    """Return whether there are numbers of players that no arrangement of tables seats.

    Tables of two and three seat every number. In groups, whoever has nobody to meet in a round has a bye only at
    tables of two.
    """
    return not rules.smallest == SMALLEST < rules.largest


def _final(stage: GroupStage, rounds: int | None) -> Iterator[Notice]:
    """Yield what was agreed on for the final; `rounds` is how many it has once it has begun."""
    yield Notice(f"agreed.final_{stage.final.value}", rounds=stage.final_rounds if rounds is None else rounds)
    if not stage.carried:
        yield Notice("agreed.from_zero")


def _sizes(rules: Rules) -> Notice:
    if rules.smallest == rules.largest:
        return Notice("agreed.tables_of", size=rules.largest)
    return Notice("agreed.tables", least=rules.smallest, most=rules.largest)
