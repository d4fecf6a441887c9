"""Warnings, and points of the standings that the director gives or takes. Pure.

A ruling never changes the result of a table: it is a line of its own in the standings, and opponents' tie-breaks do
not depend on it.
"""

from __future__ import annotations

from dataclasses import replace

from referee.club.tournament.events import OutOfOrder, RulingMade, RulingWithdrawn
from referee.club.tournament.state import Ruling, RulingWithdrawal, Tournament
from referee.errors import BadInput
from referee.game.notice import Notice

MOST_ADJUSTED = 360
"""The most points that one ruling gives or takes: as many as somebody gets who wins all 30 rounds."""


def make_ruling(tournament: Tournament, event: RulingMade) -> Tournament:
    """Warn a player, or give or take points."""
    if not 1 <= event.player <= len(tournament.players):
        raise BadInput(Notice("tournament.no_such_player", player=event.player))
    if abs(event.points) > MOST_ADJUSTED:
        raise BadInput(f"expected at most {MOST_ADJUSTED} points, got {event.points}")
    number, round_ = len(tournament.rulings) + 1, len(tournament.rounds)
    ruling = Ruling(number, round_, event.player, event.points, event.t, event.who, event.why)
    return replace(tournament, rulings=(*tournament.rulings, ruling), traces=(*tournament.traces, ruling))


def withdraw_ruling(tournament: Tournament, event: RulingWithdrawn) -> Tournament:
    """Withdraw a ruling; both stay in the list of changes."""
    if not 1 <= event.ruling <= len(tournament.rulings):
        raise BadInput(Notice("tournament.no_such_ruling"))
    ruling = tournament.rulings[event.ruling - 1]
    if ruling.withdrawn:
        raise OutOfOrder(Notice("tournament.ruling_withdrawn_already"))
    gone = replace(ruling, withdrawn=True)
    rulings = (*tournament.rulings[: event.ruling - 1], gone, *tournament.rulings[event.ruling :])
    trace = RulingWithdrawal(ruling, event.t, event.who, event.why)
    return replace(tournament, rulings=rulings, traces=(*tournament.traces, trace))


def rulings_for(tournament: Tournament, player: int) -> tuple[Ruling, ...]:
    """Return the rulings about a player that hold."""
    return tuple(one for one in tournament.rulings if one.player == player and not one.withdrawn)


def rulings_that_count(tournament: Tournament, player: int) -> tuple[Ruling, ...]:
    """Return the rulings about a player that count in the standings.

    In a final that began from zero, only rulings since then count for those who play it.
    """
    since = 0
    if tournament.final is not None and tournament.counted_from and player in tournament.finalists:
        since = tournament.final.rulings
    return tuple(one for one in rulings_for(tournament, player) if one.number > since)


def adjusted_by(tournament: Tournament, player: int) -> int:
    """Return the points that the director gave a player, less those taken, as far as they count."""
    return sum(one.points for one in rulings_that_count(tournament, player))
