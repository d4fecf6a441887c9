"""The solver: whether tiles can all lie in sets, and how many tiles of a hand can be played.

Jokers are free here: they may stand for anything and move anywhere. Whether a joker that lies on the table may move is
for the judge to say. Everything is deterministic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from referee.game.columns import Column, Supply, group_count, search
from referee.game.sets import SMALLEST, is_set
from referee.game.table import Table, in_order, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile

Worth = Callable[[Tile], int]


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


def partition(tiles: Iterable[Tile], *, wraps: bool = False) -> Table | None:
    """Valid sets made of exactly these tiles, or None where there are none."""
    play = best_play(tiles, (), wraps=wraps)
    return None if play is None else play.sets


def splits_into_sets(tiles: Iterable[Tile], *, wraps: bool = False) -> bool:
    """True where all these tiles can lie in valid sets at once."""
    return partition(tiles, wraps=wraps) is not None


def most_points(tiles: Iterable[Tile], *, wraps: bool = False) -> int:
    """The most points that sets made of these tiles can have; jokers are worth nothing."""
    return sum(tile.number for tile in best_sets(tiles, face_value, wraps=wraps).tiles)


def best_sets(tiles: Iterable[Tile], worth: Worth = one_each, *, wraps: bool = False) -> Play:
    """The sets made of the most of these tiles, with no table to care for."""
    return best_play((), tiles, worth, wraps=wraps) or Play((), ())


def best_play(
    table_tiles: Iterable[Tile], hand: Iterable[Tile], worth: Worth = one_each, *, wraps: bool = False
) -> Play | None:
    """The most that `hand` can play while every tile of the table stays on it; with `wraps` runs go on from 13 to 1.

    `worth` says what a numbered tile adds; jokers come last, as many as still fit. None where not all tiles of the
    table can lie in sets, even with help from the hand.
    """
    table_tiles, hand = tuple(table_tiles), tuple(hand)
    if not wraps:
        return _best_play(table_tiles, hand, worth)
    # Not complete yet: an arrangement whose runs leave no place between two numbers uncrossed is missed.
    best: Play | None = None
    for turn in range(HIGHEST):
        table, rack = ([_turned(tile, turn) for tile in tiles] for tiles in (table_tiles, hand))
        turned = _best_play(table, rack, partial(_turned_worth, worth, -turn))
        if turned is not None:
            sets = tuple(tuple(_turned(tile, -turn) for tile in tiles) for tiles in turned.sets)
            play = Play(in_order(_turned(tile, -turn) for tile in turned.tiles), sets)
            best = play if best is None else max(best, play, key=partial(_value, worth))
    return best


def _value(worth: Worth, play: Play) -> tuple[int, int]:
    return sum(worth(tile) for tile in play.tiles if not tile.is_joker), len(play.tiles)


def _turned_worth(worth: Worth, steps: int, tile: Tile) -> int:
    return worth(_turned(tile, steps))


def _turned(tile: Tile, steps: int) -> Tile:
    return tile if tile.colour is None else Tile((tile.number - 1 + steps) % HIGHEST + 1, tile.colour)


def _best_play(table_tiles: Iterable[Tile], hand: Iterable[Tile], worth: Worth) -> Play | None:
    """The most that `hand` can play where runs end at 13.

    `worth` says what a numbered tile adds; jokers come last, as many as still fit. None where not all tiles of the
    table can lie in sets, even with help from the hand.
    """
    table, rack = Counter(table_tiles), Counter(hand)
    must_jokers = table.pop(JOKER, 0)
    jokers = must_jokers + rack.pop(JOKER, 0)
    # The best is found with as few jokers as will do; only where the others then find no room are they reckoned in.
    plays: list[Play] = []
    for spare in (None, must_jokers):
        supply = Supply(table, rack, jokers, worth, spare)
        columns = search(supply)
        if columns is None:
            break
        sets, left = _add_jokers(_build(columns, supply.colours), jokers - _jokers_in(columns))
        if jokers - left >= must_jokers:
            played = tiles_on(sets) - table
            played[JOKER] -= must_jokers
            plays.append(Play(in_order(played.elements()), tuple(map(tuple, sets))))
        if not left:
            break
    return max(plays, key=lambda play: len(play.tiles), default=None)


def _jokers_in(columns: list[Column]) -> int:
    return sum(column.jokers + sum(pick.jokers for pick in column.picks) for column in columns)


def _build(columns: list[Column], colours: tuple[Colour, ...]) -> list[list[Tile]]:
    """The sets that the columns describe."""
    done: list[list[Tile]] = []
    for index, colour in enumerate(colours):
        done += _build_runs([column.picks[index][:2] for column in columns], colour)
    for number, column in enumerate(columns, start=1):
        tiles = dict(zip(colours, column.to_groups, strict=True))
        done += _build_groups(number, tiles, column.jokers)
    return done


def _build_runs(steps: list[tuple[int, int]], colour: Colour) -> list[list[Tile]]:
    """The runs of one colour; short runs are carried on first, as the search assumed."""
    done: list[list[Tile]] = []
    going: list[list[Tile]] = []
    for number, (tiles, jokers) in enumerate(steps, start=1):
        row = [Tile(number, colour)] * tiles + [JOKER] * jokers
        going.sort(key=len)
        done += going[len(row) :]
        going = [[*run, tile] for run, tile in zip(going, row, strict=False)]
        going += [[tile] for tile in row[len(going) :]]
    return done + going


def _build_groups(number: int, tiles: dict[Colour, int], jokers: int) -> list[list[Tile]]:
    """The groups of one number: tiles dealt out in turn, each colour to different groups, then the jokers."""
    count = group_count(tuple(tiles.values()), jokers) or 0
    groups: list[list[Tile]] = [[] for _ in range(count)]
    dealt = [Tile(number, colour) for colour, times in tiles.items() for _ in range(times)] + [JOKER] * jokers
    for index, tile in enumerate(dealt):
        groups[index % count].append(tile)
    return groups


def _add_jokers(sets: list[list[Tile]], jokers: int) -> tuple[list[list[Tile]], int]:
    """Add jokers to sets that have room; gives the sets and the jokers that found no place."""
    for tiles in sets:
        while jokers and is_set((*tiles, JOKER)):
            tiles.append(JOKER)
            jokers -= 1
    longest = max(sets, key=len, default=[])
    if jokers and len(longest) == HIGHEST:
        sets.append(longest[:SMALLEST])
        del longest[:SMALLEST]
        return _add_jokers(sets, jokers)
    if jokers >= SMALLEST:
        sets, jokers = [*sets, [JOKER] * jokers], 0
    return sets, jokers
