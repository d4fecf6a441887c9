"""Points of a round: places at each table, worth what the scheme says, whatever the rule book counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from referee.club.tournament.rules import Rules
from referee.club.tournament.state import Round, Table


@dataclass(frozen=True, slots=True)
class Played:
    """What a round came to for a player."""

    points: Fraction
    place: int | None = None
    """At the table; players who share one have the same. None: a bye."""
    won: Fraction = Fraction(0)
    """1 for a table won, a share of it where several have."""
    margin: Fraction = Fraction(0)
    """How far ahead of the others' mean total; behind is negative, whichever way the book counts."""
    ahead: frozenset[int] = frozenset()
    """Whom the player was ahead of."""
    opponents: frozenset[int] = frozenset()


def of_round(one: Round, rules: Rules) -> Mapping[int, Played]:
    """What a round came to for everybody with a place in it, as far as its results are told."""
    found = {player: Played(Fraction(rules.scheme.bye)) for player in one.byes}
    for table in one.tables:
        found |= of_table(table, rules)
    return found


def of_table(table: Table, rules: Rules) -> Mapping[int, Played]:
    """What a table came to for its players; nothing where its result is not told."""
    if table.points is None:
        return {}
    sign = 1 if rules.highest_wins else -1
    own = dict(zip(table.players, (sign * points for points in table.points), strict=True))
    worth = rules.scheme.places(len(own))
    found = {}
    for player, total in own.items():
        better = sum(other > total for other in own.values())
        equal = sum(other == total for other in own.values())
        rest = [other for one, other in own.items() if one != player]
        found[player] = Played(
            points=Fraction(sum(worth[better : better + equal]), equal),
            place=better + 1,
            won=Fraction(1, equal) if not better else Fraction(0),
            margin=total - Fraction(sum(rest), len(rest)),
            ahead=frozenset(one for one, other in own.items() if other < total),
            opponents=frozenset(own) - {player},
        )
    return found
