"""Points as players read them: with a real minus sign, and the totals of a table with the names of its players."""

from __future__ import annotations

from collections.abc import Sequence

from referee.club.tournament.state import Tournament

MINUS = "\N{MINUS SIGN}"


def signed(points: int) -> str:
    """Return points of a match, or points given or taken, as text with their sign."""
    return f"{points:+}".replace("-", MINUS) if points else "0"


def totals(tournament: Tournament, players: Sequence[int], points: Sequence[int]) -> str:
    """Return the totals of a table as text, each beside the name of its player, in the order of the seats."""
    named = zip(players, points, strict=True)
    return ", ".join(f"{tournament.players[player - 1].name} {signed(own)}" for player, own in named)
