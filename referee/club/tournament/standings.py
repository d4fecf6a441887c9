"""Standings: players are sorted by their score, then those who are equal by the first tie-break, and so on.

The score is the points, or the points and the strength of the opponents (`Counting`). The points of a round are those
that the scheme gives for the place at the table; the totals of the matches decide only the places. Points that the
director gave or took are added at the end, and count in no opponent's score or tie-break.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from referee.club.tournament.rules import Counting, Rules, TieBreak
from referee.club.tournament.rulings import adjusted_by, rulings_that_count
from referee.club.tournament.state import Round, Table, Tournament


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a round for one player."""

    points: Fraction
    place: int | None = None
    """The place at the table; equal players have the same one. None for a bye."""
    shared_by: int = 1
    """How many players have this place at the table."""
    won: Fraction = Fraction(0)
    """1 if the player won the table, a share of it if several players did; 0 if all have equal totals: nobody won."""
    margin: Fraction = Fraction(0)
    """By how much the player's total was better than the mean of the others; negative if it was worse."""
    ahead: frozenset[int] = frozenset()
    """The players at the table with a worse total."""
    opponents: frozenset[int] = frozenset()


def of_round(one: Round, rules: Rules) -> Mapping[int, Played]:
    """Return the result of a round for every player with a bye, or at a table that has a result."""
    found = {player: Played(Fraction(rules.scheme.bye)) for player in one.byes}
    for table in one.tables:
        found |= of_table(table, rules)
    return found


def of_table(table: Table, rules: Rules) -> Mapping[int, Played]:
    """Return the result of a table for each of its players; empty if it has no result yet."""
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
            shared_by=equal,
            won=Fraction(1, equal) if not better and equal < len(own) else Fraction(0),
            margin=total - Fraction(sum(rest), len(rest)),
            ahead=frozenset(one for one, other in own.items() if other < total),
            opponents=frozenset(own) - {player},
        )
    return found


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's line in the standings."""

    place: int
    """The place; players who are equal in everything have the same one. See `shown_place`."""
    player: int
    name: str
    points: Fraction
    """The points of all rounds, with those that the director gave or took."""
    score: Fraction
    """What decides the order before any tie-break: the points, or points and strength (`Counting`)."""
    rounds: tuple[Fraction | None, ...]
    """The points round by round; None for a round that was missed, or has no result yet."""
    played: int
    """The number of rounds played at a table."""
    byes: int
    tie_breaks: tuple[tuple[TieBreak, Fraction], ...]
    """The values of the tie-breaks that are a single number: all but lots, direct meetings and best rounds."""
    adjusted: int = 0
    """The points that the director gave, or took if it is negative; they are part of `points`."""
    warnings: int = 0
    """The number of warnings that hold."""

    @property
    def shown_place(self) -> int | None:
        """Return the place; None for players without a result or a bye: of them nothing is known yet."""
        return self.place if self.played or self.byes else None

    @property
    def has_points(self) -> bool:
        """Return whether there is anything to show as points: a result, a bye, or a ruling of the director."""
        return bool(self.played or self.byes or self.adjusted)

    @property
    def strength(self) -> Fraction:
        """How much of the score is for the strength of the opponents; 0 if it does not count."""
        return self.score - self.points


