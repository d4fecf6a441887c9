"""Tiles as whole numbers while a first meld is looked for, a few bits for each face: the hand, what takes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import reduce
from itertools import takewhile
from operator import or_
from typing import NamedTuple

from referee.game.judge.meld_pieces import Piece
from referee.game.tiles import FACES, JOKER, Tile

_BITS = 8
NUMBERED = tuple(face for face in FACES if not face.is_joker)
UNIT = {tile: 1 << _BITS * place for place, tile in enumerate(NUMBERED)}
"""One of each face with a number; their sum is the code of some tiles."""
_ALL = (1 << _BITS) - 1
"""All bits of one face."""
JOKERS_AT = _BITS * len(NUMBERED)
"""The first bit that no code of tiles uses."""
_NONE = sum(unit << _BITS - 1 for unit in UNIT.values())
"""The highest bit of each face: it goes where more is taken than there is."""


def all_of(code: int) -> int:
    """Every bit of the faces in a code: what a hand holds of them, however many."""
    return code * _ALL


def code_of(tiles: Iterable[Tile]) -> int:
    """The numbered tiles as one number."""
    return sum([UNIT[tile] for tile in tiles if tile.number])


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
    made: Piece | None = None
    kind: int | None = None
    """How its jokers are bound, once it is known (see `meld_ways`)."""
    lawful: bool = True
    """Whether it may be laid for all that is known; where it may not by itself, it never may."""
    each: float = field(init=False)
    """What it brings for every joker, beyond what its tiles are worth."""

    density: float = field(init=False)
    """What it brings for every tile that it takes."""

    def __post_init__(self) -> None:
        self.density = self.points / self.size if self.size else 0
        self.each = (self.points - self.value) / self.jokers if self.jokers else 0

    @classmethod
    def of(cls, piece: Piece) -> Plan:
        """The plan of a piece that is there already."""
        uses = piece.uses
        value = sum([tile.number for tile in uses])
        jokers = uses.count(JOKER)
        return cls(lambda: piece, piece.points, piece.old, piece.gains, len(uses), code_of(uses), value, jokers)

    @property
    def piece(self) -> Piece:
        """The piece."""
        if self.made is None:
            self.made = self.make()
        return self.made


def most_brought(plans: Iterable[Plan]) -> int:
    """The most jokers that plans can bring beyond those they take: one plan for each set of the table."""
    most: dict[int, int] = {}
    for plan in plans:
        brought = plan.gains - plan.jokers
        if brought > most.get(plan.old, 0):
            most[plan.old] = brought
    return sum(most.values())


def most_gains(plans: Iterable[Plan]) -> int:
    """The most jokers that plans can exchange, those that do so coming first: one plan for each set of the table."""
    most: dict[int, int] = {}
    for plan in takewhile(lambda plan: plan.gains, plans):
        most[plan.old] = max(plan.gains, most.get(plan.old, 0))
    return sum(most.values())


class Packed(NamedTuple):
    """Tiles of a hand: those with numbers as a code, what they are worth, how many jokers, how many tiles at all."""

    code: int
    value: int
    jokers: int
    tiles: int

    @classmethod
    def of(cls, hand: Counter[Tile]) -> Packed:
        """The hand with so many of each tile."""
        code = sum(times * UNIT[tile] for tile, times in hand.items() if tile.number)
        value = sum(tile.number * times for tile, times in hand.items())
        return cls(code | _NONE, value, hand[JOKER], hand.total())

    def held(self, plans: Iterable[Plan], without: int) -> list[Plan]:
        """The plans whose numbered tiles it has, but for those with this set of the table."""
        code = self.code
        return [p for p in plans if (code - p.code) & _NONE == _NONE and (p.old != without or p.old < 0)]

    def can(self, plans: Iterable[Plan]) -> bool:
        """Whether it has all that these plans take."""
        return (self.code - sum([p.code for p in plans])) & _NONE == _NONE and self.jokers >= sum(
            [p.jokers for p in plans]
        )

    def worth_of(self, faces: int) -> int:
        """What those of its tiles are worth that are among these."""
        held, worth = (self.code ^ _NONE) & all_of(faces), 0
        while held:
            place = ((held & -held).bit_length() - 1) // _BITS
            times = held >> _BITS * place & _ALL
            worth += NUMBERED[place].number * times
            held ^= times << _BITS * place
        return worth

    def without(self, plan: Plan) -> Packed:
        """What is left, and the jokers that the plan brings."""
        gains = plan.gains
        tiles = self.tiles - plan.size + gains
        return Packed(self.code - plan.code, self.value - plan.value, self.jokers - plan.jokers + gains, tiles)


def worthwhile(plans: list[Plan], hand: Packed, jokers: int, known: int, *, whole: bool = False) -> list[Plan]:
    """Those of the plans that could be part of more points than `known`, with so many jokers at most.

    All together bring no more than the tiles of the hand are worth that any of them takes, and for every joker the
    most that any brings for one; where a set of the table counts as a `whole`, what it brings beyond that once, and
    only own sets tell what a joker brings. A plan that falls so far short of this that no more than `known` can come
    of it is left out; then the others are looked at again.
    """
    while plans:
        each = max([plan.each for plan in plans if not whole or plan.old < 0], default=0)
        faces = reduce(or_, [plan.code for plan in plans])
        beyond = [plan.points - plan.value - each * plan.jokers for plan in plans]
        lying: dict[int, float] = {-1: 0}
        for plan, more in zip(plans, beyond, strict=True) if whole else ():
            lying[plan.old] = max(more, lying.get(plan.old, 0))
        spare = hand.worth_of(faces) + each * jokers + sum(lying.values()) - known
        better = [p for p, more in zip(plans, beyond, strict=True) if lying.get(p.old, 0) - more < spare]
        if len(better) == len(plans):
            break
        plans = better
    return plans
