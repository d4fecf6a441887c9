"""What the jokers of a set may stand for, all of them at once."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from referee.game.rulebooks.model import JokerSets, Ruleset
from referee.game.sets import LARGEST_GROUP, is_set, shape
from referee.game.table import Set, in_order
from referee.game.tiles import HIGHEST, Colour, Tile


class Reading(NamedTuple):
    """One way to see a set: as a run or a group, and the tiles that its jokers stand for, each a different one.

    A group of three may have more tiles to choose from than jokers.
    """

    in_run: bool
    tiles: frozenset[Tile]


def counts(tiles: Set, rules: Ruleset) -> bool:
    """Whether tiles are a set by this book, which may refuse jokers alone."""
    return is_set(tiles, rules.wraps) and (rules.joker_rule.alone is not JokerSets.REFUSED or not only_jokers(tiles))


def only_jokers(tiles: Set) -> bool:
    """Whether there is no numbered tile among them."""
    return all(tile.is_joker for tile in tiles)


def readings(tiles: Set, rules: Ruleset) -> tuple[Reading, ...]:
    """Every way to see a set with jokers, in the colours that are played; none for tiles that are no set."""
    return readings_in(in_order(tiles), rules.wraps, rules.colours)


@lru_cache(maxsize=1 << 12)
def readings_in(tiles: Set, wraps: bool, colours: tuple[Colour, ...]) -> tuple[Reading, ...]:
    """The same for tiles in order."""
    seen = shape(tiles, wraps)
    if seen.all_jokers and seen.valid:
        return _of_jokers(seen.jokers, wraps, colours)
    plain = frozenset(tiles)
    ways = [Reading(True, _faces(run, seen.colour) - plain) for run in seen.runs]
    if seen.group is not None:
        ways.append(Reading(False, frozenset(Tile(seen.group, colour) for colour in colours) - plain))
    return tuple(ways)


@lru_cache(maxsize=1 << 11)
def _faces(run: tuple[int, ...], colour: Colour | None) -> frozenset[Tile]:
    return frozenset([Tile(number, colour) for number in run])


def _of_jokers(number: int, wraps: bool, colours: tuple[Colour, ...]) -> tuple[Reading, ...]:
    """Every run, and every number for a group, that so many jokers can stand for."""
    starts = range(1, (HIGHEST if wraps and number <= HIGHEST else HIGHEST - number + 1) + 1)
    ways = [
        Reading(True, frozenset(Tile((start + step - 1) % HIGHEST + 1, colour) for step in range(number)))
        for colour in colours
        for start in starts
    ]
    if number <= LARGEST_GROUP:
        ways += [Reading(False, frozenset(Tile(n, colour) for colour in colours)) for n in range(1, HIGHEST + 1)]
    return tuple(ways)


def values(tiles: Set, wraps: bool) -> frozenset[int]:
    """Every value that a set can have, its jokers counting as what they stand for."""
    plain = sum(tile.number for tile in tiles)
    jokers = sum(tile.is_joker for tile in tiles)
    return frozenset(
        plain + (sum(t.number for t in way.tiles) if way.in_run else jokers * next(iter(way.tiles)).number)
        if jokers
        else plain
        for way in readings_in(in_order(tiles), wraps, tuple(Colour))
    )