Results = Mapping[int, tuple[Played | None, ...]]
"""By player, the result of each round; None if the player has none."""


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Return the standings of all players who are present or ever had a place in a round, the best first.

    In a final after groups, everybody in it is ahead of everybody else. Players without a result come last.
    """
    found: tuple[Standing, ...] = ()
    for results, players in _contests(tournament):
        lines = _lines(tournament, results, only=players)
        found = (*found, *(replace(line, place=line.place + len(found)) for line in lines))
    return found


def deciding_ties(tournament: Tournament) -> tuple[TieBreak, ...]:
    """Return the tie-breaks that gave players with equal scores different places, in the order in which they count."""
    found = set[TieBreak]()
    for results, players in _contests(tournament):
        total, score = _scores(tournament, results)
        ranked = [player for player in results if player in players and any(results[player])]
        groups = _groups_by(score, ranked)
        for tie, order in zip(tournament.rules.tie_breaks, _orders(tournament, results, total), strict=True):
            before, groups = groups, list(_sort_groups(groups, [order]))
            if len(groups) > len(before):
                found.add(tie)
    return tuple(one for one in tournament.rules.tie_breaks if one in found)


def _groups_by(score: Mapping[int, Fraction], players: Sequence[int]) -> list[list[int]]:
    """Return the players with equal scores together, in any order of the scores."""
    return [[player for player in players if score[player] == value] for value in {score[one] for one in players}]


def _contests(tournament: Tournament) -> tuple[tuple[Results, Collection[int]], ...]:
    """Return the results and the players of each order of its own: of the final, and of everybody else."""
    everybody, finalists = _results(tournament), tournament.finalists
    if not finalists:
        return ((everybody, everybody.keys()),)
    return (
        (_results(tournament, tournament.counted_from), finalists),
        (everybody, everybody.keys() - finalists),
    )


def group_standings(tournament: Tournament) -> tuple[tuple[Standing, ...], ...]:
    """Return the standings of each group after its rounds, the best first; the final does not count."""
    after = len(tournament.rounds) if tournament.final is None else tournament.final.after
    before = tournament.before_round(after + 1)
    if tournament.final is not None:
        kept = tuple(one for one in tournament.rulings if one.number <= tournament.final.rulings)
        before = replace(before, rulings=kept, final=None)
    results = _results(before)
    return tuple(_lines(before, results, only=results.keys() & {*group}) for group in tournament.groups)


def _scores(tournament: Tournament, results: Results) -> tuple[Mapping[int, Fraction], Mapping[int, Fraction]]:
    """Return the points of each player without what the director gave or took, and the score."""
    total = {player: _sum(player, results, "points") for player in results}
    score = {player: total[player] + adjusted_by(tournament, player) for player in results}
    if tournament.rules.counting is Counting.STRENGTH:
        strength = _strength(results)
        # Whoever has no result has met nobody either: no points, and no score.
        score = {player: own + (strength[player] if any(results[player]) else 0) for player, own in score.items()}
    return total, score


def _lines(tournament: Tournament, results: Results, only: Collection[int]) -> tuple[Standing, ...]:
    """Return the standings of some of the players who have results."""
    total, score = _scores(tournament, results)
    # Players without a result come last, even behind those who have played and lost.
    first: list[Order] = [lambda player, _: any(results[player]), lambda player, _: score[player]]
    orders = [*first, *_orders(tournament, results, total)]
    ranked = [player for player in results if player in only]
    groups = list(_sort_groups([ranked] if ranked else [], orders))
    lines, place = list[Standing](), 1
    for group in groups:
        lines += [_line(tournament, results, total, player, place, score[player]) for player in sorted(group)]
        place += len(group)
    return tuple(lines)


def ranking(tournament: Tournament, players: Sequence[int]) -> tuple[int, ...]:
    """Return some players in the order in which a round is drawn, the best first.

    It is that of the standings by points, even if the strength of opponents decides them at the end: so the Swiss
    draw keeps the rules it follows, and finds the order of the players better (`python -m benchmarks swiss`).
    Those who share a place are in an order that is drawn by lot for this round; before the first result, that is
    everybody.
    """
    by_points = replace(tournament, rules=replace(tournament.rules, counting=Counting.POINTS))
    places = {line.player: line.place for line in standings(by_points)}
    last, round_ = len(tournament.players) + 1, len(tournament.rounds)
    seed = tournament.rules.seed + 1_000 * round_ + len(tournament.traces)
    return tuple(sorted(players, key=lambda player: (places.get(player, last), _lot(seed, player))))


def _results(tournament: Tournament, without: int = 0) -> Results:
    """Return the results of all players; those of the first `without` rounds do not count."""
    rounds = [
        {} if number < without else of_round(one, tournament.rules) for number, one in enumerate(tournament.rounds)
    ]
    counted = set(tournament.here).union(*(one.players for one in tournament.rounds))
    return {player: tuple(one.get(player) for one in rounds) for player in sorted(counted)}


def _strength(results: Results) -> Mapping[int, Fraction]:
    """Return the strength of each player's opponents: their mean points a round, for each round of the player.

    It is the mean over the rounds of the mean within each round. An opponent's points in the round against the player
    do not count, so that nobody loses by beating somebody; nor do rounds they missed, so that nobody loses by having
    met a player who left. Whoever has played in no other round counts as average, and so does the opponent of a
    player who has met nobody. Rounds that the player missed are worth nothing here, too; a bye counts like the others.
    """
    rounds = {player: list(_rounds_of(player, results)) for player in results}
    total = {player: sum((one.points for one in played), Fraction(0)) for player, played in rounds.items()}
    count = sum(map(len, rounds.values()))
    average = sum(total.values(), Fraction(0)) / count if count else Fraction(0)

    def mean(player: int, against: int) -> Fraction:
        rest = [one.points for one in rounds[player] if against not in one.opponents]
        return _mean(rest) if rest else average

    def mean_opponent(player: int) -> Fraction:
        met = [_mean([mean(other, player) for other in one.opponents]) for one in rounds[player] if one.opponents]
        return _mean(met) if met else average

    return {player: len(rounds[player]) * mean_opponent(player) for player in results}


Order = Callable[[int, Sequence[int]], Any]
"""Returns the sort key of a player among those who are still equal; the greatest is best."""


def _orders(tournament: Tournament, results: Results, total: Mapping[int, Fraction]) -> list[Order]:
    orders: dict[TieBreak, Order] = {
        TieBreak.WINS: lambda player, _: _sum(player, results, "won"),
        TieBreak.OPPONENTS: lambda player, _: _opponents(player, results, total),
        TieBreak.BEST_ROUNDS: lambda player, _: sorted(
            (one.points for one in _rounds_of(player, results)), reverse=True
        ),
        TieBreak.MARGIN: lambda player, _: _sum(player, results, "margin"),
        TieBreak.DIRECT: lambda player, equal: _direct(player, results, equal),
        # Only players with a result draw lots; those without one share a place.
        TieBreak.LOTS: lambda player, _: _lot(tournament.rules.seed, player) if any(results[player]) else b"",
    }
    return [orders[one] for one in tournament.rules.tie_breaks]


def _sort_groups(groups: list[list[int]], orders: Sequence[Order]) -> Iterator[list[int]]:
    """Split `groups` by `orders`, and yield groups of players who are equal in everything, the best first."""
    for group in groups:
        if len(group) == 1 or not orders:
            yield group
            continue
        values = {player: orders[0](player, group) for player in group}
        better = sorted(group, key=values.__getitem__, reverse=True)
        parts: list[list[int]] = []
        for player in better:
            if parts and values[parts[-1][0]] == values[player]:
                parts[-1].append(player)
            else:
                parts.append([player])
        yield from _sort_groups(parts, orders[1:])


def _rounds_of(player: int, results: Results) -> Iterator[Played]:
    return (one for one in results[player] if one is not None)


def _sum(player: int, results: Results, what: str) -> Fraction:
    return sum((getattr(one, what) for one in _rounds_of(player, results)), Fraction(0))


def _opponents(player: int, results: Results, total: Mapping[int, Fraction]) -> Fraction:
    """Return the mean points of a player's opponents.

    It is the mean over the rounds of the mean within each round, so that larger tables do not weigh more.
    """
    rounds = [one.opponents for one in _rounds_of(player, results) if one.opponents]
    return _mean([_mean([total[other] for other in others]) for others in rounds]) if rounds else Fraction(0)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _direct(player: int, results: Results, equal: Sequence[int]) -> int:
    """Return how often a player was ahead of one of the others in `equal`, minus how often behind."""
    others = set(equal)
    won = sum(len(one.ahead & others) for one in _rounds_of(player, results))
    lost = sum(player in one.ahead for other in others for one in _rounds_of(other, results))
    return won - lost


def _lot(seed: int, player: int) -> bytes:
    return hashlib.sha256(f"{seed}/{player}".encode()).digest()


def _line(
    tournament: Tournament,
    results: Results,
    total: Mapping[int, Fraction],
    player: int,
    place: int,
    score: Fraction,
) -> Standing:
    told, adjusted = list(_rounds_of(player, results)), adjusted_by(tournament, player)
    numbers = {
        TieBreak.WINS: _sum(player, results, "won"),
        TieBreak.OPPONENTS: _opponents(player, results, total),
        TieBreak.MARGIN: _sum(player, results, "margin"),
    }
    return Standing(
        place=place,
        player=player,
        name=tournament.players[player - 1].name,
        points=total[player] + adjusted,
        score=score,
        rounds=tuple(None if one is None else one.points for one in results[player]),
        played=sum(one.place is not None for one in told),
        byes=sum(one.place is None for one in told),
        tie_breaks=tuple((one, numbers[one]) for one in tournament.rules.tie_breaks if one in numbers),
        adjusted=adjusted,
        warnings=sum(not one.points for one in rulings_that_count(tournament, player)),
    )
