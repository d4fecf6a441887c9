"""The hall's page: all tables, standings, and what the director may do.

It is built of the same parts as a table's page; `server` is where to begin.
"""

from referee.pages.hall.server import HallServer

__all__ = ["HallServer"]
