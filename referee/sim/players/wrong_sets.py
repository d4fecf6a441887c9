"""Mistakes that leave tiles on the table which are no set, or a tile missing: wrong by every rule book."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from referee.game.sets import is_set
from referee.game.table import Set, Table, laid
from referee.game.tiles import HIGHEST, Colour, Tile
from referee.sim.players.legal_turns import legal_turn
from referee.sim.players.set_finding import extensions
from referee.sim.players.turn_in_progress import Situation


def one_of(rng: np.random.Generator, rows: list[Set]) -> Set | None:
    """One of the rows, if there are any."""
    return rows[int(rng.integers(len(rows)))] if rows else None


def numbers(seen: Situation) -> list[Tile]:
    """The numbered tiles of the rack, each once, colour by colour."""
    tiles = {tile for tile in seen.rack if not tile.is_joker}
    return sorted(tiles, key=lambda tile: (tile.colour or "", tile.number))


def with_row(seen: Situation, row: Set | None) -> Table | None:
    """The table with one more row."""
    return None if row is None else (*seen.table, row)


def replace_set(table: Table, index: int, *rows: Set) -> Table:
    """The table with other rows in the place of one set."""
    return (*table[:index], *rows, *table[index + 1 :])


def too_short(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Two tiles as a set."""
    pairs = [
        (a, b)
        for a, b in combinations(numbers(seen), 2)
        if (a.colour == b.colour and b.number == a.number + 1) or (a.number == b.number and a.colour != b.colour)
    ]
    return with_row(seen, one_of(rng, list(pairs)))


def wrong_number(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Three tiles of a colour that do not follow each other."""
    rows: list[Set] = []
    for colour in Colour:
        tiles = [tile for tile in numbers(seen) if tile.colour is colour]
        rows += (row for row in combinations(tiles, 3) if row[2].number <= row[0].number + 4)
    return with_row(seen, one_of(rng, [row for row in rows if not is_set(row, seen.rules.wraps)]))


def same_colour(seen: Situation, rng: np.random.Generator) -> Table | None:
    """A group with a colour twice."""
    doubled = [tile for tile in numbers(seen) if seen.rack[tile] > 1]
    rows = [(a, b, a) for a in doubled for b in numbers(seen) if b.number == a.number and b != a]
    return with_row(seen, one_of(rng, list(rows)))


def past_thirteen(seen: Situation, rng: np.random.Generator) -> Table | None:
    """A run that goes on from 13 to 1."""
    if seen.rules.wraps:
        return None
    rows: list[Set] = []
    for colour in Colour:
        high, top, ace, two = (Tile(number, colour) for number in (HIGHEST - 1, HIGHEST, 1, 2))
        rows += (row for row in ((high, top, ace), (top, ace, two)) if not Counter(row) - seen.rack)
    return with_row(seen, one_of(rng, rows))


def wrong_tile_added(seen: Situation, rng: np.random.Generator) -> Table | None:
    """A tile laid on to a set where it does not fit."""
    if not seen.opened:
        return None
    ways = [
        (index, tile)
        for index, old in enumerate(seen.table)
        for tile in numbers(seen)
        if not is_set((*old, tile), seen.rules.wraps)
    ]
    return _add_wrong_tile(seen, ways, rng)


def _add_wrong_tile(seen: Situation, ways: list[tuple[int, Tile]], rng: np.random.Generator) -> Table | None:
    if not ways:
        return None
    index, tile = ways[int(rng.integers(len(ways)))]
    return replace_set(seen.table, index, (*seen.table[index], tile))


def vanished_tile(seen: Situation, rng: np.random.Generator) -> Table | None:
    """A turn in which one tile of the table goes back to the hand: from the end of a long set if there is one."""
    after = legal_turn(seen, rng) or seen.table
    came = laid(seen.table, after)
    lying = [i for i, tiles in enumerate(seen.table) if tiles in after and not came[tiles[-1]]]
    choice = [i for i in lying if len(seen.table[i]) > 3] or lying
    if not choice:
        return None
    short = seen.table[choice[int(rng.integers(len(choice)))]]
    return replace_set(after, after.index(short), short[:-1])


def broken_up(seen: Situation, rng: np.random.Generator) -> Table | None:
    """A tile taken out of a set and laid with a tile of the rack, both left lying so."""
    ways = [
        (index, place, tile)
        for index, old in enumerate(seen.table)
        for place, taken in enumerate(old)
        for tile in numbers(seen)
        if tile.number == taken.number and tile.colour != taken.colour
    ]
    if not ways or not seen.opened:
        return None
    index, place, tile = ways[int(rng.integers(len(ways)))]
    old = seen.table[index]
    return (*replace_set(seen.table, index, (*old[:place], *old[place + 1 :])), (old[place], tile))


def foreign(seen: Situation, rng: np.random.Generator) -> Table | None:
    """A tile out of another box, while all of its kind lie on the table."""
    if not seen.opened:
        return None
    box = seen.rules.box
    lying = Counter(tile for tiles in seen.table for tile in tiles)
    ways = [
        (index, longer)
        for index, tiles in enumerate(seen.table)
        for tile, longer in extensions(tiles, seen.rules.wraps)
        if tile.is_joker or tile.colour in box.colours
        if lying[tile] >= (box.jokers if tile.is_joker else box.copies)
    ]
    if not ways:
        return None
    index, longer = ways[int(rng.integers(len(ways)))]
    return replace_set(seen.table, index, longer)
