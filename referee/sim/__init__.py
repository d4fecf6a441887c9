"""A virtual table: camera pictures of any table, and players whose turns follow the rules or break them.

`match` combines the players and the table.
"""

from referee.sim.match import VirtualMatch

__all__ = ["VirtualMatch"]
