"""Finds the player to whom the address of a page belongs.

Whoever has the address of a player may see what the hall shows of that player, and may enter the results of that
player's tables; the others at the table confirm them.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.club.hall.tournaments.player_tokens import token_for
from referee.club.hall.tournaments.state import Hosted


class PlayerTokens:
    """The tokens of all players of all tournaments of a hall, made when they are first asked for."""

    def __init__(self) -> None:
        self._secret = b""
        self._players: dict[str, tuple[str, int]] = {}
        self._counted: dict[str, int] = {}

    def find(self, token: str, secret: bytes, tournaments: Iterable[Hosted]) -> tuple[str, int] | None:
        """Return the id of the tournament and the number of the player with this token; None if there is none.

        A tournament that was restored beside the one it was saved from has the same tokens, which lead to
        the later one.
        """
        if not secret:
            return None
        if secret != self._secret:
            self._secret, self._players, self._counted = secret, {}, {}
        for hosted in tournaments:
            known, players = self._counted.get(hosted.slug, 0), len(hosted.tournament.players)
            for number in range(known + 1, players + 1):
                self._players[token_for(secret, hosted, number)] = hosted.slug, number
            self._counted[hosted.slug] = max(known, players)
        return self._players.get(token)
