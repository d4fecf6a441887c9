"""What the jokers of a set may stand for, all of them together.

In a run laid in a row, jokers stand for the numbers of their places, if the rules go by places. In a heap, in a group,
or in a set of jokers alone, they stand for whatever is best for the player.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import NamedTuple

from referee.game.rulebooks.model import JokerSets, Ruleset
from referee.game.sets import LARGEST_GROUP, is_set, runs_as_laid, shape
from referee.game.table import Change, Set, Table, in_order
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile


class Reading(NamedTuple):
    """One interpretation of a set: as a run or as a group, and the different tiles that its jokers stand for.

    In a group of three there may be more `tiles` to choose from than jokers.
    """

    in_run: bool
    tiles: frozenset[Tile]


def counts(tiles: Set, rules: Ruleset) -> bool:
    """Return whether tiles are a set by this rule book, which may refuse sets of jokers alone."""
    return is_set(tiles, rules.wraps) and (not only_jokers(tiles) or rules.joker_rule.alone is not JokerSets.REFUSED)


def only_jokers(tiles: Set) -> bool:
    """Return whether all tiles are jokers."""
    return all(tile.is_joker for tile in tiles)


def readings(tiles: Set, rules: Ruleset) -> tuple[Reading, ...]:
    """Return every reading of a set as it lies, in the colours in use; none if the tiles are not a set."""
    return readings_in(tiles, rules.wraps, rules.colours, rules.joker_rule.as_laid)


def readings_anyhow(tiles: Set, rules: Ruleset) -> tuple[Reading, ...]:
    """Return every reading of tiles as a set, whatever their order."""
    return _readings(in_order(tiles), rules.wraps, rules.colours, False)


def readings_in(tiles: Set, wraps: bool, colours: tuple[Colour, ...], in_place: bool) -> tuple[Reading, ...]:
    """Return every reading of tiles as a set; with `in_place`, the jokers of a row stand for their places."""
    in_place = in_place and JOKER in tiles
    return _readings(tiles if in_place else in_order(tiles), wraps, colours, in_place)


@lru_cache(maxsize=1 << 12)
def _readings(tiles: Set, wraps: bool, colours: tuple[Colour, ...], in_place: bool) -> tuple[Reading, ...]:
    seen = shape(tiles, wraps)
    if seen.all_jokers and seen.valid:
        return _of_jokers(seen.jokers, wraps, colours)
    plain = frozenset(tiles)
    runs = (runs_as_laid(tiles, seen) if in_place else ()) or seen.runs
    ways = [Reading(True, _faces(run, seen.colour) - plain) for run in runs]
    if seen.group is not None:
        ways.append(Reading(False, frozenset(Tile(seen.group, colour) for colour in colours) - plain))
    return tuple(ways)


@lru_cache(maxsize=1 << 11)
def _faces(run: tuple[int, ...], colour: Colour | None) -> frozenset[Tile]:
    return frozenset([Tile(number, colour) for number in run])


def _of_jokers(number: int, wraps: bool, colours: tuple[Colour, ...]) -> tuple[Reading, ...]:
    """Return every reading of jokers alone: each run of this length, and a group of each number."""
    starts = range(1, (HIGHEST if wraps and number <= HIGHEST else HIGHEST - number + 1) + 1)
    ways = [
        Reading(True, frozenset(Tile((start + step - 1) % HIGHEST + 1, colour) for step in range(number)))
        for colour in colours
        for start in starts
    ]
    if number <= LARGEST_GROUP:
        ways += [Reading(False, frozenset(Tile(n, colour) for colour in colours)) for n in range(1, HIGHEST + 1)]
    return tuple(ways)


def values(tiles: Set, rules: Ruleset) -> frozenset[int]:
    """Return every value that a set can have as it lies, with jokers worth what they stand for."""
    plain = sum(tile.number for tile in tiles)
    jokers = sum(tile.is_joker for tile in tiles)
    return frozenset(
        plain + (sum(t.number for t in way.tiles) if way.in_run else jokers * next(iter(way.tiles)).number)
        if jokers
        else plain
        for way in readings_in(tiles, rules.wraps, tuple(Colour), rules.joker_rule.as_laid)
    )


def row_of(tiles: Set, way: Reading) -> Set:
    """Return a run in ascending order, with its jokers in the places of the tiles that they stand for in `way`."""
    by_number = {tile.number: tile for tile in tiles} | dict.fromkeys((tile.number for tile in way.tiles), JOKER)
    numbers = {number for number in by_number if number}
    start = next((n for n in sorted(numbers) if (n - 2) % HIGHEST + 1 not in numbers), 1)
    return tuple(by_number[(start + step - 1) % HIGHEST + 1] for step in range(len(tiles)))


def change_by(rules: Ruleset, before: Table, after: Table) -> Change:
    """Compare two tables; if the rules go by places, a set whose joker moved to another place counts as changed."""
    if not rules.joker_rule.as_laid:
        return Change.between(before, after)
    return Change.between(before, after, partial(_means_the_same, rules), partial(_may_mean_the_same, rules))


def laid_back(rules: Ruleset, before: Table, now: Table) -> Table:
    """Return the table `now`, with the old order restored in sets in which only jokers changed places."""
    change = change_by(rules, before, now)
    old = {in_order(tiles): tiles for tiles in change.old}
    moved: dict[int, Set] = {i: old[in_order(tiles)] for i, tiles in change.new if in_order(tiles) in old}
    return tuple(moved.get(index, tiles) for index, tiles in enumerate(now)) if moved else now


def _means_the_same(rules: Ruleset, tiles: Set, other: Set) -> bool:
    """Whether two sets with the same tiles have the same readings."""
    return JOKER not in tiles or tiles == other or set(readings(tiles, rules)) == set(readings(other, rules))


def _may_mean_the_same(rules: Ruleset, tiles: Set, other: Set) -> bool:
    """Whether two sets with the same tiles have a reading in common, as a heap has with any row."""
    return JOKER not in tiles or not set(readings(tiles, rules)).isdisjoint(readings(other, rules))
