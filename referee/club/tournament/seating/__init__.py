"""Seats: sizes of tables, schedules with few repeated meetings, who starts, and proofs of how good that is.

`schedule.seat` is where to begin.
"""

from referee.club.tournament.seating.bounds import fewest_repeats, repeats
from referee.club.tournament.seating.schedule import Seating, seat
from referee.club.tournament.seating.search import Before
from referee.club.tournament.seating.sizes import byes, table_sizes
from referee.club.tournament.seating.starts import starters

__all__ = ["Before", "Seating", "byes", "fewest_repeats", "repeats", "seat", "starters", "table_sizes"]
