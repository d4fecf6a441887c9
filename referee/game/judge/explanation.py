"""How an accepted turn came about, where that is not obvious."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.game.judge.first_meld import FirstMeld
from referee.game.judge.jokers.moved import Freed
from referee.game.judge.jokers.values import only_jokers, readings, row_of
from referee.game.judge.melds.pieces import Piece
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Change, Set


def explain(meld: FirstMeld | None, freed: Iterable[Freed], change: Change, rules: Ruleset) -> tuple[Notice, ...]:
    """Return what the first meld was and what it counted, and which tile freed which joker."""
    alone = [tiles for _, tiles in change.new if only_jokers(tiles)]
    return (
        *(_first_meld(meld, change, rules) if meld is not None and meld.pieces else ()),
        *map(_freed_notice, freed),
        *(Notice("judge.jokers_alone", tiles=tiles) for tiles in alone),
    )


def _first_meld(meld: FirstMeld, change: Change, rules: Ruleset) -> Iterator[Notice]:
    sets = tuple(_piece(piece, change, rules) for piece in meld.pieces)
    yield Notice("judge.first_meld", sets=sets, points=meld.points)


def _piece(piece: Piece, change: Change, rules: Ruleset) -> Notice:
    tiles = _as_it_lay(piece, rules)
    if piece.old < 0:
        return Notice("judge.own_set", tiles=tiles)
    return Notice("judge.extended_set", tiles=tiles, old=change.before[piece.old])


def _as_it_lay(piece: Piece, rules: Ruleset) -> Set:
    """Return the tiles of a piece, jokers in the places of what they count as, if places matter."""
    if piece.bound is None or not rules.joker_rule.as_laid:
        return piece.tiles
    way = piece.bound.readings[0]
    return row_of(piece.tiles, way) if way.in_run and way not in readings(piece.tiles, rules) else piece.tiles


def _freed_notice(freed: Freed) -> Notice:
    return Notice("judge.joker_freed", tiles=tuple(freed.tiles), old=freed.old)
