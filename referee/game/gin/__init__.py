"""Gin Rummy: hidden hands of ten, an open row of discards, a knock, and what is counted then.

Only the rules lie here, as pure functions of hands and rows; their course in a match is `referee.game.match.gin`.
"""

from referee.game.gin.hands import Arrangement, arrange
from referee.game.gin.showdown import lay_off, may_knock, settle

__all__ = ["Arrangement", "arrange", "lay_off", "may_knock", "settle"]
