"""A virtual table: camera pictures of any table, and players who lay tiles on it by the rules and against them.

`match` brings people and table together.
"""

from referee.sim.match import VirtualMatch

__all__ = ["VirtualMatch"]
