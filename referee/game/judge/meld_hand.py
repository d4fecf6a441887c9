"""The hand while a first meld is looked for, as one whole number: a few bits for each face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from referee.game.judge.meld_pieces import Piece
from referee.game.tiles import FACES, JOKER, Tile

_BITS = 8
_SHIFT = {tile: _BITS * place for place, tile in enumerate(face for face in FACES if not face.is_joker)}
_NONE = sum(1 << shift + _BITS - 1 for shift in _SHIFT.values())
"""The highest bit of each face: it goes where more is taken than there is."""


def code_of(tiles: Iterable[Tile]) -> int:
    """The numbered tiles as one number."""
    return sum([1 << _SHIFT[tile] for tile in tiles if tile.number])


class Plan(NamedTuple):
    """A piece, and what it takes of the hand."""

    piece: Piece
    each: float
    """What it brings for every tile."""
    code: int
    value: int
    jokers: int

    @classmethod
    def of(cls, piece: Piece) -> Plan:
        """What that piece takes."""
        jokers = piece.uses.count(JOKER)
        return cls(
            piece,
            piece.points / len(piece.uses),
            code_of(piece.uses),
            sum([tile.number for tile in piece.uses]),
            jokers,
        )


class Named(NamedTuple):
    """A piece, the number of what its jokers are bound to, or -1, and its numbered tiles as a code."""

    piece: Piece
    group: int
    code: int


class Packed(NamedTuple):
    """Tiles of a hand: those with numbers as a code, what they are worth, how many jokers, how many tiles at all."""

    code: int
    value: int
    jokers: int
    tiles: int

    @classmethod
    def of(cls, hand: Counter[Tile]) -> Packed:
        """The hand with so many of each tile."""
        code = sum(times << _SHIFT[tile] for tile, times in hand.items() if tile.number)
        value = sum(tile.number * times for tile, times in hand.items())
        return cls(code | _NONE, value, hand[JOKER], hand.total())

    def holds(self, plan: Plan) -> bool:
        """Whether it has the numbered tiles of a plan."""
        return (self.code - plan.code) & _NONE == _NONE

    def without(self, plan: Plan) -> Packed:
        """What is left, and the jokers that the plan brings."""
        gains = plan.piece.gains
        tiles = self.tiles - len(plan.piece.uses) + gains
        return Packed(self.code - plan.code, self.value - plan.value, self.jokers - plan.jokers + gains, tiles)
