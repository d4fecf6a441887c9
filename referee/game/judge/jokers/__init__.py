"""Jokers in the judge: what they stand for as they lie, what sets them free, and how they go back when time is up.

`values` and `places` look at one set, `ways` and `moved` at all jokers from one table to another, `back` at time up.
"""

from referee.game.judge.jokers.moved import Bound, Freed, JokerCheck, bound_on
from referee.game.judge.jokers.values import Reading, change_by, counts, readings

__all__ = ["Bound", "Freed", "JokerCheck", "Reading", "bound_on", "change_by", "counts", "readings"]
