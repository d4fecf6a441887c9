"""What a first meld can be made of, and the search for one that counts enough.

`pieces` are the sets that count, `plans` the same before they are made; `ways` tells whether the turn can go on from
them by right. `prices` bounds what all together can count, and `search` finds the first meld that counts so much.
"""

from referee.game.judge.melds.pieces import Piece
from referee.game.judge.melds.search import MeldSearch
from referee.game.judge.melds.ways import MeldWays

__all__ = ["MeldSearch", "MeldWays", "Piece"]
