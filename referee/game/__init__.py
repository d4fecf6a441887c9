"""The rules of the game as pure values and functions: no input or output, no clock, no randomness.

The modules here are about tiles, sets, tables, notation, scoring and the turn clock. The packages for rule books,
solver, judge, Gin and match build on them.
"""

from referee.game.notation import format_table, parse_table
from referee.game.notice import Notice
from referee.game.table import Set, Table
from referee.game.tiles import JOKER, Colour, Tile, TileSet

__all__ = ["JOKER", "Colour", "Notice", "Set", "Table", "Tile", "TileSet", "format_table", "parse_table"]
