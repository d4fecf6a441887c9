"""Tiles as whole numbers while a first meld is looked for, a few bits for each face: the hand, what takes of it."""

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
NUMBERED = tuple(face for face in FACES if not face.is_joker)
_IN_ORDER = in_order(NUMBERED)
UNIT = {tile: 1 << _BITS * place for place, tile in enumerate(NUMBERED)}
"""One of each face with a number; their sum is the code of some tiles."""
_ALL = (1 << _BITS) - 1
"""All bits of one face."""
JOKERS_AT = _BITS * len(NUMBERED)
"""The first bit that no code of tiles uses."""
_NONE = sum(unit << _BITS - 1 for unit in UNIT.values())
"""The highest bit of each face: it goes where more is taken than there is."""
_ONES = sum(UNIT.values())
_TO_NONE = _NONE - _ONES
"""What added to a code sets the highest bit of each face that it holds."""


def all_of(code: int) -> int:
    """Every bit of the faces in a code: what a hand holds of them, however many."""
    return code * _ALL


def code_of(tiles: Iterable[Tile]) -> int:
    """The numbered tiles as one number."""
    return sum([UNIT[tile] for tile in tiles if tile.number])


def in_none(tiles: Iterable[Tile]) -> int:
    """The code of one of every face but these."""
    return _ONES & ~code_of(tiles)


def in_code(way: Reading) -> int:
    """What jokers may stand for in one way to see a set: the code of these tiles, in a group all its bits turned."""
    code = code_of(way.tiles)
    return code if way.in_run else ~code


@lru_cache(maxsize=1 << 12)
def tiles_in(code: int) -> Set:
    """The tiles of a code that holds none twice, in order."""
    return tuple([tile for tile in _IN_ORDER if code & UNIT[tile]])


@dataclass(slots=True, eq=False)
class Plan:
    """What a piece takes of the hand and what it brings; the piece itself is made when it is tried, which few are."""

    make: Callable[[], Piece]
    points: int
    old: int
    gains: int
    size: int
    """How many tiles it takes."""
    code: int
    value: int
    jokers: int
    stands: Sequence[int] = ()
    """What the jokers of the set may stand for, as `in_code` of each way to see it; nothing where there are none."""
    staying: int = 0
    """How many jokers are in the set once the plan is laid."""
    made: Piece | None = None
    kind: int | None = None
    """How its jokers are bound, once it is known (see `ways`)."""
    lawful: bool = True
    """Whether it may be laid for all that is known; where it may not by itself, it never may."""
    density: float = field(init=False)
    """What it brings for every tile that it takes."""

    def __post_init__(self) -> None:
        self.density = self.points / self.size if self.size else 0

    @classmethod
    def from_piece(cls, piece: Piece) -> Plan:
        """The plan of a piece that is there already."""
        uses = piece.uses
        value = sum([tile.number for tile in uses])
        jokers = uses.count(JOKER)
        plan = cls(lambda: piece, piece.points, piece.old, piece.gains, len(uses), code_of(uses), value, jokers)
        if piece.bound is not None:
            plan.stands, plan.staying = tuple(map(in_code, piece.bound.readings)), piece.bound.jokers
        return plan

    @property
    def piece(self) -> Piece:
        """The piece."""
        if self.made is None:
            self.made = self.make()
        return self.made


def place_of(tile: Tile) -> int:
    """The first bit of a face in a code."""
    return UNIT[tile].bit_length() - 1


def times_in(code: int, place: int) -> int:
    """How many of the face with that first bit a hand with that code holds."""
    return code >> place & _ALL >> 1


class Packed(NamedTuple):
    """Tiles of a hand: those with numbers as a code, and how many jokers."""

    code: int
    jokers: int

    @classmethod
    def from_hand(cls, hand: Counter[Tile]) -> Packed:
        """The hand with this many of each tile."""
        return cls(sum(times * UNIT[tile] for tile, times in hand.items() if tile.number) | _NONE, hand[JOKER])

    @staticmethod
    def less(code: int, plan: Plan) -> int:
        """The code of a hand without what a plan takes; 0 where it has not all of that."""
        left = code - plan.code
        return left if left & _NONE == _NONE else 0


def _present(hand: int) -> int:
    """One of each face that a hand holds."""
    return (hand ^ _NONE) + _TO_NONE >> _BITS - 1 & _ONES


class Homes(NamedTuple):
    """What jokers of a first meld may stand for: only what the turn can go on from by right."""

    no_run: int = 0
    """The tiles that no joker can stand for in a run, unless one of the hand frees it; as a code."""
    no_group: int = 0
    """The same in a group."""
    hand: int = 0
    """The code of the hand whose tiles free jokers; 0 where none does."""
    anywhere: int = 0
    """So many jokers may stand for anything."""
    own_tile: bool = False
    """Whether a tile that frees a joker just laid could have been laid in its place, and count as much."""

    def without(self, used: int, fresh: bool) -> tuple[int, int]:
        """Return what jokers of a set cannot stand for, in a run and in a group, as codes.

        `used` is the code of what was laid of the hand. A `fresh` set held no joker before.
        """
        if not self.hand or (fresh and self.own_tile):
            return self.no_run, self.no_group
        left = ~_present(self.hand - used)
        return self.no_run & left, self.no_group & left


def freed_at_once(left: int, frees: int, plan: Plan) -> int | None:
    """Tiles that free all jokers of a plan's set, and some jokers already; None where the hand has not all of them.

    `left` is the code of the hand without what the plan takes, `frees` that of the tiles that free others.
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
