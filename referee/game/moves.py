"""How people get from one table to another: which sets stay, and which tiles move where.

Identical tiles cannot be told apart, so it does not matter which of them moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.game.table import Set, Table, tiles_on
from referee.game.tiles import JOKER, Tile


@dataclass(frozen=True, slots=True)
class Move:
    """A tile that is put to a set: from the set of the old table with the index `source`, or from the hand (None)."""

    tile: Tile
    source: int | None


Member = tuple[int, int]
"""A tile of the old table: the index of its set, and its index in that set."""


@dataclass(frozen=True, slots=True)
class Step:
    """How one set of the new table comes about.

    `place` is the index of the set of the old table that it grows from, or None if it is laid in a free place. `moves`
    are the tiles that are put to it, and `result` is the set with its tiles in order. There are no `moves` where only
    tiles are taken away, but it must be told how the set with its jokers lies then.
    """

    place: int | None
    moves: tuple[Move, ...]
    result: Set


def steps_between(before: Table, after: Table) -> tuple[Step, ...]:
    """Return how to get from one table to another: a step for each set to which a tile is put, or that lies otherwise.

    Each set grows from the old set with which it has most tiles in common. Every tile of `before` must be in `after`;
    raises ValueError otherwise. Steps that take tiles from the table come in the order of the places, new sets last.
    """
    if not tiles_on(before) <= tiles_on(after):
        raise ValueError("expected a table after the turn with every tile of the one before it")
    places = _places_of(before, after)
    left = {index: Counter(tiles) for index, tiles in enumerate(before)}
    for tiles, place in zip(after, places, strict=True):
        if place is not None:
            left[place] -= Counter(tiles)
    steps = []
    for tiles, place in zip(after, places, strict=True):
        missing = _missing(tiles, () if place is None else before[place])
        if missing or (place is not None and _lies_otherwise(before[place], tiles)):
            steps.append(Step(place, tuple(_move(tile, left) for tile in missing), tiles))
    return tuple(sorted(steps, key=lambda step: (step.place is None, step.place or 0)))


def members_moved(before: Table, steps: Sequence[Step]) -> tuple[tuple[Member | None, ...], ...]:
    """Return for each step, and each of its moves, the tile of the old table that moves; None: one of the hand.

    Of identical tiles in a set, the first one moves first.
    """
    taken: set[Member] = set()
    found = []
    for step in steps:
        members: list[Member | None] = []
        for move in step.moves:
            if move.source is None:
                members.append(None)
                continue
            places = ((move.source, index) for index, tile in enumerate(before[move.source]) if tile == move.tile)
            member = next(place for place in places if place not in taken)
            taken.add(member)
            members.append(member)
        found.append(tuple(members))
    return tuple(found)


def members_staying(before: Table, moved: Iterable[Iterable[Member | None]], place: int) -> tuple[Member, ...]:
    """Return the tiles of a set of the old table that no step takes away; `moved` is from `members_moved`."""
    gone = {member for members in moved for member in members}
    return tuple((place, index) for index in range(len(before[place])) if (place, index) not in gone)


def _places_of(before: Table, after: Table) -> list[int | None]:
    """Return for each set of the new table the old set that it grows from; those most alike are matched first."""
    common = [
        ((Counter(new) & Counter(old)).total(), -len(old), -i, -j)
        for j, new in enumerate(after)
        for i, old in enumerate(before)
    ]
    places: list[int | None] = [None] * len(after)
    taken: set[int] = set()
    for shared, _, old, new in sorted(common, reverse=True):
        if shared and places[-new] is None and -old not in taken:
            places[-new] = -old
            taken.add(-old)
    return places


def _missing(tiles: Set, there: Set) -> list[Tile]:
    """Return the tiles of a set, in its order, that are not there already."""
    kept = Counter(there)
    missing = []
    for tile in tiles:
        if kept[tile]:
            kept[tile] -= 1
        else:
            missing.append(tile)
    return missing


def _lies_otherwise(old: Set, new: Set) -> bool:
    """Whether what is left of a set does not show by itself where its jokers lie."""
    if JOKER not in new:
        return False
    return old.count(JOKER) > new.count(JOKER) or not (_is_within(new, old) or _is_within(new, old[::-1]))


def _is_within(tiles: Set, row: Set) -> bool:
    """Whether these tiles are left, in this order, if others are taken from a row."""
    left = iter(row)
    return all(tile in left for tile in tiles)


def _move(tile: Tile, left: dict[int, Counter[Tile]]) -> Move:
    """Take a tile from an old set that no longer needs it, or else from the hand."""
    for source, tiles in left.items():
        if tiles[tile]:
            tiles[tile] -= 1
            return Move(tile, source)
    return Move(tile, None)
