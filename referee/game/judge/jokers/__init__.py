"""Jokers in the judge: what they stand for as they lie, what frees them, and how they go back when time is up.

`values` and `places` are about one set, `ways` and `moved` about all jokers from one table to another, `back` about
the end of the time.
"""

from referee.game.judge.jokers.moved import Bound, Freed, JokerCheck, bound_on
from referee.game.judge.jokers.values import Reading, change_by, counts, readings

__all__ = ["Bound", "Freed", "JokerCheck", "Reading", "bound_on", "change_by", "counts", "readings"]
