"""Tournaments on the tables of the hall: stores their events, begins rounds at all tables, and collects results.

`state` extends a tournament by the places of its tables. `round_results` finds the result of each table of a draw
among the tables' matches. `keeper` makes all changes, in a thread of its own, and writes them to disk. Pages and
commands are in `pages/hall`.
"""

from referee.club.hall.tournaments.round_results import TournamentFacts

__all__ = ["TournamentFacts"]
