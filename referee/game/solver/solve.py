"""The solver: whether tiles can all lie in sets, and how many tiles of a hand can be played.

Jokers are free here: they may stand for anything and move anywhere. Whether a joker that lies on the table may move is
for the judge to say. With `wraps`, runs go on from 13 to 1; with `joker_sets` off, jokers alone are no set. Everything
is deterministic.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from referee.game.solver.assembly import Sets, add_jokers, build
from referee.game.solver.board import Board, Worth
from referee.game.solver.search import search
from referee.game.table import Table, in_order
from referee.game.tiles import JOKER, Tile


class Play(NamedTuple):
    """Tiles to play from the hand, and the sets that then lie on the table."""

    tiles: tuple[Tile, ...]
    sets: Table


def one_each(_: Tile) -> int:
    """Worth of a tile when the number of tiles counts."""
    return 1


def face_value(tile: Tile) -> int:
    """Worth of a tile when points count."""
    return tile.number


def partition(tiles: Iterable[Tile], *, wraps: bool = False, joker_sets: bool = True) -> Table | None:
    """Valid sets made of exactly these tiles, or None where there are none."""
    play = best_play(tiles, (), wraps=wraps, joker_sets=joker_sets)
    return None if play is None else play.sets


def most_points(tiles: Iterable[Tile], *, wraps: bool = False) -> int:
    """The most points that sets made of these tiles can have; jokers are worth nothing."""
    return sum(tile.number for tile in best_sets(tiles, face_value, wraps=wraps).tiles)


def best_sets(tiles: Iterable[Tile], worth: Worth = one_each, *, wraps: bool = False, joker_sets: bool = True) -> Play:
    """The sets made of the most of these tiles, with no table to care for."""
    return best_play((), tiles, worth, wraps=wraps, joker_sets=joker_sets) or Play((), ())


def best_play(
    table_tiles: Iterable[Tile],
    hand: Iterable[Tile],
    worth: Worth = one_each,
    *,
    wraps: bool = False,
    joker_sets: bool = True,
) -> Play | None:
    """The most that `hand` can play while every tile of the table stays on it.

    `worth` says what a numbered tile adds, a positive number; jokers come last, as many as still fit. None where not
    all tiles of the table can lie in sets, even with help from the hand.
    """
    table, must_jokers = _without_jokers(table_tiles)
    rack, may_jokers = _without_jokers(hand)
    jokers = must_jokers + may_jokers
    board = Board.from_tiles(table, rack, worth, jokers, wraps)
    found = None if board is None else search(board)
    if board is None or found is None:
        return None
    sets, played = build(board, found)
    left = add_jokers(sets, jokers - found.jokers, wraps=wraps, joker_sets=joker_sets)
    if left > may_jokers:
        # One joker too many among groups of four, or two beside one group: only a tile less makes room for it.
        if not played:
            return None
        _replace(min(played, key=worth), sets, played)
        left -= 1
    played += [JOKER] * (may_jokers - left)
    return Play(in_order(played), tuple(map(tuple, sets)))


def _without_jokers(tiles: Iterable[Tile]) -> tuple[list[Tile], int]:
    every = list(tiles)
    plain = [tile for tile in every if tile is not JOKER]
    return plain, len(every) - len(plain)


def _replace(tile: Tile, sets: Sets, played: list[Tile]) -> None:
    """Put a joker in the place of a tile that was to be played."""
    played.remove(tile)
    tiles = next(tiles for tiles in sets if tile in tiles)
    tiles[tiles.index(tile)] = JOKER
