"""What the table looks like after each step of a turn, so that people can follow it tile by tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from referee.game.moves import Step
from referee.game.notice import Notice
from referee.game.table import Set, Table, in_order
from referee.game.tiles import Tile


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that lie together after a step, and the places in them of those that this step has moved.

    `place` is the index of the set of the first table that they grow from; None for a new set.
    """

    tiles: Set
    moved: frozenset[int] = frozenset()
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A step in words, and the table after it."""

    told: tuple[Notice, ...]
    groups: tuple[Group, ...]


def stages_of(table: Table, steps: Sequence[Step]) -> tuple[Stage, ...]:
    """Return the stages from a table through the steps of a turn.

    Tiles that a later step will take still lie beside their set, and a set that is used up disappears.
    """
    groups: list[Group] = [Group(tiles, place=place) for place, tiles in enumerate(table)]
    stages = []
    for step in steps:
        groups = [Group(group.tiles, place=group.place) for group in groups]
        for source in {move.source for move in step.moves if move.source is not None}:
            taken = Counter(move.tile for move in step.moves if move.source == source)
            groups[source] = Group(_without(groups[source].tiles, taken), place=source)
        _lay(groups, step)
        stages.append(Stage(_told(step), tuple(group for group in groups if group.tiles)))
    return tuple(stages)


def _lay(groups: list[Group], step: Step) -> None:
    """Put the result of a step in its place, followed by tiles of that place that are still to be taken."""
    came = Counter(move.tile for move in step.moves)
    moved = set()
    for index, tile in reversed(tuple(enumerate(step.result))):
        if came[tile]:
            came[tile] -= 1
            moved.add(index)
    if step.place is None:
        groups.append(Group(step.result, frozenset(moved)))
        return
    kept = Counter(step.result) - Counter(move.tile for move in step.moves)
    rest = _without(groups[step.place].tiles, kept)
    groups[step.place] = Group((*step.result, *rest), frozenset(moved), step.place)


def _without(tiles: Set, taken: Counter[Tile]) -> Set:
    """Return the tiles of a row that stay, in their order."""
    left, stay = Counter(taken), []
    for tile in tiles:
        if left[tile]:
            left[tile] -= 1
        else:
            stay.append(tile)
    return tuple(stay)


def _told(step: Step) -> tuple[Notice, ...]:
    """Return a step in words: where tiles come from, and how the set lies then; sets are counted from 1."""
    told = []
    for source in sorted({move.source for move in step.moves if move.source is not None}):
        tiles = in_order(move.tile for move in step.moves if move.source == source)
        told.append(Notice("puzzle.take", tiles=tiles, number=source + 1))
    hand = in_order(move.tile for move in step.moves if move.source is None)
    if hand:
        told.append(Notice("puzzle.take_from_hand", tiles=hand))
    if step.place is None:
        return (*told, Notice("puzzle.new_set", tiles=step.result))
    return (*told, Notice("puzzle.lies_then", number=step.place + 1, tiles=step.result))
