"""Mistakes that are wrong by every rule book (something that is not a set, a missing tile), and those with jokers."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import numpy as np

from referee.game.rulebooks.model import JokerFreedom, JokerSets
from referee.game.sets import SMALLEST, is_set, shape
from referee.game.table import Set, Table, laid_tiles, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile
from referee.sim.players.legal_turns import legal_turn
from referee.sim.players.moves import stands_for
from referee.sim.players.set_finding import (
    extensions,
    in_sequence,
    next_number,
    previous_number,
    sets_with_joker,
    without_jokers,
)
from referee.sim.players.turn_in_progress import Situation


def one_of(rng: np.random.Generator, rows: list[Set]) -> Set | None:
    """Return one of the rows at random; None if there are none."""
    return rows[int(rng.integers(len(rows)))] if rows else None


def numbers(seen: Situation) -> list[Tile]:
    """Return the different numbered tiles of the rack, sorted by colour and number."""
    tiles = {tile for tile in seen.rack if not tile.is_joker}
    return sorted(tiles, key=lambda tile: (tile.colour or "", tile.number))


def with_row(seen: Situation, row: Set | None) -> Table | None:
    """Return the table with one more row; None if `row` is None."""
    return None if row is None else (*seen.table, row)


def replace_set(table: Table, index: int, *rows: Set) -> Table:
    """Return the table with one set replaced by other rows."""
    return (*table[:index], *rows, *table[index + 1 :])


def too_short(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Lay two tiles as a set."""
    pairs = [
        (a, b)
        for a, b in combinations(numbers(seen), 2)
        if (a.colour == b.colour and b.number == a.number + 1) or (a.number == b.number and a.colour != b.colour)
    ]
    return with_row(seen, one_of(rng, list(pairs)))


