"""Doubts that need not be asked about, because whatever the tiles are it comes to the same."""

from __future__ import annotations

from dataclasses import replace

from referee.game.doubt import Doubt
from referee.game.match.events import Seen, Unsure, Word
from referee.game.match.machine import OutOfOrder, apply
from referee.game.match.state import State
from referee.game.tiles import FACE_DOWN, Tile
from referee.table.looking.look import Look
from referee.vision.sighting import Read, Sighting

PLAUSIBLE = 0.002
"""A reading less likely than this is none, but the two likeliest always are."""


def spare_question(
    look: Look, state: State, doubts: tuple[Doubt, ...], words: tuple[Word, ...], t: float
) -> Seen | None:
    """The look as one that can be judged in spite of its doubts; None where players must be asked."""
    seen = look.sighting
    if seen is None or not doubts or any(doubt.read is None for doubt in doubts):
        return None
    if any(doubt.together for doubt in doubts):
        return None  # the answer names many tiles, which the next look is compared with
    each = {number: doubt for doubt in doubts for number in doubt.copies or _own_id(doubt)}
    unsure = tuple(_unsure(seen, number, doubt) for number, doubt in each.items())
    if None in unsure:
        return None
    event = Seen(seen.table, t, words=words, unsure=tuple(one for one in unsure if one is not None))
    try:
        apply(state, event)
    except OutOfOrder:
        return None
    return event


def readings(read: Read) -> tuple[Tile | None, ...]:
    """What a tile may plausibly be, the likeliest first; None: face down."""
    others = [(name, p) for name, p in read.alternatives if name != read.name]
    names = [read.name, *(name for i, (name, p) in enumerate(others) if i == 0 or p >= PLAUSIBLE)]
    return tuple(None if name == FACE_DOWN else Tile.from_name(name) for name in names)


def _own_id(doubt: Doubt) -> tuple[int, ...]:
    return () if doubt.read is None else (doubt.read.id,)


def _unsure(seen: Sighting, number: int, doubt: Doubt) -> Unsure | None:
    """Where a tile in doubt stands in the table; None where it seems to lie face down, for it may belong anywhere."""
    told = None if doubt.read is None else replace(doubt.read, id=number)
    for at, members in enumerate(seen.sets):
        shown = [i for i in members if seen.reads[i].tile is not None]
        if number in shown:
            return Unsure(at, shown.index(number), readings(seen.reads[number]), replace(doubt, read=told))
    return None
