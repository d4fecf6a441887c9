"""The course of a round of Gin in the state machine of the match: deal, offers, turns and the knock.

What Gin's hands and knocks are worth is told by `referee.game.gin`, which knows no match.
"""

from referee.game.match.gin.course import play

__all__ = ["play"]
