"""The hall's page: all tables, standings, and the commands of the director.

It is built from the same modules as a table's page; start reading at `server`.
"""

from referee.pages.hall.server import HallServer

__all__ = ["HallServer"]