def wrong_number(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Lay three tiles of one colour that are not consecutive."""
    rows: list[Set] = []
    for colour in Colour:
        tiles = [tile for tile in numbers(seen) if tile.colour is colour]
        rows += (row for row in combinations(tiles, 3) if row[2].number <= row[0].number + 4)
    return with_row(seen, one_of(rng, [row for row in rows if not is_set(row, seen.rules.wraps)]))


def same_colour(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Lay a group in which a colour comes twice."""
    doubled = [tile for tile in numbers(seen) if seen.rack[tile] > 1]
    rows = [(a, b, a) for a in doubled for b in numbers(seen) if b.number == a.number and b != a]
    return with_row(seen, one_of(rng, list(rows)))


def past_thirteen(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Lay a run in which 1 follows 13, if the rules do not allow that."""
    if seen.rules.wraps:
        return None
    rows: list[Set] = []
    for colour in Colour:
        high, top, ace, two = (Tile(number, colour) for number in (HIGHEST - 1, HIGHEST, 1, 2))
        rows += (row for row in ((high, top, ace), (top, ace, two)) if not Counter(row) - seen.rack)
    return with_row(seen, one_of(rng, rows))


def wrong_tile_added(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Add a tile to a set where it does not fit."""
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
    """Take one tile from the table into the hand, from the end of a long set if there is one."""
    after = legal_turn(seen, rng) or seen.table
    came = laid_tiles(seen.table, after)
    lying = [i for i, tiles in enumerate(seen.table) if tiles in after and not came[tiles[-1]]]
    choice = [i for i in lying if len(seen.table[i]) > 3] or lying
    if not choice:
        return None
    short = seen.table[choice[int(rng.integers(len(choice)))]]
    return replace_set(after, after.index(short), short[:-1])


def broken_up(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Take a tile out of a set, and lay it with one tile from the rack; neither remainder need be a set."""
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
    """Add a tile of another box, although all of that kind already lie on the table."""
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


def joker_taken(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Take a joker from a set on the table without replacing it, and use it in a set of the player's own."""
    freedom = seen.rules.joker_rule.freedom
    # What jokers alone in a set stand for was only declared, so that the turn could be legal after all.
    if not seen.opened or freedom is JokerFreedom.ALWAYS or any(set(tiles) == {JOKER} for tiles in seen.table):
        return None
    pairs = sets_with_joker(seen.rack, seen.rules.wraps)
    homes = [i for i, old in enumerate(seen.table) if JOKER in old]
    if not pairs or not homes:
        return None
    row, index = pairs[int(rng.integers(len(pairs)))], homes[int(rng.integers(len(homes)))]
    old = seen.table[index]
    place = old.index(JOKER)
    left = (*old[:place], *old[place + 1 :])
    # If there are several jokers on the table, they may change places; so what any of them stands for counts.
    roles = {tile for i in homes for tile in shape(seen.table[i], seen.rules.wraps).roles}
    reach = tiles_on((row,)) if freedom is JokerFreedom.EXCHANGED else tiles_on((*seen.table, row))
    replaceable = any(tile in roles for tile in reach)
    if is_set(left, seen.rules.wraps) and (replaceable or roles & shape(row, seen.rules.wraps).roles):
        return None
    return (*replace_set(seen.table, index, left), row)


def joker_kept(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Exchange a joker for a fitting tile, and put it on the rack."""
    if not seen.opened:
        return None
    ways = [
        (index, tile)
        for index, old in enumerate(seen.table)
        if JOKER in old
        for tile in stands_for(old, seen.rules)
        if seen.rack[tile]
    ]
    if not ways:
        return None
    index, tile = ways[int(rng.integers(len(ways)))]
    old = seen.table[index]
    place = old.index(JOKER)
    return replace_set(seen.table, index, (*old[:place], tile, *old[place + 1 :]))


def joker_for_its_other_end(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Exchange a joker at one end of a run for the tile that fits the other end, if places count."""
    jokers = sum(tiles.count(JOKER) for tiles in seen.table)
    # With a single joker on the table, it cannot be mistaken for another one that was exchanged legally.
    if not seen.opened or not seen.rules.joker_rule.as_laid or jokers != 1:
        return None
    index = next(i for i, old in enumerate(seen.table) if JOKER in old)
    old, wraps = seen.table[index], seen.rules.wraps
    left = tuple(tile for tile in old if not tile.is_joker)
    told = stands_for(old, seen.rules)
    if len(told) != 1 or len(left) < SMALLEST - 1 or not in_sequence(old, wraps):
        return None
    lying = Counter() if seen.rules.joker_rule.freedom is JokerFreedom.EXCHANGED else tiles_on(seen.table)
    ways: list[tuple[Set, Set]] = []
    for tile, longer in _longer(left, wraps):
        if tile == told[0] or not seen.rack[tile] or not is_set(longer, wraps):
            continue
        homes = sets_with_joker(without_jokers(seen.rack - Counter((tile,))) + Counter((JOKER,)), wraps)
        homes = [row for row in homes if not (lying + tiles_on((row,)))[told[0]]]
        ways += [(longer, row) for row in homes if told[0] not in shape(row, wraps).roles]
    if not ways:
        return None
    longer, row = ways[int(rng.integers(len(ways)))]
    return (*replace_set(seen.table, index, longer), row)


def _longer(left: Set, wraps: bool) -> list[tuple[Tile, Set]]:
    """Return the tiles that continue a row (even one too short for a set) at its ends, each with the longer row."""
    rising = all(next_number(one.number, wraps) == other.number for one, other in pairwise(left))
    if not rising and not all(next_number(other.number, wraps) == one.number for one, other in pairwise(left)):
        return []
    low, high = (left[0], left[-1]) if rising else (left[-1], left[0])
    ends = ((previous_number(low.number, wraps), rising), (next_number(high.number, wraps), not rising))
    tiles = [(Tile(number, low.colour), first) for number, first in ends if 1 <= number <= HIGHEST]
    return [(tile, (tile, *left) if first else (*left, tile)) for tile, first in tiles]


def undeclared_joker(seen: Situation, rng: np.random.Generator) -> Table | None:
    """Lay a joker in a place that does not show what it stands for."""
    if not seen.rules.joker_rule.declared or not seen.rack[JOKER]:
        return None
    rows = [
        (a, JOKER, b)
        for a, b in combinations(numbers(seen), 2)
        if a.colour == b.colour and b.number == a.number + 1 and a.number > 1 and b.number < HIGHEST
    ]
    return with_row(seen, one_of(rng, list(rows)))


def jokers_alone(seen: Situation, rng: np.random.Generator) -> Table | None:  # noqa: ARG001 - as all makers
    """Lay jokers alone as a set, if that is refused, or requires a declaration that the player does not make."""
    if seen.rules.joker_rule.alone is JokerSets.ALLOWED or seen.rack[JOKER] < SMALLEST:
        return None
    return (*seen.table, (JOKER,) * SMALLEST)
