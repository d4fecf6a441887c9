"""What the set-up knows from earlier evenings: who has played, and the match that is still under way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from referee.i18n.numbered_players import NUMBERED_PLAYERS
from referee.journal.scores import MatchScore, MatchState
from referee.letters import is_too_long

MOST_OFFERED = 8
"""More names than a family has; so many fit on a phone above the fields that they fill."""


def earlier_players(matches: Sequence[MatchScore]) -> tuple[str, ...]:
    """Return the names of earlier players that can be chosen again, those who played last first."""
    names = dict.fromkeys(name for match in reversed(matches) for name in match.sheet.players)
    return tuple(name for name in names if name not in NUMBERED_PLAYERS and not is_too_long(name))[:MOST_OFFERED]


def begun_last(matches: Sequence[MatchScore]) -> datetime | None:
    """Return when the last match began if it is still under way; None if it is not, or if its time is only a guess."""
    last = matches[-1] if matches else None
    known = last is not None and last.state is MatchState.NOT_OVER and not last.guessed
    return last.begun if last is not None and known else None
