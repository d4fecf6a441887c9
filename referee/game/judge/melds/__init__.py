"""What a first meld can be made of, and the search for one that is worth enough points.

A piece (`pieces`) is one set that counts towards a first meld; a plan (`plans`) is a piece that is not built yet.
`ways` checks whether the rest of the turn can follow legally from some pieces. `prices` computes an upper bound for
the points of all pieces together, and `search` finds a first meld that reaches a given number of points.
"""

from referee.game.judge.melds.pieces import Piece
from referee.game.judge.melds.search import MeldSearch
from referee.game.judge.melds.ways import MeldWays

__all__ = ["MeldSearch", "MeldWays", "Piece"]
