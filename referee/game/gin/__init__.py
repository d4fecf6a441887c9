"""Gin Rummy: hidden hands of ten, an open row of discards, a knock, and the scores after it.

These are only the rules, as pure functions of hands and rows; `referee.game.match.gin` has the course of a round.
"""

from referee.game.gin.hands import Arrangement, arrange
from referee.game.gin.showdown import lay_off, may_knock, settle

__all__ = ["Arrangement", "arrange", "lay_off", "may_knock", "settle"]
