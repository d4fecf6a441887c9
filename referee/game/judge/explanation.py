"""How an accepted turn came about, in plain sentences, where that is not plain to see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.game.judge.first_meld import FirstMeld
from referee.game.judge.joker_values import only_jokers
from referee.game.judge.jokers import Freed
from referee.game.judge.meld_pieces import Piece
from referee.game.notation import format_set
from referee.game.table import Change
from referee.game.wording import count, joined, listed


def explained(meld: FirstMeld | None, freed: Iterable[Freed], change: Change) -> tuple[str, ...]:
    """What the first meld was and what it counted, and which joker was freed by which tile."""
    alone = [tiles for _, tiles in change.new if only_jokers(tiles)]
    return (
        *(_first_meld(meld, change) if meld is not None and meld.pieces else ()),
        *map(_freed, freed),
        *(f"{format_set(tiles)} are jokers alone: agree on what they stand for." for tiles in alone),
    )


def _first_meld(meld: FirstMeld, change: Change) -> Iterator[str]:
    parts = joined([_piece(piece, change) for piece in meld.pieces])
    yield f"The first meld was {parts}: {count(meld.points, 'point')}."


def _piece(piece: Piece, change: Change) -> str:
    if piece.old < 0:
        return format_set(piece.tiles)
    return f"{format_set(piece.tiles)} (with {format_set(change.before[piece.old])} of the table)"


def _freed(freed: Freed) -> str:
    took = "took the place of a joker" if len(freed.tiles) == 1 else "took the places of jokers"
    text = f"{listed(freed.tiles)} {took} in {format_set(freed.old)}."
    return text[0].upper() + text[1:]
