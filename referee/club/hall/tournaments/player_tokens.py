"""The addresses of players' own pages: nobody can guess them, and nothing about them is stored but one secret.

A tournament that is restored from a file keeps the addresses of the hall that saved it, as the slips with them are in
the players' pockets.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

from referee.club.hall.tournaments.state import Hosted

BYTES = 15
"""Of a token: 120 bits, which are 24 letters."""
TOKEN = re.compile(r"[a-z2-7]{24}")
"""What a token looks like."""


def token_of(secret: bytes, slug: str, number: int) -> str:
    """Return the token of a player of a tournament of this hall."""
    made = hmac.new(secret, f"{slug}/{number}".encode(), hashlib.sha256).digest()
    return base64.b32encode(made[:BYTES]).decode().lower()


def token_for(secret: bytes, hosted: Hosted, number: int) -> str:
    """Return the token of a player: the one that came with a restored tournament, or else that of this hall."""
    return hosted.tokens[number - 1] if number <= len(hosted.tokens) else token_of(secret, hosted.slug, number)


def tokens_for(secret: bytes, hosted: Hosted) -> tuple[str, ...]:
    """Return the tokens of all players, in the order of their numbers."""
    return tuple(token_for(secret, hosted, number) for number in range(1, len(hosted.tournament.players) + 1))
