"""Ratings of a club's players over all its tournaments; replayed from them, so corrections count at once. Pure.

Every table of a round with a result is a match of the multiplayer rating in `referee.game.rating`, which the
statistics of a table's evenings use as well. Players of different tournaments are the same if their names are, apart
from case and spaces. The ratings that lists of players bring along are other scales, and count for nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from referee.club.tournament.machine import name_key
from referee.club.tournament.standings import standings
from referee.club.tournament.state import Round, Tournament
from referee.game.rating import Rating, rate_match


@dataclass(frozen=True, slots=True)
class Stage:
    """A player's rating after a tournament."""

    tournament: str
    """The id of the tournament."""
    name: str
    t: float
    """When it was opened."""
    rounds: int
    """How many rounds the player played at a table that has a result."""
    place: int
    players: int
    before: int
    after: int
    """The shown ratings before and after it."""


@dataclass(slots=True)
class RatedPlayer:
    """A player of the club; `name` and `club` are those of the newest tournament."""

    key: str
    """The name as it is compared: in lower case, with single spaces."""
    name: str
    club: str = ""
    rating: Rating = field(default_factory=Rating)
    matches: int = 0
    won: int = 0
    """Of the matches, how many; a shared win counts, too."""
    history: list[Stage] = field(default_factory=list)
    """One stage for each tournament, the oldest first."""


def rate_players(tournaments: Iterable[tuple[str, float, Tournament]]) -> list[RatedPlayer]:
    """Return all players who have a result, the best rating first.

    Each tournament comes with its id and the time at which it was opened; they are taken in the order of these times.
    """
    found: dict[str, RatedPlayer] = {}
    for slug, t, tournament in sorted(tournaments, key=lambda one: one[1]):
        _add_tournament(found, slug, t, tournament)
    rated = [one for one in found.values() if one.matches]
    return sorted(rated, key=lambda one: (-one.rating.shown, one.key))


def _add_tournament(found: dict[str, RatedPlayer], slug: str, t: float, tournament: Tournament) -> None:
    players = []
    for entered in tournament.players:
        key = name_key(entered.name)
        player = found.setdefault(key, RatedPlayer(key, entered.name))
        player.name, player.club = entered.name, entered.club or player.club
        players.append(player)
    before = [(player.rating.shown, player.matches) for player in players]
    for round_ in tournament.rounds:
        _add_round(players, round_, highest_wins=tournament.rules.highest_wins)
    lines = standings(tournament)
    for line in lines:
        player, (shown, matches) = players[line.player - 1], before[line.player - 1]
        if player.matches > matches:
            rounds, after = player.matches - matches, player.rating.shown
            stage = Stage(slug, tournament.name, t, rounds, line.place, len(lines), shown, after)
            player.history.append(stage)


def _add_round(players: Sequence[RatedPlayer], round_: Round, *, highest_wins: bool) -> None:
    """Rate all tables of a round; nobody sits at two of them, so their order does not matter."""
    for table in round_.tables:
        if table.points is None:
            continue
        seated = [players[number - 1] for number in table.players]
        points = [total if highest_wins else -total for total in table.points]
        rated = rate_match([one.rating for one in seated], points)
        for seat, one in enumerate(seated):
            one.rating = rated[seat]
            one.matches += 1
            one.won += min(points) < points[seat] == max(points)
