"""Tournaments on the tables of the hall: their events are kept, rounds begin at all tables, results come in.

`state` adds to a tournament where its tables are, `results` finds in the tables' matches what a draw came to, and
`keeper` accesses the disk, in a thread of its own. Page and commands are in `pages/hall`.
"""

from referee.club.hall.tournaments.results import TournamentFacts

__all__ = ["TournamentFacts"]
