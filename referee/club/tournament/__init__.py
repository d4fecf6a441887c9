"""A tournament as a pure state machine: an event and a tournament give the next tournament.

`machine.apply` is where to begin; `drawing` finds seats, `standings` ranks, `export` and `events` write it all down.
"""

from referee.club.tournament.drawing import next_draw, plan
from referee.club.tournament.events import Event, OutOfOrder
from referee.club.tournament.machine import apply, open_tournament, replay
from referee.club.tournament.rules import Rules, Scheme, TieBreak
from referee.club.tournament.standings import standings
from referee.club.tournament.state import Tournament

__all__ = [
    "Event",
    "OutOfOrder",
    "Rules",
    "Scheme",
    "TieBreak",
    "Tournament",
    "apply",
    "next_draw",
    "open_tournament",
    "plan",
    "replay",
    "standings",
]
