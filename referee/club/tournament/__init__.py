"""A tournament as a pure state machine: `apply` returns the tournament after an event.

Start reading with `machine.apply`. `drawing` finds seats, `standings` ranks the players, `events` encodes events, and
`export` makes files for other programs.
"""

from referee.club.tournament.drawing import next_draw, plan
from referee.club.tournament.events import Event, OutOfOrder
from referee.club.tournament.machine import apply, open_tournament, replay
from referee.club.tournament.rules import Counting, Rules, Scheme, TieBreak
from referee.club.tournament.standings import standings
from referee.club.tournament.state import Tournament

__all__ = [
    "Counting",
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
