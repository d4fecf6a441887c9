"""The table of a league, computed from its tournaments, so that every correction counts at once. Pure.

1. An evening has values once one of its tables has a result, for everybody who has a result or a bye there.
2. Of each player's values the best ones count, as many as were agreed on. Of equal values the later one counts
   (Racing Rules of Sailing, A2.1).
3. The total decides. If totals are equal, the counting values of each player are compared from the best to the worst
   (A8.1), then the last evening, the one before it, and so on, with the values that do not count (A8.2). Whoever
   missed an evening is behind everybody who came. Those who are still equal share a place.

Players are known again as in the ratings of the club: by their names, apart from case and spaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from referee.club.tournament.league.state import League, Worth
from referee.club.tournament.machine import name_key
from referee.club.tournament.standings import Standing, standings
from referee.club.tournament.state import Tournament

FIRST = 100
"""What the first place of an evening is worth if places count."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A tournament with its id in the hall, and the time at which it was opened."""

    slug: str
    t: float
    tournament: Tournament


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening of the league; they are numbered from 1 in the order in which the tournaments were opened."""

    number: int
    contest: Contest
    players: int
    """How many players have a value."""

    @property
    def ended(self) -> bool:
        """Whether the tournament has ended."""
        return self.contest.tournament.ended


@dataclass(frozen=True, slots=True)
class Score:
    """What an evening is worth to a player, and whether it counts."""

    value: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A player's line in the table; `name` and `club` are those of the newest evening."""

    place: int
    """The place; players who are equal in everything have the same one."""
    key: str
    """The name as it is compared."""
    name: str
    club: str
    total: Fraction
    scores: tuple[Score | None, ...]
    """One for each evening; None if the player was not there."""

    @property
    def played(self) -> int:
        """The number of evenings with a value."""
        return sum(score is not None for score in self.scores)


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """The table of a league."""

    league: League
    evenings: tuple[Evening, ...]
    lines: tuple[LeagueLine, ...]
    """The best first."""
    awaited: tuple[str, ...] = ()
    """The names of players of the season before who have not played in this one yet."""
    missing: tuple[str, ...] = ()
    """The ids of tournaments that the hall does not have, or cannot read; they count for nothing."""

    @property
    def open(self) -> tuple[Evening, ...]:
        """The evenings whose tournaments have not ended."""
        return tuple(evening for evening in self.evenings if not evening.ended)

    @property
    def provisional(self) -> bool:
        """Whether the table may still change without a correction."""
        return not self.league.ended or bool(self.open or self.missing)


def league_table(league: League, contests: Iterable[Contest], before: LeagueTable | None = None) -> LeagueTable:
    """Return the table of a league from the tournaments of the hall; `before` is that of the season before."""
    there = {contest.slug: contest for contest in contests}
    missing = tuple(slug for slug in league.tournaments if slug not in there)
    chosen = sorted((there[slug] for slug in league.tournaments if slug in there), key=lambda contest: contest.t)
    players: dict[str, _Player] = {}
    evenings = []
    for number, contest in enumerate(chosen, 1):
        values = evening_values(contest.tournament, league.worth)
        evenings.append(Evening(number, contest, len(values)))
        for player, value in values.items():
            entry = contest.tournament.players[player - 1]
            known = players.setdefault(name_key(entry.name), _Player(entry.name))
            known.name, known.club = entry.name, entry.club or known.club
            known.values[number] = value
    lines = _lines(players, len(evenings), league.best)
    awaited = () if before is None else tuple(line.name for line in before.lines if line.key not in players)
    return LeagueTable(league, tuple(evenings), lines, tuple(sorted(awaited, key=name_key)), missing)


def evening_values(tournament: Tournament, worth: Worth) -> Mapping[int, Fraction]:
    """Return what a tournament is worth so far to each of its players who has a result or a bye."""
    if not any(table.points is not None for round_ in tournament.rounds for table in round_.tables):
        return {}
    lines = [line for line in standings(tournament) if line.played or line.byes]
    if worth is Worth.POINTS:
        return {line.player: line.points for line in lines}
    return {line.player: _worth_of_place(line, lines) for line in lines}


def _worth_of_place(line: Standing, lines: Sequence[Standing]) -> Fraction:
    """Return the share of the others whom a player is ahead of, out of 100; whoever shares the place counts half.

    This is how matchpoints are counted in duplicate bridge (Laws of Duplicate Bridge, 78A), in per cent. The mean of
    every evening is 50.
    """
    behind = sum(other.place > line.place for other in lines)
    beside = sum(other.place == line.place for other in lines) - 1
    return Fraction(FIRST * (2 * behind + beside), 2 * (len(lines) - 1))


@dataclass(slots=True)
class _Player:
    """A player while the table is being computed; `values` are those of the evenings by their numbers."""

    name: str
    club: str = ""
    values: dict[int, Fraction] = field(default_factory=dict)


def best_evenings(values: Mapping[int, Fraction], best: int) -> frozenset[int]:
    """Return the numbers of the evenings that count; of equal values the later ones."""
    ordered = sorted(values, key=lambda number: (values[number], number), reverse=True)
    return frozenset(ordered[:best])


def _lines(players: Mapping[str, _Player], evenings: int, best: int) -> tuple[LeagueLine, ...]:
    ranks = {key: _rank(player, evenings, best) for key, player in players.items()}
    ranked = sorted(sorted(players), key=ranks.__getitem__, reverse=True)  # those who are equal stay in order of names
    lines: list[LeagueLine] = []
    for number, key in enumerate(ranked, 1):
        player, counting = players[key], best_evenings(players[key].values, best)
        scores = tuple(
            Score(player.values[one], one in counting) if one in player.values else None
            for one in range(1, evenings + 1)
        )
        place = lines[-1].place if lines and ranks[lines[-1].key] == ranks[key] else number
        lines.append(LeagueLine(place, key, player.name, player.club, ranks[key][0], scores))
    return tuple(lines)


Rank = tuple[Fraction, tuple[Fraction, ...], tuple[tuple[bool, Fraction], ...]]
"""What players are compared by, the greatest first: the total, the counting values from the best to the worst, and all
evenings from the last to the first, each with whether the player was there."""


def _rank(player: _Player, evenings: int, best: int) -> Rank:
    nothing = Fraction(0)
    counting = sorted((player.values[number] for number in best_evenings(player.values, best)), reverse=True)
    back = tuple((number in player.values, player.values.get(number, nothing)) for number in range(evenings, 0, -1))
    return sum(counting, nothing), tuple(counting), back
