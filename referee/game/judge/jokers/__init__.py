"""Jokers in the judge: what they stand for as they lie, what frees them, and how they go back when time is up.

`values` and `places` treat one set, `ways` and `moved` all jokers between two tables, `back` the end of the time.
"""

from referee.game.judge.jokers.moved import Bound, Freed, JokerCheck, bound_on
from referee.game.judge.jokers.values import Reading, change_by, counts, readings

__all__ = ["Bound", "Freed", "JokerCheck", "Reading", "bound_on", "change_by", "counts", "readings"]
