"""How an accepted turn came about, where that is not plain to see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.game.judge.first_meld import FirstMeld
from referee.game.judge.joker_values import only_jokers
from referee.game.judge.jokers import Freed
from referee.game.judge.meld_pieces import Piece
from referee.game.notice import Notice
from referee.game.table import Change


def explained(meld: FirstMeld | None, freed: Iterable[Freed], change: Change) -> tuple[Notice, ...]:
    """What the first meld was and what it counted, and which joker was freed by which tile."""
    alone = [tiles for _, tiles in change.new if only_jokers(tiles)]
    return (
        *(_first_meld(meld, change) if meld is not None and meld.pieces else ()),
        *map(_freed, freed),
        *(Notice("judge.jokers_alone", tiles=tiles) for tiles in alone),
    )


def _first_meld(meld: FirstMeld, change: Change) -> Iterator[Notice]:
    yield Notice("judge.first_meld", sets=tuple(_piece(piece, change) for piece in meld.pieces), points=meld.points)


def _piece(piece: Piece, change: Change) -> Notice:
    if piece.old < 0:
        return Notice("judge.own_set", tiles=piece.tiles)
    return Notice("judge.extended_set", tiles=piece.tiles, old=change.before[piece.old])


def _freed(freed: Freed) -> Notice:
    return Notice("judge.joker_freed", tiles=tuple(freed.tiles), old=freed.old)
