"""The hand and the plans of a first meld as integers, called codes: a count of eight bits for each numbered tile.

With codes, taking the tiles of a plan from a hand is one subtraction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from referee.game.judge.jokers.values import Reading
from referee.game.judge.melds.pieces import Piece
from referee.game.table import Set, in_order
from referee.game.tiles import FACES, JOKER, Tile

_BITS = 8
"""The bits of each count: seven for the number of copies and one as a guard."""
NUMBERED = tuple(face for face in FACES if not face.is_joker)
_IN_ORDER = in_order(NUMBERED)
UNIT = {tile: 1 << _BITS * place for place, tile in enumerate(NUMBERED)}
"""The code of one tile, for each numbered tile. The code of several tiles is the sum of theirs."""
_ALL = (1 << _BITS) - 1
"""A field of ones: all bits of the count of the first tile."""
JOKERS_AT = _BITS * len(NUMBERED)
"""The lowest bit above the counts of all tiles."""
_NONE = sum(unit << _BITS - 1 for unit in UNIT.values())
"""The highest bit of each count, as a guard: a subtraction clears it where more is taken than there is."""
_ONES = sum(UNIT.values())
_TO_NONE = _NONE - _ONES
"""Added to a code, sets the highest bit of each count that is not zero."""


def all_of(code: int) -> int:
    """Return a mask with all bits of the count of each tile in `code`, which holds no tile twice."""
    return code * _ALL


def code_of(tiles: Iterable[Tile]) -> int:
    """Return the code of the numbered tiles; jokers are ignored."""
    return sum([UNIT[tile] for tile in tiles if tile.number])


def in_none(tiles: Iterable[Tile]) -> int:
    """Return the code of one each of all numbered tiles that are not among `tiles`."""
    return _ONES & ~code_of(tiles)


def in_code(way: Reading) -> int:
    """Return the code of what jokers may stand for in one reading of a set: inverted (so negative) for a group."""
    code = code_of(way.tiles)
    return code if way.in_run else ~code


@lru_cache(maxsize=1 << 12)
def tiles_in(code: int) -> Set:
    """Return, in order, the tiles of a code that holds no tile twice."""
    return tuple([tile for tile in _IN_ORDER if code & UNIT[tile]])


@dataclass(slots=True, eq=False)
class Plan:
    """The cost and the points of a piece. The piece itself is built only when it is tried, since few plans are."""

    make: Callable[[], Piece]
    points: int
    old: int
    gains: int
    size: int
    """How many tiles of the hand it takes."""
    code: int
    value: int
    jokers: int
    stands: Sequence[int] = ()
    """What the jokers of the set may stand for: `in_code` of each reading; empty if it has no joker."""
    staying: int = 0
    """How many jokers the set has once the plan is laid."""
    made: Piece | None = None
    kind: int | None = None
    """The number of `MeldWays._kind()`, which tells how its jokers are bound; None until computed."""
    lawful: bool = True
    """False once it is known that it cannot be laid legally on its own; then it cannot with other plans either."""
    density: float = field(init=False)
    """Points for each tile that it takes."""

    def __post_init__(self) -> None:
        self.density = self.points / self.size if self.size else 0

    @classmethod
    def from_piece(cls, piece: Piece) -> Plan:
        """Return the plan of a piece that is built already."""
        uses = piece.uses
        value = sum([tile.number for tile in uses])
        jokers = uses.count(JOKER)
        plan = cls(lambda: piece, piece.points, piece.old, piece.gains, len(uses), code_of(uses), value, jokers)
        if piece.bound is not None:
            plan.stands, plan.staying = tuple(map(in_code, piece.bound.readings)), piece.bound.jokers
        return plan

    @property
    def piece(self) -> Piece:
        """The piece, built at first use."""
        if self.made is None:
            self.made = self.make()
        return self.made


def place_of(tile: Tile) -> int:
    """Return the position of the lowest bit of a tile's count in a code."""
    return UNIT[tile].bit_length() - 1


def times_in(code: int, place: int) -> int:
    """Return how many of the tile whose count begins at bit `place` are in the code of a hand."""
    return code >> place & _ALL >> 1


class Packed(NamedTuple):
    """A hand: the code of its numbered tiles, with the guard bits set, and the number of its jokers."""

    code: int
    jokers: int

    @classmethod
    def from_hand(cls, hand: Counter[Tile]) -> Packed:
        """Pack a hand that is given as the number of each tile."""
        return cls(sum(times * UNIT[tile] for tile, times in hand.items() if tile.number) | _NONE, hand[JOKER])

    @staticmethod
    def without(code: int, plan: Plan) -> int:
        """Return the code of the hand without the tiles of a plan; 0 if the hand lacks one of them."""
        left = code - plan.code
        return left if left & _NONE == _NONE else 0


def _present(hand: int) -> int:
    """Return the code of one of each tile that the hand holds."""
    return (hand ^ _NONE) + _TO_NONE >> _BITS - 1 & _ONES


class Homes(NamedTuple):
    """Limits for what the jokers of a first meld may stand for, so that the rest of the turn can follow legally."""

    no_run: int = 0
    """The code of the tiles that a joker in a run can stand for only if a tile of the hand frees it."""
    no_group: int = 0
    """The same for a joker in a group."""
    hand: int = 0
    """The code of the hand, if tiles of the hand can free jokers; else 0."""
    anywhere: int = 0
    """How many jokers may stand for anything."""
    own_tile: bool = False
    """Whether a tile that frees a joker just laid could as well have been laid instead of it, for the same points."""

    def without(self, used: int, fresh: bool) -> tuple[int, int]:
        """Return the codes of what the jokers of a set cannot stand for: in a run, and in a group.

        `used` is the code of the tiles taken from the hand. A `fresh` set had no joker before.
        """
        if not self.hand or (fresh and self.own_tile):
            return self.no_run, self.no_group
        left = ~_present(self.hand - used)
        return self.no_run & left, self.no_group & left


def freed_at_once(left: int, frees: int, plan: Plan) -> int | None:
    """Return `frees` and the tiles that free all jokers of a plan's set; None if the hand does not have them all.

    `left` is the code of the hand without the plan's tiles, `frees` that of the tiles that free other jokers.
    """
    rest = left - frees
    if rest & _NONE != _NONE:
        return None
    if not plan.staying:
        return frees
    there = _present(rest)
    for code in plan.stands:
        fitting = there & (code if code >= 0 else ~code)
        if fitting.bit_count() >= plan.staying:
            while fitting.bit_count() > plan.staying:
                fitting &= fitting - 1
            return frees + fitting
    return None
