"""Which discards allow a knock in Gin, one tile after the other."""

from referee.game.gin.showdown import may_knock
from referee.game.table import in_order


def knock_discards(hand):
    """The tiles of a hand of one too many without which the others may knock."""
    tiles = in_order(hand)
    return tuple(tile for tile in tiles if may_knock(other for other in tiles if other != tile))
