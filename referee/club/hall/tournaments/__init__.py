"""Tournaments on the tables of the hall: stores their events, begins rounds at all tables, and collects results.

`state` adds to a tournament where its tables are; `round_results` finds the result of each table of a draw among the
tables' matches; `keeper` accesses the disk, in a thread of its own. Page and commands are in `pages/hall`.
"""

from referee.club.hall.tournaments.round_results import TournamentFacts

__all__ = ["TournamentFacts"]
