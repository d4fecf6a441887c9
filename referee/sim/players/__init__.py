"""People at the virtual table: what they lay, what they do wrong, and how they follow what the referee says.

`people` plays Rummy and `gin_people` plays Gin.
"""

from referee.sim.players.gin_people import GinPeople
from referee.sim.players.people import People
from referee.sim.players.players import Doing, Habits, Players

__all__ = ["Doing", "GinPeople", "Habits", "People", "Players"]
