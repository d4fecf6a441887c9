"""Pairs for tables of two by the Monrad system: each player meets the next one in the standings not met before."""

from __future__ import annotations

from collections.abc import Sequence

from referee.club.tournament.seating.search import Flags

TRIES = 20_000
"""The most pairs that are tried. Chosen by hand: a round takes some hundreds, unless nearly everybody has met."""


class _GivenUp(Exception):
    """Too many pairs were tried."""


def pair_by_standings(players: Sequence[int], may_meet: Flags) -> tuple[tuple[int, int], ...] | None:
    """Return pairs of all players without repeats; None if there are none, or if the search takes too long.

    `players`: the players in the order of the standings. `may_meet`: whether two players may meet.

    The first player meets the next one in the standings whom they may meet, and so does the first of the rest, and
    so on. If some are then left who cannot be paired, the last choice that allows it is changed.
    """
    tries = 0

    def pairs(left: tuple[int, ...]) -> tuple[tuple[int, int], ...] | None:
        nonlocal tries
        if not left:
            return ()
        if not _can_be_paired(left, may_meet):
            return None
        first, rest = left[0], left[1:]
        for at, other in enumerate(rest):
            if not may_meet[first, other]:
                continue
            tries += 1
            if tries > TRIES:
                raise _GivenUp
            found = pairs((*rest[:at], *rest[at + 1 :]))
            if found is not None:
                return ((first, other), *found)
        return None

    try:
        return pairs(tuple(players))
    except _GivenUp:
        return None


def _can_be_paired(left: Sequence[int], may_meet: Flags) -> bool:
    """Return False if the players fall into groups that may not meet one another, and a group has an odd number."""
    unseen = set(left)
    while unseen:
        group = [unseen.pop()]
        for one in group:  # the list grows while it is read
            reached = [other for other in unseen if may_meet[one, other]]
            unseen.difference_update(reached)
            group += reached
        if len(group) % 2:
            return False
    return True
