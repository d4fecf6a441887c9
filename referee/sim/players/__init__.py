"""The players at the virtual table: their legal turns, their mistakes, and their reactions to the referee.

`people` has players of Rummy, and `gin_people` players of Gin.
"""

from referee.sim.players.gin_people import GinPeople
from referee.sim.players.people import People
from referee.sim.players.players import Doing, Habits, Players

__all__ = ["Doing", "GinPeople", "Habits", "People", "Players"]
