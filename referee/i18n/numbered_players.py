"""What players are called who gave no name: "Player 1" and so on, in every language."""

from __future__ import annotations

from referee.game.notice import Notice
from referee.i18n.wording import LANGUAGES, Wording

MOST_SEATS = 8
"""More seats than any game has."""
NUMBERED_PLAYERS = frozenset(
    Wording(language)(Notice("words.player_name", number=seat))
    for language in LANGUAGES
    for seat in range(1, MOST_SEATS + 1)
)
"""These names tell nothing of anybody."""
