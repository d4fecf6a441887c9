"""What the director is told of players who come or leave while a round is drawn: who has a seat in it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.club.tournament import Tournament
from referee.game.notice import Notice


def told_of_seats(tournament: Tournament, came: Sequence[int]) -> tuple[Notice, ...]:
    """Return what is told of players who have just been checked in, given the tournament before.

    Players whom the draw knew, because they had left after it, still have their seats.
    """
    if not tournament.under_way:
        return ()
    number, round_ = len(tournament.rounds), tournament.rounds[-1]
    late = [player for player in came if player not in round_.players]
    if not late:
        return ()
    if round_.begun:
        more = tournament.rounds_left > 0
        return (Notice("director.seat_next", round=number, players=_names(tournament, late)),) if more else ()
    return (Notice("director.no_seat", round=number, players=_names(tournament, late)), *_swaps(tournament, came))


def _swaps(tournament: Tournament, came: Sequence[int]) -> Iterator[Notice]:
    """Yield who can give a seat or a bye to somebody without one: players with byes, and players who have left."""
    round_ = tournament.rounds[-1]
    if round_.byes:
        yield Notice("director.swap_with_bye", byes=_names(tournament, round_.byes))
    here = {*tournament.here, *came}
    gone = [player for table in round_.tables for player in table.players if player not in here]
    if gone:
        yield Notice("director.swap_with_gone", gone=_names(tournament, gone))


def told_of_gone(tournament: Tournament, player: int) -> tuple[Notice, ...]:
    """Return what is told of a player who has just been withdrawn and still has a seat in a round not yet begun."""
    if not tournament.under_way or tournament.rounds[-1].begun:
        return ()
    if not any(player in table.players for table in tournament.rounds[-1].tables):
        return ()
    name = tournament.players[player - 1].name
    return (Notice("director.keeps_seat", player=name, round=len(tournament.rounds)),)


def _names(tournament: Tournament, players: Sequence[int]) -> tuple[str, ...]:
    return tuple(tournament.players[player - 1].name for player in players)
