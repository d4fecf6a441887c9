"""Seats: sizes of tables, schedules with few repeated meetings, and lower bounds for the repeats.

Start reading with `schedule.seat`.
"""

from referee.club.tournament.seating.bounds import byes, fewest_repeats, repeats, table_sizes
from referee.club.tournament.seating.schedule import Seating, seat
from referee.club.tournament.seating.search import Before

__all__ = ["Before", "Seating", "byes", "fewest_repeats", "repeats", "seat", "table_sizes"]
